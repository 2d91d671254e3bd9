"""Writing SVG: elements with short numbers and safe texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from engine.draw.geometry import Line, Point

_UNSAFE = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def number(value: float) -> str:
    """Return a number with at most one decimal, the same on every machine."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def clean(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return _UNSAFE.sub("\ufffd", text)


def element(parent: ET.Element, tag: str, text: str = "", /, **attributes: str | float) -> ET.Element:
    """Add an element; ``stroke_width`` becomes ``stroke-width`` and ``class_`` becomes ``class``."""
    made = ET.SubElement(parent, tag)
    for name, value in attributes.items():
        made.set(
            name.rstrip("_").replace("_", "-"), clean(value) if isinstance(value, str) else number(value)
        )
    if text:
        made.text = clean(text)
    return made


def path(line: Sequence[Point], closed: bool = False) -> str:
    """Return the data of a path through points; points that repeat the one before are left out."""
    texts: list[str] = []
    for x, y in line:
        text = f"{number(x)} {number(y)}"
        if not texts or texts[-1] != text:
            texts.append(text)
    return "M" + "L".join(texts) + ("Z" if closed else "")


def label(
    parent: ET.Element, at: Point, text: str, size: float, class_: str = "", **attributes: str | float
) -> ET.Element:
    """Add a text whose middle is at a point."""
    x, y = at
    made = element(parent, "text", text, x=x, y=y + size * 0.35, font_size=size)
    if class_:
        made.set("class", class_)
    for name, value in attributes.items():
        made.set(name.replace("_", "-"), clean(value) if isinstance(value, str) else number(value))
    return made


def width(text: str, size: float) -> float:
    """Return about how wide a text is."""
    return (
        sum(0.32 if char in "iljtf.,:;'!|()[] " else 0.6 if char.islower() else 0.68 for char in text) * size
    )


def polygon(parent: ET.Element, line: Line, **attributes: str | float) -> ET.Element:
    """Add a closed shape."""
    return element(parent, "path", d=path(line, closed=True), **attributes)
