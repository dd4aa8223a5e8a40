"""Search in any version: by words, in the index of the namespace that serves it."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.namemap import NoImage
from migrations_app.domain.filters.masks import project
from migrations_app.domain.schema.words import asked_words, is_searchable
from migrations_app.engine.serving.page_tokens import PageToken, opened, sealed
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.reading import LARGEST_PAGE, ResourcePage, mask_of, show
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import stored_parent, within
from migrations_app.engine.serving.writes.actions import check_converted
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
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
            raise Invalid("Write at least one word to search for.", code="phrase")
        if not request.page_size > 0:
            raise Invalid("The page size is at least 1.", code="page-size")

        def _answer(route: ServingRoute, reading: Reading) -> ResourcePage:
            check_converted(route, request.type, "search")
            return self._page(route, reading, request, words)

        return self._router.read(region, service, version, _answer)[1]

    def _page(
        self, route: ServingRoute, reading: Reading, request: SearchRequest, words: tuple[str, ...]
    ) -> ResourcePage:
        presenter = presenter_of(route.schema, request.type, route.served.unknown)
        stored = route.stored_type(request.type)
        if not is_searchable(presenter.resource) or not is_searchable(route.stored_schema.resource(stored)):
            raise Invalid(
                f"{presenter.type} cannot be searched.", code="not-searchable", remedy="List with a filter."
            )
        parent, size = stored_parent(route, presenter, request.parent), min(request.page_size, LARGEST_PAGE)
        if parent is None:
            return ResourcePage((), "", None, route.how)
        mark = json.digest([request.type, request.parent, *words, route.version, route.stored_version])[:12]
        at = opened(request.page_token, mark)
        names = self._search.find(route.namespace, SearchTerms(stored, words, parent, at.after, size + 1))
        found = reading.batch_get(stored, names[:size])
        mask, lies = mask_of(route, presenter, request.mask, request.view), within(request.parent)
        documents: list[JsonObject] = []
        for name in names[:size]:
            if name in found:
                try:
                    shown = show(route, presenter, found[name])
                except NoImage:
                    continue
                if lies(str(shown[presenter.name_key])):
                    documents.append(project(shown, mask))
        more = sealed(mark, PageToken(names[size - 1], at.offset + size)) if len(names) > size else ""
        return ResourcePage(tuple(documents), more, None, route.how)
