"""`hook`: values by registered code."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.ops.base import Functions, OpClass, OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Bundle, Mapper
from migrations_app.kernel.errors import Missing


def _places(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("reads"), decl.texts("writes")


def _mapping(site: PlanningContext, decl: Decl) -> Functions:
    try:
        found = site.hook(decl.text("hook"))
    except Missing as error:
        site.report(EdgeFinding(error.code, error.words, decl.place, error.remedy_words))
        writes, reads = len(decl.texts("writes")), len(decl.texts("reads"))
        return Functions(_nothing(writes), _nothing(reads))
    return Functions(found.forward, found.backward, {"hook": decl.text("hook")})


def _nothing(count: int) -> Mapper:
    def _absent(states: Bundle) -> Bundle:
        return (ABSENT,) * count

    return _absent


OP = OpForm(
    name="hook",
    kind=OpKind.GATHER,
    keeps=OpClass.HOOK,
    summary="Values are converted by code that is registered with the process.",
    arguments={
        "reads": "!the old fields",
        "writes": "!the new fields",
        "hook": "!the registered name",
        "because": "what the code does",
    },
    example="hook: {reads: [system_assignee], writes: [service_assignee], hook: acme-assignee}",
    places=_places,
    mapping=_mapping,
    backward="by the hook's other function; what that does not find again waits in the bag",
    filters="residual",
    masks="any read field stands for all written ones",
)
