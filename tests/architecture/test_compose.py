"""The production shape in docker-compose.yml speaks of settings, queues and programs that exist."""

from __future__ import annotations

import json
from dataclasses import fields
from importlib.resources import files

import jsonschema_rs
import pytest
import yaml

from celery_worker.queues import QUEUES
from console.embedded.postgres import QUIET
from console.env import ROOT, Env

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OURS = [name for name, service in COMPOSE["services"].items() if service.get("image") == "switchyard:local"]


def test_the_file_is_what_the_compose_specification_says() -> None:
    schemas = files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((schemas / "compose-spec.json").read_text())
    found = jsonschema_rs.validator_for(schema).iter_errors(COMPOSE)
    assert [f"{error.instance_path}: {error.message}" for error in found] == []


def test_every_process_of_the_design_has_a_service() -> None:
    assert sorted(OURS) == ["beat", "migrate", "notifications", "switch", "web", "worker"]


@pytest.mark.parametrize("name", OURS)
def test_a_service_sets_only_documented_settings(name: str) -> None:
    known = {field.metadata["name"] for field in fields(Env)}
    assert set(COMPOSE["services"][name]["environment"]) <= known


def test_the_workers_together_take_every_queue_once() -> None:
    taken: list[str] = []
    for name in ("worker", "switch", "notifications"):
        command = COMPOSE["services"][name]["command"]
        taken += command[command.index("--queues") + 1].split(",")
    assert sorted(taken) == sorted(QUEUES)


@pytest.mark.parametrize("name", [name for name in OURS if name != "migrate"])
def test_a_process_waits_for_the_migration_and_the_broker(name: str) -> None:
    waits = COMPOSE["services"][name]["depends_on"]
    assert waits["migrate"] == {"condition": "service_completed_successfully"}
    assert waits["valkey"] == {"condition": "service_healthy"}


@pytest.mark.parametrize("service", COMPOSE["services"].values(), ids=COMPOSE["services"])
def test_no_secret_stands_in_the_file(service: dict) -> None:
    for name, value in service.get("environment", {}).items():
        if name.endswith(("PASSWORD", "SECRET_KEY")):
            assert value.startswith("${")


def test_the_log_of_the_database_holds_no_values() -> None:
    assert {f"-c{name}={value}" for name, value in QUIET.items()} <= set(
        COMPOSE["services"]["postgres"]["command"]
    )
