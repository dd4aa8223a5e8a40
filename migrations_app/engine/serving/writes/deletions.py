"""Refusals of deletions, in words."""

from __future__ import annotations

from migrations_app.domain.constraints.deletion import DeletionVerdict, Thing
from migrations_app.kernel.errors import Conflict, Violation

_SHOWN = 20


def refuse_deletion(found: DeletionVerdict, thing: Thing) -> None:
    """Refuse a deletion that the verdict does not allow.

    Raises: Conflict (`deletion-blocked`, `cascade-too-large`).
    """
    if not found.complete:
        raise Conflict(
            f"Deleting {thing.name} would delete more than {len(found.deleted)} others at once.",
            code="cascade-too-large",
            remedy="Delete what refers to it in parts first.",
        )
    if found.blockers:
        first = found.blockers[0]
        others = f" and {len(found.blockers) - 1} more" if len(found.blockers) > 1 else ""
        raise Conflict(
            f"{first.target.name} is referred to by {first.source.name}{others}.",
            code="deletion-blocked",
            remedy="Delete or change what refers to it.",
            violations=tuple(
                Violation(f"{link.source.name}#{link.path}", f"refers to {link.target.name}")
                for link in found.blockers[:_SHOWN]
            ),
        )
