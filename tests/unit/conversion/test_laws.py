"""The laws of the lens hold over made-up documents of small services, each with the ops that could break them."""

from __future__ import annotations

from itertools import permutations

import pytest

from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.verify import TYPE_LAWS as LAWS
from migrations_app.domain.conversion.naming.name_maps import NoImage
from tests.unit.conversion.cases import CASES, build


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("case", CASES)
def test_law_holds(case: str, law: str) -> None:
    compiled = build(case)
    for source, target in permutations(compiled.versions):
        converter = compiled.converter("Thing", source, target)
        for seed in range(15):
            name, document = Exemplars(converter.source, seed).resource(converter.source.resource("Thing"))
            try:
                broken = LAWS[law](Case(converter, name, document, seed))
            except NoImage:
                continue
            assert broken is None, f"{source} → {target}, seed {seed}: {broken}\n{document}"
