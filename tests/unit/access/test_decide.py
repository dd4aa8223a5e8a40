"""Who may do what: roles, scopes, four eyes, and the sentences that explain a refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrations_app.domain.access import (
    ANONYMOUS,
    PERMISSIONS,
    ROLES,
    SYSTEM,
    Actor,
    ActorKind,
    Grant,
    Target,
    actor_with,
    check_scopes,
    decide,
    permissions_of,
    require,
    roles_with,
)
from migrations_app.domain.granting import check_role
from migrations_app.kernel.errors import Denied, Invalid

SECRETS = Target("upgrade", "7", service="secrets.example.com", region="eu-1", requested_by="olga")


@pytest.mark.parametrize(
    ("role", "action", "allowed"),
    [
        ("viewer", "upgrade.read", True),
        ("viewer", "upgrade.plan", False),
        ("viewer", "audit.read", False),
        ("operator", "upgrade.switch", True),
        ("operator", "approval.vote", False),
        ("operator", "access.manage", False),
        ("approver", "approval.vote", True),
        ("approver", "upgrade.rollback", True),
        ("approver", "upgrade.plan", False),
        ("auditor", "audit.export", True),
        ("auditor", "resource.write", False),
        ("automation", "upgrade.switch", True),
        ("automation", "approval.vote", False),
        ("admin", "access.manage", True),
        ("admin", "approval.vote", True),
    ],
)
def test_a_role_carries_exactly_its_permissions(role: str, action: str, allowed: bool) -> None:
    assert decide(actor_with("ann", role), action, SECRETS).allowed is allowed


def test_the_asker_may_not_vote_whatever_role_or_token_is_held() -> None:
    token = Actor(ActorKind.TOKEN, "olga", grants=(Grant("admin"),), token="ci")
    for actor in (actor_with("olga", "admin", "approver"), token):
        decision = decide(actor, "approval.vote", SECRETS)
        assert (decision.allowed, decision.reason) == (
            False,
            "You asked for this; another person must decide.",
        )


def test_a_service_account_never_votes_not_even_as_admin() -> None:
    by_token = Actor(ActorKind.TOKEN, "ci", grants=(Grant("admin"),), service_account=True)
    assert not decide(by_token, "approval.vote", SECRETS).allowed
    assert not decide(actor_with("ci", "admin", kind=ActorKind.SERVICE), "approval.vote", SECRETS).allowed
    assert decide(by_token, "upgrade.switch", SECRETS).allowed


def test_the_system_does_its_work_but_neither_votes_nor_grants() -> None:
    assert decide(SYSTEM, "upgrade.switch", SECRETS).allowed
    assert not decide(SYSTEM, "approval.vote", SECRETS).allowed
    assert not decide(SYSTEM, "access.manage").allowed


def test_a_scope_bounds_a_role_and_the_refusal_names_it() -> None:
    actor = Actor(ActorKind.USER, "ann", grants=(Grant("operator", service="secrets.*", region="us-*"),))
    decision = decide(actor, "upgrade.switch", SECRETS)
    assert decision.reason == "Your access does not reach upgrade/7: you are operator of secrets.* @ us-*."
    there = Target("deployment", service="secrets.example.com", region="eu-1")
    assert decide(actor, "upgrade.switch", there).reason == (
        "Your access does not reach secrets.example.com @ eu-1: you are operator of secrets.* @ us-*."
    )
    assert decide(actor, "upgrade.switch", there).who_can == (
        "operator of secrets.example.com @ eu-1",
        "automation of secrets.example.com @ eu-1",
        "admin of secrets.example.com @ eu-1",
    )
    assert decide(actor, "upgrade.switch", Target("upgrade", "8", "secrets.example.com", "us-2")).allowed


def test_a_token_can_do_no_more_than_its_scopes_and_its_account() -> None:
    narrow = Actor(ActorKind.TOKEN, "ann", grants=(Grant("operator"),), scopes=("*.read",), token="ro")
    assert decide(narrow, "upgrade.read").allowed
    assert decide(narrow, "upgrade.plan").reason == "The token ro does not carry the scope upgrade.plan."
    wide = Actor(ActorKind.TOKEN, "ann", grants=(Grant("viewer"),), scopes=("*",))
    assert not decide(wide, "upgrade.plan").allowed


def test_a_refusal_says_who_can() -> None:
    with pytest.raises(Denied) as caught:
        require(actor_with("ann", "viewer"), "approval.vote", SECRETS)
    assert caught.value.who_can == ("approver", "admin")
    assert caught.value.message == "This needs approver or admin; you have viewer."
    assert caught.value.code == "denied"


def test_a_refusal_names_the_roles_that_were_made_and_asks_for_them_only_then() -> None:
    asked: list[str] = []

    def made() -> dict[str, tuple[str, ...]]:
        asked.append("made")
        return {"releaser": ("upgrade.switch", "upgrade.read"), "clerk": ("fleet.read",)}

    ann = replace(actor_with("ann", "viewer"), made=made)
    assert decide(ann, "fleet.read").allowed
    assert asked == []
    refused = decide(ann, "upgrade.switch")
    assert refused.who_can == ("operator", "automation", "admin", "releaser")
    assert refused.reason == "This needs operator or automation or admin or releaser; you have viewer."


def test_an_anonymous_caller_may_do_nothing() -> None:
    assert permissions_of(ANONYMOUS) == ()
    assert decide(ANONYMOUS, "fleet.read").reason == "Sign in first."


def test_every_permission_is_held_by_a_role_besides_admin_or_is_for_admins_alone() -> None:
    alone = {action for action in PERMISSIONS if roles_with(action) == ("admin",)}
    assert alone == {"access.manage", "deployment.evict", "policy.write"}


def test_an_admin_has_every_permission_and_a_viewer_only_sees() -> None:
    assert permissions_of(actor_with("ann", "admin")) == tuple(PERMISSIONS)
    seen = permissions_of(actor_with("ann", "viewer"))
    assert all(action.endswith(".read") or action == "token.own" for action in seen)
    assert len(seen) == 8


def test_unknown_roles_and_scopes_are_refused_with_a_remedy() -> None:
    assert [check_role(role) for role in ROLES] == list(ROLES)
    with pytest.raises(Invalid, match="There is no role 'root'"):
        check_role("root")
    assert check_scopes(("*.read", "upgrade.plan")) == ("*.read", "upgrade.plan")
    with pytest.raises(Invalid, match="names no permission"):
        check_scopes(("upgrade.fly",))


def test_an_unknown_role_in_a_binding_grants_nothing() -> None:
    assert not decide(actor_with("ann", "wizard"), "fleet.read").allowed
