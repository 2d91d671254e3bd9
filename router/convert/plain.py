"""Messages <-> plain JSON values: lowerCamel fields, bare names of enumerations, all numbers as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import json_format
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message

from router.convert.names import bare, prefix
from router.errors import Fault, InvalidInput

_INT64 = frozenset(
    {
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_SINT64,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_FIXED64,
        FieldDescriptor.TYPE_SFIXED64,
    }
)
WELL_KNOWN = "google.protobuf."


def to_plain(message: Message) -> dict[str, Any]:
    """Write a message as a JSON value; fields with their default value are left out."""
    plain: dict[str, Any] = json_format.MessageToDict(message)
    _walk(message.DESCRIPTOR, plain, _shorten)
    return plain


def from_plain(value: Any, message: Message) -> None:
    """Fill a message from a JSON value, in which names of enumerations may be bare or not.

    Raises
    ------
    InvalidInput
        If the value does not fit the message, with the first fault.
    """
    if not isinstance(value, dict):
        raise InvalidInput([Fault("", "must be an object")])
    copy = _copy(value)
    try:
        _walk(message.DESCRIPTOR, copy, _lengthen)
        json_format.ParseDict(copy, message)
    except (json_format.Error, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidInput([Fault("", str(error) or type(error).__name__)]) from None


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_copy(item) for item in value]
    return value


def _shorten(field: FieldDescriptor, value: Any) -> Any:
    if field.enum_type is not None and isinstance(value, str):
        return bare(field.enum_type, value)
    return int(value) if field.type in _INT64 else value


def _lengthen(field: FieldDescriptor, value: Any) -> Any:
    enum: EnumDescriptor | None = field.enum_type
    if enum is not None and isinstance(value, str) and value not in enum.values_by_name:
        name = prefix(enum) + (value.upper() or "UNSPECIFIED")
        return name if name in enum.values_by_name else value
    return value


def _fields(descriptor: Any, plain: dict[str, Any]) -> Iterator[tuple[str, FieldDescriptor]]:
    for field in descriptor.fields:
        for key in {field.json_name, field.name}:
            if plain.get(key) is not None:
                yield key, field


def _walk(descriptor: Any, plain: Any, change: Any) -> None:
    """Apply ``change(field, value)`` in place to every scalar of a JSON value."""
    if not isinstance(plain, dict) or descriptor.full_name.startswith(WELL_KNOWN):
        return
    for key, field in _fields(descriptor, plain):
        value, nested = plain[key], field.message_type
        if nested is not None and nested.GetOptions().map_entry:
            _walk_map(nested.fields_by_name["value"], value, change)
        elif nested is not None:
            for item in value if isinstance(value, list) else [value]:
                _walk(nested, item, change)
        elif isinstance(value, list):
            plain[key] = [change(field, item) for item in value]
        else:
            plain[key] = change(field, value)


def _walk_map(field: FieldDescriptor, plain: Any, change: Any) -> None:
    if not isinstance(plain, dict):
        return
    for key, value in plain.items():
        if field.message_type is not None:
            _walk(field.message_type, value, change)
        else:
            plain[key] = change(field, value)
