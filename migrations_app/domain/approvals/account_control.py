"""Who controls an account: its owner, and every person who set what it signs in with.

Source: ADR 0487.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

LOOKBACK = timedelta(hours=24)
"""A credential that was set this long before the plan, or later, counts whoever changed it since."""


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
ENTITLEMENTS = frozenset({ChangeKind.OPENED, ChangeKind.ROLE})
"""Who changes one of these decides that the account may vote."""

_SENTENCES = {
    ChangeKind.CREATED: "{account}'s account was created by {who} at {at}",
    ChangeKind.PASSWORD: "{account}'s password was set by {who} at {at}",
    ChangeKind.SECOND_FACTOR: "{account}'s second factors were changed by {who} at {at}",
    ChangeKind.PASSKEY: "{account}'s passkeys were changed by {who} at {at}",
    ChangeKind.OPENED: "{account}'s account was opened by {who} at {at}",
    ChangeKind.CLOSED: "{account}'s account was closed by {who} at {at}",
    ChangeKind.ROLE: "{account} was given the role {detail} by {who} at {at}",
}


@dataclass(frozen=True, slots=True)
class AccountChange:
    """One change of an account; `who` is empty where the installation itself made it."""

    account: str
    kind: ChangeKind
    who: str
    at: datetime
    detail: str = ""

    @property
    def sentence(self) -> str:
        """Say who changed what, when; without a full stop."""
        at = f"{self.at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
        who = self.who or "the installation"
        return _SENTENCES[self.kind].format(account=self.account, who=who, at=at, detail=self.detail)


Path = tuple[AccountChange, ...]
Control = Mapping[str, Path]
"""Persons, by their names in small letters, with the changes through which they control an account."""


@dataclass(frozen=True, slots=True)
class AccountHistory:
    """The changes that decide who controlled which account, for something planned at `planned_at`."""

    changes: Path
    planned_at: datetime

    def control(self, account: str, until: datetime) -> dict[str, Path]:
        """Find who may have acted as an account at an instant: itself, and who set what it signs in with."""
        reached: dict[str, Path] = {account.lower(): ()}
        waiting = [account.lower()]
        while waiting:
            name = waiting.pop(0)
            for change in self._credentials(name, until):
                person = change.who.lower()
                if person not in reached:
                    reached[person] = (*reached[name], change)
                    waiting.append(person)
        return reached

    def entitled_by(self, account: str, until: datetime) -> dict[str, Path]:
        """Find who let an account vote since the plan was made, and who may have acted as them."""
        reached: dict[str, Path] = {}
        for change in self.changes:
            if not self._is_of(change, account, until, ENTITLEMENTS) or change.at < self.planned_at:
                continue
            for person, path in self.control(change.who, until).items():
                reached.setdefault(person, (change, *path))
        return reached

    def _credentials(self, account: str, until: datetime) -> list[AccountChange]:
        since = self.planned_at - LOOKBACK
        of = [change for change in self.changes if self._is_of(change, account, until, CREDENTIALS)]
        return [change for change in of if change.at >= since or change == self._standing(account, since)]

    def _standing(self, account: str, at: datetime) -> AccountChange | None:
        """Find who set the password that an account had at an instant."""
        passwords = [
            change
            for change in self.changes
            if change.account.lower() == account and change.kind is ChangeKind.PASSWORD and change.at < at
        ]
        return max(passwords, key=lambda change: change.at, default=None)

    @staticmethod
    def _is_of(change: AccountChange, account: str, until: datetime, kinds: frozenset[ChangeKind]) -> bool:
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


def author_refusal(authors: Control, control: Control, entitled_by: Control | None = None) -> str:
    """Say why an account cannot decide about what `authors` planned or asked for; empty when it can."""
    for person, path in control.items():
        if person in authors:
            return f"{_said(path, authors[person])} {person} planned this or asked for it, and does not decide on it."
    for person, path in (entitled_by or {}).items():
        if person in authors:
            return f"{_said(path, authors[person])} {person} planned this or asked for it, and does not choose who decides."
    return ""


def shared_refusal(first: str, second: str, one: Control, other: Control) -> str:
    """Say why the votes of two accounts are those of one person; empty when they are not."""
    for person, path in one.items():
        if person in other:
            said = _said(path, other[person])
            return f"{said} {person} may have voted as {first} and as {second}: that counts once."
    return ""


def _said(*paths: Path) -> str:
    return " ".join(dict.fromkeys(f"{change.sentence}." for path in paths for change in path))
