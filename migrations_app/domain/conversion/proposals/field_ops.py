"""Matches of fields written as ops of an edge, and what ops show of how names change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from migrations_app.domain.conversion.proposals.evidence import AGREEING
from migrations_app.domain.conversion.proposals.fields import SURE, PlaceMatch
from migrations_app.domain.conversion.proposals.names.words import words
from migrations_app.domain.conversion.proposals.places import Gap
from migrations_app.domain.conversion.proposals.reasons import has_reason
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.conversion.proposals.unmatched import Habit, Split, habit_of, path_words, split_of
from migrations_app.kernel.json import Json, JsonObject

_AGREEING = 0.5
_DOUBTFUL = 0.8  # as sure as a doubt within one object is shown to be at most


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


def agreeing(doubts: Iterable[Suggestion]) -> Iterator[Suggestion]:
    """Choose the doubtful renames that another type makes by the same words too, documents speaking for each.

    The types of one version change together: what is likely of one of them is near certain where two agree.
    """
    found: dict[Habit, list[Suggestion]] = defaultdict(list)
    for each in doubts:
        is_rename = each.op == "rename" and len(each.old) == len(each.new) == 1
        if is_rename and each.confidence >= _AGREEING and has_reason(each.reasons, *AGREEING):
            found[habit_of(path_words(each.old[0]), path_words(each.new[0]))].append(each)
    for members in found.values():
        if len({(each.owner, each.target) for each in members}) > 1:
            yield from members


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
