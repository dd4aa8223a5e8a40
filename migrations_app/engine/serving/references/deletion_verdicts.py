"""What the references within a deployment say to a deletion: who blocks it, what goes with it, what is cleared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from migrations_app.domain.constraints.deletion import (
    MOST_IN_A_CASCADE,
    DeletionVerdict,
    IncomingReference,
    Thing,
    verdict,
)
from migrations_app.domain.resources.lifecycle import deleting_metadata
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.ports.store import Draft, Reading, StoredResource, Transaction

BLOCKING = ("BLOCK", "OWNER")
"""The kinds of references that forbid the deletion of their target."""


def by_type(things: Iterable[Thing]) -> dict[str, list[str]]:
    """Gather the names of things by their type."""
    found: dict[str, list[str]] = {}
    for each in things:
        found.setdefault(each.type, []).append(each.name)
    return found


def links_to(
    route: ServingRoute,
    reading: Reading,
    targets: Sequence[Thing],
    kinds: Sequence[str],
    each: int,
    most: int,
) -> tuple[list[IncomingReference], set[Thing]]:
    """List who in this deployment refers to any of these things, in one order; at most `each` to one, `most` to all.

    Told with them is which things may have more referrers than are listed.
    """
    named: dict[str, list[Thing]] = {}
    for target in targets:
        named.setdefault(target.name, []).append(target)
    rows = reading.referrers_of(route.served.service, list(named), kinds, each=each, most=most)
    told = Counter(row.reference.target_name for row in rows)
    links = [
        IncomingReference(Thing(row.type, row.name), target, row.reference.kind.value, row.reference.path)
        for row in rows
        for target in named[row.reference.target_name]
        if row.reference.target_type in ("", target.type)
    ]
    links.sort(key=lambda link: (link.source.type, link.source.name, link.path, link.target.name))
    full = len(rows) >= most
    return links, {target for target in targets if full or told[target.name] >= each}


def judge(route: ServingRoute, reading: Reading, thing: Thing) -> DeletionVerdict:
    """Judge a deletion by the references within this deployment."""
    each = MOST_IN_A_CASCADE + 1

    def _referrers(targets: Sequence[Thing]) -> Sequence[IncomingReference]:
        # Two questions, so that who blocks is not hidden behind many who do not.
        return [
            link
            for kinds in (BLOCKING, ("CASCADE", "UNSET"))
            for link in links_to(route, reading, targets, kinds, each, each * len(targets))[0]
        ]

    return verdict(thing, _referrers)


def judge_locked(route: ServingRoute, transaction: Transaction, thing: Thing) -> DeletionVerdict:
    """Judge a deletion with all that goes locked: nobody can refer to what is dying any more."""
    transaction.lock(thing.type, thing.name)
    locked = {thing}
    while True:
        found = judge(route, transaction, thing)
        fresh = [each for each in found.deleted if each not in locked]
        if not fresh:
            return found
        # Judged again: somebody may have begun to refer to these before they were locked.
        transaction.lock_all([(each.type, each.name) for each in fresh])
        locked.update(fresh)


def marked_draft(resource: StoredResource) -> Draft:
    """Give what writes down in the metadata of a resource that it is being deleted."""
    metadata, region = deleting_metadata(resource.metadata), resource.owning_region
    return Draft(resource.type, resource.name, resource.uid, resource.body, metadata, region)
