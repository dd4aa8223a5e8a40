"""The write hooks of a transaction: the caller's version before the conversion, the active version after it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from migrations_app.domain.conversion.typed import Typed
from migrations_app.domain.service_hooks.registration import WriteHook
from migrations_app.engine.methods.shown import home_route
from migrations_app.engine.service_hooks.answers import checked_document
from migrations_app.engine.service_hooks.resources import Allowance, HookResources
from migrations_app.engine.serving.presentation import ResourcePresenter, presenter_of, show, view_of
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.engine.serving.writes.coordination import OwnedElsewhere
from migrations_app.engine.serving.writes.requests import WriteRequest, WriteStages
from migrations_app.kernel.errors import Busy, Conflict, Refused, RevisionConflict
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.ports.services.service_hooks import HookName, HookQuestion, HookRunner, InstalledHooks
from migrations_app.ports.store import StoredResource, Transaction

MOST_SECONDS = 5.0
"""So long the hooks of one transaction may take together."""

Further = Callable[[ServingRoute, WriteRequest], None]


@dataclass(frozen=True, slots=True)
class HookedWrites:
    """`engine.serving.writes.requests.WriteCode` over the installed hooks."""

    installed: InstalledHooks
    runner: HookRunner

    def begin(
        self,
        route: ServingRoute,
        transaction: Transaction,
        requests: Sequence[WriteRequest],
        caller: str,
        write: Further,
    ) -> WriteStages | None:
        """Begin the hooks of one transaction; None when its service has none."""
        if not self.installed.has_writes(route.served.service):
            return None
        own = frozenset(_stored_key(route, request) for request in requests)
        return TransactionHooks(self, route, transaction, caller, write, own)


@dataclass(slots=True)
class TransactionHooks:
    """The hooks of the writes of one transaction; `own` are the resources that the caller writes, as stored."""

    hooks: HookedWrites
    route: ServingRoute
    transaction: Transaction
    caller: str
    write: Further
    own: frozenset[tuple[str, str]]
    allowance: Allowance = field(default_factory=Allowance)
    ends_at: float = field(default_factory=lambda: time.monotonic() + MOST_SECONDS)

    def requested(
        self,
        presenter: ResourcePresenter,
        verb: str,
        name: str,
        view: JsonObject,
        before: StoredResource | None,
    ) -> JsonObject:
        """Run the hook of the caller's version."""
        hook = self._hook(self.route, presenter.type, verb)
        if hook is None:
            return view
        changed = self._run(
            hook, self.route, presenter, verb, name, {presenter.name_key: name, **view}, before
        )
        if changed is None:
            return view
        shown = {} if before is None else view_of(self.route, presenter, before)[1]
        made = checked_document(str(_hook_name(self.route, presenter)), presenter, name, changed, shown)
        if self.route.how is ServingMode.TRANSLATED and before is None:
            create, type_ = self.route.typed.create, presenter.type
            names_ask = self.route.names_ask_documents(type_)
            if names_ask and create(type_, name, made)[:2] != create(type_, name, view)[:2]:
                raise Conflict(
                    message(
                        "{hook_name} changes what decides the name of {name}.",
                        hook_name=str(_hook_name(self.route, presenter)),
                        name=name,
                    ),
                    code="hook-answer",
                    remedy=message("Leave the fields that decide names."),
                )
        return made

    def converted(
        self, presenter: ResourcePresenter, verb: str, made: Typed, before: StoredResource | None
    ) -> Typed:
        """Run the hook of the active version on what was converted to it."""
        if self.route.how is not ServingMode.TRANSLATED:
            return made
        home, type_ = home_route(self.route), made.type
        hook = self._hook(home, type_, verb)
        if hook is None:
            return made
        home_face = presenter_of(home.schema, type_, home.served.unknown)
        key = home_face.name_key
        view = home.reader(type_, type_).get(made.name, made.body)[1]
        changed = self._run(hook, home, home_face, verb, made.name, {key: made.name, **view}, before)
        if changed is None:
            return made
        shown = {} if before is None else view_of(home, home_face, before)[1]
        checked = checked_document(str(_hook_name(home, home_face)), home_face, made.name, changed, shown)
        return home.typed.put(type_, made.name, checked, made)

    def deleting(self, presenter: ResourcePresenter, name: str, before: StoredResource) -> None:
        """Run the hooks of both versions before a deletion."""
        hook = self._hook(self.route, presenter.type, "delete")
        if hook is not None:
            self._run(hook, self.route, presenter, "delete", name, None, before)
        if self.route.how is ServingMode.TRANSLATED:
            home = home_route(self.route)
            home_hook = self._hook(home, before.type, "delete")
            if home_hook is not None:
                home_face = presenter_of(home.schema, before.type, home.served.unknown)
                self._run(home_hook, home, home_face, "delete", before.name, None, before)

    def _hook(self, route: ServingRoute, type_: str, verb: str) -> WriteHook | None:
        return self.hooks.installed.write(route.served.service, route.version, type_, verb)

    def _run(
        self,
        hook: WriteHook,
        route: ServingRoute,
        presenter: ResourcePresenter,
        verb: str,
        name: str,
        document: JsonObject | None,
        before: StoredResource | None,
    ) -> JsonObject | None:
        """Run a hook, then carry out what it writes beside the write it was called with.

        Raises: what the hook or its writes refuse · Busy (`hook-deadline-exceeded`).
        """
        hook_name = _hook_name(route, presenter)
        what = self.allowance.what = str(hook_name)
        seconds = min(hook.seconds, self.ends_at - time.monotonic())
        if seconds <= 0:
            raise Busy(
                message(
                    "{what} was not called: the hooks of this write took {most_seconds} s together.",
                    what=what,
                    most_seconds=f"{MOST_SECONDS:g}",
                ),
                code="hook-deadline-exceeded",
                remedy=message("Write fewer resources at once."),
            )
        # A copy: what is stored must stay as it was read.
        shown = None if before is None else deepcopy(show(route, presenter, before))
        home = home_route(route)
        calls: list[HookCall] = []

        def _called(ask: HookQuestion) -> JsonObject | None:
            own = HookResources(route, self.transaction, ask, self.allowance)
            active = own if home is route else HookResources(home, self.transaction, ask, self.allowance)
            call = HookCall(
                verb, presenter.type, name, deepcopy(document), shown, route, self.caller, own, active,
                time.monotonic() + seconds,
            )  # fmt: skip
            calls.append(call)
            return hook.run(call)

        answer = self.hooks.runner.run(hook_name, _called, seconds)
        for request, target in calls[0].writes():
            self._carry_out(what, target, request)
        return answer if verb != "delete" else None

    def _carry_out(self, what: str, route: ServingRoute, request: WriteRequest) -> None:
        """Carry out a write of a hook.

        Raises: what it refuses, with the hook · Conflict (`hook-write-own`, `owned-by-other-region`).
        """
        if _stored_key(route, request) in self.own:
            raise Conflict(
                message("{what} writes {name}, which its caller writes.", what=what, name=request.name),
                code="hook-write-own",
                remedy=message("Give the document to write as the answer of the hook."),
            )
        try:
            self.write(route, request)
        except OwnedElsewhere as error:
            raise Conflict(
                message(
                    "{what} writes {name}, which {region} owns.",
                    what=what,
                    name=request.name,
                    region=error.region,
                ),
                code="hook-write-region",
                remedy=message("Write only what the region of the write owns."),
            ) from error
        except RevisionConflict as error:
            # Without the revision that the caller named, so that all of it is tried again.
            raise RevisionConflict(error.words) from error
        except Refused as error:
            error.begin_with(_refused_write(what, request))
            error.violations = tuple(
                replace(each, path=f"{request.name}#{each.path}") for each in error.violations
            )
            raise


@dataclass(slots=True)
class HookCall:
    """`domain.service_hooks.calls.WriteCall` in a transaction."""

    verb: str
    type: str
    name: str
    document: JsonObject | None
    before: JsonObject | None
    route: ServingRoute
    caller: str
    resources: HookResources
    active: HookResources
    ends_at: float

    @property
    def version(self) -> str:
        """The version of the hook."""
        return self.route.version

    @property
    def active_version(self) -> str:
        """The version that is active."""
        return self.route.stored_version

    @property
    def region(self) -> str:
        """The region that writes."""
        return self.route.served.region

    def remaining_seconds(self) -> float:
        """Tell how long the hook still has."""
        return max(0.0, self.ends_at - time.monotonic())

    def writes(self) -> Sequence[tuple[WriteRequest, ServingRoute]]:
        """List what the hook wrote, and in which version."""
        every = (self.resources,) if self.active is self.resources else (self.resources, self.active)
        return [(request, each.route) for each in every for request in each.staged.writes.values()]


def _refused_write(what: str, request: WriteRequest) -> WordedMessage:
    values = {"hook": what, "name": request.name}
    match request.verb:
        case "create":
            return message("{hook} may not create {name}:", **values)
        case "delete":
            return message("{hook} may not delete {name}:", **values)
    return message("{hook} may not update {name}:", **values)


def _hook_name(route: ServingRoute, presenter: ResourcePresenter) -> HookName:
    return HookName("write", route.served.service, route.version, presenter.type)


def _stored_key(route: ServingRoute, request: WriteRequest) -> tuple[str, str]:
    return route.place(request.type, request.name) or (route.stored_types(request.type)[0], request.name)
