"""What the fields may have become that an edge gives up, or that it says nothing of yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.proposals.candidates import MOST, Candidate
from migrations_app.domain.conversion.proposals.draft import EdgeDraft
from migrations_app.domain.conversion.proposals.propose import EdgeProposal, propose_edge, proposed_edges
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.conversion.refermaps import Imported
from migrations_app.domain.schema.folder import ServiceFolder

_ONE_SIDED = ("removed", "added")
Place = tuple[str, str]  # a type and a path in it


@dataclass(frozen=True, slots=True)
class RemovedField:
    """A field of the old version of an edge that has no counterpart, and at most three new ones that it may be.

    `is_written` says that the edge gives it up; else nothing speaks for it yet.
    """

    source: str
    target: str
    owner: str
    path: str
    is_written: bool
    candidates: tuple[Candidate, ...]


def removed_fields(
    folder: ServiceFolder, ends: tuple[str, str], imported: Mapping[str, Imported] | None = None
) -> tuple[RemovedField, ...]:
    """List the fields without counterpart of every edge between two versions, in whichever order these are named."""
    order = list(folder.schemas)
    first, last = sorted(order.index(each) for each in ends)
    found: list[RemovedField] = []
    for edge, is_new in proposed_edges(folder):
        if first <= order.index(edge.source) < order.index(edge.target) <= last:
            written = EdgeDraft(folder, edge, imported or {})
            open_now = {(each.source_type, path) for each in written.compile().open for path in each.old}
            draft = EdgeDraft(folder, _without_one_sided(edge), imported or {})
            found += _fields(propose_edge(draft, is_new=is_new), open_now)
    return tuple(found)


def _without_one_sided(edge: Edge) -> Edge:
    """Leave out what an edge says of fields that go or come, so that these are open."""
    types = {
        name: tuple(each for each in decls if each.op not in _ONE_SIDED) for name, decls in edge.types.items()
    }
    return replace(edge, types=types)


def _fields(proposal: EdgeProposal, open_now: set[Place]) -> Iterator[RemovedField]:
    ranked = {(each.owner, each.path): each.candidates for each in proposal.candidates}
    likely = _likely(proposal)
    going = [
        (each.owner, path)
        for each in proposal.lines
        if each.section is Section.OPS and each.op == "removed"
        for path in each.old
    ]
    for place in dict.fromkeys((*likely, *going)):
        candidates = (*likely.get(place, ()), *ranked.get(place, ()))[:MOST]
        ends = proposal.edge.source, proposal.edge.target
        yield RemovedField(*ends, *place, place not in open_now, candidates)


def _likely(proposal: EdgeProposal) -> dict[Place, tuple[Candidate, ...]]:
    """List by old field the new one that a line or a comment of the proposal takes it for."""
    found: dict[Place, tuple[Candidate, ...]] = {}
    for each in (*proposal.lines, *proposal.doubts):
        for old, new in _pairs(each):
            mine = found.setdefault((each.owner, old), ())
            found[each.owner, old] = (*mine, Candidate(new, each.confidence, each.reasons))
    return found


def _pairs(each: Suggestion) -> Iterator[tuple[str, str]]:
    if each.section is Section.OPS and "path" not in (each.args or {}) and len(each.old) == len(each.new):
        yield from zip(each.old, each.new, strict=True)
