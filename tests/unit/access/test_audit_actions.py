"""Every action and kind that the code writes into the audit ledger has a title, which the catalogue has."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

import pytest

from console.env import ROOT
from console.generated_pages.server_texts import CATALOGUE
from migrations_app.domain.access import ActorKind, Target
from migrations_app.domain.approvals.votes import VoteVerdict
from migrations_app.domain.audit_actions import ACTION_TITLES, KIND_TITLES, action_title, kind_title
from migrations_app.domain.switch.milestones import Milestone
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.domain.sync.quarantine import QuarantineState
from migrations_app.ports.upgrades import DirectorRequest

WRITERS = frozenset(
    {
        "record",
        "note_action",
        "change",
        "change_definition_rollout",
        "change_deployment",
        "begin_round",
        "_recorded",
        "_note",
    }
)
TEXTS = json.loads(CATALOGUE.read_text())


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Give every call in the product with the name of what is called."""
    for path in sorted((ROOT / "migrations_app").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = node.func
                yield getattr(called, "id", getattr(called, "attr", "")), node


def texts_in(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        for part in (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part.value


def test_every_action_that_is_written_has_a_title() -> None:
    written = {
        text
        for called, node in calls()
        if called in WRITERS
        for text in texts_in(node.args)
        if "." in text and text.replace(".", "").replace("-", "").replace("_", "").isalpha()
    }
    assert len(written) > 90
    assert sorted(written - {*ACTION_TITLES}) == []


@pytest.mark.parametrize(
    "action",
    [
        *(f"upgrade.{event.value}" for event in UpgradeEvent),
        *(f"upgrade.{request.value}.request" for request in DirectorRequest),
        *(f"approval.{verdict.value}" for verdict in VoteVerdict),
        *(f"deployment.evict.{verdict.value}" for verdict in VoteVerdict),
        *(f"upgrade.{state.value}" for state in (QuarantineState.RETRY, QuarantineState.WAIVED)),
        *(f"upgrade.wait-{milestone.value}" for milestone in Milestone),
        "compatibility.run",
        "upgrade.pause",
        "upgrade.resume",
        "version.retire",
        "version.keep",
        "upgrade.enable-reverse-replication",
    ],
)
def test_every_action_that_is_put_together_has_a_title(action: str) -> None:
    assert ACTION_TITLES[action] in TEXTS


def test_every_kind_of_target_and_actor_has_a_title() -> None:
    targets = {
        text for called, node in calls() if called == Target.__name__ for text in texts_in(node.args[:1])
    }
    assert len(targets) > 20
    assert sorted((targets | {kind.value for kind in ActorKind}) - {*KIND_TITLES}) == []


def test_titles_are_in_the_catalogue_and_what_has_none_keeps_its_name() -> None:
    assert {*ACTION_TITLES.values(), *KIND_TITLES.values()} <= {*TEXTS}
    assert action_title("fleet.read") == "See the fleet, its deployments and versions"
    assert (action_title("a.later"), kind_title("later")) == ("a.later", "later")
