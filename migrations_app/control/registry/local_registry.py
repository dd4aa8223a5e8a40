"""The registry's own server: it cannot ask itself over HTTP before it serves, so it goes to the tables."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

from django.db import OperationalError, close_old_connections, transaction

from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.registry import writing
from migrations_app.control.registry.repository.rows import value_of
from migrations_app.control.registry.repository.saving import store
from migrations_app.domain.registry.documents import document, read
from migrations_app.domain.registry.env import EnvMessage
from migrations_app.domain.registry.masks import merge, read_mask, same
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Registered
from migrations_app.kernel.errors import AlreadyExists, Busy, NotFound, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.registry import RegistryChange, RegistryHead

EVERY_SECONDS = 0.1
BATCH = 1000


class LocalRegistry:
    """`ports.registry.RegistryClient` over the control database."""

    def read(self, kind: RegistryKind, name: str) -> JsonObject | None:
        try:
            value = registry.find(kind, name)
        except OperationalError as error:
            raise _away(error) from error
        return document(value) if value else None

    def create(self, kind: RegistryKind, body: JsonObject) -> None:
        name = str(body["name"])

        def decide(before: Registered | None) -> Registered:
            if before is not None:
                raise AlreadyExists(message("{name} exists already.", name=name))
            return read(kind, body, name)

        with writing() as writer:
            store(writer, kind, name, decide)

    def update(
        self,
        kind: RegistryKind,
        name: str,
        body: JsonObject,
        mask: tuple[str, ...],
        expected: JsonObject,
        looked_at: str,
    ) -> None:
        def decide(before: Registered | None) -> Registered:
            if before is None:
                raise NotFound(message("There is no {name}.", name=name))
            current = document(before)
            if not same(current, expected, read_mask(looked_at)):
                raise Stale(
                    message("{name} is not as the precondition says.", name=name), code="compare-and-set"
                )
            return read(kind, merge(current, body, read_mask(",".join(mask))), name)

        with writing() as writer:
            store(writer, kind, name, decide)

    def watch(self, kind: RegistryKind, token: str, stop: Event) -> Iterator[EnvMessage]:
        try:
            yield from self._watch(kind, token, stop)
        except OperationalError as error:
            raise _away(error) from error
        finally:
            close_old_connections()

    def _watch(self, kind: RegistryKind, token: str, stop: Event) -> Iterator[EnvMessage]:
        seq = self._resumed(token)
        if seq is None:
            # The number first: what changes while the rows are read is told once more, which does no harm.
            head = RegistryHead.objects.filter(id=1).first()
            seq = head.seq if head else 0
            found = {each.name: document(each) for each in map(value_of, registry.select(kind))}
            yield EnvMessage(found, (), True, self._token(seq), len(found), False, bool(token))
        while not stop.is_set():
            rows = list(RegistryChange.objects.filter(seq__gt=seq).order_by("seq")[:BATCH])
            newest = {row.name: row.document for row in rows if row.kind == kind.value}
            seq = rows[-1].seq if rows else seq
            yield EnvMessage(
                {name: each for name, each in newest.items() if each is not None},
                tuple(name for name, each in newest.items() if each is None),
                True,
                self._token(seq),
            )
            if not rows:
                stop.wait(EVERY_SECONDS)

    @staticmethod
    def _token(seq: int) -> str:
        head = RegistryHead.objects.filter(id=1).first()
        return f"{head.started if head else ''}:{seq}"

    @staticmethod
    def _resumed(token: str) -> int | None:
        owner, _, seq = token.rpartition(":")
        with transaction.atomic():
            head = RegistryHead.objects.filter(id=1).first()
        known = head is not None and str(head.started) == owner and head.pruned <= int(seq) <= head.seq
        return int(seq) if token and known else None


def _away(error: Exception) -> Busy:
    return Busy(
        message("The control database does not answer: {error}", error=str(error)),
        code="registry-unavailable",
    )
