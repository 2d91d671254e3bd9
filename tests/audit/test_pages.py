"""Pages: complete in themselves, drawn as boards are drawn elsewhere, safe whatever a record says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from audit_support import bot_game, runs_of, shortened

from engine.audit.batch import run_batch
from engine.audit.job import audit_bytes
from engine.audit.pages import record_page
from engine.audit.pool import Pool
from engine.audit.report import sums, write_report
from engine.audit.signature import code_signature
from engine.audit.store import Store
from engine.audit.table import row
from engine.draw import draw_position
from engine.draw.parts import overlay, parts_of


def page_of(data: bytes) -> str:
    found = audit_bytes(data)
    rows = json.loads(json.dumps([row(found.header, item) for item in found.runs]))
    return record_page(found.header, rows, "a <b>.json")


def shapes(svg: str) -> list[str]:
    """Return the shapes and words of a drawing, whatever their order."""
    return sorted(re.findall(r"<(?:path|circle|rect|text|polygon)\b[^>]*>[^<]*", svg))


def test_boards_of_parts_are_the_boards_of_drawings() -> None:
    found = audit_bytes(bot_game(lambda value: shortened(value, 40)))
    for item in found.runs[::7]:
        position, routes = item.run.position, item.verdict.routes
        parts = parts_of(position)
        lines, signs = overlay(position, parts, routes)
        mine = "".join([*(part.below for part in parts), lines, *(part.above for part in parts), signs])
        whole = draw_position(position, routes)
        missing = [shape for shape in set(shapes(mine)) if shape not in whole]
        assert missing == []
        drawing = whole[whole.index('class="ground"') : whole.index('class="legend"')]
        assert len(shapes(mine)) == len(shapes(drawing))


def test_a_page_holds_all_it_needs() -> None:
    page = page_of(bot_game(lambda value: shortened(value, 10)))
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    assert "url(" not in page
    assert "default-src 'none'" in page
    numbers = [int(number) for number in re.findall(r'<g id="b(\d+)"', page)]
    assert numbers == list(range(len(numbers)))
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)[0])
    assert len(data["runs"]) == 10
    hexes = {len(run["parts"]) for run in data["runs"]}
    assert len(hexes) == 1
    assert {number for run in data["runs"] for number in run["parts"]} == set(numbers)
    # The boards of a game share most of their hexes.
    assert len(numbers) < 2 * hexes.pop()


def test_money_is_explained_and_the_best_run_is_shown_beside() -> None:
    def change(value: dict[str, Any]) -> None:
        shortened(value, 6)
        runs_of(value)[-1]["routes"] = []

    page = page_of(bot_game(change))
    last = page[page.index('<template id="run-6-text">') :]
    assert 'data-side="best"' in last
    assert "left on the table" in last
    assert re.search(r"<pre>route 1, train \S+ \(\S+\): \d+\n  runs ", last)
    first = page[page.index('<template id="run-1-text">') : page.index('<template id="run-2-text">')]
    assert 'data-side="best"' not in first
    assert "A best run" in first


def test_names_are_only_words() -> None:
    evil = "</script><img src=x onerror=alert(1)>"

    def change(value: dict[str, Any]) -> None:
        shortened(value, 4)
        value["id"] = evil
        for player in value["players"]:
            player["name"] = evil + "\ud800"
        runs_of(value)[-1]["routes"] = [
            {"train": evil, "connections": [["G8", evil]], "hexes": [evil], "revenue": 3}
        ]

    page = page_of(bot_game(change))
    assert "<img" not in page
    assert "&lt;img" in page
    assert "not legal" in page


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "out", code_signature(), 60.0)


def test_pages_that_are_right_are_left_alone(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(bot_game(lambda value: shortened(value, 3)))

    def report() -> list[tuple[str, float]]:
        with store.opened():
            batch = run_batch([str(path)], store, Pool(1), limit=60.0)
            assert write_report(sums(batch, store), store, Pool(1)) == []
        return [(it.name, it.stat().st_mtime_ns) for it in sorted((store.folder / "pages").iterdir())]

    first = report()
    assert report() == first
    page = store.folder / "pages" / first[0][0]
    text = page.read_bytes()
    page.write_bytes(text[:5000])
    assert report() != first
    assert page.read_bytes() == text
    assert f'href="pages/{first[0][0]}"' in (store.folder / "report.html").read_text(encoding="utf-8")


def test_a_record_without_runs_has_a_page(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    def change(value: dict[str, Any]) -> None:
        value["actions"] = value["actions"][:3]

    path.write_bytes(bot_game(change))
    with store.opened():
        batch = run_batch([str(path)], store, Pool(1), limit=60.0)
        assert write_report(sums(batch, store), store, Pool(1)) == []
    assert len(list((store.folder / "pages").iterdir())) == 1
