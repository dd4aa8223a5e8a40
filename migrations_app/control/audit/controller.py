"""The watch over the ledger: keeps its signed head outside every few minutes, and verifies the whole chain each day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.sockets import named_destinations
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.audit import ledger
from migrations_app.control.audit.anchors import (
    FILE,
    Anchor,
    AnchorKey,
    append_to_file,
    compare,
    known_anchors,
)
from migrations_app.domain.destinations import origin_of
from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.controller import Again, Budget, Lease, Outcome
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject, encode
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.ledger import LedgerAnchor
from migrations_app.models.work import Pulse
from migrations_app.ports.processes.outbound import Deadline, EgressError

NOTED = "ledger"
PAGE = 2_000
SEND_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class AnchorTargets:
    """Where anchors are kept: folders, and addresses by the method that they are sent with."""

    folders: tuple[Path, ...]
    addresses: tuple[tuple[str, str], ...] = ()
    token: str = ""

    @classmethod
    def of(cls, settings: Sequence[str], home: Path, token: str = "") -> AnchorTargets:
        """Read `file`, `file:/folder`, `post:https://…` and `put:https://…`."""
        kinds = [setting.partition(":") for setting in settings]
        folders = tuple(Path(rest) if rest else home / "anchors" for kind, _, rest in kinds if kind == "file")
        return cls(
            folders, tuple((kind.upper(), rest) for kind, _, rest in kinds if kind in ("post", "put")), token
        )

    def keep(self, anchor: Anchor) -> list[str]:
        """Keep an anchor everywhere; says where it could not be kept."""
        failed = []
        for folder in self.folders:
            try:
                append_to_file(folder, anchor)
            except OSError as error:
                failed.append(f"{folder / FILE}: {error.strerror}")
        failed += [said for method, url in self.addresses if (said := self._send(method, url, anchor))]
        return failed

    def _send(self, method: str, url: str, anchor: Anchor) -> str:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        named = f"{method} {origin_of(url)[0]}"
        if method == "PUT":
            url = f"{url.rstrip('/')}/{anchor.seq:020}.json"
        client = EgressClient(named_destinations([url]))
        try:
            body, deadline = encode(anchor.as_json()), Deadline(SEND_SECONDS)
            with client.stream(method, url, headers=headers, body=body, deadline=deadline) as answer:
                status = answer.status
        except EgressError as error:
            return f"{named}: {error}"
        finally:
            client.close()
        return "" if 200 <= status < 300 else f"{named}: answered {status}"


def anchor_key() -> AnchorKey:
    """Give the key that signs heads of the ledger."""
    return AnchorKey(settings.SECRET_KEY, settings.SWITCHYARD.anchor_key)


def anchor_places() -> AnchorTargets:
    """Give the places where heads of the ledger are kept."""
    env = settings.SWITCHYARD
    return AnchorTargets.of(env.anchors, env.home, env.anchor_token)


class LedgerWatch:
    """Compares the ledger with what was kept of it; keeps its head unless they differ; verifies it once a day."""

    name = "ledger"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(
        self,
        leases: PostgresLeases,
        key: Callable[[], AnchorKey] = anchor_key,
        places: Callable[[], AnchorTargets] = anchor_places,
    ) -> None:
        self._leases, self._key, self._places = leases, key, places

    def due(self) -> Iterable[str]:
        """List the one key; its row says when it is due again."""
        return ("chain",)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Compare, verify a part of the chain if that is due, and keep the head."""
        state = watched()
        difference = self._difference(state)
        state |= {"difference": str(difference), "difference_phrases": phrases_as_json(difference.phrases)}
        unfinished = not state["difference"] and self._verify(state, budget)
        if not unfinished and not state["difference"] and not state.get("broken"):
            self._keep(state, lease)
        state["seq"] = ledger.head().seq
        with transaction.atomic():
            self._leases.confirm(lease)
            PulseRows().beat(NOTED, "ledger", state)
        return Again() if unfinished else Again(float(settings.SWITCHYARD.anchor_seconds))

    def _difference(self, state: JsonObject) -> WordedMessage:
        """Say what the chain lacks of what was known of it, or nothing."""
        last, known = ledger.head().seq, int(str(state.get("seq") or 0))
        if last < known:
            return message("it had {known} entries and has {last}", known=known, last=last)
        try:
            found = compare(known_anchors(self._places().folders), self._key())
        except Invalid as error:
            return message("the file of anchors was changed:") + error.words
        except OSError:
            return NOTHING  # what cannot be read cannot be written either, and that is shown
        return found.reason if found else NOTHING

    def _verify(self, state: JsonObject, budget: Budget) -> bool:
        """Verify pages of the chain while there is time; tells whether more are left for this day."""
        done = _moment(state.get("verified_at"))
        if done is not None and done.date() >= timezone.now().astimezone(UTC).date():
            return False
        after, digest = int(str(state.get("verifying_seq") or 0)), str(state.get("verifying_digest") or "")
        while True:
            page = ledger.verify_page(after, digest, PAGE)
            after, digest = page.head.seq, page.head.digest
            if page.broken_at is not None or page.count < PAGE:
                break
            if budget.spent:
                state |= {"verifying_seq": after, "verifying_digest": digest}
                return True
        broken = NOTHING
        if page.broken_at is not None:
            broken = message("broken at entry {entry}:", entry=page.broken_at) + page.reason
        state |= {"broken": str(broken), "broken_phrases": phrases_as_json(broken.phrases)}
        state |= {"verified_at": timezone.now().isoformat()}
        state |= {"verifying_seq": 0, "verifying_digest": ""}
        return False

    def _keep(self, state: JsonObject, lease: Lease) -> None:
        newest = ledger.head()
        if newest.seq == 0 or (newest.seq == state.get("anchored_seq") and not state.get("failed")):
            state["anchored_at"] = timezone.now().isoformat()
            return
        at = timezone.now()
        anchor = self._key().sign(newest.seq, newest.digest, at.isoformat())
        with transaction.atomic():
            self._leases.confirm(lease)
            failed = self._places().keep(anchor)
            LedgerAnchor.objects.create(
                seq=anchor.seq, digest=anchor.digest, at=at, key=anchor.key, signature=anchor.signature
            )
        state["failed"] = "; ".join(failed)
        if not failed:
            state |= {"anchored_seq": anchor.seq, "anchored_at": at.isoformat()}


def watched() -> JsonObject:
    """Tell what the watch noted last; empty where it never looked."""
    row = Pulse.objects.filter(name=NOTED).first()
    return dict(row.details) if row else {}


def age_seconds(state: JsonObject, name: str) -> float | None:
    """Tell how long ago a moment of the watch's notes is."""
    at = _moment(state.get(name))
    return None if at is None else (timezone.now() - at) / timedelta(seconds=1)


def _moment(value: object) -> datetime | None:
    return parse_datetime(value) if isinstance(value, str) else None
