"""A definition in which a deletion could get stuck is not registered, unless its field states what wins."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.errors import Invalid
from migrations_app.models.registry import Service

_TOP = "service: {0}\nversions: [{{version: v1, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}], imports: [{1}]}}]\n"
_OWN = """
schema:
  types:
    House: {{fields: {{name: string}}}}
    Room: {{fields: {{name: string, house: {{type: {{reference: House}}, constraints: {{onDelete: cascade}}}}}}}}
    Lease:
      fields:
        name: string
        room: {{type: {{reference: Room}}, constraints: {{{0}}}}}
  resources:
    House: {{patterns: ["houses/{{house}}"]}}
    Room: {{patterns: ["rooms/{{room}}"]}}
    Lease: {{patterns: ["leases/{{lease}}"]}}
"""
_ALONE = b"""
schema:
  types:
    House: {fields: {name: string}}
    Room: {fields: {name: string, house: {type: {reference: House}, constraints: {onDelete: cascade}}}}
  resources: {House: {patterns: ["houses/{house}"]}, Room: {patterns: ["rooms/{room}"]}}
"""
_IMPORTER = b"""
schema:
  types: {Lease: {fields: {name: string, room: {type: {reference: houses.example.com/Room}}}}}
  resources: {Lease: {patterns: ["leases/{lease}"]}}
"""


def _apply(service: str, schema: bytes, imports: str = "") -> None:
    apply_service(SYSTEM, {"service.yaml": _TOP.format(service, imports).encode(), "v1.yaml": schema})


def test_a_stuck_cascade_is_refused_with_its_way_and_its_remedy(db: None) -> None:
    with pytest.raises(Invalid) as refused:
        _apply("houses.example.com", _OWN.format("onDelete: block").encode())
    (found,) = refused.value.violations
    assert (refused.value.code, found.path) == ("stuck-cascade", "houses.example.com/Lease.room")
    assert found.message == (
        "Deleting houses.example.com/House deletes houses.example.com/Room with houses.example.com/House (field house); "
        "but houses.example.com/Lease may refer to houses.example.com/Room by room, which blocks, and need not go with "
        "it: the deletion would never end."
    )
    assert "wins: block" in found.remedy
    assert not Service.objects.filter(pk="houses.example.com").exists()


@pytest.mark.parametrize(
    "constraints", ["onDelete: block, wins: block", "onDelete: unset", "onDelete: cascade"]
)
def test_a_field_that_states_what_wins_or_gives_way_is_registered(db: None, constraints: str) -> None:
    _apply("houses.example.com", _OWN.format(constraints).encode())
    assert Service.objects.filter(pk="houses.example.com").exists()


def test_an_importer_that_could_make_a_cascade_of_another_service_stuck_is_refused(db: None) -> None:
    _apply("houses.example.com", _ALONE)
    with pytest.raises(Invalid) as refused:
        _apply("leases.example.com", _IMPORTER, "{service: houses.example.com, version: v1}")
    assert [each.path for each in refused.value.violations] == ["leases.example.com/Lease.room"]
    assert not Service.objects.filter(pk="leases.example.com").exists()
