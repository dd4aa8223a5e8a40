"""The checker of the torture is itself checked: each kind of wrong history is refused, by its name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.acceptance.checker import Ending, Row, faults

GOOD = Ending(
    acknowledged={"lists/a": [1, 2], "lists/b": [3, None], "lists/c": [4, None, 5], "lists/d": []},
    rows=[Row("lists/a", "u1", 2), Row("lists/c", "u3", 5)],
    fences=[("OPEN", "v2"), ("CLOSED", "v2")],
    serves="v2",
    moves=[("catch-up", "SYNCING", "READY"), ("freeze", "READY", "SWITCHING")],
    sides=({"a": 2, "c": 3}, {"a": 2, "c": 3}),
)
A, C = GOOD.rows


def test_a_good_history_is_let_pass() -> None:
    assert faults(GOOD) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (replace(GOOD, rows=[C]), "lost: lists/a is not there, acknowledged is 2"),
        (replace(GOOD, rows=[replace(A, value=1), C]), "stale: lists/a is 1, acknowledged is 2"),
        (replace(GOOD, rows=[replace(A, value=9), C]), "invented: lists/a is 9, acknowledged is 2"),
        (
            replace(GOOD, rows=[A, C, Row("lists/z", "u9", 1)]),
            "invented: lists/z is 1, and nobody wrote it",
        ),
        (replace(GOOD, rows=[A, C, Row("lists/b", "u2", 3)]), "resurrected: lists/b is 3, and was deleted"),
        (replace(GOOD, rows=[A, C, C]), "duplicated: name lists/c is there 2 times"),
        (replace(GOOD, rows=[A, replace(C, uid="u1")]), "duplicated: uid u1 is there 2 times"),
        (
            replace(GOOD, fences=[("CLOSED", "v2"), ("CLOSED", "v2")]),
            "0 fences are open: [('CLOSED', 'v2'), ('CLOSED', 'v2')]",
        ),
        (
            replace(GOOD, fences=[("OPEN", "v1"), ("OPEN", "v2")]),
            "2 fences are open: [('OPEN', 'v1'), ('OPEN', 'v2')]",
        ),
        (replace(GOOD, fences=[("OPEN", "v1")]), "v1 is open, v2 is to be served"),
        (
            replace(GOOD, fences=[("FROZEN", "v2"), ("OPEN", "v2")]),
            "the fence of v2 stays FROZEN",
        ),
        (
            replace(GOOD, moves=[("catch-up", "SYNCING", "READY"), ("flip", "SWITCHING", "REVERSIBLE")]),
            "the story breaks: flip from SWITCHING after READY",
        ),
        (replace(GOOD, sides=({"a": 2, "c": 3}, {"a": 2, "c": 2})), "not level: c is at 3 and at 2"),
        (replace(GOOD, sides=({"a": 2, "c": 3}, {"a": 2})), "not level: c is at 3 and at None"),
        (replace(GOOD, unreached=["revert"]), "it did not finish: revert was never reached"),
    ],
    ids=lambda each: each.split(":")[0].replace(" ", "-") if isinstance(each, str) else "",
)
def test_a_wrong_history_is_refused_with_what_is_wrong(wrong: Ending, words: str) -> None:
    assert words in faults(wrong)
