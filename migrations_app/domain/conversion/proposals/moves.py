"""What speaks for and against a field having moved to another object, beside what it says itself."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.domain.conversion.proposals.evidence import Evidence
from migrations_app.domain.conversion.proposals.names.common_names import is_common
from migrations_app.domain.conversion.proposals.names.words import words
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.unmatched import Habit, UnmatchedField, habit_of, split_of


def way_of(old: UnmatchedField, new: UnmatchedField) -> tuple[str, str, Habit]:
    """Tell from which object to which a field would move, and by which words its path would change."""
    return old.parent, new.parent, habit_of(old.words, new.words)


def is_partly_alike(old: UnmatchedField, new: UnmatchedField, evidence: Evidence) -> bool:
    """Tell whether one path has all words of the other, and nothing speaks against them being one."""
    mine, theirs = set(old.words), set(new.words)
    return evidence.weight > -1 and (mine <= theirs or theirs <= mine)


def as_move(
    old: UnmatchedField,
    new: UnmatchedField,
    each: Evidence,
    together: int,
    same_names: int,
    *,
    has_own_document: bool,
) -> Evidence:
    """Weigh a move: alone or with other fields, into an object that is new or was there before, how deep.

    `has_own_document` says that both have one document that no other field has, whatever its name.
    """
    mine, theirs = set(old.words), set(new.words)
    renamed = words(old.field.name) != words(new.field.name)
    if renamed and len(mine & theirs) < 0.6 * len(mine | theirs) and not each.has_only_document:
        each = each.plus(-1.5)
    if together > 1:
        each = each.plus(
            0.9 * min(together - 1, 3), MatchReason.MOVE_TOGETHER.words_with(count=together), strong=True
        )
    elif old.is_fresh and new.is_fresh and split_of(old.text, new.text):
        each = each.plus(1.6, MatchReason.OBJECT_AND_FIELD.words_with(), strong=True)
    elif same_names == 2 and not is_common(old.field.name):
        each = each.plus(1.2, MatchReason.ONLY_NAME.words_with())
    elif not each.has_only_document:
        each = each.plus(-4.0 if is_common(old.field.name) else -1.0)
    if not new.is_fresh and not _is_next(old, new):
        each = each.plus(-1.5 if together > 2 else -3.0, MatchReason.OBJECT_WAS_THERE.words_with())
        is_only = has_own_document and same_names == 2 and not is_common(old.field.name)
        if together < 2 and not is_only:  # at most likely: siblings often have such a field each
            each = replace(each, strong=0)
    described = old.field.description and new.field.description
    is_weak = together > 1 or is_common(old.field.name)
    if is_weak and not new.is_fresh and described and not each.documents_agree:
        each = replace(each, strong=0)  # as a user name beside an object that has one of its own
    deeper = abs(len(old.path) - len(new.path))
    return each.plus(-1.2 * max(0, deeper - 1) / max(1, together))


def _is_next(old: UnmatchedField, new: UnmatchedField) -> bool:
    """Tell whether one place lies in the very object that holds the other one, or what holds that."""
    return len(old.path) == 1 or len(new.path) == 1
