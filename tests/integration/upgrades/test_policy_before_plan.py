"""No account gains votes by weakening a policy first and planning afterwards, whatever the order and the account."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import policy_of_upgrade
from migrations_app.control.approvals.commands.apply_policy import apply_policy, delete_policy
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose, Scope
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import make_account, token_of
from tests.integration.upgrades.conftest import EU, SERVICE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
MALLORY = actor_with("mallory", "admin", "operator")
ROOT = actor_with("root", "admin")
WEAK = Policy("own", Purpose.SWITCH, Scope(SERVICE, "eu-1"), needed=0)
STRICT = replace(WEAK, needed=3)


def needed(planner: Actor = MALLORY, hours: float = 0.0) -> int:
    """Plan an upgrade, so many hours after what happened until now, and tell how many votes it takes."""
    upgrade = plan_upgrade(planner, UpgradeSpec(EU, "v1")).upgrade_id
    later = timezone.now() + timedelta(hours=hours)
    Upgrade.objects.filter(pk=upgrade).update(created_at=later)
    return policy_of_upgrade(Upgrade.objects.get(pk=upgrade), Purpose.SWITCH).total


def test_a_policy_that_the_planner_made_weaker_before_does_not_count_for_the_plan() -> None:
    apply_policy(MALLORY, WEAK)

    assert needed() == 2


def test_what_a_policy_asked_for_before_counts() -> None:
    apply_policy(ROOT, STRICT)
    apply_policy(MALLORY, replace(WEAK, needed=1))
    apply_policy(MALLORY, WEAK)

    assert needed() == 3


def test_a_policy_that_the_planner_removed_still_counts_for_the_plan() -> None:
    apply_policy(ROOT, STRICT)
    delete_policy(MALLORY, "own")

    assert needed() == 3


def test_a_policy_that_the_planner_moved_out_of_the_way_still_counts() -> None:
    apply_policy(ROOT, STRICT)
    apply_policy(MALLORY, replace(STRICT, scope=Scope(SERVICE, "us-1")))

    assert needed() == 3


def test_another_account_that_the_planner_may_act_as_gains_nothing() -> None:
    make_account("zed", "admin")
    # The maker of a token may act as its account.
    token_of("zed")
    apply_policy(MALLORY, WEAK)
    borrowed = replace(actor_with("zed", "admin", "operator"), token_maker="mallory")

    assert needed(borrowed) == 2


@pytest.mark.parametrize("changer", [ROOT, MALLORY])
def test_a_policy_that_another_person_changed_last_or_long_ago_counts_as_it_is(changer: Actor) -> None:
    apply_policy(MALLORY, WEAK)
    apply_policy(changer, WEAK)

    assert needed(hours=25 if changer is MALLORY else 0) == 0


def test_a_policy_that_the_planner_made_stricter_counts() -> None:
    apply_policy(MALLORY, STRICT)

    assert needed() == 3


def test_a_weaker_policy_counts_for_plans_of_others() -> None:
    apply_policy(MALLORY, WEAK)

    assert needed(actor_with("olga", "operator")) == 0
