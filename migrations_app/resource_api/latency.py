"""How long writes of single resources take, noted for those who copy and compare meanwhile."""

from __future__ import annotations

from migrations_app import wiring
from migrations_app.ports.regions.peers import Peer
from migrations_app.resource_api.addresses import PREFIX, address_of
from migrations_app.resource_api.exchange import ResourceRequest


def note_write(request: ResourceRequest, status: int, seconds: float) -> None:
    """Note a write that was carried out; batches and methods take as long as what they hold, and are left out."""
    if request.reads or status >= 300 or not request.path.startswith(PREFIX):
        return
    address = address_of(request.path)
    if not address.verb:
        wiring.write_latency_log().note(Peer(address.service, address.region).deployment, seconds)
