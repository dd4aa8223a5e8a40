"""The generated pages of the documentation tell the truth about the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.reference import ROOT, pages

PAGES = pages()


@pytest.mark.parametrize("path", sorted(PAGES), ids=lambda path: path.name)
def test_the_committed_page_is_what_the_code_says(path: Path) -> None:
    assert path.read_text() == PAGES[path], f"run `make reference` and commit {path.relative_to(ROOT)}"
