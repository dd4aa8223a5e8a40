"""Live reads of a version made again as after the switch: from the next namespace, converted back, field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.registry.masks import changed_paths
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of, show
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.engine.serving.stored_names import find
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.shadow_reads import Answered, AnsweredCall, ShadowReadComparison
from migrations_app.ports.store import Store


class ShadowReading:
    """Makes reads again in every namespace that is being filled for a later version; `calls` does so with calls of methods."""

    def __init__(
        self,
        directory: Directory,
        store: Store,
        calls: Callable[[AnsweredCall, ShadowReadComparison], None] | None = None,
    ) -> None:
        self._directory, self._store, self._calls = directory, store, calls

    def compare(self, answered: Answered | AnsweredCall, into: ShadowReadComparison) -> None:
        """Compare an answer. What the other namespace does not hold at the same revision yet is passed over.

        Raises: Missing when the deployment is gone by now.
        """
        if isinstance(answered, AnsweredCall):
            if self._calls is not None:
                self._calls(answered, into)
            return
        for route in self._ahead(answered):
            presenter = presenter_of(route.schema, answered.type, route.served.unknown)
            for document in answered.documents:
                name = str(document.get(presenter.name_key, ""))
                paths = self._differences(route, presenter, name, document)
                if paths is not None:
                    into.note((route.namespace.schema, answered.type), name, paths)

    def _ahead(self, answered: Answered) -> Iterator[ServingRoute]:
        served = self._directory.served(answered.region, answered.service)
        own = served.compiled.schema(answered.version).ordinal
        for version, namespace in served.namespaces.items():
            if served.compiled.schema(version).ordinal > own and self._store.types(namespace):
                yield ServingRoute(served, answered.version, version, ServingMode.TRANSLATED, namespace)

    def _differences(
        self, route: ServingRoute, presenter: ResourcePresenter, name: str, document: JsonObject
    ) -> tuple[str, ...] | None:
        """Tell the fields that differ; None when the two cannot be compared yet."""
        try:
            found = find(route, self._store.read(route.namespace), presenter.type, name)
            if found is None or str(found.revision) != _revision(presenter, document):
                return None
            shown = show(route, presenter, found)
        except (NoImage, Missing):
            return (presenter.name_key,)
        return tuple(".".join(path) for path in changed_paths(document, shown))


def _revision(presenter: ResourcePresenter, document: JsonObject) -> str:
    return str(cast(JsonObject, document.get(presenter.metadata_key) or {}).get("resourceVersion", ""))
