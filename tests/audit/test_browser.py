"""The report in a browser, as a person uses it: sort, open a run, go on and back, on a desk and on a phone.

Needs Chromium and its driver; ``TRUNKLINE_SCREENSHOTS`` names a folder for pictures.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from audit_support import bot_game, runs_of, shortened, write_games
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from engine.cli.app import run as run_here

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no Chromium with its driver"),
    # The driver's connections are closed when it quits, which may be seen later.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of three games; in one a run leaves everything on the table."""
    folder = tmp_path_factory.mktemp("games")
    write_games(folder, 2, runs=12)

    def change(value: dict[str, Any]) -> None:
        shortened(value, 10)
        runs_of(value)[-1]["routes"] = []

    (folder / "lazy.json").write_bytes(bot_game(change))
    out = tmp_path_factory.mktemp("audit")
    assert run_here(["audit", str(folder), "--out", str(out), "--jobs", "1"]) == 0
    return out / "report.html"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or ""
    for option in (*OPTIONS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


def picture(browser: Any, name: str) -> None:
    folder = os.environ.get("TRUNKLINE_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))


def column(browser: Any, table: str, number: int) -> list[str]:
    rows = browser.find_elements(By.CSS_SELECTOR, f"#{table} tbody tr")
    return [row.find_elements(By.TAG_NAME, "td")[number].text for row in rows]


def click(browser: Any, text: str) -> None:
    (button,) = [it for it in browser.find_elements(By.CSS_SELECTOR, "#view button") if text in it.text]
    button.click()


def heading(browser: Any, text: str) -> str:
    WebDriverWait(browser, 20).until(lambda it: text in it.find_element(By.ID, "view").text)
    found: str = browser.find_element(By.CSS_SELECTOR, "#view h2").text
    return found


def test_a_report(browser: Any, report: Path) -> None:
    browser.set_window_size(1300, 1000)
    browser.get(report.as_uri())
    assert browser.title == "Route audit"
    left = [int(text.replace(",", "")) for text in column(browser, "games", 7)]
    assert sum(value > 0 for value in left) == 1
    button = browser.find_elements(By.CSS_SELECTOR, "#games th button")[7]
    button.click()
    assert [int(text.replace(",", "")) for text in column(browser, "games", 7)] == sorted(left, reverse=True)
    assert browser.find_elements(By.CSS_SELECTOR, "#games th")[7].get_attribute("aria-sort") == "descending"
    button.click()
    assert [int(text.replace(",", "")) for text in column(browser, "games", 7)] == sorted(left)
    browser.find_elements(By.CSS_SELECTOR, "#games th button")[0].click()
    names = column(browser, "games", 0)
    assert names == sorted(names)
    picture(browser, "report")

    # From the list of the worst runs to the run itself.
    browser.find_element(By.CSS_SELECTOR, "#worst tbody a").click()
    assert heading(browser, "Run 10").startswith("Run 10: ")
    view = browser.find_element(By.ID, "view")
    assert "left on the table" in view.text
    boards = view.find_elements(By.CSS_SELECTOR, ".board svg")
    assert len(boards) == 2
    for board in boards:
        box = board.rect
        assert box["width"] > 300
        assert box["height"] > 150
    assert len(boards[0].find_elements(By.CSS_SELECTOR, "path.route")) == 0
    assert len(boards[1].find_elements(By.CSS_SELECTOR, "path.route")) > 0
    assert "Money explained" in view.text
    drawn = browser.execute_script(
        "const r = document.querySelector('#view svg use').getBoundingClientRect(); return r.width * r.height"
    )
    assert drawn > 100
    picture(browser, "run")

    click(browser, "previous")
    assert heading(browser, "Run 9").startswith("Run 9: ")
    click(browser, "next")
    assert heading(browser, "Run 10").startswith("Run 10: ")
    disabled = browser.find_elements(By.CSS_SELECTOR, "#view button:disabled")
    assert [it.text for it in disabled] == ["next →"]
    browser.back()
    assert heading(browser, "Run 9").startswith("Run 9: ")
    browser.find_element(By.ID, "only").click()
    assert [
        it.text for it in browser.find_elements(By.CSS_SELECTOR, "#runs tbody .open") if it.is_displayed()
    ] == ["10"]
    click(browser, "close")
    assert browser.find_elements(By.CSS_SELECTOR, "#view h2") == []
    browser.find_element(By.CSS_SELECTOR, "#runs tbody tr.below").click()
    assert heading(browser, "Run 10").startswith("Run 10: ")
    browser.find_element(By.ID, "only").click()
    browser.find_elements(By.CSS_SELECTOR, "#runs th button")[3].click()
    companies = column(browser, "runs", 3)
    assert companies == sorted(companies)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_on_a_phone(browser: Any, report: Path) -> None:
    browser.set_window_size(390, 800)
    page = next(path for path in (report.parent / "pages").iterdir() if "copy" in path.name)
    for address in (report.as_uri(), f"{page.as_uri()}#run-12"):
        browser.get(address)
        browser.refresh()
        sizes = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        wide, seen = browser.execute_script(sizes)
        assert wide <= seen, "tables and maps scroll by themselves, the page does not"
    assert heading(browser, "Run 12").startswith("Run 12: ")
    small = browser.find_element(By.CSS_SELECTOR, "#view svg").rect["width"]
    picture(browser, "phone")
    click(browser, "larger map")
    assert browser.find_element(By.CSS_SELECTOR, "#view svg").rect["width"] > 2 * small
    click(browser, "previous")
    assert heading(browser, "Run 11").startswith("Run 11: ")
    assert browser.find_element(By.CSS_SELECTOR, "#view svg").rect["width"] > 2 * small
