"""Who controls an account: its owner, and every person who set what it signs in with.

Source: ADR 0021.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import chain

from migrations_app.kernel.clock import to_second
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

LOOKBACK = timedelta(hours=24)
"""A credential that was set this long before the plan, or later, counts with every later change."""


SET, REMOVED, RESET = "set", "removed", "reset"
"""What a change did: a factor was added, or taken away; a password was set by another, who revoked the account's tokens."""


class ChangeKind(StrEnum):
    """What was changed of an account."""

    CREATED = "created"
    PASSWORD = "password"  # noqa: S105 -- a kind of change, no secret
    SECOND_FACTOR = "second-factor"
    PASSKEY = "passkey"
    OPENED = "opened"
    CLOSED = "closed"
    ROLE = "role"


CREDENTIALS = frozenset(
    {ChangeKind.CREATED, ChangeKind.PASSWORD, ChangeKind.SECOND_FACTOR, ChangeKind.PASSKEY}
)
"""Who changes one of these may act as the account."""
FACTORS = frozenset({ChangeKind.SECOND_FACTOR, ChangeKind.PASSKEY})
ENTITLEMENTS = frozenset({ChangeKind.OPENED, ChangeKind.ROLE})
"""Who changes one of these decides that the account may vote."""


def _sentence(kind: ChangeKind, **of: str) -> WordedMessage:
    match kind:
        case ChangeKind.CREATED:
            return message("{account}'s account was created by {who} at {changed_at}.", **of)
        case ChangeKind.PASSWORD:
            return message("{account}'s password was set by {who} at {changed_at}.", **of)
        case ChangeKind.SECOND_FACTOR:
            return message("{account}'s second factors were changed by {who} at {changed_at}.", **of)
        case ChangeKind.PASSKEY:
            return message("{account}'s passkeys were changed by {who} at {changed_at}.", **of)
        case ChangeKind.OPENED:
            return message("{account}'s account was opened by {who} at {changed_at}.", **of)
        case ChangeKind.CLOSED:
            return message("{account}'s account was closed by {who} at {changed_at}.", **of)
        case ChangeKind.ROLE:
            return message("{account} was given the role {detail} by {who} at {changed_at}.", **of)


@dataclass(frozen=True, slots=True)
class AccountControlChange:
    """One change of an account; `who` is empty where the installation itself made it."""

    account: str
    kind: ChangeKind
    who: str
    at: datetime
    detail: str = ""
    superseded: bool = False
    """The account got another password long ago, but perhaps from who knew this one."""

    @property
    def words(self) -> WordedMessage:
        """Say who changed what, when."""
        who = self.who or "the installation"
        changed_at = to_second(self.at)
        words = _sentence(self.kind, account=self.account, who=who, changed_at=changed_at, detail=self.detail)
        if not self.superseded:
            return words
        return words + message("It was changed later, possibly by the same person.")


Path = tuple[AccountControlChange, ...]
Control = Mapping[str, Path]
"""Persons, by their names in small letters, with the changes through which they control an account."""


@dataclass(frozen=True, slots=True)
class AccountHistory:
    """The changes that decide who controlled which account, for something planned at `planned_at`."""

    changes: Path
    planned_at: datetime

    def control(self, account: str, until: datetime) -> dict[str, Path]:
        """Find who may have acted as an account at an instant: itself, and who set what it signs in with."""
        return self._reached(account, self.planned_at - LOOKBACK, until)

    def entitled_by(self, account: str, until: datetime) -> dict[str, Path]:
        """Find who let an account vote since the plan was made, and who may have acted as them."""
        reached: dict[str, Path] = {}
        for change in self.changes:
            if not self._is_of(change, account, until, ENTITLEMENTS) or change.at < self.planned_at:
                continue
            for person, path in self.control(change.who, until).items():
                reached.setdefault(person, (change, *path))
        return reached

    def _reached(self, account: str, since: datetime, until: datetime) -> dict[str, Path]:
        """Follow who changed what, back to `since`; a path without a superseded change goes before others."""
        reached: dict[str, Path] = {}
        seen: dict[str, list[tuple[bool, datetime]]] = {}
        waiting: list[tuple[str, datetime, Path]] = [(account.lower(), since, ())]
        while waiting:
            name, begin, path = waiting.pop(0)
            lapsed = _is_lapsed(path)
            if any(worse <= lapsed and earlier <= begin for worse, earlier in seen.get(name, ())):
                continue
            seen.setdefault(name, []).append((lapsed, begin))
            if name not in reached or (_is_lapsed(reached[name]) and not lapsed):
                reached[name] = path
            # A change may have been made by any person who could act as its author then.
            for change in self._credentials(name, begin, until):
                waiting.append((change.who.lower(), min(begin, change.at), (*path, change)))
        return reached

    def _credentials(self, account: str, since: datetime, until: datetime) -> list[AccountControlChange]:
        """List what others set and may still know: all since then, and passwords of before."""
        of = [change for change in self.changes if self._is_of(change, account, until, CREDENTIALS)]
        passwords = [change for change in self._of(account, ChangeKind.PASSWORD) if change.at < since]
        standing = max(passwords, key=lambda change: change.at, default=None)
        counted = [change for change in of if change.at >= since or change is standing]
        superseded = [change for change in of if change in passwords and change is not standing]
        return counted + [
            replace(change, superseded=True) for change in superseded if not self._is_ended(change, since)
        ]

    def _is_ended(self, change: AccountControlChange, before: datetime) -> bool:
        """Tell whether a later password shows that the person who set this one cannot act as the account any more."""
        later = (
            each for each in self._of(change.account, ChangeKind.PASSWORD) if change.at < each.at < before
        )
        return any(
            self._is_by_owner(change, each) or self._is_by_third(change, each, before) for each in later
        )

    def _is_by_third(
        self, change: AccountControlChange, reset: AccountControlChange, before: datetime
    ) -> bool:
        """Tell whether another person set everything again, and no passkey of the time between is left."""
        if reset.detail != RESET or self._is_own(reset):
            return False
        factors = [each for each in self._of(change.account, *FACTORS) if change.at <= each.at < before]
        planted = [each.at for each in factors if self._is_own(each) and each.detail != REMOVED]
        taken = [each.at for each in factors if not self._is_own(each)]
        # With a passkey of theirs they could still sign in until the factors are taken, and add another.
        if planted and not any(at > max(planted) for at in taken):
            return False
        holders = self._reached(change.who, change.at, reset.at)
        return holders.keys().isdisjoint(self._reached(reset.who, reset.at, reset.at))

    def _is_by_owner(self, change: AccountControlChange, own: AccountControlChange) -> bool:
        """Tell whether the owner signed in with a factor that the person who set the password never could use."""
        if not self._is_own(own):
            return False
        factors = self._of(change.account, *FACTORS)
        holders = self._reached(change.who, change.at, own.at).keys() - {change.account.lower()}
        for factor in factors:
            lost = (
                each
                for each in factors
                if factor.at < each.at <= own.at and (each.detail != SET or not self._is_own(each))
            )
            if factor.at >= change.at or factor.detail != SET or not self._is_own(factor) or any(lost):
                continue
            if holders.isdisjoint(self._reached(change.account, factor.at, factor.at)):
                return True
        return False

    def _of(self, account: str, *kinds: ChangeKind) -> list[AccountControlChange]:
        return [
            each for each in self.changes if each.account.lower() == account.lower() and each.kind in kinds
        ]

    @staticmethod
    def _is_own(change: AccountControlChange) -> bool:
        return change.who.lower() == change.account.lower()

    @staticmethod
    def _is_of(
        change: AccountControlChange, account: str, until: datetime, kinds: frozenset[ChangeKind]
    ) -> bool:
        own = change.who.lower() in ("", account.lower())
        return (
            change.kind in kinds
            and not own
            and change.account.lower() == account.lower()
            and change.at <= until
        )


def joined(controls: Iterable[Control]) -> dict[str, Path]:
    """Join who controls several accounts; the shortest path of each person is kept."""
    found: dict[str, Path] = {}
    for control in controls:
        for person, path in control.items():
            if person not in found or len(path) < len(found[person]):
                found[person] = path
    return found


def author_refusal(authors: Control, control: Control, entitled_by: Control | None = None) -> WordedMessage:
    """Say why an account cannot decide about what `authors` planned or asked for; empty when it can."""
    for person, path in control.items():
        if person in authors and not (_is_lapsed(path) and _is_lapsed(authors[person])):
            return _changes(path, authors[person]) + message(
                "{person} planned this or asked for it, and does not decide on it.", person=person
            )
    for person, path in (entitled_by or {}).items():
        if person in authors and not (_is_lapsed(path) and _is_lapsed(authors[person])):
            return _changes(path, authors[person]) + message(
                "{person} planned this or asked for it, and does not choose who decides.", person=person
            )
    return NOTHING


def shared_refusal(first: str, second: str, one: Control, other: Control) -> WordedMessage:
    """Say why the votes of two accounts are those of one person; empty when they are not."""
    for person, path in one.items():
        if person in other and not (_is_lapsed(path) and _is_lapsed(other[person])):
            return _changes(path, other[person]) + message(
                "{person} may have voted as {first} and as {second}: that counts once.",
                person=person,
                first=first,
                second=second,
            )
    return NOTHING


def _is_lapsed(path: Path) -> bool:
    """Tell whether a path goes through a password that has been replaced, by whomever.

    Two such paths from one person, who made both accounts once, say too little to make one of two persons.
    """
    return any(change.superseded for change in path)


def _changes(*paths: Path) -> WordedMessage:
    return sum((change.words for change in dict.fromkeys(chain(*paths))), NOTHING)
