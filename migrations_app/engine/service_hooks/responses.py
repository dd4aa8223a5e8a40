"""The response hooks: code of a service that amends what callers of a version are shown, from reads alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

from migrations_app.domain.service_hooks.registration import ResponseHook
from migrations_app.engine.service_hooks.answers import (
    MOST_BYTES,
    SHOWN_REMEDY,
    checked_shown,
    named,
    wrong_answer,
)
from migrations_app.engine.service_hooks.resources import Allowance, ReadResources
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.services.service_hooks import HookName, HookQuestion, HookRunner, InstalledHooks
from migrations_app.ports.store import Reading


@dataclass(frozen=True, slots=True)
class HookedResponses:
    """Runs the hook of a response, where one is installed."""

    installed: InstalledHooks
    runner: HookRunner
    servers: ResourceServers

    def amended(
        self,
        where: tuple[str, str, str],
        type_: str,
        documents: Sequence[JsonObject],
        caller: str,
        *,
        masked: bool,
    ) -> Sequence[JsonObject]:
        """Give what a caller is shown in place of these documents of a region, service and version.

        Where the caller asked for a part of them (`masked`), a hook adds no keys.

        Raises: InvariantBroken (`hook-failed`, `hook-answer`, `hook-limit`, `hook-read-only`) ·
        Busy (`hook-deadline-exceeded`) · what the hook refuses.
        """
        _, service, version = where
        hook = self.installed.response(service, version, type_)
        if hook is None or not documents:
            return documents
        hook_name = HookName("response", service, version, type_)
        what = str(hook_name)
        answer = self._run(hook, hook_name, where, type_, documents, caller)
        if not isinstance(answer, list | tuple) or len(answer) != len(documents):
            words = message(
                "The answer of {hook} is no list of {count} documents.",
                hook=named(what),
                count=len(documents),
            )
            raise wrong_answer(words, remedy=SHOWN_REMEDY)
        presenter = presenter_of(self.servers.schema(*where), type_)
        shown = [
            checked_shown(what, presenter, given, document, masked=masked)
            for given, document in zip(answer, documents, strict=True)
        ]
        if sum(len(json.encode(document)) for document in shown) > 4 * MOST_BYTES:
            most = 4 * MOST_BYTES
            words = message(
                "The answer of {hook} is larger than {most_bytes} bytes.", hook=named(what), most_bytes=most
            )
            raise wrong_answer(words, remedy=SHOWN_REMEDY)
        return shown

    def _run(
        self,
        hook: ResponseHook,
        hook_name: HookName,
        where: tuple[str, str, str],
        type_: str,
        documents: Sequence[JsonObject],
        caller: str,
    ) -> object:
        allowance = Allowance(str(hook_name))
        given = tuple(deepcopy(document) for document in documents)
        ends_at = time.monotonic() + hook.seconds

        def _called(ask: HookQuestion) -> object:
            router = self.servers.router
            resources = ReadResources(ask, _reads(router, where), allowance)
            active = ReadResources(ask, _active_reads(router, where), allowance)
            return hook.run(ShownDocuments(type_, given, where, caller, resources, active, ends_at))

        return self.runner.run(hook_name, _called, hook.seconds)


@dataclass(frozen=True, slots=True)
class ShownDocuments:
    """`domain.service_hooks.calls.ResponseCall` outside any transaction."""

    type: str
    documents: tuple[JsonObject, ...]
    where: tuple[str, str, str]
    caller: str
    resources: ReadResources
    active: ReadResources
    ends_at: float

    @property
    def version(self) -> str:
        """The version of the hook."""
        return self.where[2]

    @property
    def active_version(self) -> str:
        """The version that is active."""
        return self.active.version()

    @property
    def region(self) -> str:
        """The region that answers."""
        return self.where[0]

    def remaining_seconds(self) -> float:
        """Tell how long the hook still has."""
        return max(0.0, self.ends_at - time.monotonic())


def _reads(
    router: Router, where: tuple[str, str, str]
) -> Callable[[Callable[[ServingRoute, Reading], object]], object]:
    def _read(question: Callable[[ServingRoute, Reading], object]) -> object:
        return router.read(*where, question)[1]

    return _read


def _active_reads(
    router: Router, where: tuple[str, str, str]
) -> Callable[[Callable[[ServingRoute, Reading], object]], object]:
    def _read(question: Callable[[ServingRoute, Reading], object]) -> object:
        return router.read_active(*where[:2], question)[1]

    return _read
