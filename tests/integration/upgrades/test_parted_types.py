"""Upgrades between versions of which one parts what is one type in the other: refused before anything is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.actions.apply_deployment import apply_deployment
from migrations_app.actions.apply_region import apply_region
from migrations_app.actions.apply_service import apply_service
from migrations_app.actions.plan_upgrade import Wish, plan_upgrade
from migrations_app.kernel.errors import Conflict
from migrations_app.models.upgrades import Upgrade
from tests.integration.upgrades.conftest import OLGA, ROOT

DELIVERY = Path(__file__).resolve().parents[3] / "examples" / "delivery"
DEPLOYMENT = "services/delivery.example.com/deployments/eu-1"


@pytest.mark.django_db
@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.parametrize(
    ("current", "target", "said"),
    [
        ("v1", "v2", "Target of v1 is HttpTarget or QueueTarget in v2"),
        ("v2", "v1", "Channel of v2 is EmailChannel or PagerChannel in v1"),
    ],
)
def test_an_upgrade_that_would_part_a_type_is_refused_when_it_is_planned(
    current: str, target: str, said: str, dry_run: bool
) -> None:
    files = {
        one.relative_to(DELIVERY).as_posix(): one.read_bytes() for one in DELIVERY.rglob("*") if one.is_file()
    }
    apply_region(ROOT, "eu-1")
    apply_service(ROOT, files)
    apply_deployment(ROOT, DEPLOYMENT, {"currentVersion": current})

    with pytest.raises(Conflict, match=said) as refused:
        plan_upgrade(OLGA, Wish(DEPLOYMENT, target), dry_run=dry_run)

    assert refused.value.code == "plan-parted-type"
    assert "Keep " in refused.value.remedy
    assert not Upgrade.objects.exists()
