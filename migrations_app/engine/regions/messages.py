"""What the deployments of one service say to each other about read copies.

Every request names the version that the asker keeps; the owner converts. Source: seed 003 §2.4.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec

from migrations_app.engine.constraints.messages import ConstraintMessage, Text

MOST_LISTED = 1000
MOST_READ = 200


class WatchOwned(ConstraintMessage, frozen=True):
    """What changed after a position among what the callee owns and the asker keeps; an empty one begins."""

    version: Text
    after: Text = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=2000)] = 500


class OwnedResource(ConstraintMessage, frozen=True):
    """A resource as its owner has it, in the asker's version."""

    type: Text
    name: Text
    uid: UUID
    revision: int
    owner: Text
    body: dict[str, object]
    metadata: dict[str, object]
    created: datetime
    updated: datetime


class RemovedCopy(ConstraintMessage, frozen=True):
    """What the asker no longer keeps, or never did; without a name its uid alone tells what it was."""

    revision: int
    uid: UUID | None = None
    type: Text = ""
    name: Text = ""


class OwnedChanges(ConstraintMessage, frozen=True):
    """Changes, and the position after them; `begun` says that a comparison is due, for there was no position.

    `waiting` counts what is known to come next; `failed` the resources that would not convert.
    """

    next: Text
    resources: tuple[OwnedResource, ...] = ()
    gone: tuple[RemovedCopy, ...] = ()
    begun: bool = False
    level: bool = False
    waiting: int = 0
    failed: int = 0


class ListOwned(ConstraintMessage, frozen=True):
    """A page of what the callee owns and the asker keeps, without bodies."""

    version: Text
    after: Text = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_LISTED)] = MOST_LISTED


class CopyEntry(ConstraintMessage, frozen=True):
    """A resource and its revision."""

    type: Text
    name: Text
    uid: UUID
    revision: int = 0


class OwnedListed(ConstraintMessage, frozen=True):
    """A page; `next` is empty at the end."""

    entries: tuple[CopyEntry, ...] = ()
    next: Text = ""


class ReadOwned(ConstraintMessage, frozen=True):
    """Some resources by name; with `bodies` the resources themselves, else only which of them there are."""

    version: Text
    things: Annotated[tuple[CopyEntry, ...], msgspec.Meta(max_length=MOST_LISTED)]
    bodies: bool = True


class OwnedRead(ConstraintMessage, frozen=True):
    """Those that the callee owns and the asker keeps: as resources, or as indexes into what was asked."""

    resources: tuple[OwnedResource, ...] = ()
    there: tuple[int, ...] = ()
