"""The documentation leads somewhere: every link between its pages and files of the project exists."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from console.env import ROOT

LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    local = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_each_picture_is_taken_by_a_browser_test_and_shown_by_a_page() -> None:
    """`make pictures` takes them; a picture that no test takes would show the console as it was once."""
    sources = "".join(path.read_text() for path in (ROOT / "tests" / "browser").glob("*.py"))
    taken = set(re.findall(r'\.shoot\("([a-z-]+)"', sources))
    pictures = {path.stem for path in (ROOT / "docs" / "images").glob("*.png")}
    shown = set(re.findall(r"images/([a-z-]+)\.png\)", "".join(page.read_text() for page in PAGES)))
    assert pictures - taken == set()
    assert shown == pictures


RECORDS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
FORM = re.compile(
    r"# ADR (\d{4}): [^\n]+\n\n"
    r"Status: (?:accepted|superseded by \[ADR \d{4}\]\([^)]+\))\. Date: 20\d\d-\d\d-\d\d\.\n\n"
    r"## Context\n\n.+\n\n## Decision\n\n.+\n\n## Consequences\n\n.+\n",
    re.DOTALL,
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_an_architecture_decision_has_status_date_context_decision_and_consequences(record: Path) -> None:
    form = FORM.fullmatch(record.read_text())
    assert form is not None
    assert form[1] == record.name[:4]


def test_the_index_of_architecture_decisions_lists_each_record_with_its_title() -> None:
    listed = re.findall(
        r"\| (\d{4}) \| \[([^\]]+)\]\(([^)]+)\)", (ROOT / "docs" / "adr" / "README.md").read_text()
    )
    titles = [record.read_text().partition("\n")[0].split(": ", 1)[1] for record in RECORDS]
    assert listed == [
        (record.name[:4], title, record.name) for record, title in zip(RECORDS, titles, strict=True)
    ]


def test_the_map_of_the_repository_names_each_folder_and_only_what_exists() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    rows = page.partition("## Map of the repository")[2].partition("\n## ")[0].splitlines()
    cells = [row.split("|")[1] for row in rows if row.startswith("| `")]
    named = {path for cell in cells for path in re.findall(r"`([a-z_/]+/)", cell)}
    whole = {
        path if "/" in path[:-1] or (ROOT / path).is_dir() else f"migrations_app/{path}" for path in named
    }
    assert [path for path in sorted(whole) if not (ROOT / path).is_dir()] == []
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    folders = {line.partition("/")[0] for line in tracked.splitlines() if "/" in line and line[0] != "."}
    assert folders - {path.partition("/")[0] for path in whole} == set(), "name them in the map"
