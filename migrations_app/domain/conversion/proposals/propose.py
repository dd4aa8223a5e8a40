"""Everything that is open between adjacent versions: lines that are near certain, doubts, and what stays open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from migrations_app.domain.conversion.edges import CompiledEdge
from migrations_app.domain.conversion.metadata.edge import Edge, read_edge
from migrations_app.domain.conversion.metadata.findings import EdgeFinding, EdgeInvalid, FindingLevel
from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.planning.planner import LinkedFields, Open
from migrations_app.domain.conversion.proposals.candidates import FieldCandidates, ranked_candidates
from migrations_app.domain.conversion.proposals.draft import EdgeDraft
from migrations_app.domain.conversion.proposals.evidence import MatchScorer
from migrations_app.domain.conversion.proposals.field_ops import agreeing, habits, splits, suggestions
from migrations_app.domain.conversion.proposals.fields import FieldMatcher
from migrations_app.domain.conversion.proposals.locations import SourceLocations
from migrations_app.domain.conversion.proposals.meanings import changed_meanings, removal_notes
from migrations_app.domain.conversion.proposals.patterns import pattern_suggestions
from migrations_app.domain.conversion.proposals.places import find_place, gaps
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.resources import resource_suggestions, type_suggestions
from migrations_app.domain.conversion.proposals.sampled import chosen_operation
from migrations_app.domain.conversion.proposals.samples import NO_SAMPLES, Samples
from migrations_app.domain.conversion.proposals.shapes import Shapes
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.domain.conversion.refermaps import Imported
from migrations_app.domain.conversion.service import compile_edges
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.json import JsonObject

_ROUNDS = 12
_LIKELY = 0.79  # so sure are doubts that two of one kind confirm one another


@dataclass(frozen=True, slots=True)
class EdgeProposal:
    """What is proposed for one edge: `lines` to write, `doubts` for a person, `open` errors beyond them.

    `candidates` are, for fields that lines say go, the new ones that they may have become instead.
    """

    edge: Edge
    is_new: bool
    lines: tuple[Suggestion, ...]
    doubts: tuple[Suggestion, ...]
    open: tuple[EdgeFinding, ...]
    remarks: tuple[EdgeFinding, ...]
    drafted: Edge
    candidates: tuple[FieldCandidates, ...] = ()

    @property
    def is_covered(self) -> bool:
        """Tell whether the edge compiles with the lines, so that a person decides nothing."""
        return not self.open

    @property
    def is_complete(self) -> bool:
        """Tell whether the edge compiles as it is written."""
        return self.is_decided and not self.lines and not self.is_new

    @property
    def is_decided(self) -> bool:
        """Tell whether nothing is left to a person: no error, no doubt, and no type that goes and no file says so yet."""
        return not self.open and not self.doubts and not self.going

    @property
    def going(self) -> tuple[str, ...]:
        """The resource types that the lines give up: certain as it is that nothing is like them, a person decides."""
        return tuple(each.owner for each in self.lines if each.section is Section.REMOVED)


Ends = tuple[str, str]


def proposals(
    folder: ServiceFolder,
    imported: Mapping[str, Imported] | None = None,
    samples: Mapping[Ends, Samples] | None = None,
    *,
    only: Collection[Ends] | None = None,
    watch: Callable[[Edge], None] = lambda edge: None,
) -> list[EdgeProposal]:
    """Look at every edge, also those that have no file yet; nothing is accepted by itself.

    `samples` are documents that exist in both versions of an edge; `only` names the edges to look at; `watch` is called
    with each before it is looked at.
    """
    found: list[EdgeProposal] = []
    for edge, is_new in proposed_edges(folder):
        if only is not None and (edge.source, edge.target) not in only:
            continue
        watch(edge)
        known = (samples or {}).get((edge.source, edge.target), NO_SAMPLES)
        found.append(propose_edge(EdgeDraft(folder, edge, imported or {}), is_new=is_new, samples=known))
    return found


def proposed_edges(folder: ServiceFolder) -> list[tuple[Edge, bool]]:
    """List the edges that proposals are for, and whether each is one that no file describes yet."""
    found: list[tuple[Edge, bool]] = []
    for raw in folder.edges:
        try:
            edge = read_edge(raw.text, raw.path)
        except EdgeInvalid:
            continue
        if edge.source in folder.schemas and edge.target in folder.schemas:
            found.append((edge, False))
    known = {(each.source, each.target) for each, _ in found}
    for source, target in _missing(folder, known):
        found.append((Edge(folder.service, source, target, f"edges/{source}-{target}.yaml"), True))
    order = list(folder.schemas)
    return sorted(found, key=lambda each: (order.index(each[0].source), order.index(each[0].target)))


def mistakes(folder: ServiceFolder) -> list[EdgeFinding]:
    """Find what is written wrongly in the edge files; what they do not say yet is for `proposals`."""
    _, findings = compile_edges(folder, {})
    return [
        each
        for each in findings
        if each.level is FindingLevel.ERROR
        and each.place.line
        and each.code not in ("E-HOOK", "E-UNASSESSED")
    ]


def _missing(folder: ServiceFolder, known: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for (old, schema), (newer, _) in pairwise(folder.schemas.items()):
        following = schema.next_version or newer
        if following in folder.schemas and (old, following) not in known:
            yield old, following


def propose_edge(draft: EdgeDraft, *, is_new: bool, samples: Samples = NO_SAMPLES) -> EdgeProposal:
    """Match, take what is sure, plan again, until nothing more is found on any level."""
    schemas = draft.folder.schemas[draft.written.source], draft.folder.schemas[draft.written.target]
    shapes = Shapes(*schemas, samples)
    judge = MatchScorer(shapes, numbers_stable=draft.written.numbers_stable)
    compiled, beside = draft.compile(), False
    for _ in range(_ROUNDS):
        found = list(_matched(draft, compiled, judge, schemas, beside=beside))
        draft.doubts = [each for each in draft.doubts if each.key in draft.refused]
        if draft.take(found):
            compiled = draft.compile()
        elif beside:
            break
        else:
            beside = True
    draft.doubts = [each for each in draft.doubts if _is_open(each, compiled, schemas)]
    rest = list(_rest(draft, compiled, shapes))
    open_places = gaps(_main(compiled, shapes), compiled.links, schemas)
    candidates = tuple(ranked_candidates(open_places, judge, rest))
    draft.take(rest)
    compiled = draft.compile()
    locations = SourceLocations(schemas, draft.folder.files)
    return EdgeProposal(
        draft.written,
        is_new,
        tuple(locations.placed(draft.lines)),
        tuple(locations.placed(draft.doubts)),
        tuple(locations.located(draft.errors(compiled))),
        (
            *(each for each in compiled.findings if each.level is FindingLevel.WARNING),
            *changed_meanings(compiled.links_by_name, judge.corpus, draft.written.place()),
            *removal_notes(draft.edge(), *schemas),
        ),
        draft.edge(),
        candidates,
    )


def _matched(
    draft: EdgeDraft,
    compiled: CompiledEdge,
    judge: MatchScorer,
    schemas: tuple[Schema, Schema],
    *,
    beside: bool,
) -> Iterator[Suggestion]:
    edge = draft.edge()
    likely = [*draft.lines, *(each for each in draft.doubts if each.confidence >= _LIKELY)]
    likely += agreeing(draft.doubts)
    judge.habits, judge.splits = habits(likely), splits(likely)
    yield from resource_suggestions(edge, judge.shapes)
    yield from pattern_suggestions(edge, judge.shapes)
    yield from type_suggestions(compiled.links, dict(edge.type_renames), judge.shapes)
    for link in compiled.links_by_name:
        yield from _of_one_name(link, judge.shapes)
    for gap in gaps(_main(compiled, judge.shapes), compiled.links, schemas, beside=beside):
        yield from suggestions(FieldMatcher(judge, gap).matches(), gap)


def _main(compiled: CompiledEdge, shapes: Shapes) -> tuple[Open, ...]:
    """List the open pairs, of each old type the one with the new type that is most like it.

    Methods may answer another type than before; the ops of a type are for the pair that holds its documents.
    """
    best: dict[str, tuple[float, Open]] = {}
    documents = {(each.plan.source_type, each.plan.target_type) for each in compiled.plans}
    for each in compiled.open:
        pair = (each.source_type, each.target_type)
        alike = 2.0 if pair in documents else shapes.objects(*each.types)
        if alike > best.get(each.source_type, (-1.0, each))[0]:
            best[each.source_type] = alike, each
    return tuple(each for _, each in best.values())


def _is_open(doubt: Suggestion, compiled: CompiledEdge, schemas: tuple[Schema, Schema]) -> bool:
    """Tell whether what a doubt speaks for was not settled by a line meanwhile."""
    if doubt.section is not Section.OPS or doubt.op == "resourceName" or "path" in (doubt.args or {}):
        return True
    for gap in gaps(compiled.open, compiled.links, schemas, beside=True):
        if (gap.source_type, gap.target_type) == (doubt.owner, doubt.target):
            olds, news = {each.text for each in gap.old}, {each.text for each in gap.new}
            return olds.issuperset(doubt.old) and news.issuperset(doubt.new)
    return False


def _of_one_name(link: LinkedFields, shapes: Shapes) -> Iterator[Suggestion]:
    """Say what fields of one name and two types, or two sets of symbols, need."""
    old = UnmatchedField(FieldPath.of(link.old.name), link.old, link.source_type)
    new = UnmatchedField(FieldPath.of(link.new.name), link.new, link.target_type)
    found = chosen_operation(shapes, old, new)
    if found is not None and found.op == "same":
        return
    args: JsonObject = {"path": f"{old.text}{found.into if found else ''}"}
    if link.old.name != link.new.name:
        args = {
            "from": old.text + (found.into if found else ""),
            "to": new.text + (found.into if found else ""),
        }
    suggestion = Suggestion(
        Section.OPS,
        link.source_type,
        old=(old.text,),
        new=(new.text,),
        places=(link.old.place, link.new.place),
        target=link.target_type,
    )
    if found is None:
        yield replace(
            suggestion,
            op="convert",
            args={**args, "codec": "…"},
            confidence=0.5,
            reasons=(MatchReason.NO_OP.words_with(),),
            sure=False,
        )
    else:
        yield replace(
            suggestion,
            op=found.op,
            args={**args, **found.args},
            confidence=0.95 if found.sure else 0.6,
            reasons=(found.reason,) if found.reason else (),
            sure=found.sure,
        )


def _rest(draft: EdgeDraft, compiled: CompiledEdge, shapes: Shapes) -> Iterator[Suggestion]:
    """Say of what has no counterpart, not even a doubtful one, that it goes or comes."""
    for left in _main(compiled, shapes):
        doubts = [
            each for each in draft.doubts if each.section is Section.OPS and each.owner == left.source_type
        ]
        olds = {path for each in doubts for path in each.old}
        news = {path for each in doubts for path in each.new}
        yield from _one_sided(left, "removed", left.old, olds, shapes.old)
        yield from _one_sided(left, "added", left.new, news, shapes.new)


def _one_sided(
    left: Open, op: str, paths: tuple[str, ...], doubtful: set[str], schema: Schema
) -> Iterator[Suggestion]:
    is_old = op == "removed"
    owner, given = (left.source_type if is_old else left.target_type), left.types[0 if is_old else 1]
    for text in paths:
        path = FieldPath.of(text) if given.field(text) else FieldPath.parse(text)
        if any(str(path) == each or each.startswith(f"{path}.") for each in doubtful):
            continue
        place = find_place(schema, owner, given, path)
        where = place.field.place if place else ""
        yield Suggestion(
            Section.OPS,
            left.source_type,
            op,
            {"path": str(path)},
            reasons=(MatchReason.NO_FELLOW.words_with(),),
            old=(str(path),) if is_old else (),
            new=() if is_old else (str(path),),
            places=(where, "") if is_old else ("", where),
            target=left.target_type,
        )
