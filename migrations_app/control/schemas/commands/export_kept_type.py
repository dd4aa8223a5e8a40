"""Export the resources of a type that a newer version does not have; a finished export counts before retirement."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from migrations_app import wiring
from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.audit.ledger import record
from migrations_app.control.schemas.repository.kept_types import StoredKeptType, kept_types_of, state_text
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.conversion.bag import strip_object
from migrations_app.domain.registry.names import deployment_name
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject, encode
from migrations_app.kernel.messages import message
from migrations_app.models.kept_types import KeptTypeExport
from migrations_app.ports.stored import KeyRange, StoredResource

PAGE = 500


@dataclass(frozen=True, slots=True)
class KeptTypeAddress:
    """A type by its last version, where a deployment keeps it."""

    service: str
    region: str
    type: str
    version: str


def export_kept_type(actor: Actor, address: KeptTypeAddress) -> Iterator[bytes]:
    """Give the resources as lines of JSON, as the API of their version shows them, shard by shard in order of names.

    Once: what was exported is noted after the last line was taken; an export that breaks off is not noted.

    Raises: Denied, Missing (`deployment-missing`, `kept-type-missing`), Busy (`database-busy`).
    """
    name = deployment_name(address.service, address.region)
    target = Target("deployment", name, address.service, address.region)
    require(actor, "resource.write", target)
    known = kept_types_of(name)
    found = next(
        (each for each in known if (each.kept.type, each.kept.version) == (address.type, address.version)),
        None,
    )
    if found is None:
        raise Missing(
            message(
                "{name} keeps no {type} of {version}.", name=name, type=address.type, version=address.version
            ),
            code="kept-type-missing",
            remedy=message(
                "It keeps {known}.",
                known=", ".join(each.kept.stored for each in known) or "no type of another version",
            ),
        )
    return _lines(actor, target, found, state_text(found.state))


def _lines(actor: Actor, target: Target, of: StoredKeptType, state: str) -> Iterator[bytes]:
    digest, many, show = hashlib.sha256(), 0, _Shown(of)
    for page in _pages(of):
        part = b"".join(encode(show(row)) + b"\n" for row in page)
        digest.update(part)
        many += len(page)
        yield part
    with transaction.atomic():
        export = KeptTypeExport.objects.create(
            deployment=of.namespace.deployment,
            service=of.service,
            type=of.kept.type,
            version=of.kept.version,
            resources=many,
            state=state,
            sha256=digest.hexdigest(),
            exported_by=actor.person,
            exported_at=timezone.now(),
        )
        told: JsonObject = {"type": of.kept.stored, "resources": many, "sha256": export.sha256}
        record(actor, "kept_type.export", target, "done", after=told)


def _pages(of: StoredKeptType) -> Iterator[tuple[StoredResource, ...]]:
    """Read page by page, each by a statement of its own, so that no transaction stays open while a client reads."""
    for shard in range(of.namespace.ring):
        after = ""
        while page := wiring.store().page(of.namespace, KeyRange(of.stored_as, shard, after, None, PAGE)):
            yield tuple(page)
            after = page[-1].name


class _Shown:
    """Shows stored resources of a kept type as the API of its own version does."""

    def __init__(self, of: StoredKeptType) -> None:
        compiled = compiled_service(of.service)
        self._of, self._typed = of, compiled.stored.typed(of.namespace.version, of.kept.version)
        self._presenter = presenter_of(compiled.schema(of.kept.version), of.kept.type, None)

    def __call__(self, stored: StoredResource) -> JsonObject:
        """Write one line."""
        made = self._typed.forward(self._of.stored_as, stored.name, stored.body)
        return {
            "type": self._of.kept.type,
            "version": self._of.kept.version,
            "name": made.name,
            "uid": str(stored.uid),
            "revision": stored.revision,
            "document": self._presenter.show(made.name, strip_object(made.body), stored, made.name),
        }
