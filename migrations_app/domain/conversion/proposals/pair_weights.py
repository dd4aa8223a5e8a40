"""What speaks for every two open places of a pair of types being one, also by what stands around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.planning.planner import LinkedFields
from migrations_app.domain.conversion.proposals.documents.mentions import says_own_name
from migrations_app.domain.conversion.proposals.evidence import Evidence, MatchScorer
from migrations_app.domain.conversion.proposals.moves import as_move, is_partly_alike, way_of
from migrations_app.domain.conversion.proposals.names.words import are_of_one_frame, documents_equal, words
from migrations_app.domain.conversion.proposals.operations import ProposedOp
from migrations_app.domain.conversion.proposals.places import Gap, mapping_of
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.sampled import chosen_operation, sample_remarks
from migrations_app.domain.conversion.proposals.unmatched import UnmatchedField
from migrations_app.domain.schema.types import Field
from migrations_app.kernel.messages import NOTHING

_NUMBERS_STAY, _ENOUGH = 1.8, 4
_MOVED = 0.1  # the share of fields that may have another wire number where nearly all keep theirs
_PART = -3.0  # of a field inside an object that is likely another one as a whole
LAST = 1.5
_FRAME = 1.2
_OWN_TYPES = 1.0
_LINKED = 2  # fields that are linked beside a pair of which each is the last one open
Pair = tuple[UnmatchedField, UnmatchedField]


class PairWeights:
    """Weighs the open places of one pair of types against each other."""

    def __init__(self, judge: MatchScorer, gap: Gap) -> None:
        self._judge, self._gap = judge, gap
        self._linked = mapping_of(gap.links)
        self._stay = {words(end) for link in self._linked.items() for end in link}
        self._numbers_stay = _numbers_stay(gap.links)
        self.pairs: dict[Pair, tuple[Evidence, ProposedOp]] = {}
        self._weigh()

    def _weigh(self) -> None:
        raw = self._raw()
        groups = Counter(
            (old.parent, new.parent) for (old, new), (each, _) in raw.items() if _alike(old, new, each)
        )
        ways = Counter(
            way_of(old, new) for (old, new), (each, _) in raw.items() if is_partly_alike(old, new, each)
        )
        names = Counter(words(each.field.name) for side in (self._gap.old, self._gap.new) for each in side)
        telling = self._only_types(raw)
        for (old, new), (each, op) in raw.items():
            if len(old.path) == len(new.path) == 1:
                each = self._by_frame(old, new, self._by_neighbours(old, new, each))
                each = self._by_what_is_left(old, new, each)
                each = self._by_number(old, new, each)
            else:
                together = max(groups[old.parent, new.parent], ways[way_of(old, new)])
                own = self._have_own_document(old, new)
                each = as_move(old, new, each, together, names[words(old.field.name)], has_own_document=own)
            if (old, new) in telling:
                numbered = old.field.number is not None and old.field.number == new.field.number
                is_object = self._judge.shapes.size(old.field.type, new.field.type) > 1
                strong = numbered or (is_object and each.names_share and not each.is_opposed)
                each = each.plus(1.2, MatchReason.ONLY_TYPE.words_with(), strong=strong)
                if self._judge.shapes.are_own_types(old.field.type, new.field.type):
                    each = each.plus(_OWN_TYPES, MatchReason.OWN_TYPES.words_with())
            self.pairs[old, new] = each, op

    def _have_own_document(self, old: UnmatchedField, new: UnmatchedField) -> bool:
        """Tell whether both places have one name and one document, which no other field has in either version."""
        mine, theirs = old.field, new.field
        is_one = words(mine.name) == words(theirs.name) and documents_equal(
            (mine.description, mine.name), (theirs.description, theirs.name)
        )
        corpus = self._judge.corpus
        return is_one and all(corpus.is_of_one_field(each.description) for each in (mine, theirs))

    def _raw(self) -> dict[Pair, tuple[Evidence, ProposedOp]]:
        """Weigh every two places that may be one; what is inside two objects that are likely one goes along."""
        found: dict[Pair, tuple[Evidence, ProposedOp]] = {}
        likely: tuple[set[str], set[str]] = (set(), set())
        pairs = [(old, new) for old in self._gap.old for new in self._gap.new if self._may_meet(old, new)]
        for old, new in sorted(pairs, key=lambda each: len(each[0].path) + len(each[1].path)):
            if all(map(_lies_in, (old, new), likely)) or _goes_with_its_object(old, new):
                continue
            op = chosen_operation(self._judge.shapes, old, new)
            if op is None:
                continue
            evidence = self._judge.weigh(old, new, converts=op.converts)
            for weight, reason, strong in sample_remarks(self._judge.shapes, (old, new), op):
                evidence = evidence.plus(weight, reason, strong=strong)
            if any(map(_lies_in, (old, new), likely)):
                evidence = evidence.plus(_PART)
            if evidence.weight <= -3.5:
                continue
            found[old, new] = evidence, op
            if evidence.weight > -1.5 and self._judge.shapes.are_objects(old.field.type, new.field.type):
                likely[0].add(old.text)
                likely[1].add(new.text)
        return found

    def _may_meet(self, old: UnmatchedField, new: UnmatchedField) -> bool:
        """Leave out what the pair of a linked object's own types decides."""
        direct = len(old.path) == len(new.path) == 1
        return direct or self._linked.get(old.path.head.name) != new.path.head.name

    def _only_types(self, raw: dict[Pair, tuple[Evidence, ProposedOp]]) -> set[Pair]:
        """Find pairs whose telling types no other open field of either side shares."""
        shapes = self._judge.shapes
        alike = [
            (old, new)
            for old, new in raw
            if len(old.path) == len(new.path) == 1
            and shapes.is_telling(old.field.type, old=True)
            and shapes.likeness(old.field.type, new.field.type) >= 0.8
        ]
        olds, news = Counter(old for old, _ in alike), Counter(new for _, new in alike)
        return {pair for pair in alike if olds[pair[0]] == 1 and news[pair[1]] == 1}

    def _by_neighbours(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> Evidence:
        """Count that the fields before and after are linked too, where their order is not that of the alphabet."""
        olds, news = (list(given.fields) for given in self._gap.types)
        if _is_alphabetical(olds) and _is_alphabetical(news):
            return each
        close = 0
        for step in (-1, 1):
            at, to = old.order + step, new.order + step
            left = olds[at].name if 0 <= at < len(olds) else ""
            right = news[to].name if 0 <= to < len(news) else ""
            close += (self._linked.get(left) == right) if left else not right
        each = each.plus(0.5 * close, MatchReason.NEIGHBOURS.words_with() if close == 2 else NOTHING)
        if close == 2 and self._agree(old, new, each):
            each = each.plus(2.5, MatchReason.SAME_PLACE.words_with(), strong=True)
        return each

    def _by_frame(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> Evidence:
        """Count that fields which stay differ from these two by one word as these do, so that the word says which it is."""
        if not each.names_share or each.names_are_synonyms or each.has_only_document:
            return each
        if self._numbers_stay and old.field.number is not None and old.field.number == new.field.number:
            return each  # no version can have both
        of_many = are_of_one_frame(words(old.field.name), words(new.field.name), self._stay)
        return each.plus(-_FRAME, MatchReason.OF_MANY.words_with()) if of_many else each

    def _by_what_is_left(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> Evidence:
        """Count that nothing else of the two objects is open, where names or a document of theirs speak for the pair."""
        sides = (self._gap.old, self._gap.new)
        is_last = all(sum(len(place.path) == 1 for place in side) == 1 for side in sides)
        likely = (each.names_share or each.has_only_document) and not each.is_opposed
        if not is_last or not likely or len(self._gap.links) < _LINKED:
            return each
        if self._judge.shapes.likeness(old.field.type, new.field.type) < 1:
            return each
        telling = each.has_only_document or each.names_are_synonyms or self._documents_speak(old, new, each)
        code = MatchReason.ONLY_PAIR if telling else MatchReason.ONLY_WORDS
        return each.plus(LAST, code.words_with(), strong=telling)

    def _by_number(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> Evidence:
        """Count whether both have one number of the wire, where the other fields of the two types keep theirs."""
        mine, theirs = old.field.number, new.field.number
        if mine is None or theirs is None or not self._numbers_stay or each.is_opposed:
            return each
        if mine != theirs:
            return each.plus(-_NUMBERS_STAY)
        return each.plus(_NUMBERS_STAY, MatchReason.NUMBERS_STAY.words_with(), strong=True)

    def _agree(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> bool:
        """Tell whether types are equal, and documents or wire numbers speak for a pair, independently of its place."""
        numbered = old.field.number is not None and old.field.number == new.field.number
        alike = self._judge.shapes.likeness(old.field.type, new.field.type)
        return alike == 1 and not each.is_opposed and (numbered or self._documents_speak(old, new, each))

    def _documents_speak(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> bool:
        """Tell whether documents agree that do not tell the two apart by the words of their names."""
        return each.documents_agree and not says_own_name(old.field, new.field)

    def ahead(self, pair: Pair) -> float:
        """Tell how much more a pair weighs than the best other one for either of its places."""
        own = self.pairs[pair][0].weight
        rivals = [
            each.weight
            for (old, new), (each, _) in self.pairs.items()
            if ((old is pair[0]) != (new is pair[1])) and not _inside_of(old, new, pair)
        ]
        return own - max(rivals, default=-10.0)


def _numbers_stay(links: Iterable[LinkedFields]) -> bool:
    """Tell whether nearly all fields that two types share keep their wire numbers, and whether they are enough to tell."""
    kept = [link.old.number == link.new.number for link in links if link.old.number is not None]
    return len(kept) >= _ENOUGH and kept.count(False) <= _MOVED * len(kept)


def _is_alphabetical(fields: Sequence[Field]) -> bool:
    """Tell whether fields stand in the order of their names, so that their places say nothing."""
    names = [each.name.casefold() for each in fields]
    return len(names) >= _ENOUGH and names == sorted(names)


def _lies_in(place: UnmatchedField, likely: set[str]) -> bool:
    """Tell whether a place is in an object that is likely one of the other side, with all that is in it."""
    return any(str(FieldPath(place.path.segments[:size])) in likely for size in range(1, len(place.path)))


def _goes_with_its_object(old: UnmatchedField, new: UnmatchedField) -> bool:
    """Tell whether two places are in objects of one type, so that what becomes of the objects decides of both."""
    nested = len(old.path) > 1 and len(new.path) > 1 and old.parent != new.parent
    return nested and old.owner.rpartition(".")[2] == new.owner.rpartition(".")[2]


def _alike(old: UnmatchedField, new: UnmatchedField, evidence: Evidence) -> bool:
    return words(old.field.name) == words(new.field.name) and evidence.weight > -1


def overlap(one: UnmatchedField, other: UnmatchedField) -> bool:
    """Tell whether one place is the other one, or lies in it."""
    size = min(len(one.path), len(other.path))
    return one.path.segments[:size] == other.path.segments[:size]


def _inside_of(old: UnmatchedField, new: UnmatchedField, pair: Pair) -> bool:
    """Tell whether a rival lies inside the pair: what moves with its object is no rival of it."""
    return (old is pair[0] and new is not pair[1] and overlap(new, pair[1])) or (
        new is pair[1] and old is not pair[0] and overlap(old, pair[0])
    )
