"""`oneof`: fields that could all be set become alternatives."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.ops.base import Functions, OpClass, OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Bundle
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.types import Field, ObjectType, Type
from migrations_app.kernel.messages import message


def _places(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("members"), decl.texts("to") or decl.texts("members")


def _one_for_one(decl: Decl) -> Decl | None:
    """Say it as a rename where there is one member: an alternative to nothing keeps what it holds."""
    old, new = _places(decl)
    if len(old) != 1 or len(new) != 1:
        return None
    return Decl("rename", {"from": old[0], "to": new[0]}, decl.place)


def _mapping(site: PlanningContext, decl: Decl) -> Functions:
    convs = _conversions(site, decl)
    back = [conv.inverse for conv in convs]
    dissolve = decl.args.get("dissolve") is True

    def _first(states: Bundle, by: list[Conv]) -> Bundle:
        chosen = next((index for index, state in enumerate(states) if state is not ABSENT), -1)
        return tuple(by[index](state) if index == chosen else ABSENT for index, state in enumerate(states))

    def _all(states: Bundle, by: list[Conv]) -> Bundle:
        return tuple(conv(state) for conv, state in zip(by, states, strict=True))

    there, home = (_all, _first) if dissolve else (_first, _all)
    return Functions(lambda states: there(states, convs), lambda states: home(states, back))


def _conversions(site: PlanningContext, decl: Decl) -> list[Conv]:
    """Plan what is inside the members; each may have another type there."""
    old, new = _places(decl)
    if len(old) != len(new):
        words = message("{count} members become {count_2}.", count=len(old), count_2=len(new))
        site.report(
            EdgeFinding("E-ARGS", words, decl.place, message("`to` names one field for each member."))
        )
        return [SAME] * max(len(old), len(new))
    return [
        site.between(_type(site, mine, old=True), _type(site, theirs, old=False), decl)
        for mine, theirs in zip(old, new, strict=True)
    ]


def _type(site: PlanningContext, path: str, *, old: bool) -> Type:
    """Find the type of a member, which has been found to be there."""
    at = site.source if old else site.target
    *above, last = path.split(".")
    for name in above:
        below = site.resolve(_field(at, name).type, old=old)
        assert isinstance(below, ObjectType)
        at = below
    return _field(at, last).type


def _field(at: ObjectType, name: str) -> Field:
    found = at.field(name)
    assert found is not None
    return found


OP = OpForm(
    name="oneof",
    kind=OpKind.GATHER,
    keeps=OpClass.INJECTIVE,
    summary="Of several fields only one may be set: the first in the order of `members` stays.",
    arguments={
        "members": "!the old fields, the one to prefer first",
        "to": "the new fields, where they have other names",
        "dissolve": "true: the other way round, alternatives become independent",
    },
    example="oneof: {members: [http_target, pull_target]}",
    places=_places,
    mapping=_mapping,
    instead=_one_for_one,
    backward="the others come back from the bag while the chosen one is unchanged",
    filters="residual",
    masks="setting one clears the others",
)
