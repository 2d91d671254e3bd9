#!/usr/bin/env python3
"""Write the reference at the end of ``docs/api.md``: every method, message, field and enum of ``proto``.

The words are the comments of the protocol buffers. With ``--check`` nothing is written, and the exit code
is 1 if the page differs or a comment is missing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"
FILES = (
    "engine/v1/game_service.proto",
    "engine/v1/position.proto",
    "router/v1/router_service.proto",
    "router/v1/problem.proto",
    "router/v1/solution.proto",
)
BEGIN = "<!-- reference: made by tools/apidoc.py, do not edit -->"
END = "<!-- end of the reference -->"
MESSAGES, ENUMS, SERVICES = 4, 5, 6
FIELDS, METHODS, VALUES = 2, 2, 2


def descriptors() -> dict[str, Any]:
    """Return the descriptors of the files, with their comments, by name."""
    import grpc_tools
    from google.protobuf.descriptor_pb2 import FileDescriptorSet
    from grpc_tools import protoc

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "set"
        include = Path(grpc_tools.__file__).parent / "_proto"
        arguments = ["protoc", f"-I{ROOT / 'proto'}", f"-I{include}", "--include_source_info"]
        if protoc.main([*arguments, f"--descriptor_set_out={out}", *FILES]) != 0:
            sys.exit("apidoc: the protocol buffer compiler failed")
        found = FileDescriptorSet.FromString(out.read_bytes())
    return {file.name: file for file in found.file}


class File:
    """One file; collects what has no comment."""

    def __init__(self, file: Any, missing: list[str]) -> None:
        self.file = file
        self._missing = missing
        self._comments = {tuple(it.path): it.leading_comments for it in file.source_code_info.location}

    def said(self, name: str, *path: int) -> str:
        """Return the comment at a path in one line."""
        text = " ".join(self._comments.get(path, "").split())
        if not text:
            self._missing.append(f"{self.file.package}.{name}")
        return text

    def lines(self) -> Iterator[str]:
        """Yield the lines of the reference."""
        for number, service in enumerate(self.file.service):
            yield from self._service(number, service)
        for number, message in enumerate(self.file.message_type):
            if not message.options.map_entry:
                yield from self._message(number, message)
        for number, enum in enumerate(self.file.enum_type):
            yield from self._enum(number, enum)

    def _head(self, name: str) -> str:
        return f"#### {self.file.package}.{name}"

    def _service(self, number: int, service: Any) -> Iterator[str]:
        yield from (self._head(service.name), "", self.said(service.name, SERVICES, number), "")
        yield from ("| method | request | answer | |", "|---|---|---|---|")
        for at, method in enumerate(service.method):
            said = self.said(f"{service.name}.{method.name}", SERVICES, number, METHODS, at)
            answer = f"{'stream of ' if method.server_streaming else ''}{self._link(method.output_type)}"
            yield f"| `{method.name}` | {self._link(method.input_type)} | {answer} | {said} |"
        yield ""

    def _message(self, number: int, message: Any) -> Iterator[str]:
        yield from (self._head(message.name), "", self.said(message.name, MESSAGES, number), "")
        if not message.field:
            return
        yield from ("| field | type | no. | |", "|---|---|---|---|")
        entries = {f".{self.file.package}.{message.name}.{it.name}": it for it in message.nested_type}
        for at, field in enumerate(message.field):
            said = self.said(f"{message.name}.{field.name}", MESSAGES, number, FIELDS, at)
            choice = ""
            if field.HasField("oneof_index") and not field.proto3_optional:
                choice = f"one of `{message.oneof_decl[field.oneof_index].name}`: "
            yield f"| `{field.name}` | {choice}{self._type(field, entries)} | {field.number} | {said} |"
        yield ""

    def _enum(self, number: int, enum: Any) -> Iterator[str]:
        yield from (self._head(enum.name), "", self.said(enum.name, ENUMS, number), "")
        yield from ("| value | no. | |", "|---|---|---|")
        for at, value in enumerate(enum.value):
            said = self.said(f"{enum.name}.{value.name}", ENUMS, number, VALUES, at)
            yield f"| `{value.name}` | {value.number} | {said} |"
        yield ""

    def _type(self, field: Any, entries: dict[str, Any]) -> str:
        if field.type_name in entries:
            key, value = entries[field.type_name].field
            return f"map of {self._type(key, {})} to {self._type(value, {})}"
        if field.type_name:
            text = self._link(field.type_name)
        else:
            text = field.Type.Name(field.type).removeprefix("TYPE_").lower()
        if field.label == field.LABEL_REPEATED:
            return f"{text}[]"
        return f"{text}, optional" if field.proto3_optional else text

    def _link(self, name: str) -> str:
        full = name.lstrip(".")
        if full.startswith("google."):
            return full.rpartition(".")[2]
        anchor = full.lower().replace(".", "")
        return f"[{full.rpartition('.')[2]}](#{anchor})"


def reference(missing: list[str]) -> str:
    """Return the reference; ``missing`` takes in the names of what has no comment."""
    found = descriptors()
    parts = []
    for name in FILES:
        parts += [f"### {name}", "", *File(found[name], missing).lines()]
    return "\n".join([BEGIN, "", *parts, END]) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the reference, or check it, and return the exit code."""
    parser = argparse.ArgumentParser(description="Write the reference in docs/api.md.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if the page differs")
    options = parser.parse_args(arguments)
    missing: list[str] = []
    fresh = reference(missing)
    if missing:
        print("No comment in proto/:", *missing, sep="\n  ")
        return 1
    page = PAGE.read_text("utf-8")
    start, end = page.find(BEGIN), page.find(END)
    if start < 0 or end < 0:
        print(f"{PAGE.name} has no place for the reference: {BEGIN} ... {END}")
        return 1
    whole = page[:start] + fresh + page[end + len(END) + 1 :]
    if whole == page:
        print("the reference in docs/api.md matches proto/")
        return 0
    if options.check:
        print("The reference in docs/api.md does not match proto/; run `make proto`.")
        return 1
    PAGE.write_text(whole, "utf-8")
    print("docs/api.md written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
