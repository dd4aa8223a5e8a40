"""`oneof`: fields that could all be set become alternatives."""

from __future__ import annotations

from migrations_app.domain.conversion.edge import Decl
from migrations_app.domain.conversion.ops.base import Class, Functions, Kind, Op, Site
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Bundle


def _places(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("members"), decl.texts("to") or decl.texts("members")


def _mapping(site: Site, decl: Decl) -> Functions:
    dissolve = decl.args.get("dissolve") is True

    def _first(states: Bundle) -> Bundle:
        chosen = next((index for index, state in enumerate(states) if state is not ABSENT), -1)
        return tuple(state if index == chosen else ABSENT for index, state in enumerate(states))

    def _all(states: Bundle) -> Bundle:
        return states

    return Functions(_all, _first) if dissolve else Functions(_first, _all)


OP = Op(
    name="oneof",
    kind=Kind.GATHER,
    keeps=Class.INJECTIVE,
    summary="Of several fields only one may be set: the first in the order of `members` stays.",
    arguments={
        "members": "!the old fields, the one to prefer first",
        "to": "the new fields, where they have other names",
        "dissolve": "true: the other way round, alternatives become independent",
    },
    example="oneof: {members: [http_target, pull_target]}",
    places=_places,
    mapping=_mapping,
    backward="the others come back from the bag while the chosen one is unchanged",
    filters="residual",
    masks="setting one clears the others",
)
