"""Search in any version: by words, in the index of the namespace that serves it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.filters.masks import project
from migrations_app.domain.schema.words import asked_words, is_searchable
from migrations_app.engine.serving.page_tokens import PageToken, opened, sealed
from migrations_app.engine.serving.presentation import mask_of, presenter_of, show
from migrations_app.engine.serving.reading import LARGEST_PAGE, ResourcePage
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_lists import opened_cursors, sealed_cursors
from migrations_app.engine.serving.stored_names import stored_parent, within
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.search import Search, SearchTerms
from migrations_app.ports.store import Reading


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search in the words of the version it is made in."""

    type: str
    phrase: str
    parent: str = ""
    mask: str = ""
    view: str = ""
    page_size: int = 100
    page_token: str = ""


class SearchingServer:
    """Answers searches."""

    def __init__(self, router: Router, search: Search) -> None:
        self._router, self._search = router, search

    def find(self, region: str, service: str, version: str, request: SearchRequest) -> ResourcePage:
        """Find resources that hold every word of a phrase.

        The index follows what is written; a resource written a moment ago may not be found yet.

        Raises: Invalid (`not-searchable`, `phrase`, `page-size`, `page-token`).
        """
        words = asked_words(request.phrase)
        if not words:
            raise Invalid(message("Write at least one word to search for."), code="phrase")
        if not request.page_size > 0:
            raise Invalid(message("The page size is at least 1."), code="page-size")

        def _answer(route: ServingRoute, reading: Reading) -> ResourcePage:
            route.check_converted(request.type, "search")
            return self._page(route, reading, request, words)

        return self._router.read(region, service, version, _answer)[1]

    def _page(
        self, route: ServingRoute, reading: Reading, request: SearchRequest, words: tuple[str, ...]
    ) -> ResourcePage:
        presenter = presenter_of(route.schema, request.type, route.served.unknown)
        types = route.stored_types(request.type)
        if not all(map(is_searchable, (presenter.resource, *map(route.stored_schema.resource, types)))):
            raise Invalid(
                message("{type} cannot be searched.", type=presenter.type),
                code="not-searchable",
                remedy=message("List with a filter."),
            )
        size = min(request.page_size, LARGEST_PAGE)
        mark = json.digest([request.type, request.parent, *words, route.version, route.stored_version])[:12]
        at = opened(request.page_token, mark)
        cursors = opened_cursors(at.after)
        found: list[tuple[str, str]] = []
        for type_ in types:
            parent = stored_parent(route, presenter, request.parent, type_)
            if parent is not None:
                terms = SearchTerms(type_, words, parent, cursors.get(type_, ""), size + 1)
                found += [(name, type_) for name in self._search.find(route.namespace, terms)]
        found.sort(key=lambda each: each[0].encode())
        cursors |= {type_: name for name, type_ in found[:size]}
        documents = self._shown(route, reading, request, found[:size])
        token = PageToken(sealed_cursors(cursors), at.offset + size)
        more = sealed(mark, token) if len(found) > size else ""
        return ResourcePage(tuple(documents), more, None, route.how)

    def _shown(
        self,
        route: ServingRoute,
        reading: Reading,
        request: SearchRequest,
        found: Sequence[tuple[str, str]],
    ) -> Iterator[JsonObject]:
        """Show what was found, but for what the asked version cannot name or has under another parent."""
        presenter = presenter_of(route.schema, request.type, route.served.unknown)
        mask, lies = mask_of(route, presenter, request.mask, request.view), within(request.parent)
        rows = {
            type_: reading.batch_get(type_, [name for name, stored in found if stored == type_])
            for type_ in dict.fromkeys(type_ for _, type_ in found)
        }
        for name, type_ in found:
            if name in rows[type_]:
                try:
                    shown = show(route, presenter, rows[type_][name])
                except NoImage:
                    continue
                if lies(str(shown[presenter.name_key])):
                    yield project(shown, mask)
