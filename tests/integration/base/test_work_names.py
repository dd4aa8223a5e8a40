"""Work of every controller has a name in the console: by its controller, or by its key where an installation has one."""

from __future__ import annotations

import re

import pytest

from console.env import ROOT
from migrations_app import wiring
from migrations_app.engine.controller import DueKey

NAMES = (ROOT / "frontend" / "src" / "pages" / "health" / "workNames.ts").read_text()
ONE_OF_A_KIND = (
    "health",
    "housekeeping",
    "ledger",
    "log-retention",
    "mirror",
    "prune",
    "registry",
    "registry-watch",
    "upgrade-blockages",
)
"""Controllers whose keys are chores of an installation."""


def named(table: str) -> set[str]:
    """Read the keys of a table of the console."""
    (body,) = re.findall(rf"const {table}: [^=]*= \{{\n(.*?)\n\}};", NAMES, re.DOTALL)
    return {key.strip('"') for key in re.findall(r'^  ("[^"]+"|[\w]+):', body, re.MULTILINE)}


def test_work_of_every_controller_has_a_name() -> None:
    controllers = {*wiring.controllers()}
    assert controllers & {*ONE_OF_A_KIND} == controllers - named("NAMERS")
    assert named("NAMERS") <= controllers
    assert {key.split("/")[0] for key in named("CHORES")} == {*ONE_OF_A_KIND}


@pytest.mark.django_db
def test_every_chore_has_a_name() -> None:
    for name in ONE_OF_A_KIND:
        if name not in wiring.controllers():
            continue
        due = [key.key if isinstance(key, DueKey) else key for key in wiring.controllers()[name].due()]
        assert {f"{name}/{key}" for key in due} <= named("CHORES")
