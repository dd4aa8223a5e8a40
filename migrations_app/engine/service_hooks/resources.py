"""The resources that a hook reads and writes: read by the thread of the request, written when the hook has ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from migrations_app.engine.methods.shown import shown_at
from migrations_app.engine.methods.transactions import StagedResources
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.reading import ListRequest, list_in
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.ports.services.service_hooks import HookQuestion
from migrations_app.ports.store import Reading

MOST_READS = 1000
MOST_WRITES = 100
_PAGE = 200


@dataclass(slots=True)
class Allowance:
    """How much the hooks of one write, or of one response, may still read and write."""

    what: str = ""
    reads: int = MOST_READS
    writes: int = MOST_WRITES

    def read(self, resources: int = 1) -> None:
        """Count resources that are read.

        Raises: InvariantBroken (`hook-limit`).
        """
        self.reads -= resources
        if self.reads < 0:
            raise _over(message("{hook} reads more than {most} resources.", hook=self.what, most=MOST_READS))

    def write(self) -> None:
        """Count a write.

        Raises: InvariantBroken (`hook-limit`).
        """
        self.writes -= 1
        if self.writes < 0:
            raise _over(
                message("{hook} writes more than {most} resources.", hook=self.what, most=MOST_WRITES)
            )


def _over(words: WordedMessage) -> InvariantBroken:
    return InvariantBroken(
        words,
        code="hook-limit",
        remedy=message("Do the rest in a custom method, or in a job of the service."),
    )


@dataclass(slots=True)
class ReadResources:
    """`domain.service_hooks.calls.ReadableResources` over questions to the thread of the request."""

    ask: HookQuestion
    read: Callable[[Callable[[ServingRoute, Reading], object]], object]
    """Runs a question with the route and reading of one version."""
    allowance: Allowance

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource."""
        self.allowance.read()
        document = self.ask(
            lambda: self.read(lambda route, reading: shown_at(route, reading, resource_type, name).document)
        )
        assert isinstance(document, dict)
        return document

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent, page by page."""
        token = ""
        while True:
            asked = ListRequest(resource_type, parent, filter=filter, page_size=_PAGE, page_token=token)
            documents, token = self._page(asked)
            self.allowance.read(len(documents))
            yield from documents
            if not token:
                return

    def version(self) -> str:
        """Tell which version this is."""
        return str(self.ask(lambda: self.read(lambda route, reading: route.version)))

    def create(self, resource_type: str, name: str, document: JsonObject) -> None:
        """Refuse to write."""
        raise self._read_only(name)

    def update(self, resource_type: str, name: str, changes: JsonObject) -> None:
        """Refuse to write."""
        raise self._read_only(name)

    def delete(self, resource_type: str, name: str) -> None:
        """Refuse to write."""
        raise self._read_only(name)

    def _read_only(self, name: str) -> InvariantBroken:
        return InvariantBroken(
            message("{what} writes {name}, outside of any transaction.", what=self.allowance.what, name=name),
            code="hook-read-only",
            remedy=message("Write in a write hook, or in a custom method."),
        )

    def _page(self, asked: ListRequest) -> tuple[tuple[JsonObject, ...], str]:
        page = self.ask(
            lambda: self.read(
                lambda route, reading: ((found := list_in(route, reading, asked)).documents, found.next)
            )
        )
        assert isinstance(page, tuple)
        return page


@dataclass(slots=True)
class HookResources:
    """`domain.service_hooks.calls.WritableResources` of one version within a transaction."""

    route: ServingRoute
    transaction: Reading
    ask: HookQuestion
    allowance: Allowance
    staged: StagedResources = field(init=False)

    def __post_init__(self) -> None:
        self.staged = StagedResources(
            lambda type_, name: self.ask(lambda: shown_at(self.route, self.transaction, type_, name)),
            lambda type_: presenter_of(self.route.schema, type_, self.route.served.unknown).name_key,
        )

    def get(self, resource_type: str, name: str) -> JsonObject:
        """Read a resource; what this hook wrote is seen."""
        self.allowance.read()
        return self.staged.get(resource_type, name)

    def list(self, resource_type: str, parent: str, *, filter: str = "") -> Iterator[JsonObject]:
        """Go through the resources below a parent as the transaction sees them, without what this hook wrote."""

        def _read(question: Callable[[ServingRoute, Reading], object]) -> object:
            return question(self.route, self.transaction)

        return ReadResources(self.ask, _read, self.allowance).list(resource_type, parent, filter=filter)

    def create(self, resource_type: str, name: str, document: JsonObject) -> None:
        """Create a resource when the hook has ended."""
        self.allowance.write()
        self.staged.create(resource_type, name, document)

    def update(self, resource_type: str, name: str, changes: JsonObject) -> None:
        """Update a resource when the hook has ended."""
        self.allowance.write()
        self.staged.update(resource_type, name, changes)

    def delete(self, resource_type: str, name: str) -> None:
        """Delete a resource when the hook has ended."""
        self.allowance.write()
        self.staged.delete(resource_type, name)
