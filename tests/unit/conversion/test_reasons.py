"""The reasons of proposals are codes with values, and the console has words for each."""

from __future__ import annotations

import ast
import inspect
import json
import pkgutil
from importlib import import_module

import pytest

from console.generated_pages.server_texts import CATALOGUE
from migrations_app.domain.conversion import proposals
from migrations_app.domain.conversion.proposals.reasons import MatchReason, has_reason


@pytest.mark.parametrize("code", list(MatchReason))
def test_every_code_is_in_the_catalogue(code: MatchReason) -> None:
    assert code.value in json.loads(CATALOGUE.read_text())


def test_every_code_is_given_by_a_proposal() -> None:
    used: set[str] = set()
    for module in pkgutil.walk_packages(proposals.__path__, f"{proposals.__name__}."):
        if module.name.endswith(".reasons"):
            continue
        tree = ast.parse(inspect.getsource(import_module(module.name)))
        used |= {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == MatchReason.__name__
        }
    assert used == {code.name for code in MatchReason}


def test_a_reason_is_asked_for_by_its_code_whatever_its_values() -> None:
    reasons = MatchReason.CONTRASTED.words_with(place="Other"), MatchReason.TYPES_FIT.words_with()
    assert has_reason(reasons, MatchReason.OPPOSITES, MatchReason.CONTRASTED)
    assert not has_reason(reasons, MatchReason.OPPOSITES)
    assert not has_reason((), MatchReason.OPPOSITES)
    assert [*map(str, reasons)] == ["Other has two fields that differ as these do", "the types fit"]


def test_a_value_that_looks_like_a_place_stays_as_it_is() -> None:
    said = MatchReason.NOT_COMPILED.words_with(finding="{place} is {unknown}")
    assert str(said) == "as a line it would not compile: {place} is {unknown}"
