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
