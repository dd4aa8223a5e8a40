"""Fills a running installation with resources, and with upgrades in several states: `make seed`, beside `make dev`.

.venv/bin/python development_fleet.py [--resources 200]

`make dev` and `make up` register the example fleet, which has no resources. Afterwards one upgrade of its secrets is
planned, one waits for votes, and one has switched and can be rolled back. Everything is done as people do it, by
`swy data` and over the REST API.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import bootstrap
from console.demo.people import People
from console.env import current_env
from switchyard_client import models

FLEET = Path("examples") / "fleet"
SECRETS = "services/secrets.example.com/deployments"
PLANNED, WAITING, SWITCHED = "eu-west1", "us-east2", "ap-south3"
"""Where each upgrade of the secrets is."""
WORDS = {"PLANNED": "is planned", "READY": "waits for two votes", "REVERSIBLE": "has switched"}


class DevelopmentFleet:
    """The example fleet of the installation in a folder."""

    def __init__(self, home: Path, resources: int) -> None:
        self._people = People(home, lambda seen: None)
        self._resources = resources
        kept = json.loads((home / "credentials.json").read_text())
        token = kept["accounts"]["operator"]["token"]
        self._environment = os.environ | {"SWITCHYARD_URL": kept["url"], "SWITCHYARD_TOKEN": token}

    def has_upgrades(self) -> bool:
        """Tell whether somebody works with it already."""
        return bool(self._people.operator.upgrades(limit=1).value.items)

    def write_resources(self) -> None:
        """Write projects and users, then secrets in every region and devices, each region below a project of its own."""
        self._generate("iam", PLANNED, "")
        for number, region in enumerate((PLANNED, WAITING, SWITCHED)):
            self._generate("secrets", region, f"projects/p{number}")
        self._generate("devices", PLANNED, "projects/p0")

    def _generate(self, service: str, region: str, under: str) -> None:
        command = [sys.executable, "-m", "console.cli", "data", "generate", str(FLEET / service)]
        command += [
            "--region",
            region,
            "--count",
            str(self._resources),
            *(["--under", under] if under else []),
        ]
        subprocess.run(command, cwd=bootstrap.ROOT, env=self._environment, check=True)

    def plan_upgrades(self) -> list[str]:
        """Bring three upgrades to three states; give what each is like."""
        switched, _ = self._people.plan(f"{SECRETS}/{SWITCHED}", "v1")
        waiting, _ = self._people.plan(f"{SECRETS}/{WAITING}", "v1")
        planned = models.NewUpgradeRequest(deployment=f"{SECRETS}/{PLANNED}", target_version="v1")
        answer = self._people.operator.plan_upgrade(planned).value
        assert isinstance(answer, models.Upgrade)
        for upgrade in (switched, waiting):
            self._people.wait(upgrade, "READY")
        tag = self._people.operator.upgrade(waiting).etag
        comment = {"comment": "A change to look at."}
        self._people.operator.request_approval_upgrade(waiting, comment, if_match=tag)
        self._people.approve(switched)
        self._people.insist(switched, "switch", "REVERSIBLE")
        # On a busy machine an upgrade that was ready may fall behind for a moment.
        states = {answer.id: "PLANNED", waiting: "READY", switched: "REVERSIBLE"}
        return [
            f"{upgrade} {WORDS[self._people.wait(upgrade, state)['state']]}"
            for upgrade, state in states.items()
        ]


def main() -> None:
    """Fill the installation that runs here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resources", type=int, default=200, help="of each service in each region")
    options = parser.parse_args()
    home = current_env().home
    if not (home / "credentials.json").is_file():
        bootstrap.fail("nothing runs here. Start `make dev` or `make up`, and run this beside it.")
    fleet = DevelopmentFleet(home, options.resources)
    if fleet.has_upgrades():
        bootstrap.fail("this installation has upgrades already. `make seed` fills one that is new.")
    fleet.write_resources()
    for line in fleet.plan_upgrades():
        print(f"  {line}")


if __name__ == "__main__":
    main()
