"""Which open fields of a pair of types are the same: renamed, moved, or of another type."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.planning.planner import LinkedFields
from migrations_app.domain.conversion.proposals.assignment import assign
from migrations_app.domain.conversion.proposals.evidence import Evidence, MatchScorer
from migrations_app.domain.conversion.proposals.names.words import telling_words, words
from migrations_app.domain.conversion.proposals.operations import ProposedOp
from migrations_app.domain.conversion.proposals.pair_weights import LAST, Pair, PairWeights, overlap
from migrations_app.domain.conversion.proposals.places import Gap
from migrations_app.domain.conversion.proposals.reasons import MatchReason, has_reason
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.domain.schema.types import ObjectType
from migrations_app.kernel.messages import WordedMessage

SURE, WORTH = 0.9, 0.3
_SURE_RENAME = 0.65  # within one object; what moves has more rivals
_SURE_NAMES, _LONG_NAME = 0.5, 2  # where one name has all words of the other one, which are so many
_GAP, _GAP_RENAME, _GAP_FORM = 1.3, 1.0, 0.0  # how much more than the next best pair a sure one weighs
_NO_SIBLINGS = (
    MatchReason.ABBREVIATED,
    MatchReason.ACRONYM,
    MatchReason.NAME_OF_TYPE,
    MatchReason.OWN_TYPES,
    MatchReason.PART_OF_CHANGE,
)
_REWRITES, _REWRITTEN = ("convert", "numToString"), 2
_NO_RIVAL, _ALONE = 5.0, 1.0  # so far ahead of all others, and what that weighs


@dataclass(frozen=True, slots=True)
class PlaceMatch:
    """Two places taken for one, what speaks for it, the op, and whether that is near certain."""

    old: UnmatchedField
    new: UnmatchedField
    evidence: Evidence
    operation: ProposedOp
    sure: bool


class FieldMatcher:
    """Matches the open places of one pair of types."""

    def __init__(self, judge: MatchScorer, gap: Gap) -> None:
        self._weights = PairWeights(judge, gap)

    def matches(self) -> list[PlaceMatch]:
        """Find the pairs, the surest first; no place is in two, nor inside another one's place."""
        chosen: list[PlaceMatch] = []
        taken: tuple[list[UnmatchedField], list[UnmatchedField]] = ([], [])
        weights = {
            pair: evidence.weight + 2.0
            for pair, (evidence, _) in self._weights.pairs.items()
            if evidence.confidence >= WORTH
        }
        pairs = assign(weights)
        for pair in sorted(pairs, key=lambda each: -weights[each]):
            if any(overlap(place, other) for place, side in zip(pair, taken, strict=True) for other in side):
                continue
            for place, side in zip(pair, taken, strict=True):
                side.append(place)
            evidence, op = self._without_rival(pair)
            sure = op.sure and _is_sure(pair, evidence, self._weights.ahead(pair)) and _bears(evidence, op)
            chosen.append(PlaceMatch(*pair, evidence, op, sure))
        return chosen

    def weights(self) -> dict[Pair, Evidence]:
        """Tell what speaks for every two places that may be one, also for those that are not chosen."""
        return {pair: evidence for pair, (evidence, _) in self._weights.pairs.items()}

    def _without_rival(self, pair: Pair) -> tuple[Evidence, ProposedOp]:
        """Count that no other pair of either place comes near one that names or documents of its own speak for."""
        each, op = self._weights.pairs[pair]
        direct = len(pair[0].path) == len(pair[1].path) == 1
        if (
            not direct
            or not each.speaks_for_itself
            or each.is_opposed
            or has_reason(each.reasons, MatchReason.ONLY_PAIR, MatchReason.ONLY_WORDS)
        ):
            return each, op
        if self._weights.ahead(pair) < _NO_RIVAL:
            return each, op
        return each.plus(_ALONE, MatchReason.NO_RIVAL.words_with()), op


def _is_sure(pair: Pair, evidence: Evidence, ahead: float) -> bool:
    """Tell whether evidence is enough for a line: much of it, of a kind that says much by itself, and without a rival."""
    direct = len(pair[0].path) == len(pair[1].path) == 1
    numbers_stay = has_reason(evidence.reasons, MatchReason.NUMBERS_STAY)
    is_agreed = evidence.has_only_document and evidence.is_pointed_at
    if evidence.is_opposed or (evidence.is_contrasted and not numbers_stay and not is_agreed):
        return False
    if has_reason(evidence.reasons, MatchReason.OWN_WORDS) and not (
        evidence.is_pointed_at or has_reason(evidence.reasons, *_NO_SIBLINGS)
    ):
        return False
    says_which = evidence.documents_agree and has_reason(evidence.reasons, MatchReason.BOTH_MENTION)
    if has_reason(evidence.reasons, MatchReason.OF_MANY) and not (
        evidence.is_pointed_at or numbers_stay or says_which
    ):
        return False
    are_only_words = has_reason(evidence.reasons, MatchReason.ONLY_WORDS)
    least, gap = (_SURE_RENAME, _GAP_RENAME) if direct else (SURE, _GAP)
    is_told = has_reason(evidence.reasons, MatchReason.BOTH_MENTION)
    if direct and evidence.names_agree and not are_only_words and (is_told or _are_long(pair)):
        least = _SURE_NAMES
    if direct and evidence.is_form and evidence.documents_agree:
        gap = _GAP_FORM
    enough = evidence.strong > 0 or (direct and evidence.names_agree)
    if are_only_words:
        evidence = evidence.plus(-LAST)  # siblings share words too, so for a line that says nothing
    return evidence.confidence >= least and enough and ahead >= gap


def _are_long(pair: Pair) -> bool:
    """Tell whether both names have words enough that one of them having all words of the other says much."""
    return all(len(telling_words(words(each.field.name))) >= _LONG_NAME for each in pair)


def _bears(evidence: Evidence, op: ProposedOp) -> bool:
    """Tell whether evidence is enough for two changes at once, where values are written another way under another name."""
    return op.op not in _REWRITES or (evidence.strong >= _REWRITTEN and evidence.confidence >= SURE)


def renamed_fields(
    judge: MatchScorer, names: tuple[str, str], types: tuple[ObjectType, ObjectType]
) -> list[tuple[str, str, tuple[WordedMessage, ...]]]:
    """Find the fields of two object types that are near certain to be the same under two names, and why."""
    before, after = types
    links = tuple(
        LinkedFields(*names, each, fellow, "exact")
        for each in before.fields
        if (fellow := after.by_key(each.key)) is not None
    )
    old, new = (
        tuple(
            UnmatchedField(FieldPath.of(each.name), each, name, order)
            for order, each in enumerate(given.fields)
            if other.by_key(each.key) is None
        )
        for name, given, other in ((names[0], before, after), (names[1], after, before))
    )
    matcher = FieldMatcher(judge, Gap(*names, old, new, links, types))
    return [
        (each.old.field.name, each.new.field.name, each.evidence.reasons)
        for each in matcher.matches()
        if each.sure and each.operation.op == "same"
    ]
