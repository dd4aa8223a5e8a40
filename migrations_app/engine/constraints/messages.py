"""What deployments say to each other: the bodies of the schema mixin's custom actions.

Source: seed 003 §3.1. Names of resources go with the version they are of; the callee converts.
"""

from __future__ import annotations

from typing import Annotated, TypeVar
from uuid import UUID

import msgspec

from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

Text = Annotated[str, msgspec.Meta(max_length=2048)]
Token = Annotated[str, msgspec.Meta(min_length=8, max_length=100)]
MOST_THINGS = 2000


class ConstraintMessage(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A body; keys that a newer peer adds are left aside."""


class NewReference(ConstraintMessage, frozen=True):
    """A reference about to be made."""

    type: Text
    name: Text
    kind: Text
    path: Text = ""


class Establish(ConstraintMessage, frozen=True):
    """EstablishReferences: references under one token, in the caller's version of the callee's service."""

    token: Token
    version: Text
    references: Annotated[tuple[NewReference, ...], msgspec.Meta(max_length=MOST_THINGS)]


class RemoteTarget(ConstraintMessage, frozen=True):
    """A target that another region owns."""

    index: int
    region: Text


class Established(ConstraintMessage, frozen=True):
    """The answer: which references cannot be made; when there are any, none was."""

    missing: tuple[int, ...] = ()
    deleting: tuple[int, ...] = ()
    remote_targets: tuple[RemoteTarget, ...] = ()
    closed: tuple[int, ...] = ()


class Verify(ConstraintMessage, frozen=True):
    """VerifyReferences: references that the caller holds, in its version of the callee's service."""

    version: Text
    references: Annotated[tuple[NewReference, ...], msgspec.Meta(max_length=MOST_THINGS)]


class Verified(ConstraintMessage, frozen=True):
    """Which of them have no target, and whose target does not list the caller as a source."""

    gone: tuple[int, ...] = ()
    unlisted: tuple[int, ...] = ()


class Tokens(ConstraintMessage, frozen=True):
    """ConfirmBlockades and ResolveAttempt: tokens; `settle` says to abort what is not decided yet."""

    tokens: Annotated[tuple[Token, ...], msgspec.Meta(max_length=MOST_THINGS)]
    settle: bool = True


class Outcomes(ConstraintMessage, frozen=True):
    """The outcomes of attempts by token; one that is not decided is left out."""

    outcomes: dict[str, str] = {}


class Dying(ConstraintMessage, frozen=True):
    """A resource that is to be deleted, or is being deleted: its type and name in every version."""

    uid: UUID
    names: dict[str, tuple[Text, Text]]
    delete_id: int = 0


class Things(ConstraintMessage, frozen=True):
    """CheckIfResourceIsBlocked and CheckIfResourceHasDeletionSubscriber."""

    things: Annotated[tuple[Dying, ...], msgspec.Meta(max_length=MOST_THINGS)]


class Blocker(ConstraintMessage, frozen=True):
    """Who refers to a resource in a way that forbids its deletion."""

    uid: UUID
    type: Text
    name: Text
    path: Text


class Blockers(ConstraintMessage, frozen=True):
    """Some of those who block; none means that nothing does."""

    blockers: tuple[Blocker, ...] = ()


class Referring(ConstraintMessage, frozen=True):
    """Who refers to a resource, in whatever way; `version` is the one it is stored in."""

    uid: UUID
    type: Text
    name: Text
    path: Text
    kind: Text
    version: Text = ""


class Referrings(ConstraintMessage, frozen=True):
    """DescribeReferrers: who refers to things, for people; `more` when not all are told."""

    referrers: tuple[Referring, ...] = ()
    more: bool = False


class Remaining(ConstraintMessage, frozen=True):
    """The uids that are still referred to."""

    uids: tuple[UUID, ...] = ()


class WatchDeletions(ConstraintMessage, frozen=True):
    """WatchImportedServiceDeletions: a page of what is being deleted, after a position."""

    after: Text = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100


class Deletions(ConstraintMessage, frozen=True):
    """What is being deleted and may be referred to by the caller; `next` is empty at the end of a round."""

    deletions: tuple[Dying, ...] = ()
    next: Text = ""


class OwnerClaim(ConstraintMessage, frozen=True):
    """A resource of the caller says that one of the callee's owns it; `bar` asks for a final answer."""

    ref_id: UUID
    type: Text
    name: Text
    version: Text = ""
    owner_uid: UUID | None = None
    requires: bool = False
    owned_name: tuple[Text, ...] = ()
    bar: bool = False


class ConfirmOwners(ConstraintMessage, frozen=True):
    """ConfirmMetaOwner: claims of ownership."""

    claims: Annotated[tuple[OwnerClaim, ...], msgspec.Meta(max_length=MOST_THINGS)]


class ConfirmedOwner(ConstraintMessage, frozen=True):
    """An owner that confirmed, as it is called now."""

    index: int
    uid: UUID
    version: Text
    type: Text
    name: Text


class OwnersConfirmed(ConstraintMessage, frozen=True):
    """The answer: who confirmed, who is not there now, and which claims are denied for good."""

    confirmed: tuple[ConfirmedOwner, ...] = ()
    absent: tuple[int, ...] = ()
    barred: tuple[int, ...] = ()


class OwnersGone(ConstraintMessage, frozen=True):
    """RemoveMetaOwnerReference: owners that were deleted."""

    uids: Annotated[tuple[UUID, ...], msgspec.Meta(max_length=MOST_THINGS)]


class OwnersSaved(ConstraintMessage, frozen=True):
    """RecheckMetaOwners: owners that were saved and refer to less than before."""

    uids: Annotated[tuple[UUID, ...], msgspec.Meta(max_length=MOST_THINGS)]


class CallerOwnedResource(ConstraintMessage, frozen=True):
    """A resource that one of the caller's owns."""

    owner_uid: UUID
    ref_id: UUID
    type: Text
    name: Text


class Ownees(ConstraintMessage, frozen=True):
    """ListMetaOwnees: what owners own here."""

    ownees: tuple[CallerOwnedResource, ...] = ()


class OwnerVersion(ConstraintMessage, frozen=True):
    """UpgradeMetaOwnerVersion: the version that the caller has become active in."""

    version: Text


class MovingShadow(ConstraintMessage, frozen=True):
    """A shadow that is not ACTIVE, for people."""

    type: Text
    name: Text
    state: Text
    age_seconds: float = 0.0
    sources: tuple[Text, ...] = ()
    root: Text = ""
    blockers: tuple[Blocker, ...] = ()


class ConstraintDescription(ConstraintMessage, frozen=True):
    """DescribeConstraints: what is under way, with the first of what is being deleted."""

    tally: dict[str, int | float] = {}
    moving: tuple[MovingShadow, ...] = ()


T = TypeVar("T", bound=ConstraintMessage)


def read(body: JsonObject, kind: type[T]) -> T:
    """Read a body.

    Raises: Invalid (`mixin-body`) with the place that is wrong.
    """
    try:
        return msgspec.convert(body, kind)
    except msgspec.ValidationError as error:
        raise Invalid(
            message("This is no {kind}: {error}.", kind=kind.__name__, error=str(error)), code="mixin-body"
        ) from error


def write(message: ConstraintMessage) -> JsonObject:
    """Write a body."""
    # Through text, so that a body is the same in a process as over HTTP.
    found = json.decode(msgspec.json.encode(message))
    assert isinstance(found, dict)
    return found
