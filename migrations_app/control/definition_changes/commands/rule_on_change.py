"""Lets a definition take the place of the served one, or not: by the decisions on it and the waivers in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from migrations_app.adapters import definitions
from migrations_app.control.audit.ledger import record
from migrations_app.control.definition_changes.queries.decisions import Decided, decisions_on
from migrations_app.control.definition_changes.queries.shown import (
    advice_as_json,
    decision_as_json,
    is_let_through,
)
from migrations_app.control.definition_changes.repository.reviews import keep_review
from migrations_app.control.definition_changes.repository.waivers import (
    Key,
    key_of,
    use_up,
    waiver_as_json,
    waivers_in_place,
)
from migrations_app.domain.access import Actor, Target
from migrations_app.domain.compatibility.decisions import ChangeDecision, ChangeVerdict
from migrations_app.domain.schema.folder import ServiceFolder
from migrations_app.kernel.errors import Conflict, Stale, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message, verbatim
from migrations_app.models.evidence.definition_reviews import DefinitionReview
from migrations_app.models.evidence.waivers import Waiver


@dataclass(frozen=True, slots=True)
class ChangeRuling:
    """The decisions on a definition, and the waivers of them."""

    service: str
    decided: Decided
    waivers: Mapping[Key, Waiver]
    at: datetime

    @property
    def against(self) -> tuple[ChangeDecision, ...]:
        """The decisions that nothing lets through, the heaviest first."""
        found = (each for each in self.decided.decisions if not is_let_through(each, self.waivers, self.at))
        return tuple(sorted(found, key=lambda each: -each.verdict))

    @property
    def may_apply(self) -> bool:
        """Whether the definition may be applied."""
        return not self.against

    def shown(self) -> tuple[JsonObject, ...]:
        """Show the decisions, the heaviest first."""
        ordered = sorted(self.decided.decisions, key=lambda each: -each.verdict)
        return tuple(decision_as_json(each, self.waivers, self.at) for each in ordered)

    def advice(self) -> JsonObject | None:
        """Show what the change takes as a whole."""
        found = self.decided.advice
        return advice_as_json(found) if found is not None else None

    def check_current(self) -> None:
        """See that what was decided about is still what is served.

        Raises: Stale (`definition-moved`).
        """
        if definitions.current_fingerprint(self.service) != self.decided.against:
            raise Stale(
                message("Another definition of {service} was applied meanwhile.", service=self.service),
                code="definition-moved",
                remedy=message("Apply yours again; it is compared again."),
            )

    def enforce(self, actor: Actor, fingerprint: str) -> None:
        """Refuse the definition unless nothing stands against it; the refusal is kept for the page of reviews.

        Raises: Conflict (`change-in-place`), Stale (`definition-moved`).
        """
        against = self.against
        if not against:
            return
        self.check_current()
        self.keep(actor, fingerprint, DefinitionReview.REFUSED, self.shown())
        raise Conflict(
            message(
                "{path} of {version} and what is stored there prevent it.",
                path=against[0].difference.path,
                version=against[0].difference.version,
            )
            if len(against) == 1
            else message("{count} changes of what is served and stored prevent it.", count=len(against)),
            code="change-in-place",
            remedy=message("Follow the advice of each, or ask for a waiver: `swy service waive`."),
            violations=tuple(_violation(each) for each in against),
        )

    def use_waivers(self, actor: Actor, fingerprint: str) -> None:
        """Use up the waivers that let the definition through."""
        for each in self.decided.decisions:
            row = self.waivers.get(key_of(each))
            if row is not None and each.verdict is not ChangeVerdict.ALLOWED:
                before = waiver_as_json(row, self.at)
                use_up(row, fingerprint, actor.name, self.at)
                about = Target("waiver", row.id, row.service, requested_by=row.asked_by)
                record(actor, "waiver.use", about, "done", before, waiver_as_json(row, self.at))

    def keep(self, actor: Actor, fingerprint: str, outcome: str, decisions: Sequence[JsonObject]) -> None:
        """Keep what was decided, as it was then."""
        fingerprints = (fingerprint, self.decided.against)
        keep_review(self.service, fingerprints, outcome, actor.name, self.at, decisions)


def ruling_on(given: ServiceFolder) -> ChangeRuling:
    """Compare a folder with what is served and stored, and find the waivers of what stands against it.

    Raises: Busy (`database-busy`).
    """
    decided, now = decisions_on(given), timezone.now()
    return ChangeRuling(given.service, decided, waivers_in_place(given.service, decided.decisions, now), now)


def _violation(decision: ChangeDecision) -> Violation:
    one = decision.difference
    told = f"{decision.verdict.word}: {one.rule}: {'; '.join(decision.reasons)}"
    return Violation(f"{one.version}/{one.path}", verbatim(told), verbatim(decision.advice), str(one.rule))
