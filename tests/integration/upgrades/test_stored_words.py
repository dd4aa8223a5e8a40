"""Rows of an installation that used the words of before get those of the glossary, and back."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = [("switchyard", "0059_declared_sets")]
AFTER = [("switchyard", "0060_glossary_words")]
OLD_CHECKS = [{"check": "shards-level", "verdict": "pass"}, {"check": "price", "verdict": "warn"}]
NEW_CHECKS = [
    {"check": "shards-caught-up", "verdict": "pass"},
    {"check": "downgrade-loss", "verdict": "warn"},
]


@pytest.mark.django_db(transaction=True)
def test_stored_names_of_checks_states_and_policy_fields_are_migrated_and_back() -> None:
    latest = [
        key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "switchyard"
    ]
    try:
        executor = MigrationExecutor(connection)
        executor.migrate(BEFORE)
        old = executor.loader.project_state(BEFORE).apps.get_model
        policy = old("switchyard", "ApprovalPolicy").objects.create(
            name="careful", purpose="switch", about={"without_way_back": True}, updated_by="root"
        )
        upgrade = old("switchyard", "Upgrade").objects.create(
            id="u1", plan={}, checks=OLD_CHECKS, waived=["parked"], freeze_ms=None
        )
        upgrade.lines.create(at="2026-11-01T00:00:00Z", who="ann", kind="thaw", text="v1 goes on.")
        place = {"upgrade": "u1", "direction": "forward", "shard": 0, "type": "Queue"}
        old("switchyard", "ParkedResource").objects.create(**place, name="queues/a", revision=1, error="no")
        old("switchyard", "Work").objects.create(
            controller="sync", key="u1/0", parked_at="2026-11-01T00:00:00Z", parked_code="no"
        )

        old("switchyard", "Webhook").objects.create(
            id="w1", name="team", events=["upgrade.level", "upgrade.*"], created_by="root"
        )

        executor = MigrationExecutor(connection)
        executor.migrate(AFTER)
        new = executor.loader.project_state(AFTER).apps.get_model
        assert new("switchyard", "ApprovalPolicy").objects.get(pk=policy.pk).about == {
            "without_rollback": True
        }
        migrated = new("switchyard", "Upgrade").objects.get()
        assert (migrated.checks, migrated.waived) == (NEW_CHECKS, ["quarantined"])
        assert migrated.lines.get().kind == "writes-resumed"
        assert new("switchyard", "QuarantineEntry").objects.get().state == "quarantined"
        assert new("switchyard", "Webhook").objects.get().events == ["upgrade.caught-up", "upgrade.*"]
        assert new("switchyard", "Work").objects.get().quarantined_code == "no"

        MigrationExecutor(connection).migrate(BEFORE)
        upgrade.refresh_from_db()
        policy.refresh_from_db()
        assert (upgrade.checks, upgrade.waived) == (OLD_CHECKS, ["parked"])
        assert policy.about == {"without_way_back": True}
    finally:
        MigrationExecutor(connection).migrate(latest)


@pytest.mark.django_db
def test_an_upgrade_that_was_rolled_back_gets_both_pauses_of_writes_from_its_timeline() -> None:
    for name, state, pauses in (("u1", "REVERTED", (71.0, 172.5)), ("u2", "REVERSIBLE", (90.0,))):
        upgrade = apps.get_model("switchyard", "Upgrade").objects.create(
            id=name, plan={}, state=state, freeze_ms=pauses[-1]
        )
        for pause in pauses:
            upgrade.lines.create(
                at="2026-11-01T00:00:00Z", who="ann", kind="flip", text="", details={"freeze_ms": pause}
            )
    import_module("migrations_app.migrations.0080_pause_of_a_rollback").separate(apps, None)
    rows = apps.get_model("switchyard", "Upgrade").objects.order_by("id")
    assert list(rows.values_list("freeze_ms", "rollback_freeze_ms")) == [(71.0, 172.5), (90.0, None)]
