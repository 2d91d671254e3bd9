"""Settings from a file, from the environment and from the command line, and what came of them."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from router.errors import Fault, InvalidInput
from router.service.config import Config

PREFIX = "TRUNKLINE_SERVE_"
FILE = PREFIX + "CONFIG"

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


def kinds() -> dict[str, tuple[type, bool]]:
    """Return the type of each setting, and whether it may be left unset."""
    found = {}
    for name, hint in get_type_hints(Config).items():
        parts = get_args(hint) or (hint,)
        found[name] = (next(it for it in parts if it is not type(None)), type(None) in parts)
    return found


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings in effect, and where each comes from: ``default``, the file, the environment, or an option."""

    config: Config
    sources: Mapping[str, str]

    def effective(self) -> str:
        """Return the settings in effect as a file that gives the same; secrets are never part of settings."""
        lines = []
        for field in dataclasses.fields(self.config):
            value = getattr(self.config, field.name)
            source = self.sources.get(field.name, "default")
            text = f"# {field.name} is not set" if value is None else f"{field.name} = {_toml(value)}"
            lines.append(f"{text}  # {source}" if value is not None else text)
        return "\n".join(lines) + "\n"

    def changed(self) -> dict[str, Any]:
        """Return the settings that are not the default."""
        return {name: getattr(self.config, name) for name in sorted(self.sources)}


def load(
    file: str | None = None,
    environment: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Settings:
    """Put the settings together; an option goes before the environment, and that before the file.

    Parameters
    ----------
    file
        A TOML file with the names of :class:`Config` at its top; by default the one that the variable
        ``TRUNKLINE_SERVE_CONFIG`` names.
    environment
        Variables; ``TRUNKLINE_SERVE_PORT`` is the setting ``port``.
    options
        Settings by name; None: not given.

    Raises
    ------
    InvalidInput
        With everything that is wrong, and where.
    """
    environment = environment or {}
    faults: list[Fault] = []
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    where: dict[str, str] = {}
    file = file or environment.get(FILE)
    known = kinds()

    def take(name: str, raw: Any, source: str, told: str, *, text: bool) -> None:
        if name not in known:
            faults.append(Fault(told, f"no such setting; there are {', '.join(sorted(known))}"))
            return
        kind, _ = known[name]
        value = _read(raw, kind, text)
        if value is None:
            # The value itself is not told: it may be a secret in the wrong place.
            faults.append(Fault(told, f"must be {_NAMES[kind]}"))
            return
        values[name], sources[name], where[name] = value, source, told

    if file:
        for name, raw in _table(file, faults).items():
            take(name, raw, file, f"{file}: {name}", text=False)
    for variable, raw in sorted(environment.items()):
        if variable.startswith(PREFIX) and variable != FILE:
            take(variable.removeprefix(PREFIX).lower(), raw, variable, variable, text=True)
    for name, raw in (options or {}).items():
        if raw is not None:
            values[name], sources[name], where[name] = raw, f"--{name}".replace("_", "-"), name
    try:
        config = Config(**values)
    except InvalidInput as error:
        faults += [Fault(where.get(it.where, it.where), it.why) for it in error.faults]
    if faults:
        raise InvalidInput(faults)
    return Settings(config, sources)


_NAMES: dict[type, str] = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _table(file: str, faults: list[Fault]) -> dict[str, Any]:
    try:
        with Path(file).open("rb") as stream:
            return tomllib.load(stream)
    except tomllib.TOMLDecodeError as error:
        faults.append(Fault(file, f"is no TOML: {error}"))
    except (OSError, UnicodeDecodeError) as error:
        faults.append(Fault(file, f"cannot be read: {getattr(error, 'strerror', None) or error}"))
    return {}


def _read(raw: Any, kind: type, text: bool) -> Any:
    if text and kind is bool:
        word = str(raw).strip().lower()
        return word in _TRUE if word in (*_TRUE, *_FALSE) else None
    if text and kind is not str:
        try:
            return kind(str(raw).strip())
        except ValueError:
            return None
    if kind is float and type(raw) is int:
        return float(raw)
    return raw if type(raw) is kind else None


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value)
