"""`sentinel`: a flag beside a value becomes one special value."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.ops.base import Functions, OpClass, OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.states import ABSENT, same
from migrations_app.domain.conversion.steps import Bundle


def _places(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (decl.text("value"), decl.text("flag")), (decl.text("to"),)


def _mapping(site: PlanningContext, decl: Decl) -> Functions:
    special = decl.args.get("sentinel")

    def _there(states: Bundle) -> Bundle:
        value, flag = states
        return (special,) if flag is True else (value,)

    def _back(states: Bundle) -> Bundle:
        return (ABSENT, True) if same(states[0], special) else (states[0], ABSENT)

    return Functions(_there, _back, {"sentinel": str(special)})


OP = OpForm(
    name="sentinel",
    kind=OpKind.GATHER,
    keeps=OpClass.INJECTIVE,
    summary="A flag beside a value becomes one special value of it.",
    arguments={
        "value": "!the old value",
        "flag": "!the old flag",
        "to": "!the new value",
        "sentinel": "!the value that stands for the flag",
    },
    example="sentinel: {value: max_attempts, flag: unlimited_attempts, to: max_attempts, sentinel: -1}",
    places=_places,
    mapping=_mapping,
    backward="the special value becomes the flag; an explicit false waits in the bag",
    filters="residual",
    masks="the new value stands for both",
)
