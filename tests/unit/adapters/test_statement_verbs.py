"""Spans of statements are named by their verb."""

from __future__ import annotations

import pytest

from migrations_app.adapters.databases import verb_of


@pytest.mark.parametrize(
    ("statement", "verb"),
    [
        ("SELECT 1", "SELECT"),
        ("  select\n1", "SELECT"),
        ("-- What this is for.\n  -- And why.\nWITH due AS (SELECT 1) SELECT 1", "WITH"),
        (b"-- bytes\nUPDATE t SET a = 1", "UPDATE"),
        ("-- nothing else", ""),
        ("", ""),
        (b"\xff INSERT", "\ufffd"),
    ],
)
def test_the_verb_is_the_first_word_after_comments(statement: str | bytes, verb: str) -> None:
    assert verb_of(statement) == verb
