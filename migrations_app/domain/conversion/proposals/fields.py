"""Which open fields of a pair of types are the same: renamed, moved, or of another type."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from migrations_app.domain.conversion.planning.paths import FieldPath
from migrations_app.domain.conversion.planning.planner import LinkedFields
from migrations_app.domain.conversion.proposals.assignment import assign
from migrations_app.domain.conversion.proposals.evidence import (
    Evidence,
    Habit,
    MatchScorer,
    Split,
    UnmatchedField,
    habit_of,
    path_words,
    split_of,
)
from migrations_app.domain.conversion.proposals.mentions import says_own_name
from migrations_app.domain.conversion.proposals.moves import as_move, is_partly_alike, way_of
from migrations_app.domain.conversion.proposals.operations import ProposedOp
from migrations_app.domain.conversion.proposals.places import Gap, mapping_of
from migrations_app.domain.conversion.proposals.sampled import chosen_operation, sample_remarks
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.conversion.proposals.words import are_of_one_frame, words
from migrations_app.domain.schema.types import Field, ObjectType
from migrations_app.kernel.json import Json, JsonObject

SURE, WORTH = 0.9, 0.3
_SURE_RENAME = 0.65  # within one object; what moves has more rivals
_SURE_NAMES = 0.55  # where nothing but names that contain one another says much by itself
_DOUBTFUL = 0.8  # as sure as a doubt within one object is shown to be at most
_GAP, _GAP_RENAME, _GAP_FORM = 1.3, 1.0, 0.0  # how much more than the next best pair a sure one weighs
_NUMBERS_STAY, _ENOUGH = 1.8, 4
_NO_RIVAL, _ALONE = 5.0, 1.0  # so far ahead of all others, and what that weighs
_PART = -3.0  # of a field inside an object that is likely another one as a whole
NUMBERS_STAY = "all other fields keep their wire numbers"
_ONLY_PAIR = "no other field of the two objects is open"
_ONLY_WORDS = f"{_ONLY_PAIR}, and only words of their names speak for them"
_LAST = 1.5
_FRAME, _OF_MANY = 1.2, "fields that stay differ from these by one word too"
_LINKED = 2  # fields that are linked beside a pair of which each is the last one open
Pair = tuple[UnmatchedField, UnmatchedField]


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
        self._judge, self._gap = judge, gap
        self._linked = mapping_of(gap.links)
        self._stay = {words(end) for link in self._linked.items() for end in link}
        self._numbers_stay = _numbers_stay(gap.links)
        self._weighed: dict[Pair, tuple[Evidence, ProposedOp]] = {}

    def matches(self) -> list[PlaceMatch]:
        """Find the pairs, the surest first; no place is in two, nor inside another one's place."""
        self._weigh()
        chosen: list[PlaceMatch] = []
        taken: tuple[list[UnmatchedField], list[UnmatchedField]] = ([], [])
        weights = {
            pair: evidence.weight + 2.0
            for pair, (evidence, _) in self._weighed.items()
            if evidence.confidence >= WORTH
        }
        pairs = assign(weights)
        for pair in sorted(pairs, key=lambda each: -weights[each]):
            if any(_overlap(place, other) for place, side in zip(pair, taken, strict=True) for other in side):
                continue
            for place, side in zip(pair, taken, strict=True):
                side.append(place)
            evidence, op = self._without_rival(pair)
            sure = op.sure and _is_sure(pair, evidence, self._ahead(pair))
            chosen.append(PlaceMatch(*pair, evidence, op, sure))
        return chosen

    def weights(self) -> dict[Pair, Evidence]:
        """Tell what speaks for every two places that may be one, also for those that are not chosen."""
        if not self._weighed:
            self._weigh()
        return {pair: evidence for pair, (evidence, _) in self._weighed.items()}

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
                each = as_move(old, new, each, together, names[words(old.field.name)])
            if (old, new) in telling:
                numbered = old.field.number is not None and old.field.number == new.field.number
                is_object = self._judge.shapes.size(old.field.type, new.field.type) > 1
                strong = numbered or (is_object and each.names_share and not each.is_opposed)
                each = each.plus(1.2, "no other open field has such a type", strong=strong)
            self._weighed[old, new] = each, op

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
            evidence = self._judge.weigh(old, new, converts=op.op not in ("same", "enum"))
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
        each = each.plus(0.5 * close, "the fields beside them are the same" if close == 2 else "")
        if close == 2 and self._agree(old, new, each):
            each = each.plus(2.5, "one stands in the place of the other", strong=True)
        return each

    def _by_frame(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> Evidence:
        """Count that fields which stay differ from these two by one word as these do, so that the word says which it is."""
        if not each.names_share or each.names_are_synonyms or each.has_only_document:
            return each
        of_many = are_of_one_frame(words(old.field.name), words(new.field.name), self._stay)
        return each.plus(-_FRAME, _OF_MANY) if of_many else each

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
        return each.plus(_LAST, _ONLY_PAIR if telling else _ONLY_WORDS, strong=telling)

    def _by_number(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> Evidence:
        """Count whether both have one number of the wire, where every other field of the two types keeps its own."""
        mine, theirs = old.field.number, new.field.number
        if mine is None or theirs is None or not self._numbers_stay or each.is_opposed:
            return each
        if mine != theirs:
            return each.plus(-_NUMBERS_STAY)
        return each.plus(_NUMBERS_STAY, NUMBERS_STAY, strong=True)

    def _agree(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> bool:
        """Tell whether types are equal, and documents or wire numbers speak for a pair, independently of its place."""
        numbered = old.field.number is not None and old.field.number == new.field.number
        alike = self._judge.shapes.likeness(old.field.type, new.field.type)
        return alike == 1 and not each.is_opposed and (numbered or self._documents_speak(old, new, each))

    def _documents_speak(self, old: UnmatchedField, new: UnmatchedField, each: Evidence) -> bool:
        """Tell whether documents agree that do not tell the two apart by the words of their names."""
        return each.documents_agree and not says_own_name(old.field, new.field)

    def _without_rival(self, pair: Pair) -> tuple[Evidence, ProposedOp]:
        """Count that no other pair of either place comes near one that names or documents of its own speak for."""
        each, op = self._weighed[pair]
        direct = len(pair[0].path) == len(pair[1].path) == 1
        if (
            not direct
            or not each.speaks_for_itself
            or each.is_opposed
            or {_ONLY_PAIR, _ONLY_WORDS} & {*each.reasons}
        ):
            return each, op
        if self._ahead(pair) < _NO_RIVAL:
            return each, op
        return each.plus(_ALONE, "no other open field comes near"), op

    def _ahead(self, pair: Pair) -> float:
        """Tell how much more a pair weighs than the best other one for either of its places."""
        own = self._weighed[pair][0].weight
        rivals = [
            each.weight
            for (old, new), (each, _) in self._weighed.items()
            if ((old is pair[0]) != (new is pair[1])) and not _inside_of(old, new, pair)
        ]
        return own - max(rivals, default=-10.0)


def _numbers_stay(links: Iterable[LinkedFields]) -> bool:
    """Tell whether all fields that two types share keep their wire numbers, and whether they are enough to tell."""
    numbers = [(link.old.number, link.new.number) for link in links if link.old.number is not None]
    return len(numbers) >= _ENOUGH and all(old == new for old, new in numbers)


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


def _is_sure(pair: Pair, evidence: Evidence, ahead: float) -> bool:
    """Tell whether evidence is enough for a line: much of it, of a kind that says much by itself, and without a rival."""
    direct = len(pair[0].path) == len(pair[1].path) == 1
    if evidence.is_opposed or (evidence.is_contrasted and NUMBERS_STAY not in evidence.reasons):
        return False
    if _OF_MANY in evidence.reasons and not (evidence.is_pointed_at or NUMBERS_STAY in evidence.reasons):
        return False
    least, gap = (_SURE_RENAME, _GAP_RENAME) if direct else (SURE, _GAP)
    if direct and evidence.is_form and evidence.documents_agree:
        gap = _GAP_FORM
    enough = evidence.strong > 0 or (direct and evidence.names_agree and evidence.confidence >= _SURE_NAMES)
    if _ONLY_WORDS in evidence.reasons:
        evidence = evidence.plus(-_LAST)  # siblings share words too, so for a line that says nothing
    return evidence.confidence >= least and enough and ahead >= gap


def _alike(old: UnmatchedField, new: UnmatchedField, evidence: Evidence) -> bool:
    return words(old.field.name) == words(new.field.name) and evidence.weight > -1


def _overlap(one: UnmatchedField, other: UnmatchedField) -> bool:
    size = min(len(one.path), len(other.path))
    return one.path.segments[:size] == other.path.segments[:size]


def _inside_of(old: UnmatchedField, new: UnmatchedField, pair: Pair) -> bool:
    """Tell whether a rival lies inside the pair: what moves with its object is no rival of it."""
    return (old is pair[0] and new is not pair[1] and _overlap(new, pair[1])) or (
        new is pair[1] and old is not pair[0] and _overlap(old, pair[0])
    )


def renamed_fields(
    judge: MatchScorer, names: tuple[str, str], types: tuple[ObjectType, ObjectType]
) -> list[tuple[str, str, tuple[str, ...]]]:
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


def habits(lines: Iterable[Suggestion]) -> dict[Habit, set[tuple[str, str]]]:
    """Tell which words the new version puts for which old ones, and which field shows each."""
    found: dict[Habit, set[tuple[str, str]]] = defaultdict(set)
    for line in lines:
        if line.section is Section.OPS and len(line.old) == len(line.new) == 1:
            habit = habit_of(path_words(line.old[0]), path_words(line.new[0]))
            found[habit].add((line.owner, line.old[0]))
        elif line.section in (Section.TYPES, Section.RENAMED):
            mine, theirs = (words(name.rpartition(".")[2]) for name in (line.owner, line.target))
            found[habit_of(mine, theirs)].add((line.owner, ""))
    return found


def splits(lines: Iterable[Suggestion]) -> dict[Split, set[tuple[str, str]]]:
    """Tell which names became an object and its field, or were that, and which field shows each."""
    found: dict[Split, set[tuple[str, str]]] = defaultdict(set)
    for line in lines:
        if line.section is Section.OPS and len(line.old) == len(line.new) == 1:
            split = split_of(line.old[0], line.new[0])
            if split is not None:
                found[split].add((line.owner, line.old[0]))
    return found


def suggestions(matches: list[PlaceMatch], gap: Gap) -> Iterator[Suggestion]:
    """Write matches as ops; fields that move together, under their names, as one."""
    together: dict[tuple[str, str], list[PlaceMatch]] = defaultdict(list)
    for match in matches:
        plain = match.operation.op == "same" and match.old.field.name == match.new.field.name
        if match.sure and plain and match.old.parent != match.new.parent:
            together[match.old.parent, match.new.parent].append(match)
    grouped: set[int] = set()
    for (source, target), members in together.items():
        if len(members) > 1 and (not source or not target):
            grouped |= {id(each) for each in members}
            yield _group(gap, source, target, members)
    for match in matches:
        if id(match) not in grouped:
            yield _one(gap, match)


def _group(gap: Gap, source: str, target: str, members: list[PlaceMatch]) -> Suggestion:
    names: list[Json] = [each.old.field.name for each in members]
    if not source:
        return _suggestion(gap, "nest", {"fields": names, "under": target}, members)
    return _suggestion(gap, "flatten", {"path": source, "fields": names}, members)


def _one(gap: Gap, match: PlaceMatch) -> Suggestion:
    op, args = match.operation.op, dict(match.operation.args)
    direct = len(match.old.path) == len(match.new.path) == 1
    if op == "same":
        op = "rename" if direct else "move"
    start, end = match.old.text + match.operation.into, match.new.text + match.operation.into
    return _suggestion(gap, op, {"from": start, "to": end, **args}, [match])


def _suggestion(gap: Gap, op: str, args: JsonObject, members: list[PlaceMatch]) -> Suggestion:
    weakest = min(members, key=lambda each: each.evidence.weight)
    sure = all(each.sure for each in members)
    direct = all(len(each.old.path) == len(each.new.path) == 1 for each in members)
    most = 1.0 if sure else (_DOUBTFUL if direct else SURE) - 0.01
    extra = (weakest.operation.reason,) if weakest.operation.reason else ()
    return Suggestion(
        Section.OPS,
        gap.source_type,
        op,
        args,
        round(min(weakest.evidence.confidence, most), 2),
        (*extra, *weakest.evidence.reasons),
        sure,
        tuple(each.old.text for each in members),
        tuple(each.new.text for each in members),
        (weakest.old.field.place, weakest.new.field.place),
        gap.target_type,
    )
