"""Reads of resources in any version: one, several, lists with filter, order, mask and pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.filters.ast import Everything, Filter
from migrations_app.domain.filters.bind import bind
from migrations_app.domain.filters.evaluate import compile_filter
from migrations_app.domain.filters.masks import project
from migrations_app.domain.filters.order import bind_order, parse_order, sort_key
from migrations_app.domain.filters.parse import parse
from migrations_app.engine.serving.page_tokens import PageToken, opened, sealed
from migrations_app.engine.serving.presentation import (
    ReadCopy,
    ResourceView,
    mask_of,
    presenter_of,
    show,
    shower,
)
from migrations_app.engine.serving.routing import Router, ServingMode, ServingRoute
from migrations_app.engine.serving.stored_lists import StoredList
from migrations_app.engine.serving.stored_names import find, finds, within
from migrations_app.kernel import json
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.kernel.errors import Invalid, NotFound
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.copies import Copies
from migrations_app.ports.store import Query, Reading, StoredResource

LARGEST_PAGE = 1000
MOST_ORDERED = 10_000
MOST_IN_BATCH = 500
_CHUNK = 500


@dataclass(frozen=True, slots=True)
class ListRequest:
    """A list request in the words of the version it is made in."""

    type: str
    parent: str = ""
    filter: str = ""
    dialect: str = "goten"
    order_by: str = ""
    mask: str = ""
    page_size: int = 100
    page_token: str = ""
    total: bool = False
    view: str = ""


@dataclass(frozen=True, slots=True)
class ResourcePage:
    """A page of documents; `hidden` counts those that this version cannot name, `offset` those on earlier pages."""

    documents: tuple[JsonObject, ...]
    next: str
    total: int | None
    how: ServingMode
    hidden: int = 0
    missing: tuple[str, ...] = field(default=())
    offset: int = 0
    previous: str = ""


class ReadingServer:
    """Answers reads."""

    def __init__(self, router: Router, copies: Copies | None = None, clock: Clock | None = None) -> None:
        self._router, self._copies, self._clock = router, copies, clock or SystemClock()

    def get(
        self, region: str, service: str, version: str, type_: str, name: str, mask: str = "", view: str = ""
    ) -> ResourceView:
        """Read one resource.

        Raises: Missing (`not-found`, `no-image`), Invalid.
        """

        def _answer(route: ServingRoute, reading: Reading) -> ResourceView:
            route.check_converted(type_, "get")
            presenter = presenter_of(route.schema, type_, route.served.unknown)
            found = find(route, reading, type_, presenter.check_name(name))
            if found is None:
                raise NotFound(message("There is no {type} {name}.", type=type_, name=name), name=name)
            shown = show(route, presenter, found)
            document = project(shown, mask_of(route, presenter, mask, view))
            copy = self._copy_of(route, found)
            return ResourceView(document, found.revision, route.how, route.stored_version, copy)

        return self._router.read(region, service, version, _answer, once=True)[1]

    def _copy_of(self, route: ServingRoute, found: StoredResource) -> ReadCopy | None:
        """Tell whose copy a resource is, if it is one."""
        if self._copies is None or found.owning_region in route.namespace.own:
            return None
        level_at = self._copies.source(route.namespace, found.owning_region).level_at
        behind = None if level_at is None else max(0.0, (self._clock.now() - level_at).total_seconds())
        return ReadCopy(found.owning_region, behind)

    def batch_get(
        self,
        region: str,
        service: str,
        version: str,
        type_: str,
        names: Sequence[str],
        mask: str = "",
        view: str = "",
    ) -> ResourcePage:
        """Read several resources; those that do not exist are named.

        Raises: Invalid (`batch-too-large`).
        """
        if len(names) > MOST_IN_BATCH:
            raise Invalid(
                message("Ask for at most {most_in_batch} names.", most_in_batch=MOST_IN_BATCH),
                code="batch-too-large",
            )

        def _answer(route: ServingRoute, reading: Reading) -> ResourcePage:
            route.check_converted(type_, "batchGet")
            presenter = presenter_of(route.schema, type_, route.served.unknown)
            shown_by = mask_of(route, presenter, mask, view)
            found = finds(route, reading, type_, [presenter.check_name(name) for name in names])
            documents, missing = [], []
            for name in dict.fromkeys(names):
                resource = found.get(name)
                if resource is None:
                    missing.append(name)
                else:
                    documents.append(project(show(route, presenter, resource), shown_by))
            return ResourcePage(tuple(documents), "", None, route.how, missing=tuple(missing))

        return self._router.read(region, service, version, _answer, once=True)[1]

    def list(self, region: str, service: str, version: str, request: ListRequest) -> ResourcePage:
        """List resources of a type under a parent.

        Raises: Invalid with the place in the filter, order, mask or page token.
        """
        if not request.page_size > 0:
            raise Invalid(message("The page size is at least 1."), code="page-size")

        def _answer(route: ServingRoute, reading: Reading) -> ResourcePage:
            route.check_converted(request.type, "list")
            return list_in(route, reading, request)

        return self._router.read(region, service, version, _answer, once=True)[1]


def list_in(route: ServingRoute, reading: Reading, request: ListRequest) -> ResourcePage:
    """List resources of a type under a parent as one reading sees them.

    Raises: Invalid.
    """
    return _Lister(route, reading, request).page()


class _Lister:
    """Answers one list request from one snapshot."""

    def __init__(self, route: ServingRoute, reading: Reading, request: ListRequest) -> None:
        self._route, self._reading, self._request = route, reading, request
        self._presenter = presenter_of(route.schema, request.type, route.served.unknown)
        self._show = shower(route, self._presenter)
        self._mask = mask_of(route, self._presenter, request.mask, request.view)
        self._filter = self._bound(request)
        self._test = compile_filter(self._filter)
        self._size = min(request.page_size, LARGEST_PAGE)
        self._hidden = 0
        # Where a field decides the parent, what is stored together need not lie together here.
        self._inside = within(request.parent) if route.names_ask_documents(request.type) else None
        self._list = StoredList(route, reading, self._presenter, request.parent, self._filter)
        self._at = opened(request.page_token, self._mark())

    def page(self) -> ResourcePage:
        """Build the page."""
        order = parse_order(self._request.order_by)
        if order and [str(term) for term in order] != [f"{self._presenter.name_key} asc"]:
            key = sort_key(bind_order(order, self._route.schema, self._request.type))
            return self._ordered(key)
        return self._by_name()

    def _bound(self, request: ListRequest) -> Filter:
        parsed = parse(request.filter, request.dialect)
        return bind(parsed, self._route.schema, request.type)

    def _by_name(self) -> ResourcePage:
        if self._at.before:
            return self._before()
        documents: list[JsonObject] = []
        after, first = self._at.after, ""
        whole = isinstance(self._filter, Everything)
        # Of what no filter leaves out, no more is read than is shown; in translation some may be hidden,
        # and one more tells whether there is more.
        certain = whole and self._route.how is not ServingMode.TRANSLATED
        chunk = self._size + (not certain) if whole else max(self._size, _CHUNK)
        for each in self._list.walk(after, chunk):
            shown = self._shown(each.resource)
            if shown is not None:
                if len(documents) == self._size:
                    return self._page(documents, self._sealed(after), first)
                documents.append(shown)
                after, first = each.cursor, first or each.cursor
                if certain and len(documents) == self._size and not each.is_last:
                    return self._page(documents, self._sealed(after), first)
        return self._page(documents, "", first)

    def _before(self) -> ResourcePage:
        """Build the page that ends before a name: walked backwards, shown forwards."""
        found: list[tuple[str, JsonObject]] = []
        for each in self._list.walk("", max(self._size + 1, _CHUNK), self._at.before):
            shown = self._shown(each.resource)
            if shown is not None:
                found.insert(0, (each.cursor, shown))
            if len(found) > self._size:
                break
        kept = found[-self._size :]
        first = kept[0][0] if len(found) > self._size else ""
        last = kept[-1][0] if kept else ""
        return self._page([shown for _, shown in kept], self._sealed(last), first)

    def _ordered(self, key: Callable[[JsonObject], object]) -> ResourcePage:
        found: list[JsonObject] = []
        for each in self._list.walk("", _CHUNK):
            shown = self._shown(each.resource)
            if shown is not None:
                found.append(shown)
            if len(found) > MOST_ORDERED:
                raise Invalid(
                    message(
                        "More than {most_ordered} resources match; they cannot be put in order.",
                        most_ordered=MOST_ORDERED,
                    ),
                    code="order-too-large",
                    remedy=message("Narrow the filter, or list by name."),
                )
        found.sort(key=key)  # type: ignore[arg-type]
        begin, end = self._at.offset, self._at.offset + self._size
        total = len(found) if self._request.total else None
        page = self._page(found[begin:end], self._sealed("") if end < len(found) else "", "", total)
        earlier = sealed(self._mark(), PageToken(offset=max(0, begin - self._size))) if begin else ""
        return replace(page, previous=earlier)

    def _page(
        self, documents: list[JsonObject], more: str, first: str, total: int | None = None
    ) -> ResourcePage:
        """Make a page; `first` is the stored name before which an earlier page ends. A split type has none."""
        if self._request.total and total is None:
            total = self._count()
        shown = tuple(project(document, self._mask) for document in documents)
        offset, earlier = self._at.offset, ""
        if first and len(self._list.types) == 1 and (self._at.after or self._at.before):
            earlier = sealed(self._mark(), PageToken(offset=max(0, offset - self._size), before=first))
        return ResourcePage(
            shown, more, total, self._route.how, self._hidden, offset=offset, previous=earlier
        )

    def _count(self) -> int:
        if isinstance(self._filter, Everything) and self._route.how is not ServingMode.TRANSLATED:
            query = Query(self._request.type, self._request.parent, limit=1, total=True)
            return self._reading.list(query).total or 0
        return sum(self._shown(each.resource) is not None for each in self._list.walk("", _CHUNK))

    def _shown(self, resource: StoredResource) -> JsonObject | None:
        try:
            shown = self._show(resource)
        except NoImage:
            self._hidden += 1
            return None
        if self._inside is not None and not self._inside(str(shown[self._presenter.name_key])):
            return None
        return shown if self._test(shown) else None

    def _sealed(self, after: str) -> str:
        return sealed(self._mark(), PageToken(after, self._at.offset + self._size))

    def _mark(self) -> str:
        request = self._request
        said = [request.type, request.parent, request.filter, request.dialect, request.order_by]
        return json.digest([*said, self._route.version, self._route.stored_version])[:12]
