"""The documentation leads somewhere: every link between its pages and files of the project exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console.env import ROOT

LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    local = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert [link for link in local if not (page.parent / link).exists()] == []


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
