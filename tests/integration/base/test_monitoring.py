"""The alerts and the dashboard of deploy/ ask /metrics for what it says, with the labels that it has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from console.env import ROOT
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from tests.factories.access import client_of
from tests.integration.upgrades.conftest import EU, OLGA
from tests.integration.upgrades.conftest import fleet as fleet

RULES = yaml.safe_load((ROOT / "deploy" / "prometheus" / "switchyard.rules.yml").read_text())
ALERTS = [rule for group in RULES["groups"] for rule in group["rules"]]
BOARD = json.loads((ROOT / "deploy" / "grafana" / "switchyard.json").read_text())
METRIC = re.compile(r"\b(?:switchyard|django)_[a-z_]+")
LABELS = re.compile(r"\bby \(([a-z_, ]+)\)")
MATCHED = re.compile(r"\{([a-z_]+)=")


def queries() -> Iterator[str]:
    yield from (alert["expr"] for alert in ALERTS)
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


def test_every_figure_of_upgrades_and_work_is_on_the_dashboard_or_in_an_alert() -> None:
    text = "\n".join(queries())
    for name in ("progress_percent", "lag_seconds", "shards_unknown", "quarantined_resources", "blockages"):
        assert f"switchyard_upgrade_{name}" in text


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
