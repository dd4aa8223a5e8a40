"""Other deployments as a handler works with them: of another service, in a version of it, with the caller's permissions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.vouching import vouch
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.routing import HOLD_SECONDS
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.writes.coordination import OwnedElsewhere
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.peer_requests import PeerRequest, PeerTransport
from migrations_app.ports.regions.peers import Peer

_PAGE = 200
WRITE = "resource.write"


@dataclass(frozen=True, slots=True)
class OwnerRegions:
    """How a write reaches the region that owns its resource: by the servers of this process, or by those of another.

    Units: `patience_seconds` is what any answer may take; the owner may hold a write for longer than that while
    its version changes.
    """

    is_here: Callable[[str], bool]
    peers: PeerTransport
    patience_seconds: float


@dataclass(frozen=True, slots=True)
class DeploymentReads:
    """Reads over the resource servers of this process."""

    servers: ResourceServers
    where: tuple[str, str, str]

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource."""
        return self.servers.reading.get(*self.where, resource_type, name).document

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent."""
        token = ""
        while True:
            asked = ListRequest(resource_type, parent, filter=filter, page_size=_PAGE, page_token=token)
            page = self.servers.reading.list(*self.where, asked)
            yield from page.documents
            token = page.next
            if not token:
                return


@dataclass(frozen=True, slots=True)
class PeerDeployment:
    """`domain.methods.calls.PeerResources` over the resource servers, and those of the regions that own what is written.

    `commit` runs one write unless the time of the call is over.
    """

    reads: DeploymentReads
    actor: Actor
    request_id: str
    owners: OwnerRegions | None
    commit: Callable[[Callable[[], JsonObject]], JsonObject]

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource."""
        return self.reads.get(resource_type, name)

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent."""
        return self.reads.list(resource_type, parent, filter=filter)

    def create(self, resource_type: str, name: str, document: JsonObject) -> JsonObject:
        """Create a resource."""
        key = presenter_of(self.reads.servers.schema(*self.reads.where), resource_type).name_key
        return self._write(WriteRequest("create", resource_type, name, body={**document, key: name}))

    def update(self, resource_type: str, name: str, changes: JsonObject) -> JsonObject:
        """Set fields of a resource."""
        body: JsonObject = {key: value for key, value in changes.items() if value is not None}
        mask = ",".join(f"`{key}`" for key in changes)
        return self._write(WriteRequest("update", resource_type, name, body=body, mask=mask))

    def delete(self, resource_type: str, name: str) -> None:
        """Delete a resource."""
        self._write(WriteRequest("delete", resource_type, name, allow_missing=True))

    def _write(self, write: WriteRequest) -> JsonObject:
        region, service, _ = self.reads.where
        schema = self.reads.servers.schema(*self.reads.where)
        if write.verb in presenter_of(schema, write.type).opted_out:
            raise Invalid(
                message(
                    "{version} of {service} opts out of {verb} of {type}.",
                    version=schema.version,
                    service=service,
                    verb=write.verb,
                    type=write.type,
                ),
                code="method-not-allowed",
            )
        require(self.actor, WRITE, Target("deployment", service=service, region=region))
        return self.commit(lambda: self._written(write))

    def _written(self, write: WriteRequest) -> JsonObject:
        region, service, _ = self.reads.where
        try:
            return self._written_in(region, write)
        except OwnedElsewhere as owned:
            # Not the owner of what the method acts on: the call itself must not be handed on.
            require(self.actor, WRITE, Target("deployment", service=service, region=owned.region))
            if self.owners is None:
                raise
            if self.owners.is_here(owned.region):
                return self._written_in(owned.region, write)
            return self._sent(self.owners, write, owned.region)

    def _written_in(self, region: str, write: WriteRequest) -> JsonObject:
        _, service, version = self.reads.where
        (answer,) = self.reads.servers.writing.write(region, service, version, [write], self.actor.name)
        return {} if answer is None else answer.document

    def _sent(self, owners: OwnerRegions, write: WriteRequest, region: str) -> JsonObject:
        """Hand a write on, as the peer itself does with a client's.

        Raises: what the owner refuses · Busy (`peer-unavailable`).
        """
        here, service, version = self.reads.where
        asked: JsonObject = {"name": write.name}
        if write.verb == "delete":
            asked["allowMissing"] = True
        else:
            asked["resource"] = write.body
        if write.verb == "update":
            asked["updateMask"] = write.mask
        headers = {"content-type": "application/json", "x-request-id": self.request_id}
        request = PeerRequest(
            "POST",
            f"/apis/{region}/{service}/{version}/:batchWrite",
            body=json.encode({"requests": [{write.verb: asked}]}),
            headers={key: value for key, value in headers.items() if value},
            on_behalf=vouch(self.actor, WRITE, Target("deployment", service=service, region=region)),
            patience_seconds=owners.patience_seconds + HOLD_SECONDS,
        )
        answer = owners.peers.send(Peer(service, here), Peer(service, region), request).document()
        documents = answer.get("responses")
        document = documents[0] if isinstance(documents, list) and documents else {}
        return document if isinstance(document, dict) else {}
