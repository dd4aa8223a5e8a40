"""Remove a region, service, deployment or resource type that nothing stands on."""

from __future__ import annotations

from migrations_app.control.audit.ledger import record
from migrations_app.control.registry.commands.save_registered import (
    check_not_mirrored,
    check_version,
    may_make_regions,
    target_of,
)
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.registry import writing
from migrations_app.domain.access import Actor, require
from migrations_app.domain.registry.changes import (
    check_deployment_removal,
    check_region_owner,
    check_region_removal,
    check_service_removal,
)
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import RegistryKind, ids
from migrations_app.domain.registry.rules import check_change
from migrations_app.domain.registry.values import Deployment
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.messages import message


def delete_registered(
    actor: Actor, kind: RegistryKind, name: str, *, allow_missing: bool = False, expected: str = ""
) -> bool:
    """Remove what has this name; tell whether there was anything.

    `expected` is the resource version that the caller saw, or `*` for any.
    Raises: Missing (`not-found`), Stale (`changed`), and Conflict with the rule that keeps it.
    """
    target = target_of(kind, name)
    require(actor, "registry.write", target)
    check_not_mirrored()
    if kind is RegistryKind.REGION:
        check_region_owner(may_make_regions(actor), ids(kind, name)[0])
    with writing() as writer:
        before = registry.find(kind, name)
        if before is None:
            if allow_missing:
                return False
            raise NotFound(message("There is no {name}.", name=name), name=name)
        check_version(name, expected, before)
        picture = registry.read_picture()
        if kind is RegistryKind.REGION:
            check_region_removal(ids(kind, name)[0], picture)
            check_change(picture, picture.without_region(ids(kind, name)[0]))
        elif kind is RegistryKind.SERVICE:
            check_service_removal(ids(kind, name)[0], picture)
            check_change(picture, picture.without_service(ids(kind, name)[0]))
        elif isinstance(before, Deployment):
            check_deployment_removal(before)
            check_change(picture, picture.without_deployment(before.service_id, before.region_id))
        writer.remove(kind, name)
        record(actor, "registry.delete", target, "done", document(before), None)
    return True
