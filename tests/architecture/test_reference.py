"""The generated pages of the documentation tell the truth about the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.reference import ROOT, error_codes, explained_codes, pages

PAGES = pages()


@pytest.mark.parametrize("path", sorted(PAGES), ids=lambda path: path.name)
def test_the_committed_page_is_what_the_code_says(path: Path) -> None:
    assert path.read_text() == PAGES[path], f"run `make reference` and commit {path.relative_to(ROOT)}"


def test_every_error_code_has_a_cause_and_a_remedy() -> None:
    explained = explained_codes()
    assert {*error_codes()} - explained.keys() == set(), "explain it in console/error_codes.txt"
    assert explained.keys() - {*error_codes()} == set(), "no code is raised by this name"
    assert list(explained) == sorted(explained)
    broken = [
        code
        for code, texts in explained.items()
        if not all(len(text) > 8 and text.endswith(".") for text in texts)
    ]
    assert broken == []
