"""What clients notice of a version by the definition as it is now, what it removes, and what of that was accepted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.domain.compatibility.acceptance import RULES, Key, open_places
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.domain.compatibility.removals import REMOVALS
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.one_reading import read_once
from migrations_app.models.evidence.waivers import Waiver


def waivers_of(service: str, before: str, after: str, now: datetime) -> dict[Key, Waiver]:
    """Find the waivers of a report that were asked for and have not ended."""
    rows = Waiver.objects.filter(
        service=service, before=before, after=after, ended_at__isnull=True, until__gt=now
    )
    return {(row.rule, row.path, row.where, row.change): row for row in rows}


@lru_cache(maxsize=256)
def assessed(
    service: str, fingerprint: str, before: str, after: str
) -> tuple[tuple[tuple[str, Json], ...], tuple[Key, ...]]:
    """Assess two versions of a definition, once for each definition: the counts, and the places to accept.

    Raises: Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    shown = document(assess(compiled_service(service), before, after, Setting()))
    counts = shown["counts"]
    assert isinstance(counts, dict)
    return tuple(counts.items()), tuple(key for key, _ in open_places(shown))


@read_once
def report_counts(service: str, fingerprint: str | None, before: str, after: str) -> JsonObject | None:
    """Count what clients would notice of a version, by weight; None where no definition tells."""
    if before == after:
        return {"counts": {}, "breaking": 0, "to_accept": 0}
    if not fingerprint:
        return None
    try:
        counts, places = assessed(service, fingerprint, before, after)
    except SwitchyardError:
        return None
    known = waivers_of(service, before, after, timezone.now())
    accepted = {key for key, waiver in known.items() if waiver.approved_at is not None}
    left = [rule for rule, *_ in (key for key in places if key not in accepted)]
    lost = sum(rule in RULES for rule in left)
    return {"counts": dict(counts), "breaking": len(left) - lost, "to_accept": lost}


@dataclass(frozen=True, slots=True)
class RemovalFinding:
    """A type, method, symbol or name pattern that has no counterpart; `what` names it at its place."""

    rule: CompatibilityRule
    path: str
    what: str
    waiver: Waiver | None

    @property
    def is_accepted(self) -> bool:
        """Whether a waiver is in force, which another person approved."""
        return self.waiver is not None and self.waiver.approved_at is not None

    @property
    def words(self) -> WordedMessage:
        """Name it in words."""
        return {
            CompatibilityRule.RESOURCE_REMOVED: message("the type {path}", path=self.path),
            CompatibilityRule.METHOD_REMOVED: message("the method {path}", path=self.path),
            CompatibilityRule.SYMBOL_REMOVED: message("{what} of {path}", what=self.what, path=self.path),
            CompatibilityRule.PATTERN_REMOVED: message(
                "names {what} of {path}", what=self.what, path=self.path
            ),
        }[self.rule]

    @property
    def sentence(self) -> str:
        """Give the words as a text."""
        return str(self.words)

    def lacking_in(self, version: str) -> WordedMessage:
        """Say that a version does not have it."""
        names = {"version": version, "path": self.path}
        return {
            CompatibilityRule.RESOURCE_REMOVED: message("{version} does not have the type {path}.", **names),
            CompatibilityRule.METHOD_REMOVED: message("{version} does not have the method {path}.", **names),
            CompatibilityRule.SYMBOL_REMOVED: message(
                "{version} does not have {what} of {path}.", what=self.what, **names
            ),
            CompatibilityRule.PATTERN_REMOVED: message(
                "{version} does not have names {what} of {path}.", what=self.what, **names
            ),
        }[self.rule]


@read_once
def removals_of(service: str, fingerprint: str, before: str, after: str) -> tuple[RemovalFinding, ...] | None:
    """List what a version removes by the current definition; None when there is none, or it cannot be read."""
    if before == after:
        return ()
    if not fingerprint:
        return None
    try:
        _, places = assessed(service, fingerprint, before, after)
    except SwitchyardError:
        return None
    found = [key for key in places if key[0] in REMOVALS]
    known = waivers_of(service, before, after, timezone.now()) if found else {}
    return tuple(
        RemovalFinding(CompatibilityRule(key[0]), key[1], key[3].removesuffix(" → "), known.get(key))
        for key in found
    )
