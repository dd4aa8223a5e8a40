"""Which namespace answers a request for a version, and the retries while versions change."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.reports.observation import observed
from migrations_app.domain.conversion.typed import TypedConverter
from migrations_app.domain.schema.basic_actions import not_converted
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import (
    Busy,
    Frozen,
    Missing,
    NamespaceMissing,
    NotActive,
    ReadOnlyBeforeSwitch,
    Refused,
    SwitchyardError,
    VersionNotServed,
)
from migrations_app.kernel.messages import message
from migrations_app.ports.feed import Feed
from migrations_app.ports.fence import Fence, FenceLocation, Mode
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Directory, Served
from migrations_app.ports.store import NeedsSnapshot, Reading, Store, Transaction

T = TypeVar("T")

_TRIES = 5
HOLD_SECONDS = 5.0
_PAUSE_SECONDS = 0.02


class ServingMode(StrEnum):
    """How a version is served."""

    NATIVE = "native"
    TRANSLATED = "translated"
    PREVIEW = "preview"


@dataclass(frozen=True, slots=True)
class ServingRoute:
    """How one request is served: the version asked for, and the one its namespace keeps."""

    served: Served
    version: str
    stored_version: str
    how: ServingMode
    namespace: Namespace

    @property
    def schema(self) -> Schema:
        """The schema of the version that was asked for."""
        return self.served.compiled.schema(self.version)

    @property
    def stored_schema(self) -> Schema:
        """The schema of what is stored: the stored version's, with the types that it keeps of others."""
        return self.served.compiled.stored.schema(self.stored_version)

    def converters(self, resource_type: str) -> tuple[TypeConverter, ...]:
        """Give the converters from the asked version to what is stored: several where the type is split."""
        routes = self.served.compiled.stored.routes(resource_type, self.version, self.stored_version)
        return tuple(map(observed, routes))

    @property
    def typed(self) -> TypedConverter:
        """The converter of resources of all types from the asked version to what is stored."""
        return self.served.compiled.stored.typed(self.version, self.stored_version).through(observed)

    def reader(self, resource_type: str, stored_type: str) -> TypeConverter:
        """Give the converter between a resource type and one of the types that it is stored as.

        Raises: Missing (`type-not-stored`).
        """
        for each in self.converters(resource_type):
            if each.target_type == stored_type:
                return each
        raise Missing(
            message("{type} is not stored as {stored_type}.", type=resource_type, stored_type=stored_type),
            code="type-not-stored",
        )

    def check_converted(self, resource_type: str, action: str) -> None:
        """See that the source of an old version lets an action be converted.

        Raises: Refused (`method-not-served`).
        """
        if self.how is not ServingMode.TRANSLATED:
            return
        hint = self.schema.hints.get(resource_type)
        if hint is not None and action in not_converted(hint):
            raise Refused(
                message(
                    "{version} says that {action} of {resource_type} is not converted, and "
                    "{stored_version} is active.",
                    version=self.version,
                    action=action,
                    resource_type=resource_type,
                    stored_version=self.stored_version,
                ),
                code="method-not-served",
                remedy=message("Use {stored_version}.", stored_version=self.stored_version),
            )

    def names_ask_documents(self, resource_type: str) -> bool:
        """Tell whether names of a type are not decided by names alone."""
        translated = self.how is ServingMode.TRANSLATED
        return translated and any(each.names_ask_documents for each in self.converters(resource_type))

    def stored_types(self, resource_type: str) -> tuple[str, ...]:
        """Name the types that resources of a type are stored as: several where it is split."""
        if self.how is not ServingMode.TRANSLATED:
            return (resource_type,)
        return tuple(dict.fromkeys(each.target_type or "" for each in self.converters(resource_type)))

    def place(self, resource_type: str, name: str) -> tuple[str, str] | None:
        """Tell the type and name that a resource is stored under; None when names alone do not tell it.

        A type that is not split is told in any case, by `stored_types`.
        """
        if self.how is not ServingMode.TRANSLATED:
            return resource_type, name
        for each in self.converters(resource_type):
            if (found := each.name(name)) is not None:
                return each.target_type or "", found
        return None


class Router:
    """Sends reads and writes to where they are answered.

    What it remembers of active versions is a hint. A read checks it in its own snapshot; a write is checked
    by the database. Either way a stale hint costs a retry, never a wrong answer.
    """

    def __init__(
        self,
        directory: Directory,
        store: Store,
        fence: Fence,
        *,
        feed: Feed | None = None,
        hold_seconds: float = HOLD_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = directory
        self._store = store
        self._fence = fence
        self._feed = feed
        self._hold = hold_seconds
        self._sleep, self._monotonic = sleep, monotonic
        self._active: dict[str, str] = {}

    def read(
        self,
        region: str,
        service: str,
        version: str,
        answer: Callable[[ServingRoute, Reading], T],
        *,
        once: bool = False,
    ) -> tuple[ServingRoute, T]:
        """Answer from one snapshot of the namespace that serves a version.

        `once` says that the answer takes one question, most likely; then it is asked for without a transaction.

        Raises: Missing · Conflict (`version-not-served`) · Busy when versions change faster than we look.
        """
        for _ in range(_TRIES):
            served = self._directory.served(region, service)
            active = self._active.get(served.deployment, served.current_version)
            home = self._namespace(served, active)
            route = self._route(served, version, active)
            if route is None:
                self._refuse_unless_stale(served, version, active)
                continue
            if not self._is_kept(route, home):
                self._refuse_unless_stale(served, version, active)
                continue
            one_fence = FenceLocation.of(route.namespace) == FenceLocation.of(home)
            expected = active if one_fence else None
            if once and (read_once := self._read_once(route, expected, answer)) is not None:
                found = read_once[0]
            else:
                with self._store.snapshot(route.namespace) as snapshot:
                    told = snapshot.fence
                    if expected not in (None, told.active_version):
                        self._learn(served, told.active_version)
                        continue
                    if one_fence and told.mode is Mode.CLOSED and self._is_left(served, route):
                        continue
                    found = answer(route, snapshot)
            # Again after the answer: a follower is registered once and forgotten for good.
            if self._is_kept(route, home):
                return route, found
            self._refuse_unless_stale(served, version, active)
        raise _unsettled(service)

    def _read_once(
        self, route: ServingRoute, active: str | None, answer: Callable[[ServingRoute, Reading], T]
    ) -> tuple[T] | None:
        """Answer at one look; None when that is not enough, or the route may be an old one."""
        with self._store.fenced_read(route.namespace, active) as fenced_read:
            try:
                return (answer(route, fenced_read),)
            except NeedsSnapshot:
                return None
            except SwitchyardError:
                # What is refused before anything was asked may be refused by mistake.
                if fenced_read.asked:
                    raise
                return None

    def read_active(
        self, region: str, service: str, answer: Callable[[ServingRoute, Reading], T]
    ) -> tuple[ServingRoute, T]:
        """Answer from the version that is active, whichever that is; `answer` may be asked more than once.

        Raises: Missing · Busy when versions change faster than we look.
        """
        for _ in range(_TRIES):
            served = self._directory.served(region, service)
            active = self._active.get(served.deployment, served.current_version)
            try:
                route, told = self.read(region, service, active, answer)
            except VersionNotServed:
                continue
            # After a rollback the version that was remembered is a preview of what is not active any more.
            if route.how is not ServingMode.PREVIEW:
                return route, told
        raise _unsettled(service)

    def likely(self, region: str, service: str, version: str) -> ServingRoute:
        """Tell how a version is served as far as is remembered; a version that is not served yet as a preview.

        Raises: Missing · Busy (`namespace-unknown`).
        """
        served = self._directory.served(region, service)
        active = self._active.get(served.deployment, served.current_version)
        home = self._namespace(served, active)
        return self._route(served, version, active) or ServingRoute(
            served, version, version, ServingMode.PREVIEW, home
        )

    def write(
        self, region: str, service: str, version: str, change: Callable[[ServingRoute, Transaction], T]
    ) -> tuple[ServingRoute, T]:
        """Run a change in one transaction on the active namespace; in a freeze it waits, up to a bound.

        `change` may run several times, each time in a fresh transaction.

        Raises: what `change` refuses · Conflict (`read-only-before-switch`) · Busy (`frozen`).
        """
        give_up = self._monotonic() + self._hold
        pause, tries = _PAUSE_SECONDS, 0
        gone: Namespace | None = None
        while True:
            served = self._directory.served(region, service)
            active = self._active.get(served.deployment, served.current_version)
            self._namespace(served, active)
            route = self._route(served, version, active)
            if route is None or route.how is ServingMode.PREVIEW:
                tries += 1
                if tries > _TRIES:
                    raise _unsettled(service)
                home = self._namespace(served, active)
                prepared = route is not None and self._is_kept(route, home)
                self._refuse_unless_stale(served, version, active, prepared=prepared)
                continue
            try:
                with self._store.transaction(route.namespace) as transaction:
                    return route, change(route, transaction)
            except NotActive as error:
                tries += 1
                if tries > _TRIES:
                    raise
                self._learn(served, str(error.nouns.get("active") or ""))
            except NamespaceMissing:
                # A version that was dropped since it was remembered; of one that is not there a second time we tell.
                if route.namespace == gone:
                    raise
                gone = route.namespace
                self._forget(served)
            except Frozen:
                left = give_up - self._monotonic()
                if left <= 0:
                    raise
                # A process that reads a freeze past its deadline ends it.
                self._learn(served, self._fence.state(FenceLocation.of(route.namespace)).active_version)
                self._sleep(min(pause, max(left, 0.0)))
                pause = min(pause * 2, 0.25)

    def write_active(
        self, region: str, service: str, change: Callable[[ServingRoute, Transaction], T]
    ) -> tuple[ServingRoute, T]:
        """Run a change in the version that is active, whichever that is.

        Raises: what `change` refuses · Busy when versions change faster than we look.
        """
        for _ in range(_TRIES):
            served = self._directory.served(region, service)
            active = self._active.get(served.deployment, served.current_version)
            try:
                return self.write(region, service, active, change)
            except (ReadOnlyBeforeSwitch, VersionNotServed):
                continue
        raise _unsettled(service)

    def _route(self, served: Served, version: str, active: str) -> ServingRoute | None:
        schema, home = served.compiled.schema(version), served.compiled.schema(active)
        if version == active:
            return ServingRoute(served, version, active, ServingMode.NATIVE, self._namespace(served, active))
        if schema.ordinal < home.ordinal:
            return ServingRoute(
                served, version, active, ServingMode.TRANSLATED, self._namespace(served, active)
            )
        found = served.namespaces.get(version)
        if found is None or not self._store.types(found):
            return None
        return ServingRoute(served, version, version, ServingMode.PREVIEW, found)

    def _is_kept(self, route: ServingRoute, home: Namespace) -> bool:
        """Tell whether what a route reads is kept in step with what is served.

        A namespace that is not served is, only while the follower that fills it is registered in the feed of the one
        that is. It is forgotten before an upgrade's row says that it ended, and at the flip for good: after a rollback
        nothing fills the namespace any more, whatever the row says yet.
        """
        if route.how is not ServingMode.PREVIEW or self._feed is None:
            return True
        filler = route.served.fillers.get(route.version)
        return filler is None or bool(self._feed.cursors(home, filler))

    def _refuse_unless_stale(
        self, served: Served, version: str, active: str, *, prepared: bool = False
    ) -> None:
        """Refuse a version that comes after the active one, unless the fence says otherwise by now."""
        told = self._fence.state(FenceLocation.of(self._namespace(served, active))).active_version
        if told != active:
            self._learn(served, told)
            return
        values = {"deployment": served.deployment, "version": version, "active": active}
        if prepared:
            raise ReadOnlyBeforeSwitch(
                message("{version} of {deployment} is read-only until it becomes active.", **values),
                remedy=message("Write {active}.", **values),
            )
        raise VersionNotServed(
            message("{deployment} does not serve {version} yet; {active} is active.", **values),
            remedy=message("Use {active}, or plan an upgrade to {version}.", **values),
        )

    def _is_left(self, served: Served, route: ServingRoute) -> bool:
        """Tell whether the registry shows another place for data of which the fence is closed.

        Asked after the snapshot was taken: what it holds is the newest as long as no process writes elsewhere, and
        those learn of another place by the registry alone.
        """
        self._directory.forget(served.region, served.service)
        current = self._directory.served(served.region, served.service)
        return current.namespaces.get(route.stored_version) != route.namespace

    def _namespace(self, served: Served, version: str) -> Namespace:
        found = served.namespaces.get(version)
        if found is None:
            self._forget(served)
            raise Busy(
                message("{deployment} is changing its version.", deployment=served.deployment),
                code="namespace-unknown",
            )
        return found

    def _forget(self, served: Served) -> None:
        self._directory.forget(served.region, served.service)
        self._active.pop(served.deployment, None)

    def _learn(self, served: Served, active: str) -> None:
        if active:
            self._active[served.deployment] = active
        self._directory.forget(served.region, served.service)


def _unsettled(service: str) -> Busy:
    return Busy(
        message("The versions of {service} are being changed.", service=service), code="version-unsettled"
    )
