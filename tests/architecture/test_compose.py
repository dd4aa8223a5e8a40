"""The production shape in docker-compose.yml speaks of settings, queues and programs that exist."""

from __future__ import annotations

import json
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import jsonschema_rs
import pytest
import yaml

from celery_worker.queues import QUEUES
from console.compose_secrets import write_secrets
from console.embedded.postgres import QUIET
from console.env import ROOT, Env
from migrations_app.adapters.database_roles import DatabaseAddress

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OURS = [name for name, service in COMPOSE["services"].items() if service.get("image") == "switchyard:local"]


def test_the_file_is_what_the_compose_specification_says() -> None:
    schemas = files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((schemas / "compose-spec.json").read_text())
    found = jsonschema_rs.validator_for(schema).iter_errors(COMPOSE)
    assert [f"{error.instance_path}: {error.message}" for error in found] == []


def test_every_process_of_the_design_has_a_service() -> None:
    assert sorted(OURS) == ["beat", "grpc", "migrate", "notifications", "switch", "web", "worker"]


@pytest.mark.parametrize("name", OURS)
def test_a_service_sets_only_documented_settings(name: str) -> None:
    known = {field.metadata["name"] for field in fields(Env)}
    given = COMPOSE["services"][name]["environment"]
    assert {setting.removesuffix("_FILE") for setting in given} <= known


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


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_secrets_are_files_and_stand_in_no_environment_or_command(name: str) -> None:
    service = COMPOSE["services"][name]
    secret = ("PASSWORD", "KEY", "_URL", "_URLS", "TOKEN", "SECRET")
    for setting, value in service.get("environment", {}).items():
        if setting.removesuffix("_FILE").endswith(secret):
            assert setting.endswith("_FILE"), setting
            assert value.removeprefix("/run/secrets/") in service["secrets"], setting
    assert set(service.get("secrets", ())) <= set(COMPOSE["secrets"])
    assert "requirepass" not in " ".join(service.get("command", ()))


def test_the_files_that_are_mounted_are_those_that_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    names = {Path(secret["file"]).name for secret in COMPOSE["secrets"].values()}
    assert set(write_secrets(folder, {"POSTGRES_PASSWORD": "of before"})) == names
    texts = {name: (folder / name).read_text().strip() for name in names}
    assert texts["postgres_password"] == "of before"
    assert DatabaseAddress.of(texts["owner_url"]).password == "of before"
    assert (
        texts["valkey_url"] == f"redis://:{texts['valkey_conf'].removeprefix('requirepass ')}@valkey:6379/0"
    )
    assert folder.stat().st_mode & 0o777 == 0o700
    assert write_secrets(folder, {}) == []
    assert {name: (folder / name).read_text().strip() for name in names} == texts
    addresses = [DatabaseAddress.of(texts["owner_url"]), DatabaseAddress.of(texts["application_url"])]
    addresses.append(DatabaseAddress.of(texts["data_urls"].removeprefix("default=")))
    assert (
        len({address.role for address in addresses}) == len({address.password for address in addresses}) == 3
    )


def test_only_the_migration_works_as_the_owner() -> None:
    owners = [
        name for name in OURS if "SWITCHYARD_OWNER_URL_FILE" in COMPOSE["services"][name]["environment"]
    ]
    assert owners == ["migrate"]
    assert [name for name in OURS if "owner_url" in COMPOSE["services"][name]["secrets"]] == ["migrate"]


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_service_is_confined(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] > 0
    assert service["mem_limit"]
    assert any(str(place).startswith("/tmp") for place in service["tmpfs"])
    # The servers' images begin as root and become a user; ours never is root.
    assert bool(service.get("cap_add")) == (name in ("postgres", "valkey"))


def test_the_databases_are_on_a_network_of_their_own_and_the_console_on_this_machine_alone() -> None:
    services = COMPOSE["services"]
    assert COMPOSE["networks"]["databases"] == {"internal": True}
    assert {name for name, service in services.items() if service["networks"] == ["databases"]} == {
        "postgres", "valkey", "migrate",
    }  # fmt: skip
    assert {name: service["ports"] for name, service in services.items() if "ports" in service} == {
        "web": ["${SWITCHYARD_PUBLISH:-127.0.0.1:8000}:8000"],
        "grpc": ["${SWITCHYARD_GRPC_PUBLISH:-127.0.0.1:8001}:8001"],
    }


def test_the_log_of_the_database_holds_no_values() -> None:
    assert {f"-c{name}={value}" for name, value in QUIET.items()} <= set(
        COMPOSE["services"]["postgres"]["command"]
    )
