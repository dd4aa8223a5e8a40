"""Records the conversions of a request while a debug session is open for its client or for what it touches."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime

from migrations_app import wiring
from migrations_app.domain.conversion.reports.observation import Conversion, observed_by
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.request_origin import RequestOrigin
from migrations_app.ports.logs.conversion_records import ConversionRecord, ObservationSession
from migrations_app.ports.regions.peers import Peer
from migrations_app.resource_api.addresses import address_of
from migrations_app.resource_api.exchange import ResourceRequest

MOST_OF_A_REQUEST = 200
log = logging.getLogger(__name__)


def observing(request: ResourceRequest, origin: RequestOrigin) -> AbstractContextManager[None]:
    """Give the context to serve a request in."""
    try:
        address = address_of(request.path)
    except SwitchyardError:
        return nullcontext()
    here = Peer(address.service, address.region)
    sessions = wiring.open_sessions().of(here.deployment, origin.caller)
    return _recording(here, sessions, origin) if sessions else nullcontext()


@contextmanager
def _recording(here: Peer, sessions: Sequence[ObservationSession], origin: RequestOrigin) -> Iterator[None]:
    conversions: list[tuple[datetime, Conversion]] = []

    def _note(conversion: Conversion) -> None:
        if len(conversions) < MOST_OF_A_REQUEST:
            conversions.append((datetime.now(UTC), conversion))

    try:
        with observed_by(_note):
            yield
    finally:
        for session in sessions:
            _keep(here, session, origin, conversions)


def _keep(
    here: Peer,
    session: ObservationSession,
    origin: RequestOrigin,
    conversions: Sequence[tuple[datetime, Conversion]],
) -> None:
    records = [
        ConversionRecord(
            session.id, here.deployment, at, origin.caller, origin.request_id, each.direction,
            each.source_version, each.target_version, each.type, each.name, each.document, each.before,
            each.outcome, each.output_name, each.output, each.milliseconds,
        )
        for at, each in conversions
        if session.resource in ("", each.name, each.output_name)
    ]  # fmt: skip
    if not records:
        return
    try:
        served = wiring.resource_servers().directory.served(here.region, here.service)
        database = served.namespaces[served.current_version].database
        kept = wiring.conversion_records().append(database, records, session.most)
    except SwitchyardError as error:
        # The answer is worth more than its record.
        log.warning("conversions of session %s are not recorded: %s", session.id, error.message)
        return
    if kept < len(records):
        wiring.open_sessions().close(session.id)
