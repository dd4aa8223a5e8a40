"""Every mutant of the generated code dies: the documents that prove the engines equal notice any lost line."""

from __future__ import annotations

import pytest

from tests.unit.conversion.mutating import tried

CASES = (
    "rename and remove",
    "same name, other field",
    "many symbols to one (scalar)",
    "nest",
    "flatten one level",
    "defaults change",
    "wrap and head",
    "objects inside",
)


@pytest.mark.parametrize("case", CASES)
def test_every_mutant_dies(case: str) -> None:
    _, alive = tried(case, 40)

    assert alive == []
