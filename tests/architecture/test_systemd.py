"""The systemd units of deploy/: processes, settings and directives that exist, each confined; checked by systemd where it is."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from celery_worker.queues import QUEUES
from console.env import ROOT, Env

FOLDER = ROOT / "deploy" / "systemd"
UNITS = sorted(FOLDER.glob("*"))
SERVICES = [path for path in UNITS if path.suffix == ".service"]
PROGRAMS = "/opt/switchyard/bin"
DIRECTIVES = {
    "Unit": {"Description", "After", "Wants", "PartOf"},
    "Service": {
        "Type", "ExecStart", "Restart", "RestartSec", "RemainAfterExit", "TimeoutStartSec", "TimeoutStopSec", "KillMode",
        "MemoryMax", "TasksMax", "LimitNOFILE", "LoadCredential", "Environment", "EnvironmentFile", "User", "Group",
        "WorkingDirectory", "StateDirectory", "StateDirectoryMode", "UMask", "NoNewPrivileges", "CapabilityBoundingSet",
        "AmbientCapabilities", "ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices", "ProtectClock",
        "ProtectControlGroups", "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables",
        "ProtectProc", "ProcSubset", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID",
        "RestrictAddressFamilies", "LockPersonality", "RemoveIPC", "SystemCallArchitectures", "SystemCallFilter",
        "SystemCallErrorNumber",
    },
    "Install": {"WantedBy"},
}  # fmt: skip
"""What systemd.unit(5), systemd.service(5), systemd.exec(5) and systemd.resource-control(5) call them, by section."""
CONFINED = {
    "NoNewPrivileges": "yes",
    "CapabilityBoundingSet": "",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "RestrictNamespaces": "yes",
    "RestrictSUIDSGID": "yes",
    "RestrictAddressFamilies": "AF_INET AF_INET6 AF_UNIX",
    "SystemCallArchitectures": "native",
    "User": "switchyard",
    "UMask": "0077",
}
MOST_EXPOSED = 20
"""Of 100, as `systemd-analyze security` counts: a service without any of these directives has 96."""


def lines_of(unit: Path) -> list[tuple[str, str, str]]:
    """Read a unit: section, directive and value of each line, in their order."""
    section, found = "", []
    for line in unit.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            section = heading[1]
            continue
        name, sign, value = line.partition("=")
        assert sign, f"{unit.name}: {line}"
        found.append((section, name, value))
    return found


def values_of(unit: Path, directive: str) -> list[str]:
    return [value for _, name, value in lines_of(unit) if name == directive]


def environment_of(unit: Path) -> dict[str, str]:
    pairs = [pair for value in values_of(unit, "Environment") for pair in shlex.split(value)]
    return dict(pair.split("=", 1) for pair in pairs)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_uses_documented_directives_in_their_section(unit: Path) -> None:
    unknown = [line for line in lines_of(unit) if line[1] not in DIRECTIVES.get(line[0], set())]
    assert unknown == []


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_a_service_is_confined(unit: Path) -> None:
    for directive, value in CONFINED.items():
        assert values_of(unit, directive) == [value], directive
    assert values_of(unit, "SystemCallFilter") == ["@system-service", "~@privileged @resources"]
    assert values_of(unit, "MemoryMax") != []


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_settings_are_known_and_secrets_are_credentials(unit: Path) -> None:
    known = {field.metadata["name"] for field in fields(Env)} | {"DJANGO_SETTINGS_MODULE"}
    environment = environment_of(unit)
    assert {name.removesuffix("_FILE") for name in environment} <= known
    credentials = [value.partition(":")[0] for value in values_of(unit, "LoadCredential")]
    files = [value for name, value in environment.items() if name.endswith("_FILE")]
    assert sorted(files) == sorted(f"%d/{name}" for name in credentials)
    assert ("owner_url" in credentials) == (unit.name == "switchyard-migration.service")
    assert [name for name in environment if name.endswith(("_URL", "_URLS", "KEY"))] == []


def test_the_units_run_what_compose_runs() -> None:
    modules, programs = set(), set()
    for unit in SERVICES:
        for value in values_of(unit, "ExecStart"):
            command = shlex.split(value)
            programs.add(command[0])
            modules |= {
                command[2] if command[1] == "-m" else part.removeprefix("--app=")
                for part in command[1:2]
                if part == "-m" or part.startswith("--app=")
            }
    assert programs == {f"{PROGRAMS}/{name}" for name in ("python", "celery", "switchyard")}
    assert modules == {"console.web_server", "console.grpc_server", "celery_worker.app"}
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["migrate"]["command"][-1]
    migration = values_of(FOLDER / "switchyard-migration.service", "ExecStart")
    commands = [command.replace(f"{PROGRAMS}/switchyard", "python manage.py") for command in migration]
    assert " && ".join(commands) == compose


def test_the_target_starts_a_worker_of_every_queue_and_all_other_processes() -> None:
    wanted = [name for value in values_of(FOLDER / "switchyard.target", "Wants") for name in value.split()]
    workers = [f"switchyard-worker@{queue}.service" for queue in QUEUES]
    others = [
        unit.name for unit in SERVICES if "@" not in unit.name and unit.name != "switchyard-migration.service"
    ]
    assert sorted(wanted) == sorted(workers + others)


@pytest.fixture
def installed(tmp_path: Path) -> list[str]:
    """Units whose programs exist, and a worker of one queue."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("python", "celery", "switchyard"):
        (programs / name).symlink_to("/bin/true")
    units = tmp_path / "units"
    units.mkdir()
    for unit in UNITS:
        (units / unit.name).write_text(unit.read_text().replace(PROGRAMS, str(programs)))
    names = [name.name.replace("@.", "@sync.") for name in UNITS]
    return [str(units / name) for name in names]


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning", "SYSTEMD_COLORS": "0"}
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, check=False, env=environment
    )


needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine"
)


@needs_systemd
def test_systemd_finds_no_fault_in_a_unit(installed: list[str]) -> None:
    checked = analyze("verify", "--man=no", "--recursive-errors=no", *installed)
    assert (checked.returncode, checked.stderr) == (0, "")


@needs_systemd
def test_systemd_counts_a_service_as_little_exposed(installed: list[str]) -> None:
    services = [unit for unit in installed if unit.endswith(".service")]
    for unit in services:
        path = Path(unit.replace("@sync.", "@."))
        checked = analyze("security", "--offline=yes", f"--threshold={MOST_EXPOSED}", "--no-pager", str(path))
        assert checked.returncode == 0, checked.stdout + checked.stderr
