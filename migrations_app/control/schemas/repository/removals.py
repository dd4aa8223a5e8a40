"""What a version does not have of the one before it, and what of that was accepted."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils import timezone

from migrations_app.control.rows.one_reading import read_once
from migrations_app.control.schemas.repository.compatibility import assessed
from migrations_app.control.schemas.repository.waivers import waivers_of
from migrations_app.domain.compatibility.removals import REMOVALS
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.models.evidence.waivers import Waiver


@dataclass(frozen=True, slots=True)
class RemovalFinding:
    """A type, method, symbol or name pattern that has no counterpart; `what` names it at its place."""

    rule: CompatibilityRule
    path: str
    what: str
    waiver: Waiver | None

    @property
    def is_accepted(self) -> bool:
        """Whether a waiver is in force, which somebody else approved."""
        return self.waiver is not None and self.waiver.approved_at is not None

    @property
    def sentence(self) -> str:
        """Name it in words."""
        return {
            CompatibilityRule.RESOURCE_REMOVED: f"the type {self.path}",
            CompatibilityRule.METHOD_REMOVED: f"the method {self.path}",
            CompatibilityRule.SYMBOL_REMOVED: f"{self.what} of {self.path}",
            CompatibilityRule.PATTERN_REMOVED: f"names {self.what} of {self.path}",
        }[self.rule]


@read_once
def removals_of(service: str, fingerprint: str, before: str, after: str) -> tuple[RemovalFinding, ...] | None:
    """List what a version removes by the current definition; None when that cannot be read."""
    if before == after or not fingerprint:
        return ()
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
