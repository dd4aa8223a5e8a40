"""A write coordinated with other deployments: which region owns what it touches, and what is asked of them first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from migrations_app.domain.regions.placement import Placement, check_write
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.routing import ServingRoute
from migrations_app.kernel.errors import (
    AttemptExpired,
    AttemptResolved,
    Busy,
    Conflict,
    DeploymentMissing,
    PolicyUnknown,
    RevisionConflict,
    RevisionMismatch,
    ServiceUnknown,
    SwitchyardError,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.arrangements import Arrangements, PendingDeletion, UnconfirmedReference
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.regions.placing import Placing
from migrations_app.ports.store import StoredResource

T = TypeVar("T")

_TRIES = 20
_UNDECIDED = (PolicyUnknown, ServiceUnknown, DeploymentMissing)


class OwnedElsewhere(Conflict):
    """A write belongs to another region; nothing was written."""

    def __init__(self, name: str, region: str) -> None:
        super().__init__(
            message("{name} belongs to region {region}.", name=name, region=region),
            code="owned-elsewhere",
            remedy=message("Write it in {region}.", region=region),
            region=region,
        )
        self.region = region


@dataclass(frozen=True, slots=True)
class Named:
    """A resource that a write touches, by its name in the version asked for; `body` when it is created."""

    type: str
    name: str
    body: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class PlacedWrite:
    """The homes of a write's resources by stored name, as `version` stores them; and why others have none."""

    region: str
    version: str
    homes: Mapping[str, Placement] = field(default_factory=dict)
    homeless: Mapping[str, SwitchyardError] = field(default_factory=dict)

    def other_region(self) -> str | None:
        """Name the region that owns all of it; None for this one.

        Raises: Conflict (`write-two-policies`, `write-two-regions`).
        """
        return check_write(self.homes, self.region)

    def beside(self, further: PlacedWrite) -> PlacedWrite:
        """Give the homes of writes that are added to one with these homes.

        Raises: Conflict (`write-two-policies`, `write-two-regions`).
        """
        check_write({**self.homes, **further.homes}, self.region)
        return further

    def check_owner(self, before: StoredResource) -> None:
        """See that this region owns what is there. It says so itself, also while a new policy has not reached it.

        Raises: OwnedElsewhere.
        """
        if before.owning_region not in ("", self.region):
            raise OwnedElsewhere(before.name, before.owning_region)

    def check_home(self, name: str) -> None:
        """See that what is not there would not be another region's.

        Raises: OwnedElsewhere.
        """
        if name in self.homes and self.homes[name].owning_region != self.region:
            raise OwnedElsewhere(name, self.homes[name].owning_region)

    def check_new(self, name: str) -> None:
        """See that this region may create a resource.

        Raises: OwnedElsewhere · why it has no home.
        """
        if name in self.homeless:
            raise self.homeless[name]
        self.check_home(name)

    def syncing(self, name: str, before: JsonObject) -> JsonObject:
        """Write what metadata says of a resource of this region: who owns it, and who holds a copy."""
        home = self.homes.get(name)
        if home is None:
            known = before.get("syncing")
            return {"syncing": known} if known is not None else {}
        regions: list[Json] = [*sorted({self.region, *home.regions})]
        return {"syncing": {"owningRegion": self.region, "regions": regions}}


def placed(placing: Placing | None, route: ServingRoute, named: Iterable[Named]) -> PlacedWrite:
    """Place the resources of one write by the names they are stored under.

    As long as nothing says where one lives, because its holder or its service is not known, it lives here
    alone; it is touched once its policy is.

    Raises: Conflict (`write-two-policies`, `write-two-regions`).
    """
    served, homes, homeless = route.served, dict[str, Placement](), dict[str, SwitchyardError]()
    if placing is None:
        return PlacedWrite(served.region, route.stored_version)
    listed = [(*_stored(route, each), each) for each in named]
    making = {name: each.body for _, name, each in listed if each.body is not None}
    for type_, name, _ in listed:
        try:
            home = placing.place(served.region, served.service, name, type_, route.stored_schema, making)
            homes[name] = _deployed(placing, served.service, name, home)
        except _UNDECIDED:
            homes[name] = Placement(served.region, (served.region,))
        except SwitchyardError as error:
            homeless[name] = error
    return PlacedWrite(served.region, route.stored_version, homes, homeless)


def _deployed(placing: Placing, service: str, name: str, home: Placement) -> Placement:
    deployed = placing.service_policy(service).enabled_regions
    if home.owning_region not in deployed:
        raise Conflict(
            message(
                "The policy of {holder} places {name} in {owning_region}, where {service} is not deployed.",
                holder=home.holder,
                name=name,
                owning_region=home.owning_region,
                service=service,
            ),
            code="region-not-deployed",
            remedy=message("Deploy it there, or choose one of: {deployed}.", deployed=", ".join(deployed)),
            name=name,
        )
    return home


def _stored(route: ServingRoute, named: Named) -> tuple[str, str]:
    """Tell the stored type and name; what its version cannot tell, nor what is to be created, is placed as it is."""
    known = route.place(named.type, named.name) or _made(route, named)
    return known or (route.stored_types(named.type)[0], named.name)


def _made(route: ServingRoute, named: Named) -> tuple[str, str] | None:
    """Tell the name that the fields of what is to be created decide; None when it will be refused anyway."""
    if named.body is None:
        return None
    presenter = presenter_of(route.schema, named.type, route.served.unknown)
    with suppress(SwitchyardError):
        view = presenter.check(named.name, presenter.read(named.body).view)
        made = route.typed.create(named.type, named.name, view)
        return made.type, made.name
    return None


class Unarranged(Exception):
    """A write needs the word of other deployments first; its transaction is rolled back, then they are asked."""

    def __init__(
        self,
        token: str = "",
        wanted: tuple[UnconfirmedReference, ...] = (),
        doomed: tuple[PendingDeletion, ...] = (),
    ) -> None:
        super().__init__()
        self.token, self.wanted, self.doomed = token, wanted, doomed


@dataclass(slots=True)
class ArrangedWrite:
    """What others have said to a write so far: references announced under a token, deletions agreed to.

    `followed_up` is set by an attempt whose commit leaves work to the controllers.
    """

    token: str = ""
    held: dict[UnconfirmedReference, Peer] = field(default_factory=dict)
    agreed: dict[UUID, int] = field(default_factory=dict)
    followed_up: bool = False


def arranged_write(
    arrangements: Arrangements | None,
    here: Peer,
    attempt: Callable[[ArrangedWrite], T],
    arranged: ArrangedWrite | None = None,
) -> T:
    """Attempt a write until it has all it needs; `attempt` commits, or raises what is missing.

    Once: deletions that were agreed to and did not commit are given up; references that were announced end
    by themselves.
    Raises: what the write or the others refuse · Busy (`write-contended`).
    """
    said = arranged or ArrangedWrite()
    try:
        for _ in range(_TRIES):
            said.followed_up = False
            try:
                done = attempt(said)
            except Unarranged as need:
                _arrange(arrangements, here, need, said)
            except (AttemptResolved, AttemptExpired):
                said.token, said.held = "", {}
            except RevisionMismatch:
                raise
            except RevisionConflict:
                # Another write came between our read and our write, and the caller named no revision.
                continue
            else:
                said.agreed = {}
                if said.followed_up and arrangements is not None:
                    arrangements.written(here)
                return done
        raise Busy(message("Other requests write the same resources at the moment."), code="write-contended")
    finally:
        if said.agreed and arrangements is not None:
            arrangements.withdraw(here, said.agreed)


def _arrange(arrangements: Arrangements | None, here: Peer, need: Unarranged, said: ArrangedWrite) -> None:
    assert arrangements is not None
    for doomed in need.doomed:
        said.agreed.update(arrangements.agree(here, doomed))
    if need.wanted:
        said.token = need.token
        said.held.update(arrangements.establish(here, need.token, need.wanted))
