"""Who may do what to which thing: roles, scopes and the one decision that every interface asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from types import MappingProxyType

from migrations_app.domain.access_target import EVERYTHING as EVERYTHING
from migrations_app.domain.access_target import Target as Target
from migrations_app.domain.access_target import place_of, where_of
from migrations_app.domain.conditions import ALWAYS, Conditions
from migrations_app.domain.methods.permissions import method_permission
from migrations_app.domain.reach import ALL, Reach, lies_within
from migrations_app.kernel.errors import Denied, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, catalogued, message


class ActorKind(StrEnum):
    """What acts: a person, a service account, a token of either, or Switchyard itself."""

    USER = "user"
    SERVICE = "service"
    TOKEN = "token"  # noqa: S105 -- a kind of actor, no secret
    SYSTEM = "system"


PERMISSIONS: MappingProxyType[str, str] = MappingProxyType(
    {
        "fleet.read": catalogued("See the fleet, its deployments and versions"),
        "upgrade.read": catalogued("See upgrades, their evidence and reports"),
        "approval.read": catalogued("See approvals, policies and windows"),
        "registry.read": catalogued("See services, regions and their declarations"),
        "resource.read": catalogued("Read resources of any version"),
        "health.read": catalogued("See the health of the system"),
        "operation.read": catalogued("See long running operations"),
        "upgrade.plan": catalogued("Plan an upgrade"),
        "upgrade.start": catalogued("Start a planned upgrade"),
        "upgrade.pause": catalogued("Pause an upgrade"),
        "upgrade.resume": catalogued("Resume an upgrade"),
        "upgrade.abort": catalogued("Abort an upgrade before its switch"),
        "upgrade.switch": catalogued("Switch a deployment to the new version"),
        "upgrade.rollback": catalogued("Roll back to the old version"),
        "upgrade.complete": catalogued("End the rollback window of an upgrade"),
        "upgrade.comment": catalogued("Comment on an upgrade"),
        "upgrade.repair": catalogued("Repair, skip or retry quarantined resources and data tasks"),
        "approval.request": catalogued("Ask for approval of a switch or a rollback"),
        "approval.vote": catalogued("Approve or reject what others ask for"),
        "policy.write": catalogued("Change approval policies"),
        "window.write": catalogued("Change windows and freezes"),
        "registry.write": catalogued("Register and change services, regions and deployments"),
        "resource.write": catalogued("Write resources"),
        "resource.method": catalogued("Call custom methods of resources"),
        "activity.read": catalogued("See who called what of a deployment"),
        "activity.observe": catalogued("Record conversions of a deployment for a while"),
        "deployment.evict": catalogued("Evict a deployment that does not come back"),
        "work.retry": catalogued("Retry work that is quarantined"),
        "token.own": catalogued("Make and revoke own tokens"),
        "audit.read": catalogued("Read the audit ledger"),
        "audit.export": catalogued("Export the audit ledger"),
        "access.read": catalogued("See accounts, roles and bindings"),
        "access.manage": catalogued("Change accounts, role bindings and tokens of others"),
    }
)

_SEE = ("fleet.read", "upgrade.read", "approval.read", "registry.read", "resource.read", "health.read")
_VIEWER = (*_SEE, "operation.read", "token.own")
_RUN = ("upgrade.*", "approval.request", "registry.write", "resource.*")

ROLES: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "viewer": _VIEWER,
        "operator": (*_VIEWER, *_RUN, "activity.*", "window.write", "work.retry"),
        "approver": (*_VIEWER, "approval.vote", "upgrade.rollback", "upgrade.comment"),
        "auditor": (*_VIEWER, "audit.*", "activity.read", "access.read"),
        "automation": (*_VIEWER, *_RUN, "activity.read"),
        "admin": ("*",),
    }
)

SHOWN_ZONES = ("utc", "mine", "region")
"""What times are shown in: UTC, the zone of their browser, or that of the region a page is about."""

# Votes and access stay with people: what runs by itself can never approve its own work.
_NOT_FOR_SYSTEM = ("approval.vote", "access.manage")
_NOT_FOR_SERVICES = ("approval.vote",)
# What an account owns, and a copy of what it may read, belong to no place.
_UNPLACED = ("audit.export", "token.own")


@dataclass(frozen=True, slots=True)
class Grant:
    """One role within a scope of services, regions and environments (globs)."""

    role: str
    service: str = "*"
    region: str = "*"
    environment: str = "*"
    through: str = ""
    permissions: tuple[str, ...] | None = None
    """What a role carries that is not one of `ROLES`."""
    conditions: Conditions = ALWAYS
    """When it counts, and from where; an actor holds only what counts now."""

    def carries(self, action: str) -> bool:
        """Tell whether its role carries a permission."""
        own = self.permissions
        return _matches(action, ROLES.get(self.role, ()) if own is None else own)

    def failing(self, at: datetime, address: str, environment: str) -> WordedMessage:
        """Say why it does not count at an instant, from an address and in an environment; empty when it does."""
        if environment and not fnmatchcase(environment, self.environment):
            return message(
                "it is for the environment {environment}, and this is {here}.",
                environment=self.environment,
                here=environment,
            )
        return self.conditions.failing(at, address)

    def covers(self, target: Target, *, writes: bool = False) -> bool:
        """Tell whether the whole of the target lies in this grant's scope.

        What names no service or region is not bound by it to be read; to write it takes all of them.
        """
        missing = "*" if writes else ""
        pairs = (
            (self.service, target.service or missing),
            (self.region, target.region or missing),
            (self.environment, target.environment),
        )
        return all(not noun or lies_within(noun, glob) for glob, noun in pairs)

    def as_json(self) -> JsonObject:
        """Give its parts, which other languages word by themselves; `str` is the same in English."""
        return {
            "role": self.role,
            "service": self.service,
            "region": self.region,
            "environment": self.environment,
            "through": self.through,
            "conditions": self.conditions.as_json(),
        }

    def __str__(self) -> str:
        scope = (
            f"{self.service} @ {self.region}" if (self.service, self.region) != ("*", "*") else "everything"
        )
        via = f" through {self.through}" if self.through else ""
        when = f" ({self.conditions})" if self.conditions != ALWAYS else ""
        return f"{self.role} of {scope}{via}{when}"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts; `name` is the account's name also when a token of it acts."""

    kind: ActorKind
    name: str
    grants: tuple[Grant, ...] = ()
    scopes: tuple[str, ...] | None = None
    email: str = ""
    token: str = ""
    token_maker: str = ""
    """Who made the token; a token that another account made does not vote."""
    address: str = ""
    request_id: str = ""
    sender: str = ""
    """The deployment of another installation whose service token acts in the account's name."""
    service_account: bool = False
    proved_at: datetime | None = None
    """When the person behind a session last showed who they are."""
    made: Callable[[], Mapping[str, tuple[str, ...]]] = field(default=dict, compare=False, repr=False)
    """Reads the roles that were made, with what they carry; asked only to say who could do what was refused."""
    withheld: tuple[tuple[Grant, WordedMessage], ...] = ()
    """What is held but does not count now, each with the reason: it allows nothing, and explains refusals."""

    @property
    def roles(self) -> tuple[str, ...]:
        """Name the roles held anywhere, once each."""
        return tuple(dict.fromkeys(grant.role for grant in self.grants))

    @property
    def person(self) -> str:
        """Name who is answerable for what is done: the maker of the token that acts, or else the account."""
        return self.token_maker or self.name

    @property
    def by_token_of_another(self) -> bool:
        """Tell whether the acting token was made by another account than it acts for."""
        return self.person.lower() != self.name.lower()


def actor_with(name: str, *roles: str, kind: ActorKind = ActorKind.USER) -> Actor:
    """Make an actor who holds these roles everywhere."""
    return Actor(kind=kind, name=name, grants=tuple(Grant(role) for role in roles))


SYSTEM = Actor(kind=ActorKind.SYSTEM, name="switchyard")
ANONYMOUS = Actor(kind=ActorKind.USER, name="")


@dataclass(frozen=True, slots=True)
class AccessDecision:
    """The answer, the sentence that explains it, and who could do it instead."""

    allowed: bool
    words: WordedMessage
    who_can: tuple[str, ...] = ()
    grants: tuple[Grant, ...] = field(default=())

    @property
    def reason(self) -> str:
        """Give the sentence in English."""
        return str(self.words)


def roles_with(action: str, made: Mapping[str, tuple[str, ...]] = MappingProxyType({})) -> tuple[str, ...]:
    """Name the roles that carry a permission: those built in, then those of the roles that were made."""
    built_in = (role for role, patterns in ROLES.items() if _matches(action, patterns))
    return (*built_in, *(role for role, patterns in sorted(made.items()) if _matches(action, patterns)))


def permissions_of(actor: Actor) -> tuple[str, ...]:
    """List what an actor may do somewhere, within the scopes of its token."""
    return tuple(action for action in PERMISSIONS if holds(actor, action))


def is_write(action: str) -> bool:
    """Tell whether a permission is to change something that belongs to a place, or to all of them."""
    return not action.endswith(".read") and action not in _UNPLACED


def holds(actor: Actor, action: str) -> bool:
    """Tell whether an actor may do this somewhere."""
    if _refusal(actor, action, EVERYTHING):
        return False
    return actor.kind is ActorKind.SYSTEM or any(grant.carries(action) for grant in actor.grants)


def decide(actor: Actor, action: str, target: Target = EVERYTHING) -> AccessDecision:
    """Decide whether an actor may do this to that; the single point of authorisation.

    To write what names no service or region takes a role that is bound to none: see `Grant.covers`.
    """
    return _decide(actor, action, target, writes=is_write(action))


def _decide(actor: Actor, action: str, target: Target, *, writes: bool) -> AccessDecision:
    refusal = _refusal(actor, action, target)
    if refusal:
        return AccessDecision(False, refusal, roles_with(action, actor.made()))
    if actor.kind is ActorKind.SYSTEM:
        return AccessDecision(True, message("Switchyard itself does this."), roles_with(action))
    granting = tuple(grant for grant in actor.grants if grant.carries(action))
    covering = tuple(grant for grant in granting if grant.covers(target, writes=writes))
    if covering:
        words = message("Allowed as {role}.", role=str(covering[0]))
        return AccessDecision(True, words, roles_with(action), covering)
    who_can = roles_with(action, actor.made())
    for grant, why in actor.withheld:
        if grant.carries(action) and grant.covers(target, writes=writes):
            words = message("Your role {role} does not count now:", role=grant.role) + why
            return AccessDecision(False, words, who_can)
    if granting:
        scopes = ", ".join(str(grant) for grant in granting)
        words = message(
            "Your access does not reach {place}: you are {scopes}.", place=place_of(target), scopes=scopes
        )
        # They hold such a role themselves: what counts is where; that is not told to who may see nothing there.
        sees = any(grant.covers(target) for grant in actor.grants)
        where = where_of(target) if sees else place_of(target)
        return AccessDecision(False, words, tuple(f"{role} of {where}" for role in who_can))
    return AccessDecision(False, _lacking(actor.roles, who_can), who_can)


def reach_of(actor: Actor, action: str) -> Reach:
    """Tell where an actor may do this, for what shows many things at once: a list, a stream.

    It covers a service and region where `decide` allows the action there, and no others.
    """
    if _refusal(actor, action, EVERYTHING):
        return Reach()
    if actor.kind is ActorKind.SYSTEM:
        return ALL
    held = (grant for grant in actor.grants if grant.carries(action))
    return Reach(frozenset((grant.service, grant.region) for grant in held))


def require_reach(actor: Actor, action: str) -> Reach:
    """Tell where an actor may do this, and refuse who may do it nowhere.

    Raises: Denied (`denied`) with the decision's reason and who can.
    """
    require_within(actor, action)
    return reach_of(actor, action)


def counting(
    grants: Iterable[Grant], at: datetime, address: str, environment: str = ""
) -> tuple[tuple[Grant, ...], tuple[tuple[Grant, WordedMessage], ...]]:
    """Part grants into those that count at an instant, from an address and in an environment, and those that do not,
    with the reason.
    """
    judged = [(grant, grant.failing(at, address, environment)) for grant in grants]
    return (
        tuple(grant for grant, why in judged if not why),
        tuple((grant, why) for grant, why in judged if why),
    )


def require(actor: Actor, action: str, target: Target = EVERYTHING) -> AccessDecision:
    """Decide, and refuse by raising.

    Raises: Denied (`denied`) with the decision's reason and who can.
    """
    return _demanded(decide(actor, action, target), action, target)


def require_within(actor: Actor, action: str, target: Target = EVERYTHING) -> AccessDecision:
    """Refuse who may do this nowhere within a target whose place is not wholly known yet; `require` comes after it.

    Raises: Denied (`denied`) with the decision's reason and who can.
    """
    return _demanded(_decide(actor, action, target, writes=False), action, target)


def _demanded(decision: AccessDecision, action: str, target: Target) -> AccessDecision:
    if not decision.allowed:
        raise Denied(
            decision.words,
            who_can=decision.who_can,
            action=action,
            target=str(target),
            place=(target.service, target.region),
        )
    return decision


def check_scopes(scopes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the scopes if each names at least one permission.

    Raises: Invalid (`unknown-scope`).
    """
    for scope in scopes:
        if not any(fnmatchcase(action, method_permission(scope)) for action in PERMISSIONS):
            raise Invalid(
                message("The scope {scope} names no permission.", scope=repr(scope)),
                code="unknown-scope",
                remedy=message("Use permissions such as upgrade.plan, or patterns such as upgrade.*."),
            )
    return scopes


def beyond(scopes: tuple[str, ...], held: tuple[str, ...] | None) -> tuple[str, ...]:
    """List the permissions that scopes carry and those held (none: all) do not."""
    if held is None:
        return ()
    return tuple(name for name in PERMISSIONS if _matches(name, scopes) and not _matches(name, held))


def _refusal(actor: Actor, action: str, target: Target) -> WordedMessage:
    """Say what forbids this whatever roles are held, or nothing."""
    if not actor.name:
        return message("Sign in first.")
    if actor.kind is ActorKind.SYSTEM and action in _NOT_FOR_SYSTEM:
        return message("Only a person may do this.")
    if (actor.kind is ActorKind.SERVICE or actor.service_account) and action in _NOT_FOR_SERVICES:
        return message("Only a person may do this; a service account may not.")
    if action == "approval.vote" and target.requested_by.lower() == actor.name.lower():
        return message("You asked for this; another person must decide.")
    if action == "approval.vote" and actor.by_token_of_another:
        return message(
            "{maker} made this token; it does not vote in the name of {name}.",
            maker=actor.token_maker,
            name=actor.name,
        )
    if actor.scopes is not None and not _matches(action, actor.scopes):
        token = actor.token or "used"
        return message("The token {token} does not carry the scope {scope}.", token=token, scope=action)
    return NOTHING


@lru_cache(maxsize=4096)
def _matches(action: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(action, pattern) for pattern in patterns)


def _lacking(held: tuple[str, ...], needed: tuple[str, ...]) -> WordedMessage:
    needs, has = " or ".join(needed) or "a role that does not exist", ", ".join(held)
    if not has:
        return message("This needs {needs}; you have no role.", needs=needs)
    return message("This needs {needs}; you have {has}.", needs=needs, has=has)
