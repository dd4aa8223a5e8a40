"""What the registry holds, as the Meta API reads it: one, some, or a page of many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.documents import DOCUMENTS, DocumentSnapshot, filled, schema
from migrations_app.domain.access import Actor, Target, reach_of, require, require_reach
from migrations_app.domain.filters import bind, compile_filter, parse, parse_order
from migrations_app.domain.filters.order import bind_order, sort_key
from migrations_app.domain.registry.documents import TYPES, document
from migrations_app.domain.registry.names import RegistryKind, ids, place_of
from migrations_app.domain.registry.redaction import redact
from migrations_app.kernel.errors import Invalid, NotFound
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

LARGEST_BATCH = 1000


@dataclass(frozen=True, slots=True)
class CollectionQuery:
    """Which part of a collection, and in which order."""

    kind: RegistryKind
    parent: str = ""
    filter: str = ""
    order_by: str = ""


@dataclass(frozen=True, slots=True)
class CollectionPage:
    """A stretch of a list: its documents, where it begins, and how many there are in all."""

    items: tuple[JsonObject, ...]
    offset: int
    total: int


def one(actor: Actor, kind: RegistryKind, name: str) -> JsonObject:
    """Read one document.

    Raises: Denied, Invalid (`name-pattern`), Missing (`not-found`).
    """
    service, region = place_of(kind, name)
    require(actor, "registry.read", Target(kind.value.rstrip("s"), name, service, region))
    return redact(document(registry.get(kind, name)), reach_of(actor, "registry.read"))


def some(actor: Actor, kind: RegistryKind, names: Sequence[str]) -> tuple[list[JsonObject], list[str]]:
    """Read several documents in the order asked for, and name those that do not exist.

    Raises: Denied, Invalid (`name-pattern`, `batch-size`).
    """
    require(actor, "registry.read")
    if len(names) > LARGEST_BATCH:
        raise Invalid(
            message("At most {largest_batch} names at once.", largest_batch=LARGEST_BATCH), code="batch-size"
        )
    for name in names:
        service, region = place_of(kind, name)
        require(actor, "registry.read", Target(kind.value.rstrip("s"), name, service, region))
    found, reach = DOCUMENTS.snapshot(kind).documents, reach_of(actor, "registry.read")
    return [redact(found[name], reach) for name in names if name in found], [
        name for name in names if name not in found
    ]


def everything(actor: Actor, wanted: CollectionQuery) -> Sequence[JsonObject]:
    """Read all documents that are wanted, in the order that is wanted; ties by name.

    Raises: Denied, Missing (`not-found`) for a parent that does not exist, Invalid for a wrong filter or order.
    """
    reach = require_reach(actor, "registry.read")
    _check_parent(wanted)
    test = test_of(wanted)
    terms = bind_order(parse_order(wanted.order_by), schema(), TYPES[wanted.kind].__name__)
    under = "" if wanted.parent in ("", "services/-") else f"{wanted.parent}/"
    if test is None and not terms and not under and reach.everywhere:
        return DOCUMENTS.of(wanted.kind)

    def choose(snapshot: DocumentSnapshot) -> Sequence[JsonObject]:
        found = [
            redact(each, reach)
            for name, each in snapshot.documents.items()
            if name.startswith(under) and (reach.everywhere or reach.covers(*place_of(wanted.kind, name)))
        ]
        if test is not None:
            found = [each for each in found if test(each)]
        return sorted(found, key=sort_key(terms)) if terms else found  # type: ignore[arg-type]

    return DOCUMENTS.chosen(
        wanted.kind, repr((under, wanted.filter, wanted.order_by, sorted(reach.pairs))), choose
    )


def test_of(wanted: CollectionQuery) -> Callable[[JsonObject], bool] | None:
    """Turn the filter into a test of documents; None when everything is wanted.

    Raises: Invalid (`filter-syntax`, `filter-path`, `filter-type`).
    """
    if not wanted.filter.strip():
        return None
    test = compile_filter(bind(parse(wanted.filter), schema(), TYPES[wanted.kind].__name__))
    return lambda given: test(filled(wanted.kind, given))


def collection_page(
    actor: Actor, wanted: CollectionQuery, *, size: int, offset: int = 0, after: str = "", before: str = ""
) -> CollectionPage:
    """Read a page: after or before a name that was seen, or from an offset when that is gone."""
    found = everything(actor, wanted)
    start = offset
    if after or before:
        at = next((place for place, each in enumerate(found) if each["name"] == (after or before)), None)
        if at is not None:
            start = at + 1 if after else at - size
    start = max(0, min(start, len(found)))
    return CollectionPage(tuple(found[start : start + size]), start, len(found))


def _check_parent(wanted: CollectionQuery) -> None:
    if wanted.parent and wanted.parent != "services/-":
        ids(RegistryKind.SERVICE, wanted.parent)
        if wanted.parent not in DOCUMENTS.snapshot(RegistryKind.SERVICE).documents:
            raise NotFound(message("There is no {parent}.", parent=wanted.parent), name=wanted.parent)
