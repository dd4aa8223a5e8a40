"""Reads from the rows of an upgrade what was recorded until a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import evidence_of
from migrations_app.control.upgrade_state.repository.evidence import checks_of, start_checks
from migrations_app.control.upgrades.queries.view import view
from migrations_app.control.upgrades.run_sheet.document import (
    RunSheet,
    ShardSpan,
    SheetCheck,
    SheetEvent,
    SheetRequest,
    SheetSample,
    SheetVote,
    SwitchStep,
)
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.progress import CAUGHT_UP
from migrations_app.domain.switch.states import FINAL, STATE_WORDS, State
from migrations_app.domain.switch.stepper import UpgradeTransition, steps
from migrations_app.domain.switch.words import stamp, where
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.models.approvals import ApprovalRequest, ApprovalVote
from migrations_app.models.upgrades import Upgrade, UpgradeTimelineEntry

MOST_CHANGES = 50_000
"""Newest changes of shards that a sheet draws."""
MOST_EVENTS = 500
"""Newest events that a sheet lists; how many older ones there are it says."""
MOST_SAMPLES = 1_000


def run_sheet(actor: Actor, row: Upgrade, at: datetime | None) -> RunSheet:
    """Read the run sheet of an upgrade as of a moment; None: now.

    Raises: Invalid (`sheet-moment`) for a moment before the plan or in the future.
    """
    now = timezone.now()
    as_of = at or now
    if not row.created_at <= as_of <= now:
        raise Invalid(
            message(
                "The upgrade was planned at {stamp}, and it is {stamp_2}: there is no sheet as of {stamp_3}.",
                stamp=stamp(row.created_at),
                stamp_2=stamp(now),
                stamp_3=stamp(as_of),
            ),
            code="sheet-moment",
            remedy=message("Give a moment between the two."),
        )
    moves = list(row.moves.filter(at__lte=as_of))
    state = State(moves[-1].state) if moves else State.PLANNED
    entries = list(row.lines.filter(at__lte=as_of))
    requests = _requests(row, as_of)
    checks, checks_at = _checks(row, requests, is_newest=at is None)
    spans, complete = _spans(row, as_of)
    marks = [UpgradeTransition(State(move.state), move.at, move.who) for move in moves]
    started = any(mark.state is State.SYNCING for mark in marks)
    return RunSheet(
        upgrade=row,
        as_of=as_of,
        is_newest=at is None,
        state=state,
        sentence=str(view(actor, row)["sentence"])
        if at is None
        else _past_sentence(row, state, as_of, spans),
        steps=steps(as_of, marks, start_checks(row) if started or at is None else ()) if marks else (),
        checks=checks,
        checks_at=checks_at,
        requests=requests,
        spans=spans,
        shards_complete=complete,
        samples=_samples(row, as_of),
        switch_steps=[
            SwitchStep(step.step, step.at, step.state, step.took_seconds)
            for step in row.switch_steps.filter(at__lte=as_of)
        ],
        events=[SheetEvent(entry.at, entry.who, entry.text) for entry in entries[-MOST_EVENTS:]],
        events_left_out=max(0, len(entries) - MOST_EVENTS),
        transitions=[(mark.at, mark.state) for mark in marks],
    )


def _past_sentence(row: Upgrade, state: State, as_of: datetime, spans: Sequence[ShardSpan]) -> str:
    many = row.shard_count_in(state)
    last = {span.shard: span.state for span in spans if span.shard < many}
    ready = sum(shard_state in CAUGHT_UP for shard_state in last.values())
    return (
        f"{where(row.service, row.region)} at {stamp(as_of)}: {STATE_WORDS[state]}; "
        f"{ready} of {many} shards had caught up."
    )


def _checks(
    row: Upgrade, requests: Sequence[SheetRequest], *, is_newest: bool
) -> tuple[Sequence[SheetCheck], datetime | None]:
    """Make the checks as they are now; those of the past were recorded with requests and votes."""
    if not is_newest:
        recorded = [(each.checks_at, each.checks) for each in requests if each.checks]
        recorded += [(vote.at, vote.checks) for each in requests for vote in each.votes if vote.checks]
        checks_at, checks = max(recorded, key=lambda each: each[0], default=(None, ()))
        return checks, checks_at
    if State(row.state) in FINAL:
        return [_check(each) for each in row.checks], row.checks_at
    step = "rollback" if row.state == State.REVERSIBLE.value else "switch"
    return [_check(each) for each in evidence_of(checks_of(row, step)) if isinstance(each, dict)], None


def _check(of: Mapping[str, Any]) -> SheetCheck:
    return SheetCheck(of["check"], of["verdict"], of["sentence"], of.get("at") or "")


def _requests(row: Upgrade, as_of: datetime) -> list[SheetRequest]:
    entries = list(row.lines.filter(kind__in=("votes-void", "answer")))
    found = (
        row.approval_requests.filter(created_at__lte=as_of).prefetch_related("votes").order_by("created_at")
    )
    return [_request(request, as_of, entries) for request in found]


def _request(of: ApprovalRequest, as_of: datetime, entries: Sequence[UpgradeTimelineEntry]) -> SheetRequest:
    votes = sorted((vote for vote in of.votes.all() if vote.at <= as_of), key=lambda vote: vote.at)
    checks_at = _round_began(of, entries)
    return SheetRequest(
        at=of.created_at,
        who=of.asked_by,
        purpose="rollback" if of.purpose == "revert" else of.purpose,
        comment=of.comment,
        needed=int(of.policy.get("needed", 0)) + sum(each["needed"] for each in of.policy.get("then", ())),
        checks_at=checks_at,
        # A later round replaced what was recorded before: then it is not known any more.
        checks=[_check(each) for each in of.evidence] if checks_at <= as_of else (),
        votes=[_vote(vote, entries, as_of) for vote in votes],
    )


def _vote(of: ApprovalVote, entries: Sequence[UpgradeTimelineEntry], as_of: datetime) -> SheetVote:
    void, checks = _void(of, entries, as_of), [_check(each) for each in of.evidence]
    return SheetVote(of.at, of.who, of.verdict, of.comment, void, checks)


def _round_began(of: ApprovalRequest, entries: Iterable[UpgradeTimelineEntry]) -> datetime:
    """Tell when the checks that a request keeps were made: with it, or with its last round."""
    rounds = [
        entry.at
        for entry in entries
        if entry.at >= of.created_at
        and (of.closed_at is None or entry.at <= of.closed_at)
        and (entry.kind == "answer" or not entry.text.startswith("The vote of"))
    ]
    return rounds[-1] if of.round > 1 and rounds else of.created_at


def _void(vote: ApprovalVote, entries: Sequence[UpgradeTimelineEntry], as_of: datetime) -> str:
    """Say why a vote was void at a moment, by the entry that tells when it became so."""
    reason = vote.void_reason
    if not reason:
        return ""
    at = next((entry.at for entry in entries if entry.at >= vote.at and reason in entry.text), None)
    if at is None:
        return f"{reason} When it became void is not recorded."
    return reason if at <= as_of else ""


def _spans(row: Upgrade, as_of: datetime) -> tuple[list[ShardSpan], bool]:
    """Give the changes of shards as spans, each until the next change of its shard."""
    rows = row.shard_turns.filter(at__lte=as_of).order_by("-pk").values_list("shard", "at", "state")
    changes = [*rows[: MOST_CHANGES + 1]]
    complete = len(changes) <= MOST_CHANGES
    changes = changes[:MOST_CHANGES]
    changes.reverse()
    since: dict[int, tuple[datetime, str]] = {}
    spans: list[ShardSpan] = []
    for shard, at, state in changes:
        start, before = since.get(shard, (at, state))
        if before != state:
            spans.append(ShardSpan(shard, before, start, at))
            start = at
        since[shard] = (start, state)
    spans += [ShardSpan(shard, state, start, as_of) for shard, (start, state) in sorted(since.items())]
    return spans, complete


def _samples(row: Upgrade, as_of: datetime) -> list[SheetSample]:
    rows = list(
        row.samples.filter(at__lte=as_of).order_by("at").values_list("at", "lag_p95", "rate", "write_p95")
    )
    every = max(1, -(-len(rows) // MOST_SAMPLES))
    return [SheetSample(*row) for row in rows[::every]]
