"""Accounts, roles, bindings and tokens as they are read, and the explanation of a decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

from migrations_app.control.access.repository.access import (
    account_as_json,
    actor_of,
    binding_as_json,
    grants_of,
    role_as_json,
    token_as_json,
)
from migrations_app.domain.access import (
    PERMISSIONS,
    ROLES,
    Actor,
    ActorKind,
    Target,
    decide,
    is_write,
    permissions_of,
    reach_of,
    require,
    require_reach,
    roles_with,
)
from migrations_app.domain.reach import Reach
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.access import Account, MadeRole, RoleBinding, Token


def actor_of_user(user: object, *, address: str = "", request_id: str = "") -> Actor:
    """Give the actor of a signed-in account."""
    if not isinstance(user, Account):
        raise TypeError("the user is not an account")
    return actor_of(user, address=address, request_id=request_id)


def name_of(user: Account) -> str:
    """Give the name an account goes by."""
    return user.username


def actor_named(name: str, *, at: datetime | None = None, address: str = "") -> Actor:
    """Give the actor an account would be, now or at another instant, and from an address.

    Raises: Missing (`account`).
    """
    account = Account.objects.filter(username=name).first()
    if account is None:
        raise Missing(message("There is no account {name}.", name=repr(name)), code="account")
    return actor_of(account, at=at, address=address)


def accounts(actor: Actor) -> list[JsonObject]:
    """List the accounts with the roles they hold."""
    require(actor, "access.read")
    return [{**account_as_json(row), "roles": list(actor_of(row).roles)} for row in Account.objects.all()]


def account(actor: Actor, name: str) -> JsonObject:
    """Give one account with the roles it holds.

    Raises: Denied, Missing (`account`).
    """
    require(actor, "access.read")
    row = Account.objects.filter(username=name).first()
    if row is None:
        raise Missing(message("There is no account {name}.", name=repr(name)), code="account")
    return {**account_as_json(row), "roles": list(actor_of(row).roles)}


def roles(actor: Actor) -> list[JsonObject]:
    """List the roles with their permissions: those built in, then those that were made."""
    require(actor, "access.read")
    built_in: list[JsonObject] = [
        {
            "role": role,
            "title": "",
            "made": False,
            "rev": 0,
            "permissions": [
                {"permission": name, "title": title}
                for name, title in PERMISSIONS.items()
                if role in roles_with(name)
            ],
            "changed_by": "",
            "changed_at": None,
        }
        for role in ROLES
    ]
    return [*built_in, *(role_as_json(row) for row in MadeRole.objects.all())]


def role(actor: Actor, name: str) -> JsonObject:
    """Give one role.

    Raises: Denied, Missing (`role-missing`).
    """
    found = [each for each in roles(actor) if each["role"] == name]
    if not found:
        raise Missing(message("There is no role {name}.", name=repr(name)), code="role-missing")
    return found[0]


def bindings(actor: Actor) -> list[JsonObject]:
    """List the role bindings that may count within the actor's reach."""
    reach = require_reach(actor, "access.read")
    return [binding_as_json(row) for row in RoleBinding.objects.all() if reach.meets(row.service, row.region)]


def binding(actor: Actor, id: int) -> JsonObject:
    """Give one role binding.

    Raises: Denied, Missing (`binding`).
    """
    reach = require_reach(actor, "access.read")
    row = RoleBinding.objects.filter(pk=id).first()
    if row is None or not reach.meets(row.service, row.region):
        raise Missing(message("There is no binding {id}.", id=id), code="binding")
    return binding_as_json(row)


def tokens(actor: Actor, *, everybody: bool = False) -> list[JsonObject]:
    """List own tokens, or everybody's."""
    rows = Token.objects.select_related("account")
    if everybody:
        require(actor, "access.read")
        return [token_as_json(row) for row in rows]
    require(actor, "token.own")
    return [token_as_json(row) for row in rows.filter(account__username=actor.name)]


def explain(
    actor: Actor, account: str, action: str, target: Target, at: datetime | None = None, address: str = ""
) -> JsonObject:
    """Explain whether an account may do this to that, and by which binding; now, or at another instant.

    Raises: Denied, Missing (`account`), Invalid (`unknown-permission`).
    """
    if account != actor.name:
        require(actor, "access.read")
    if action not in PERMISSIONS:
        raise Invalid(
            message("There is no permission {action}.", action=repr(action)),
            code="unknown-permission",
            remedy=message("Use one of {permissions}.", permissions=", ".join(PERMISSIONS)),
        )
    subject = actor_named(account, at=at, address=address)
    decision = decide(subject, action, target)
    grants = decision.grants or (*subject.grants, *(each for each, _ in subject.withheld))
    return {
        "account": account,
        "action": action,
        "target": str(target),
        "allowed": decision.allowed,
        "reason": decision.reason,
        "phrases": phrases_as_json(decision.words.phrases),
        "who_can": list(decision.who_can),
        "bindings": [str(grant) for grant in grants],
        "grants": [grant.as_json() for grant in grants],
    }


def groups_give(actor: Actor, groups: Sequence[str]) -> JsonObject:
    """Tell which roles an account of these groups of the identity provider would hold, and what they might do.

    Raises: Denied.
    """
    require(actor, "access.read")
    grants = grants_of(Account(username="", groups=list(groups)))
    account = Actor(ActorKind.USER, "group member", grants=grants)
    return {
        "groups": list(groups),
        "unbound": [group for group in groups if f"group {group}" not in {each.through for each in grants}],
        "bindings": [str(grant) for grant in grants],
        "grants": [grant.as_json() for grant in grants],
        "roles": list(account.roles),
        "permissions": list(permissions_of(account)),
    }


def second_factor_of(actor: Actor) -> JsonObject:
    """Tell whether signing in to one's own account asks for a code, and how many spare codes are left."""
    rows = Authenticator.objects.filter(user__username=actor.name) if actor.name else ()
    kept = {row.type: row for row in rows}
    spare = kept.get(Authenticator.Type.RECOVERY_CODES)
    return {
        "is_set": Authenticator.Type.TOTP in kept,
        "recovery_codes_left": len(RecoveryCodes(spare).get_unused_codes()) if spare else 0,
    }


def _scopes(reach: Reach) -> list[Json]:
    return [f"{service} @ {region}" for service, region in sorted(reach.pairs)]


def about(actor: Actor) -> JsonObject:
    """Tell who an account is, what it may do, and the places of what it is shown."""
    reach = reach_of(actor, "fleet.read")
    bounds = {each: reach_of(actor, each) for each in permissions_of(actor) if is_write(each)}
    return {
        "name": actor.name,
        "email": actor.email,
        "kind": actor.kind.value,
        "roles": list(actor.roles),
        "permissions": list(permissions_of(actor)),
        "reach": [] if reach.everywhere else _scopes(reach),
        "bounds": {each: _scopes(held) for each, held in bounds.items() if not held.everywhere},
        "zone": Account.objects.filter(username=actor.name).values_list("shown_zone", flat=True).first()
        or "",
    }
