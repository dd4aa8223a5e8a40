"""The alerts and the dashboard of deploy/ ask /metrics for what it says, with the labels that it has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import yaml
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from console.env import ROOT
from migrations_app import wiring
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.models.sync import SyncScan
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import client_of
from tests.integration.upgrades.conftest import EU, OLGA
from tests.integration.upgrades.conftest import fleet as fleet

RULES = yaml.safe_load((ROOT / "deploy" / "prometheus" / "switchyard.rules.yml").read_text())
OBJECTIVES = yaml.safe_load((ROOT / "deploy" / "prometheus" / "switchyard.slo.rules.yml").read_text())
ALL = [rule for document in (RULES, OBJECTIVES) for group in document["groups"] for rule in group["rules"]]
ALERTS = [rule for rule in ALL if "alert" in rule]
RECORDED = {rule["record"]: rule["expr"] for rule in ALL if "record" in rule}
RECORDING = re.compile(r"\bswitchyard:[a-z_:]+")
BOARD = json.loads((ROOT / "deploy" / "grafana" / "switchyard.json").read_text())
METRIC = re.compile(r"\b(?:switchyard|django)_[a-z_]+")
LABELS = re.compile(r"\bby \(([a-z_, ]+)\)")
MATCHED = re.compile(r"\{([a-z_]+)=")


def queries() -> Iterator[str]:
    yield from RECORDED.values()
    yield from (alert["expr"] for alert in ALERTS if not RECORDING.search(alert["expr"]))
    yield from (target["expr"] for panel in BOARD["panels"] for target in panel["targets"])


@pytest.mark.django_db
def test_every_query_asks_for_a_metric_and_labels_that_are_there(fleet: None) -> None:
    plan_upgrade(OLGA, UpgradeSpec(EU, "v1"))
    client = client_of("ann", "viewer")
    client.get("/api/v1/session")
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = list(text_string_to_metric_families(answer.content.decode()))
    known = {sample.name for family in families for sample in family.samples} | {one.name for one in families}
    labels = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    asked = list(queries())
    assert len(asked) > 20
    for query in asked:
        names = METRIC.findall(query)
        assert names, query
        assert set(names) <= known, query
        wanted = {label.strip() for group in LABELS.findall(query) for label in group.split(",")}
        for name in names:
            if name in labels:
                assert wanted | set(MATCHED.findall(query)) <= labels[name], query
        for opening, closing in ("()", "{}", "[]"):
            assert query.count(opening) == query.count(closing), query


@pytest.mark.django_db
def test_the_age_of_the_comparison_is_that_of_its_oldest_shard_once_all_have_one(fleet: None) -> None:
    plan_upgrade(OLGA, UpgradeSpec(EU, "v1"))
    row = Upgrade.objects.get()
    Upgrade.objects.filter(pk=row.pk).update(freeze_ms=1500.0)
    client = client_of("ann", "viewer")

    def figures() -> dict[str, float]:
        families = text_string_to_metric_families(client.get("/metrics").content.decode())
        wanted = ("switchyard_upgrade_compared_age_seconds", "switchyard_upgrade_freeze_seconds")
        return {one.name: one.value for each in families for one in each.samples if one.name in wanted}

    now = timezone.now()
    for shard in range(row.ring - 1):
        SyncScan.objects.create(upgrade=row.pk, direction="forward", shard=shard, passed_at=now)
    assert figures() == {"switchyard_upgrade_freeze_seconds": 1.5}

    passed_at = now - timedelta(minutes=40)
    SyncScan.objects.create(upgrade=row.pk, direction="forward", shard=row.ring - 1, passed_at=passed_at)
    assert 2400 <= figures()["switchyard_upgrade_compared_age_seconds"] < 2500


def test_every_figure_of_upgrades_and_work_is_on_the_dashboard_or_in_an_alert() -> None:
    text = "\n".join(queries())
    for name in ("progress_percent", "lag_seconds", "shards_unknown", "quarantined_resources", "blockages"):
        assert f"switchyard_upgrade_{name}" in text


def test_each_objective_is_recorded_and_has_a_fast_and_a_slow_alert() -> None:
    asked = [(alert["alert"], set(RECORDING.findall(alert["expr"]))) for alert in ALERTS]
    burning = [(name, names.pop()) for name, names in asked if names]
    assert sorted({recorded for _, recorded in burning}) == sorted(RECORDED)
    for recorded in RECORDED:
        assert sorted(name[-4:] for name, of in burning if of == recorded) == ["Fast", "Slow"], recorded


def test_every_alert_names_a_runbook_that_exists() -> None:
    headings = re.findall(r"(?m)^## (\S+)$", (ROOT / "docs" / "how-to" / "runbooks.md").read_text())
    assert len({alert["alert"] for alert in ALERTS}) == len(ALERTS)
    for alert in ALERTS:
        assert alert["annotations"]["runbook"] in headings, alert["alert"]
        assert alert["annotations"]["summary"].endswith("."), alert["alert"]
        assert alert["labels"]["severity"] in ("warning", "critical"), alert["alert"]


def test_a_panel_has_a_number_and_a_place_of_its_own() -> None:
    panels = BOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(taken)) == len(taken)


@pytest.mark.django_db
def test_the_chart_scales_each_pool_by_the_classes_that_its_queues_work_on() -> None:
    values = yaml.safe_load((ROOT / "deploy" / "helm" / "switchyard" / "values.yaml").read_text())
    text = client_of("ann", "viewer").get("/metrics").content.decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    late = {
        sample.labels["work_class"] for sample in samples if sample.name == values["autoscaling"]["metric"]
    }
    pools = list(values["workers"].values())
    assert sorted(name for pool in pools for name in pool["classes"]) == sorted(late)
    for controller in wiring.controllers().values():
        (pool,) = [pool for pool in pools if controller.queue in pool["queues"]]
        # Upkeep is done in several queues; most of it in that of housekeeping, which is scaled by it.
        assert controller.work_class.value in {*pool["classes"], "upkeep"}, controller
