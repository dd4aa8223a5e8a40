"""`invert`: a flag becomes the flag that says the opposite."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.ops.base import PLACES, Leaf, OpClass, OpForm, OpKind
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.types import ScalarKind, ScalarType
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True, eq=False)
class Negation:
    """The opposite of a flag whose absence means false, on either side.

    Forwards true is written out as false; backwards true is left out, as a client that never set the flag sent it.
    """

    backwards: bool = False
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """The opposite back."""
        return Negation(not self.backwards)

    def __call__(self, state: State) -> State:
        """Turn the flag; what is no flag counts as absent, and waits in the bag."""
        if state is not True:
            return True
        return ABSENT if self.backwards else False


def _negated(leaf: Leaf) -> Conv:
    flags = (leaf.source_type, leaf.target_type)
    if not all(isinstance(each, ScalarType) and each.kind is ScalarKind.BOOL for each in flags):
        leaf.wrong(
            "E-TYPE",
            message("`invert` leads from a flag to a flag."),
            message("Write convert, enum or a hook."),
        )
        return SAME
    start, end = (leaf.decl.text(key, leaf.decl.text("path")) for key in ("from", "to"))
    if start.rpartition(".")[0] != end.rpartition(".")[0]:
        leaf.wrong(
            "E-PATH",
            message("`invert` stays within one object."),
            message("Move the object, or the flag by a hook."),
        )
        return SAME
    return Negation()


OP = OpForm(
    name="invert",
    kind=OpKind.PAIR,
    keeps=OpClass.INJECTIVE,
    summary="A flag becomes the flag that says the opposite; absent means false on both sides.",
    arguments=PLACES,
    example="invert: {from: disabled, to: enabled}",
    conv=_negated,
    backward="inverted; whether false was written out or left out waits in the bag",
    filters="residual: evaluated on the old view",
    masks="path",
)
