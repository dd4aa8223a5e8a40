"""orderBy of one version asked of documents stored in another: as far as the stored values have the same order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from migrations_app.domain.conversion.requests.trails import follow
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.values import SAME, Coded, Conv
from migrations_app.domain.filters.ast import Path
from migrations_app.domain.filters.order import OrderTerm


@dataclass(frozen=True, slots=True)
class ConvertedOrder:
    """The terms to order stored documents by, and whether that is the whole order.

    Where it is not, the documents come in the order of the first terms, and those equal in all of them must
    be ordered by the original terms on the source version's view.
    """

    pushed: tuple[OrderTerm, ...]
    is_whole: bool


def convert_order(hops: tuple[ResourcePlan, ...], terms: tuple[OrderTerm, ...]) -> ConvertedOrder:
    """Convert bound terms up to the first one whose stored values have another order."""
    pushed: list[OrderTerm] = []
    for term in terms:
        made: OrderTerm | None = term
        for hop in hops:
            made = _over(hop, made) if made is not None else None
        if made is None:
            return ConvertedOrder(tuple(pushed), is_whole=False)
        pushed.append(made)
    return ConvertedOrder(tuple(pushed), is_whole=True)


def _over(hop: ResourcePlan, term: OrderTerm) -> OrderTerm | None:
    if term.path.segments[0] == hop.source_name_key and not hop.names.is_identity:
        return None
    trail = follow(hop.plan, term.path.segments)
    if trail is None or not trail.path:
        return None
    if not _keeps_order(trail.conv):
        return None
    return replace(term, path=Path(trail.path))


def _keeps_order(conv: Conv) -> bool:
    """Tell whether all values keep their order; one turned round would also put absent values first."""
    if isinstance(conv, Coded) and conv.ratio and conv.inverse_ratio:
        floors = conv.ratio.rounds_down or conv.inverse_ratio.rounds_down
        return not floors and conv.ratio.up * conv.ratio.down > 0
    return conv is SAME
