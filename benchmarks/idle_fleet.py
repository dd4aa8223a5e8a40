"""A fleet of many services for the benchmark of installations at rest: copies of the example fleet, in many regions.

Every copy keeps the imports of the example, so that its deployments have read copies, references and syncing metadata as
those of the example have. Everything is applied at once in one process, not by requests.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psycopg
import yaml

from benchmarks.readings import environment_of
from console.demo.stand import environment
from console.env import ROOT

REST_SECONDS = 15.0
REST_SLICES_PER_SECOND = 5.0
LONGEST_SECONDS = 1800.0
SLICES = "SELECT coalesce(sum(slices), 0)::bigint FROM switchyard_workaccount"
EXAMPLE = ROOT / "examples" / "fleet"
SUFFIX = ".example.com"


def write_fleet(folder: Path, deployments: int, regions: int) -> int:
    """Write a fleet file and its folders of services; tell how many deployments they have, at least those asked for."""
    example = yaml.safe_load((EXAMPLE / "fleet.yaml").read_text())
    versions = {each["service"]: each["deployment"] for each in example["deployments"]}
    names = [f"region-{number + 1}" for number in range(regions)]
    copies = -(-deployments // (regions * len(versions)))
    services, placed = [], []
    for number in range(1, copies + 1):
        for name in example["services"]:
            services.append(f"{name}{number:03}")
            _copy(EXAMPLE / name, folder / services[-1], number)
        placed += [
            {"service": _numbered(service, number), "regions": names, "deployment": deployment}
            for service, deployment in versions.items()
        ]
    fleet = {"regions": [{"region": name} for name in names], "services": services, "deployments": placed}
    (folder / "fleet.yaml").write_text(yaml.safe_dump(fleet))
    return len(placed) * regions


def apply(home: Path, deployments: int, regions: int) -> dict[str, float]:
    """Apply such a fleet to a running installation in a process of its own, and tell how long that takes."""
    with tempfile.TemporaryDirectory(prefix="switchyard-fleet-") as folder:
        count = write_fleet(Path(folder), deployments, regions)
        began = time.monotonic()
        command = [sys.executable, "-m", "benchmarks.idle_fleet", folder]
        settings = environment(home) | {"DJANGO_SETTINGS_MODULE": "console.settings"}
        subprocess.run(command, env=settings, cwd=ROOT, check=True, stdout=sys.stderr)
    return {
        "deployments": count,
        "regions": regions,
        "applied_within_seconds": round(time.monotonic() - began, 1),
    }


def wait_for_rest(home: Path) -> float:
    """Wait until the workers find little to do, and tell how long that took."""
    began = time.monotonic()
    with psycopg.connect(environment_of(home)["DATABASE_URL"], autocommit=True) as connection:
        before = _slices(connection)
        while time.monotonic() - began < LONGEST_SECONDS:
            time.sleep(REST_SECONDS)
            after = _slices(connection)
            if after - before < REST_SLICES_PER_SECOND * REST_SECONDS:
                break
            before = after
    return round(time.monotonic() - began, 1)


def _slices(connection: psycopg.Connection[tuple[int]]) -> int:
    row = connection.execute(SLICES).fetchone()
    return row[0] if row else 0


def _numbered(text: str, number: int) -> str:
    return text.replace(SUFFIX, f"{number:03}{SUFFIX}")


def _copy(source: Path, target: Path, number: int) -> None:
    shutil.copytree(source, target)
    for file in target.rglob("*.yaml"):
        file.write_text(_numbered(file.read_text(), number))


def main() -> None:
    """Apply the fleet in the folder that is named."""
    import django

    django.setup()
    from migrations_app.control.registry.commands.apply_fleet import apply_fleet
    from migrations_app.domain.access import SYSTEM

    applied = apply_fleet(SYSTEM, sys.argv[1])
    print(f"{len(applied.services)} services, {len(applied.deployments)} deployments", flush=True)


if __name__ == "__main__":
    main()
