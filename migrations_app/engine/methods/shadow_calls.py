"""Live calls of methods that read, made again as after the switch: by the next version's handler, converted back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from migrations_app.domain.conversion.methods.converter import MethodConverter
from migrations_app.domain.registry.masks import changed_paths
from migrations_app.domain.schema.methods import address_key
from migrations_app.engine.methods.messages import checked_request
from migrations_app.engine.methods.server import MethodRequest, MethodServer
from migrations_app.kernel.errors import Busy, Missing, Refused, Stale, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.services.method_handlers import Handlers
from migrations_app.ports.shadow_reads import AnsweredCall, ShadowReadComparison
from migrations_app.ports.store import Store

LOOKS = 3
PAUSE_SECONDS = 1.0
"""What was written meanwhile, and is not followed yet, differs for a moment only."""
CALL_SECONDS = 5.0


class ShadowCalls:
    """Makes calls again in every version that is being filled; `Handlers` tells which of them can answer."""

    def __init__(
        self,
        server: MethodServer,
        handlers: Handlers,
        directory: Directory,
        store: Store,
        *,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._server, self._handlers = server, handlers
        self._directory, self._store, self._pause = directory, store, pause

    def compare(self, answered: AnsweredCall, into: ShadowReadComparison) -> None:
        """Compare an answer; one of a method that the next version cannot answer here is passed over.

        Raises: Missing when the deployment is gone by now.
        """
        what = f"{answered.method.resource}:{answered.method.verb}"
        for namespace, converter in self._ahead(answered):
            paths = self._differences(answered, converter)
            if paths is not None:
                into.note((namespace.schema, what), answered.name, paths)

    def _ahead(self, answered: AnsweredCall) -> Iterator[tuple[Namespace, MethodConverter]]:
        served = self._directory.served(answered.region, answered.service)
        own = served.compiled.schema(answered.version).ordinal
        for version, namespace in served.namespaces.items():
            if served.compiled.schema(version).ordinal <= own or not self._store.types(namespace):
                continue
            try:
                converter = served.compiled.method(answered.method.name, answered.version, version)
            except (Missing, Refused):
                continue  # The next version has no such method: the check of removals says so.
            place = answered.service, answered.region, version, converter.target_method
            # An answer that is a resource is what a read of it is, and compared as that.
            if not converter.problem and converter.answered is None and self._handlers.find(*place):
                yield namespace, converter

    def _differences(self, answered: AnsweredCall, converter: MethodConverter) -> tuple[str, ...] | None:
        """Tell the fields that differ, seen several times; None when the two cannot be compared."""
        live, is_steady = answered.document, False
        paths: tuple[tuple[str, ...], ...] = ()
        for look in range(LOOKS):
            if look:
                self._pause(PAUSE_SECONDS)
            shown, again = self._after_switch(answered, converter), self._now(answered)
            if shown is None or again is None:
                return None
            paths = changed_paths(again, shown)
            if not paths:
                return ()
            is_steady, live = again == live, again
        return tuple(".".join(path) for path in paths) if is_steady else None

    def _now(self, answered: AnsweredCall) -> JsonObject | None:
        try:
            return self._call(answered, answered.version, answered.name, answered.message)
        except SwitchyardError:
            return None

    def _after_switch(self, answered: AnsweredCall, converter: MethodConverter) -> JsonObject | None:
        """Answer a call by the next version's handler; what that refuses or does wrong is an answer of its own."""
        name = converter.name(answered.name)
        if name is None:
            return {"error": "not-found"}
        message = checked_request(converter.source, converter.method, answered.name, answered.message)
        sent, key = converter.request(message), address_key(converter.target, converter.target_method)
        sent = {**sent, key: name} if key else sent
        try:
            return converter.response(self._call(answered, converter.target.version, name, sent, converter))
        except (Busy, Stale, Missing):
            return None
        except SwitchyardError as error:
            return {"error": error.code}

    def _call(
        self,
        answered: AnsweredCall,
        version: str,
        name: str,
        message: JsonObject,
        converter: MethodConverter | None = None,
    ) -> JsonObject:
        method = answered.method if converter is None else converter.target_method
        request = MethodRequest(
            answered.region,
            answered.service,
            version,
            method,
            name,
            message,
            answered.actor,
            seconds=CALL_SECONDS,
        )
        return self._server.call(request).document
