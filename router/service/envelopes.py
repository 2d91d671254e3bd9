"""Requests and answers as bytes: what makes two requests the same, and where the id of an answer goes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from router.service.requests import parse

_ID = 0x0A
"""Tag of field 1, a text: the id of every request and answer."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A request, opened.

    Attributes
    ----------
    id
        What the answer must echo.
    key
        The same for every request that must get the same answer, given time.
    payload
        The request without its id.
    seconds
        Its time limit; None if it has none.
    sound
        Whether the time limit makes sense, if there is one; the rest of the request may be faulty.
    """

    id: str
    key: bytes
    payload: bytes
    seconds: float | None
    sound: bool


@dataclass(frozen=True, slots=True)
class Envelope:
    """How the bytes of one method are taken apart and put together.

    Parameters
    ----------
    request
        The message of a request; its field 1 is the id.
    subject
        What is asked; methods of the same subject may answer for each other.
    field
        The field of the answering message that holds the body of an answer; 0: the body is the message.
    order
        Brings what has no order into one, so that it makes no difference.
    """

    request: type[Message]
    subject: str
    field: int = 0
    order: Callable[[Any], None] | None = None

    def open(self, payload: bytes) -> Letter:
        """Open a request.

        Raises
        ------
        InvalidInput
            If the bytes are none.
        """
        message: Any = parse(self.request, payload)
        id = message.id
        message.ClearField("id")
        if self.order is not None:
            self.order(message)
        stripped = message.SerializeToString(deterministic=True)
        seconds, sound = None, True
        canonical = stripped
        if "time_limit" in message.DESCRIPTOR.fields_by_name and message.HasField("time_limit"):
            limit = message.time_limit
            seconds = limit.seconds + limit.nanos / 1e9
            sound = seconds > 0 and 0 <= limit.nanos < 10**9
            message.ClearField("time_limit")
            canonical = message.SerializeToString(deterministic=True)
        key = hashlib.blake2b(canonical, digest_size=24, person=self.subject.encode()[:16]).digest()
        return Letter(id, key, stripped, seconds if sound else None, sound)

    def seal(self, body: bytes, id: str) -> bytes:
        """Return the message that answers the request of that id."""
        if id:
            name = id.encode()
            body = b"%c%b%b%b" % (_ID, _varint(len(name)), name, body)
        if not self.field:
            return body
        return b"%b%b%b" % (_varint(self.field << 3 | 2), _varint(len(body)), body)


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)
