"""What an edge file could still say: likely pairs with their lines, and the fields nothing speaks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from migrations_app.domain.conversion.edge import read_edge
from migrations_app.domain.conversion.findings import EdgeInvalid, Finding, Level
from migrations_app.domain.conversion.matching import Proposal, propose
from migrations_app.domain.conversion.service import CompiledService, compile_edges
from migrations_app.domain.schema.folder import RawEdge, ServiceFolder


@dataclass(frozen=True, slots=True)
class TypeProposals:
    """What is open about one pair of types of one edge."""

    edge: tuple[str, str]
    source_type: str
    target_type: str
    pairs: tuple[Proposal, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]


def proposals(
    folder: ServiceFolder, imported: Mapping[str, CompiledService] | None = None
) -> list[TypeProposals]:
    """Look at every edge, also those that have no file yet; nothing is accepted, everything is proposed."""
    compiled, _ = compile_edges(_with_all_edges(folder), imported or {})
    found: list[TypeProposals] = []
    for key, edge in compiled.items():
        for left in edge.open:
            pairs = propose(left.old, left.new, numbers_stable=edge.edge.numbers_stable)
            olds, news = {each.source.name for each in pairs}, {each.target.name for each in pairs}
            found.append(
                TypeProposals(
                    key,
                    left.source_type,
                    left.target_type,
                    tuple(pairs),
                    tuple(each.name for each in left.old if each.name not in olds),
                    tuple(each.name for each in left.new if each.name not in news),
                )
            )
    return found


def mistakes(folder: ServiceFolder) -> list[Finding]:
    """Find what is written wrongly in the edge files; what they do not say yet is for `proposals`."""
    _, findings = compile_edges(folder, {})
    return [
        each
        for each in findings
        if each.level is Level.ERROR and each.place.line and each.code not in ("E-HOOK", "E-UNASSESSED")
    ]


def _with_all_edges(folder: ServiceFolder) -> ServiceFolder:
    known: set[tuple[str, str]] = set()
    for raw in folder.edges:
        try:
            edge = read_edge(raw.text, raw.path)
        except EdgeInvalid:
            continue
        known.add((edge.source, edge.target))
    new: list[RawEdge] = []
    for (old, schema), (newer, _) in pairwise(folder.schemas.items()):
        following = schema.next_version or newer
        if following in folder.schemas and (old, following) not in known:
            text = f"edge: {{service: {folder.service}, from: {old}, to: {following}}}\n"
            new.append(RawEdge(text, f"edges/{old}-{following}.yaml"))
    return replace(folder, edges=(*folder.edges, *new))
