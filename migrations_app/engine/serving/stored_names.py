"""Finding stored resources by their names in the version that is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.domain.conversion.namemap import NoImage
from migrations_app.engine.serving.presentation import ResourcePresenter
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.ports.store import Query, Reading, StoredResource

_MOST_ALIKE = 1000


def stored_name(route: ServingRoute, type_: str, name: str) -> str | None:
    """Tell the name under which a resource is stored; None when its version has none for it."""
    return name if route.how is not ServingMode.TRANSLATED else route.converter(type_).name(name)


def find(route: ServingRoute, reading: Reading, type_: str, name: str) -> StoredResource | None:
    """Find the stored resource behind a name."""
    known = stored_name(route, type_, name)
    if route.how is ServingMode.TRANSLATED and route.converter(type_).names_ask_documents:
        return finds(route, reading, type_, [name]).get(name)
    return None if known is None else reading.get(route.stored_type(type_), known)


def finds(
    route: ServingRoute, reading: Reading, type_: str, names: Sequence[str]
) -> dict[str, StoredResource]:
    """Find the stored resources behind several names.

    Where a field decides names, one is found by all names like it, and is what it is called by its fields.
    """
    stored = {name: stored_name(route, type_, name) for name in names}
    stored_type = route.stored_type(type_)
    found = reading.batch_get(stored_type, [each for each in stored.values() if each is not None])
    if route.how is not ServingMode.TRANSLATED or not route.converter(type_).names_ask_documents:
        return {name: found[known] for name, known in stored.items() if known in found}
    converter = route.converter(type_)
    told: dict[str, StoredResource] = {}
    for name, known in stored.items():
        like = None if known else converter.wild_name(name)
        alike = reading.list(Query(stored_type, named=like, limit=_MOST_ALIKE)).resources if like else ()
        for each in (found[known],) if known in found else alike:
            try:
                shown = converter.get(each.name, each.body)[0]
            except NoImage:
                continue
            if shown == name:
                told[name] = each
                break
    return told


def within(parent: str) -> Callable[[str], bool]:
    """Give the test whether a name lies under a parent, whose segments may be `-`."""
    asked = parent.split("/") if parent else []

    def _lies(name: str) -> bool:
        return all(each in ("-", given) for each, given in zip(asked, name.split("/"), strict=False))

    return _lies


def stored_parent(route: ServingRoute, presenter: ResourcePresenter, asked: str) -> str | None:
    """Tell below what a parent's resources are stored; None when their version has no place for them."""
    if route.how is not ServingMode.TRANSLATED or not asked:
        return asked
    if set(asked.split("/")[1::2]) == {"-"}:
        return ""
    found = route.converter(presenter.type).name(f"{asked}/{presenter.patterns[0].collection}/-")
    return None if found is None else found.rpartition("/")[0].rpartition("/")[0]
