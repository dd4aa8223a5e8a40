"""Symbols without a counterpart: kept in the bag and given back, or refused, on either way."""

from __future__ import annotations

import re

import pytest

from migrations_app.domain.compatibility.assess import assess
from migrations_app.domain.conversion.bag import is_bagged
from migrations_app.domain.conversion.converter import TypeConverter, view
from migrations_app.domain.conversion.laws.verify import verify
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.conversion.reports.loss import losses
from migrations_app.domain.conversion.requests.filters import FilterFidelity
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.conversion.values import SymbolRefused
from migrations_app.domain.filters import bind, parse
from tests.unit.conversion.services import service

OLD = "Thing: {fields: {name: string, mode: {enum: [FAST, SLOW, LOUD]}, all: {list: {enum: [FAST, LOUD]}}}}"
NEW = (
    "Thing: {fields: {name: string, mode: {enum: [QUICK, SLOW, GREEN]}, all: {list: {enum: [FAST, GREEN]}}}}"
)


def made(rest: str) -> CompiledService:
    return service(
        OLD,
        NEW,
        f"- enum: {{path: mode, map: {{FAST: QUICK}}, rest: {rest}}}\n"
        f'- enum: {{path: "all[]", map: {{}}, rest: {rest}}}',
    )


def ways(compiled: CompiledService) -> tuple[TypeConverter, TypeConverter]:
    return compiled.converter("Thing", "v1", "v2"), compiled.converter("Thing", "v2", "v1")


def test_a_symbol_without_a_counterpart_is_absent_there_and_comes_back() -> None:
    there, back = ways(made("bag"))

    converted = there.forward("things/t", {"mode": "LOUD", "all": ["FAST", "LOUD", "FAST"]})

    assert view(converted.body) == {"all": ["FAST", "FAST"]}
    assert back.forward("things/t", converted.body).body == {"mode": "LOUD", "all": ["FAST", "LOUD", "FAST"]}
    edited = {**converted.body, "mode": "SLOW", "all": ["GREEN"]}
    assert view(back.forward("things/t", edited).body) == {"mode": "SLOW", "all": []}


def test_what_only_the_new_version_has_does_not_leak_into_the_old_one() -> None:
    there, back = ways(made("bag"))

    old = back.forward("things/t", {"mode": "GREEN", "all": ["GREEN", "FAST"]})

    assert view(old.body) == {"all": ["FAST"]}
    assert is_bagged(old.body)
    assert there.forward("things/t", old.body).body == {"mode": "GREEN", "all": ["GREEN", "FAST"]}


def test_a_text_outside_the_enum_never_becomes_one_of_its_values() -> None:
    compiled = service(
        "Thing: {fields: {name: string, mode: string}}",
        "Thing: {fields: {name: string, mode: {enum: [FAST]}}}",
        "- enum: {path: mode, map: {fast: FAST}, rest: bag}",
    )
    there, back = ways(compiled)

    assert [str(each) for each in compiled.findings] == []
    converted = there.forward("things/t", {"mode": "whatever"})
    assert view(converted.body) == {}
    assert back.forward("things/t", converted.body).body == {"mode": "whatever"}
    assert view(there.forward("things/t", {"mode": "fast"}).body) == {"mode": "FAST"}


def test_a_refused_symbol_is_named_with_its_field_and_what_is_taken() -> None:
    there, back = ways(made("refuse"))

    with pytest.raises(SymbolRefused, match=r"mode is 'LOUD', which has no counterpart") as caught:
        there.create("things/t", {"mode": "LOUD"})
    assert (caught.value.code, caught.value.remedy) == ("symbol-refused", "It has FAST, SLOW.")
    with pytest.raises(SymbolRefused, match="mode is 'GREEN'"):
        back.create("things/t", {"mode": "GREEN"})
    with pytest.raises(SymbolRefused, match="all is 'LOUD'"):
        there.create("things/t", {"all": ["LOUD"]})
    assert there.create("things/t", {"mode": "FAST"}).body == {"mode": "QUICK"}


@pytest.mark.parametrize("rest", ["bag", "refuse"])
def test_all_laws_hold(rest: str) -> None:
    results = list(verify(made(rest), count=60))

    assert [each.failure for each in results if each.failure] == []
    assert any(each.hidden for each in results) == (rest == "refuse")


def test_a_filter_for_a_bagged_symbol_is_evaluated_on_the_old_view() -> None:
    there, _ = ways(made("bag"))

    def asked(text: str) -> FilterFidelity:
        return there.filter(bind(parse(text), there.source, "Thing")).how

    assert asked('mode = "FAST"') is FilterFidelity.EXACT
    assert asked('mode = "LOUD"') is FilterFidelity.FULL_SCAN


def test_what_is_bagged_is_reported_and_what_is_refused_has_to_be_accepted() -> None:
    kept = {rest: losses(next(iter(made(rest).edges.values()))) for rest in ("bag", "refuse")}

    assert ("v1 → v2", "Thing.mode", "witness") in {(each.way, each.path, each.kept) for each in kept["bag"]}
    assert ("v1 → v2", "Thing.mode symbols", "hidden") in {
        (each.way, each.path, each.kept) for each in kept["refuse"]
    }
    assert assess(made("bag"), "v1", "v2").verdict == "handled"


@pytest.mark.parametrize(
    ("old", "new", "rest", "finding"),
    [
        (
            "{type: {enum: [A, B]}}",
            "{type: {enum: [A]}, required: true}",
            "bag",
            "E-DOMAIN `rest: bag` would leave mode absent, which is required. Write rest: SYMBOL or refuse.",
        ),
        ("{type: {enum: [A]}}", "{type: {enum: [A]}}", "throw", "E-DOMAIN The new enum has no throw."),
    ],
)
def test_a_rest_that_cannot_hold_is_refused(old: str, new: str, rest: str, finding: str) -> None:
    with pytest.raises(EdgeInvalid, match=re.escape(finding)):
        service(
            f"Thing: {{fields: {{name: string, mode: {old}}}}}",
            f"Thing: {{fields: {{name: string, mode: {new}}}}}",
            f"- enum: {{path: mode, map: {{}}, rest: {rest}}}",
        )
