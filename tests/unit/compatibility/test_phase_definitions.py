"""A definition that changes in phases: what servers have in each is derived, and each phase is safe with the one before."""

from __future__ import annotations

from datetime import date

import pytest

from migrations_app.domain.compatibility.client_usage import ClientUsage
from migrations_app.domain.compatibility.decisions import (
    ChangeDecision,
    ChangeVerdict,
    DefinitionDifference,
    differences,
)
from migrations_app.domain.compatibility.in_place.phase_definitions import (
    DefinitionPhase,
    phases_of_definition,
)
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.types import Behavior, Field
from migrations_app.kernel.errors import Conflict
from tests.factories.shelves import V1, folder

SEEN = ClientUsage(date(2026, 11, 26))
KEEPER = "weight: i32\n        keeper: {type: string, required: true, always: true}"


def read(**given: str) -> ServiceFolder:
    return read_files(folder(**given)).refuse_errors()


def refused(difference: DefinitionDifference) -> ChangeDecision:
    return ChangeDecision(difference, ChangeVerdict.REFUSED, ("it is sent",), {}, SEEN)


def phases(old: ServiceFolder, new: ServiceFolder) -> tuple[DefinitionPhase, ...]:
    found = differences(old.schemas["v1"], new.schemas["v1"], None)
    return phases_of_definition(old, new, [refused(each) for each in found])


def field(phase: DefinitionPhase, name: str) -> Field | None:
    assert phase.files is not None
    schema = read_files(phase.files).refuse_errors().schemas["v1"]
    return schema.object("Box").field(name)


def test_a_required_field_is_optional_first_and_last_as_given() -> None:
    old, new = read(), read(v1=V1.replace("weight: i32", KEEPER))
    first, clients, last = phases(old, new)
    assert [each.side for each in (first, clients, last)] == ["server", "client", "server"]
    assert str(first.action) == "Box.keeper: Servers accept messages with and without it."
    keeper = field(first, "keeper")
    assert keeper is not None
    assert (keeper.required, keeper.always, keeper.behavior) == (False, False, {Behavior.INPUT_ONLY})
    assert clients.files is None
    assert clients.wait == "until every client is proved to send it always"
    assert last.files == new.files
    # A phase is a definition like any other: what else it says is as in the new one.
    assert field(first, "weight") == new.schemas["v1"].object("Box").field("weight")


def test_a_field_that_goes_is_not_sent_any_more_first() -> None:
    old, new = read(), read(v1=V1.replace("        title: string\n", ""))
    first, clients, last = phases(old, new)
    title = field(first, "title")
    assert title is not None
    assert (title.required, title.behavior) == (False, {Behavior.INPUT_ONLY})
    assert clients.wait == "until it is proved unused"
    assert last.files == new.files


def test_changes_that_go_different_ways_and_parts_of_fields_are_refused() -> None:
    old = read()
    both = read(v1=V1.replace("        title: string\n", "").replace("weight: i32", KEEPER))
    with pytest.raises(Conflict, match="cannot go through the same phases") as mixed:
        phases(old, both)
    assert {each.path for each in mixed.value.violations} == {"v1/Box.title", "v1/Box.keeper"}
    with pytest.raises(Conflict) as deep:
        phases(old, read(v1=V1.replace("colour: string, ", "")))
    assert (deep.value.code, [each.path for each in deep.value.violations]) == (
        "phases-differ",
        ["v1/Lid.colour"],
    )
    with pytest.raises(Conflict, match="takes phases"):
        phases_of_definition(old, old, ())


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("Box.colour: {accepts: optional}", "names Box.colour, which is no field of the version"),
        ("Box.title: {accepts: sometimes}", "is 'sometimes', which is not known"),
        ("Box.title: {accepts: unknown, sends: unknown}", "neither accepts nor sends the field"),
        ("Box.title: {takes: optional}", "is not known here"),
    ],
)
def test_a_transition_that_says_nothing_sensible_is_refused(said: str, problem: str) -> None:
    files = folder()
    top = files["service.yaml"].replace(
        b"nextVersion: v2,", f"nextVersion: v2, transition: {{{said}}},".encode()
    )
    found = read_files({**files, "service.yaml": top}).findings
    assert any(problem in each.message for each in found), [each.message for each in found]
