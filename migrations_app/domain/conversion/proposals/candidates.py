"""What a field that no line takes along may have become: the likeliest new fields for a person to look at, ranked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from migrations_app.domain.conversion.proposals.evidence import Evidence, MatchScorer
from migrations_app.domain.conversion.proposals.fields import FieldMatcher
from migrations_app.domain.conversion.proposals.places import Gap
from migrations_app.domain.conversion.proposals.reasons import MatchReason, has_reason
from migrations_app.domain.conversion.proposals.sampled import chosen_operation
from migrations_app.domain.conversion.proposals.suggestion import Suggestion
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.kernel.messages import WordedMessage

MOST = 3
_LEAST = 0.02
_WEAK = (
    MatchReason.TYPES_EQUAL,
    MatchReason.TYPES_FIT,
    MatchReason.TYPES_DIFFER,
    MatchReason.DOCUMENTS_DIFFER,
)
Pair = tuple[UnmatchedField, UnmatchedField]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A new field that an old one may have become, and what speaks for that."""

    path: str
    confidence: float
    reasons: tuple[WordedMessage, ...]


@dataclass(frozen=True, slots=True)
class FieldCandidates:
    """An old field that is proposed as removed, and at most three new ones that it may be, the likeliest first."""

    owner: str
    path: str
    candidates: tuple[Candidate, ...]


def ranked_candidates(
    gaps: Iterable[Gap], judge: MatchScorer, rest: Collection[Suggestion]
) -> Iterator[FieldCandidates]:
    """Rank, for every field that is proposed as removed, the fields that are proposed as added beside it."""
    gone = {(each.owner, path) for each in rest if each.op == "removed" for path in each.old}
    come = {(each.owner, path) for each in rest if each.op == "added" for path in each.new}
    for gap in gaps:
        olds = [each for each in gap.old if (gap.source_type, each.text) in gone]
        news = [each for each in gap.new if (gap.source_type, each.path.head.name) in come]
        if not olds or not news:
            continue
        weighed = _weighed(judge, gap, olds, news)
        for old in olds:
            found = _ranked(old, weighed)
            if found:
                yield FieldCandidates(gap.source_type, old.text, found)


def _weighed(
    judge: MatchScorer, gap: Gap, olds: list[UnmatchedField], news: list[UnmatchedField]
) -> dict[Pair, Evidence]:
    """Weigh what the matcher weighed, and the pairs within one object that too little speaks for to be weighed there."""
    known = FieldMatcher(judge, gap).weights()
    found: dict[Pair, Evidence] = {}
    for old in olds:
        for new in news:
            each = known.get((old, new))
            if each is None and len(old.path) == len(new.path) == 1:
                op = chosen_operation(judge.shapes, old, new)
                each = judge.weigh(old, new, converts=op.converts) if op else None
            if each is not None and not each.is_opposed and not each.is_contrasted:
                found[old, new] = each
    return found


def _ranked(old: UnmatchedField, weighed: dict[Pair, Evidence]) -> tuple[Candidate, ...]:
    """List the likeliest new fields of an old one, of which it is one of the likeliest old fields too, and why."""
    mine = sorted(
        ((each, new) for (left, new), each in weighed.items() if left is old),
        key=lambda pair: -pair[0].weight,
    )
    found: list[Candidate] = []
    for each, new in mine[:MOST]:
        rivals = [
            (other, left) for (left, right), other in weighed.items() if right is new and left is not old
        ]
        if sum(other.weight > each.weight for other, _ in rivals) >= MOST:
            continue
        is_only = bool(each.reasons) and len(mine) == 1 and len(rivals) < MOST
        if each.confidence >= _LEAST and (is_only or _says_much(each.reasons)):
            reasons = (*each.reasons, MatchReason.ONLY_VALUES.words_with()) if is_only else each.reasons
            found.append(Candidate(new.text, round(each.confidence, 2), reasons))
    return tuple(found)


def _says_much(reasons: tuple[WordedMessage, ...]) -> bool:
    return any(not has_reason((each,), *_WEAK) for each in reasons)


def candidates_of(fields: Iterable[FieldCandidates], owner: str) -> dict[str, tuple[Candidate, ...]]:
    """List by path the candidates of the fields of a type."""
    return {each.path: each.candidates for each in fields if each.owner == owner}
