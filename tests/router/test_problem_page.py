"""The page about the vocabulary is complete, and its snippets run."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from router import problem
from router.problem import NODE_KINDS
from router.solution import Code
from support import PROJECT

PAGE = PROJECT / "docs" / "problem.md"
WORDS = [
    problem.Hex,
    problem.Node,
    problem.Segment,
    problem.Limit,
    problem.Train,
    problem.StopBonus,
    problem.TrackBonus,
    problem.DistanceBonus,
    problem.AreaBonus,
    problem.LargestTrainBonus,
    problem.HexSubsidy,
    problem.ChainBonus,
    problem.VisitHome,
    problem.RoutesTouch,
    problem.RequiredRoute,
    problem.MustRun,
    problem.RouteProblem,
]


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_snippets_run(page: str) -> None:
    snippets = re.findall(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert len(snippets) > 10
    names: dict[str, object] = {}
    for number, snippet in enumerate(snippets):
        exec(compile(snippet, f"{PAGE.name}, snippet {number}", "exec"), names)


def test_every_word_is_explained(page: str) -> None:
    missing = {
        f"{word.__name__}.{field.name}"
        for word in WORDS
        for field in fields(word)
        if not re.search(rf"\b{field.name}\b", page)
    }
    assert missing == set()
    assert [word.__name__ for word in WORDS if word.__name__ not in page] == []
    assert [name for name in (*NODE_KINDS, *Code) if f"`{name}`" not in page] == []


def test_no_word_is_forgotten() -> None:
    public = {getattr(problem, name) for name in problem.__all__}
    assert {word for word in public if isinstance(word, type) and hasattr(word, "__slots__")} <= {
        *WORDS,
        problem.Fault,
    }
