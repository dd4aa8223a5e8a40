"""The call as a handler gets it: reads and writes of its deployment, in its version, until its time is over."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from migrations_app.domain.access import Actor, Target, decide, require
from migrations_app.domain.methods.calls import Resources
from migrations_app.engine.methods.peer_deployments import DeploymentReads, OwnerRegions, PeerDeployment
from migrations_app.engine.methods.shown import ShownResource, shown_at
from migrations_app.engine.methods.transactions import StagedResources
from migrations_app.engine.serving.presentation import ResourceView, presenter_of
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Busy, DryRunRefused, NotFound, RevisionConflict
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.store import StoredResource

_TRIES = 8


@dataclass(frozen=True, slots=True)
class HandlerLocation:
    """Where a handler works: a region and service, in its version."""

    region: str
    service: str
    version: str


@dataclass(slots=True)
class ServiceCall:
    """`domain.methods.calls.Call` over the resource servers.

    Once `end` was called, nothing is committed any more: what is being committed then ends first.
    """

    servers: ResourceServers
    place: HandlerLocation
    name: str
    request: JsonObject
    actor: Actor
    request_id: str
    ends_at: float
    name_key: str = ""
    first: ShownResource | None = None
    """What the call acts on, as it was read to find the handler; the first read of it costs nothing."""
    first_type: str = ""
    collection: str = ""
    commits: int = 0
    dry_run: bool = False
    """Whether what is committed is taken back; what was taken back is read as it would have become."""
    owners: OwnerRegions | None = None
    """How writes at peers reach the regions that own what they write."""
    _known: dict[int, tuple[JsonObject, StoredResource]] = field(default_factory=dict)
    _rehearsed: dict[tuple[str, str], ResourceView | None] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _ended: bool = False

    @property
    def version(self) -> str:
        """The version of the handler."""
        return self.place.version

    @property
    def region(self) -> str:
        """The region that answers."""
        return self.place.region

    @property
    def caller(self) -> str:
        """The account that calls."""
        return self.actor.name

    def remaining_seconds(self) -> float:
        """Tell how long the caller still waits."""
        return max(0.0, self.ends_at - time.monotonic())

    def allows(self, permission: str) -> bool:
        """Tell whether the caller holds a permission here."""
        target = Target("deployment", service=self.place.service, region=self.place.region)
        return decide(self.actor, permission, target).allowed

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource."""
        return self._read(resource_type, name).document

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent."""
        if any(changed == resource_type for changed, _ in self._rehearsed):
            raise DryRunRefused(
                message(
                    "This dry run has changed resources of {resource_type}, which it lists afterwards.",
                    resource_type=resource_type,
                )
            )
        yield from DeploymentReads(self.servers, self._where).list(resource_type, parent, filter=filter)

    def peer(self, service: str, version: str) -> PeerDeployment:
        """Work with resources of another service of this region, as the caller may."""
        require(self.actor, "resource.read", Target("deployment", service=service, region=self.place.region))
        reads = DeploymentReads(self.servers, (self.place.region, service, version))
        return PeerDeployment(reads, self.actor, self.request_id, self.owners, self._commit_at_peer)

    def transaction(self, change: Callable[[Resources], object]) -> tuple[JsonObject, ...]:
        """Run a change and commit what it wrote, again when what it read has changed."""
        for _ in range(_TRIES):
            staged = StagedResources(self._read, self._name_key)
            change(staged)
            if not staged.writes:
                return ()
            try:
                return self._commit(tuple(staged.writes.values()))
            except RevisionConflict:
                self.first = None
        raise Busy(message("Other requests write the same resources at the moment."), code="method-contended")

    def update(self, resource_type: str, name: str, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
        """Change one resource in a transaction of its own."""

        def _change(resources: Resources) -> None:
            resources.update(resource_type, name, change(resources.get(resource_type, name)))

        return self.transaction(_change)[0]

    def end(self) -> None:
        """Let nothing be committed from now on; a commit that is under way ends first."""
        with self._lock:
            self._ended = True

    def stored(self, document: JsonObject) -> StoredResource | None:
        """Tell what is stored behind a document that this call gave."""
        known = self._known.get(id(document))
        return None if known is None else known[1]

    @property
    def _where(self) -> tuple[str, str, str]:
        return self.place.region, self.place.service, self.place.version

    def _name_key(self, resource_type: str) -> str:
        return presenter_of(self.servers.schema(*self._where), resource_type).name_key

    def _read(self, resource_type: str, name: str) -> ShownResource:
        if (resource_type, name) in self._rehearsed:
            return self._note(self._as_rehearsed(resource_type, name))
        if self.first is not None and (resource_type, name) == (self.first_type, self.name):
            return self._note(self.first)
        shown = self.servers.router.read(
            *self._where, lambda route, reading: shown_at(route, reading, resource_type, name), once=True
        )[1]
        return self._note(shown)

    def _commit(self, writes: tuple[WriteRequest, ...]) -> tuple[JsonObject, ...]:
        with self._lock:
            self._check_time()
            answers = (
                self._rehearse(writes)
                if self.dry_run
                else self.servers.writing.write(*self._where, writes, self.caller)
            )
            self.commits += 1
        self.first = None
        for answer in answers:
            if answer is not None and answer.stored is not None:
                self._known[id(answer.document)] = (answer.document, answer.stored)
        return tuple({} if answer is None else answer.document for answer in answers)

    def _commit_at_peer(self, write: Callable[[], JsonObject]) -> JsonObject:
        if self.dry_run:
            raise DryRunRefused(
                message("This method writes resources of another service, which has no dry run.")
            )
        with self._lock:
            self._check_time()
            document = write()
            self.commits += 1
        return document

    def _check_time(self) -> None:
        if self._ended:
            raise Busy(
                message("The time of this call is over; nothing more is written."), code="deadline-exceeded"
            )

    def _rehearse(self, writes: tuple[WriteRequest, ...]) -> tuple[ResourceView | None, ...]:
        keys = [(write.type, write.name) for write in writes]
        if not self._rehearsed.keys().isdisjoint(keys):
            raise DryRunRefused(
                message(
                    "This method writes a resource twice, one commit after the other; that has no dry run."
                )
            )
        answers = self.servers.writing.rehearse(*self._where, writes, self.caller).answers
        self._rehearsed.update(zip(keys, answers, strict=True))
        return answers

    def _as_rehearsed(self, resource_type: str, name: str) -> ShownResource:
        """Give what a rehearsed write would have left.

        Raises: NotFound when that is nothing.
        """
        view = self._rehearsed[resource_type, name]
        if view is None or view.stored is None:
            raise NotFound(
                message("There is no {resource_type} {name}.", resource_type=resource_type, name=name),
                name=name,
            )
        return ShownResource(view.document, view.stored)

    def _note(self, shown: ShownResource) -> ShownResource:
        self._known[id(shown.document)] = (shown.document, shown.stored)
        return shown
