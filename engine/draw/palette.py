"""Colours. Those of routes can be told apart with any kind of colour vision (Okabe and Ito)."""

from __future__ import annotations

TILES = {
    "white": "#f5f1e6",
    "yellow": "#fbe38e",
    "green": "#9fcf9a",
    "brown": "#cfa679",
    "gray": "#c9c9c6",
    "red": "#eda394",
    "blue": "#b9dbee",
}
VALUES = {
    "white": "#ffffff",
    "yellow": "#fbe38e",
    "green": "#9fcf9a",
    "brown": "#cfa679",
    "gray": "#c9c9c6",
    "blue": "#a9cfe8",
    "purple": "#d5b8e0",
}
"""Behind the money of a stop whose value depends on the phase."""

ROUTES = ("#0072b2", "#d55e00", "#cc79a7", "#009e73", "#56b4e9", "#e69f00", "#6a3d9a", "#1b1b1b")
DASHES = ("", "10 4", "3 4", "12 4 3 4")
"""Patterns for further routes, once the colours are used up."""

TRACK = "#3a3a3a"
INK = "#222222"
DIM = "#5b564d"
FAINT = "#77736a"
EDGE = "#9a948a"
WALL = "#b3261e"
WATER = "#3f7fae"
MOUNTAIN = "#7a5230"


STYLE = (
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle}"
    ".left{text-anchor:start}"
    ".halo{paint-order:stroke;stroke:#ffffff;stroke-width:2;stroke-opacity:.75;stroke-linejoin:round}"
    ".track path{fill:none}"
    ".bed{stroke:#ffffff;stroke-width:6.5;stroke-opacity:.8}"
    f".broad,.narrow,.dual{{stroke:{TRACK};stroke-width:4}}"
    ".narrow{stroke-dasharray:4 2.2}"
    ".dual{stroke-width:5}"
    ".inlay{stroke:#ffffff;stroke-width:1.6;stroke-dasharray:4 3}"
    ".route{fill:none;stroke-linejoin:round;stroke-linecap:round}"
)
"""What elements of a drawing look like, by class."""


def route_style(index: int) -> tuple[str, str]:
    """Return the colour and the dash pattern of a route."""
    return ROUTES[index % len(ROUTES)], DASHES[index // len(ROUTES) % len(DASHES)]
