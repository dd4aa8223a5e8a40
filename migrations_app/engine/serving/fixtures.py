"""Fixtures: resources that come with a version of a service, given when that version becomes active."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.located import read_yaml
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.serving.routing import Router, ServingMode, ServingRoute
from migrations_app.engine.serving.usage import type_named
from migrations_app.engine.serving.writes.coordination import OwnedElsewhere
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel import json
from migrations_app.kernel.errors import (
    AlreadyExists,
    BeingDeleted,
    Busy,
    DeletionPending,
    Halted,
    Invalid,
    Refused,
    Stale,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.regions.placing import Placing
from migrations_app.ports.services.fixtures import FixtureMarks
from migrations_app.ports.store import Reading, Transaction

T = TypeVar("T")

EVERY_SECONDS = 10.0


def fixtures_of(files: dict[str, bytes] | object, schema: Schema) -> tuple[WriteRequest, ...]:
    """Read `fixtures/{version}.yaml` of a service folder: `resources`, each with its name.

    Raises: Invalid (`fixtures`).
    """
    path = f"fixtures/{schema.version}.yaml"
    text = files.get(path) if isinstance(files, dict) else None
    if text is None:
        return ()
    found = read_yaml(text, path).value
    listed = found.get("resources") if isinstance(found, dict) else None
    if not isinstance(listed, list):
        raise Invalid(
            message("{path} holds no list of resources.", path=path),
            code="fixtures",
            remedy=message("Write resources: […]."),
        )
    return tuple(_creation(schema, each, index, path) for index, each in enumerate(listed))


def _creation(schema: Schema, given: object, index: int, path: str) -> WriteRequest:
    name = given.get("name") if isinstance(given, dict) else None
    type_ = type_named(schema, name)
    if not isinstance(given, dict) or not isinstance(name, str) or type_ not in schema.resources:
        raise Invalid(
            message("{path}: resources[{index}] gives no name of a resource type.", path=path, index=index),
            code="fixtures",
        )
    body: JsonObject = dict(given)
    return WriteRequest("create", type_, name, body=body)


class _Active(Router):
    """A router that writes a version only while that version is the active one."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def likely(self, region: str, service: str, version: str) -> ServingRoute:
        """Tell how a version is probably served."""
        return self._router.likely(region, service, version)

    def write(
        self, region: str, service: str, version: str, change: Callable[[ServingRoute, Transaction], T]
    ) -> tuple[ServingRoute, T]:
        """Run a change natively.

        Raises: Stale (`version-passed`) when another version became active.
        """

        def _natively(route: ServingRoute, transaction: Transaction) -> T:
            if route.how is not ServingMode.NATIVE:
                raise Stale(
                    message("{version} is not active any more.", version=version), code="version-passed"
                )
            return change(route, transaction)

        return self._router.write(region, service, version, _natively)


class FixturesController:
    """Gives each deployment the fixtures of its active version, and none of another's.

    A fixture that another region owns is left to it. What is there already is left as it is; what is deleted
    later does not come back while the version and its fixtures stay the same.
    """

    name = "fixtures"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(
        self,
        router: Router,
        marks: FixtureMarks,
        hosted: Callable[[], Sequence[Peer]],
        arrangements: Arrangements | None = None,
        placing: Placing | None = None,
        rest: Rest | None = None,
    ) -> None:
        self._router, self._marks, self._hosted, self._rest = router, marks, hosted, rest
        self._writing = WritingServer(_Active(router), arrangements, placing)

    def due(self) -> Iterable[str]:
        """List the deployments whose data is here; their rows say when each is due again."""
        return [peer.deployment for peer in self._hosted()]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Create what is missing, once for each time a version becomes active.

        Once: a fixture that is there already is passed over, so that all may be repeated.
        """
        here = Peer.parse(key)
        route, _ = self._router.read_active(here.region, here.service, _nothing)
        version = route.stored_version
        fixtures = fixtures_of(route.served.compiled.folder.files, route.stored_schema)
        mark = json.digest([version, [[each.name, each.body] for each in fixtures]])[:32]
        if self._marks.mark_of(key) == mark:
            return self._rest.after(key) if self._rest else Again(EVERY_SECONDS)
        for fixture in fixtures:
            if budget.spent:
                return Again()
            self._create(here, version, fixture)
        self._marks.give(key, mark)
        return Again(EVERY_SECONDS)

    def _create(self, here: Peer, version: str, fixture: WriteRequest) -> None:
        try:
            self._writing.write(here.region, here.service, version, [fixture])
        except (OwnedElsewhere, AlreadyExists):
            # Its owner has the same fixtures.
            return
        except BeingDeleted as error:
            raise DeletionPending(message("{name} is still being deleted.", name=fixture.name)) from error
        except (Busy, Stale):
            raise
        except Refused as error:
            raise _unwritable(fixture, error) from error


def _nothing(route: ServingRoute, reading: Reading) -> None:
    return None


def _unwritable(fixture: WriteRequest, error: Refused) -> Halted:
    return Halted(
        message("The fixture {name} cannot be written: {message}", name=fixture.name, message=error.message),
        code="fixture-refused",
        remedy=message("Fix the fixtures of the service's definition, apply it, and retry."),
    )
