"""What the new version does not have: shown with what is stored, accepted before the switch, exported before retirement."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.control.definition_changes.queries.decisions import decisions_on
from migrations_app.control.upgrades.commands.request_switch import request_switch
from migrations_app.domain.compatibility.decisions import ChangeVerdict
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict
from migrations_app.models.evidence.retirements import VersionRetirement
from migrations_app.models.kept_types import KeptTypeExport
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Namespace
from tests.factories.access import client_of, make_account, token_of
from tests.factories.waivers import accept_removals
from tests.integration.upgrades.conftest import OLGA
from tests.integration.upgrades.test_types_under_writes import (
    DELIVERY,
    REGION,
    SERVICE,
    Engine,
    call,
    deployed,
)
from tests.swy import Swy

__all__ = ["deployed"]
pytestmark = pytest.mark.django_db(transaction=True)
KEPT = f"/api/v1/deployments/{SERVICE}/{REGION}/kept-types"
EXPORT = f"{KEPT}/Receipt/v1/export"
RETIREMENT = f"/api/v1/services/{SERVICE}/versions/v1/retirement"


@pytest.fixture
def ready(deployed: None) -> Engine:
    engine = Engine()
    engine.begin()
    engine.until(State.READY)
    return engine


def refusal(upgrade: str) -> tuple[str, str]:
    """Ask for the switch; give what stands against it first."""
    with pytest.raises(Conflict) as refused:
        request_switch(OLGA, upgrade)
    return refused.value.code, refused.value.message


def exported(client: APIClient) -> tuple[int, bytes]:
    answer: Any = client.get(EXPORT)
    streamed: Iterator[bytes] = (
        answer.streaming_content if answer.status_code == 200 else iter([answer.content])
    )
    return answer.status_code, b"".join(streamed)


def test_a_switch_waits_until_two_persons_accepted_what_goes(ready: Engine) -> None:
    client = client_of("rita", "admin")
    (shown,) = client.get(f"/api/v1/upgrades/{ready.id}/removals").json()["items"]
    assert (shown["rule"], shown["path"], shown["stored"], shown["accepted"]) == (
        "resource-removed",
        "Receipt",
        1,
        False,
    )
    assert (shown["sentence"], shown["phrases"]) == (
        "the type Receipt",
        [{"key": "the type {path}", "values": {"path": "Receipt"}}],
    )
    assert (shown["kept"]["without"], shown["kept"]["exported"]) == ("v2", False)
    stopping = "v2 does not have the type Receipt of v1, which is not accepted."
    end = time.monotonic() + 60.0
    while refusal(ready.id) != ("guard-removals", stopping):
        assert time.monotonic() < end, refusal(ready.id)
        ready.turn()
    assert ready.record.request is None

    assert accept_removals(SERVICE, "v1", "v2") == ["Receipt"]
    (shown,) = client.get(f"/api/v1/upgrades/{ready.id}/removals").json()["items"]
    assert (shown["accepted"], shown["waiver"]["approved_by"]) == (True, "willa")
    ready.insist(request_switch, State.REVERSIBLE)


def test_a_plan_says_what_has_to_be_accepted(deployed: None) -> None:
    client = client_of("rita", "admin")
    wish = {"deployment": f"services/{SERVICE}/deployments/{REGION}", "target_version": "v2"}
    shown = client.post("/api/v1/upgrades?dry_run=true", wish, format="json").json()
    assert shown["would"][-1] == (
        "1 resource of Receipt has no place in v2: it is kept as v1 stores it, and v1 serves it until that is "
        "retired. A person accepts that before the switch."
    )
    kept, accepted = shown["would_phrases"][-1]
    assert kept["values"] == {"count": 1, "number": "1", "type": "Receipt", "target": "v2", "version": "v1"}
    assert accepted == {"key": "A person accepts that before the switch.", "values": {}}
    assert [len(phrases) > 0 for phrases in shown["would_phrases"]] == [True] * len(shown["would"])


def test_a_version_retires_once_what_only_it_serves_was_exported_as_it_is(ready: Engine) -> None:
    accept_removals(SERVICE, "v1", "v2")
    ready.insist(request_switch, State.REVERSIBLE)
    client = client_of("rita", "admin")

    def retire(**more: object) -> Any:
        day = {"retires_on": "2099-01-01", **more}
        return client.put(RETIREMENT, day, format="json", HTTP_IF_MATCH='"0"')

    early = retire()
    assert (early.status_code, early.json()["code"]) == (409, "retirement-not-exported")
    assert early.json()["detail"].startswith(
        f"Only v1 serves resources that were not exported: 1 Receipt in {REGION}."
    )
    assert not VersionRetirement.objects.exists()

    viewer = client_of("vera", "viewer")
    assert exported(viewer)[0] == 403
    assert client.get(EXPORT.replace("Receipt", "Rule")).json()["code"] == "kept-type-missing"
    status, lines = exported(client)
    (line,) = map(json.loads, lines.splitlines())
    assert (status, line["type"], line["version"], line["name"]) == (
        200,
        "Receipt",
        "v1",
        "projects/p/receipts/base",
    )
    assert (line["document"]["text"], line["document"]["rule"]) == ("kept", "projects/p/rules/base")
    (kept,) = client.get(KEPT).json()["items"]
    assert (kept["stored"], kept["exported"], kept["changed_since"]) == (1, True, False)
    assert kept["export"] is not None
    assert kept["export"]["sha256"] == sha256(lines).hexdigest()
    assert LedgerEntry.objects.filter(action="kept_type.export", actor="rita").count() == 1

    # What is written since has to be exported again, or a person says why it is not.
    call("v1", "PATCH", "projects/p/receipts/base?updateMask=text", {"text": "later"})
    assert client.get(KEPT).json()["items"][0]["changed_since"] is True
    assert f"1 Receipt in {REGION}, written since the export" in retire().json()["detail"]
    assert retire(accept_unexported=True).json()["code"] == "retirement-note"
    exported(client)
    assert retire().status_code == 200


def test_retiring_without_an_export_is_a_decision_with_a_reason(ready: Engine) -> None:
    client = client_of("rita", "admin")
    accept_removals(SERVICE, "v1", "v2")
    ready.insist(request_switch, State.REVERSIBLE)
    day = {"retires_on": "2099-01-01", "accept_unexported": True, "note": "Receipts are kept elsewhere."}
    assert client.put(RETIREMENT, day, format="json", HTTP_IF_MATCH='"0"').status_code == 200
    noted = LedgerEntry.objects.get(action="version.retire", outcome="done")
    assert noted.after is not None
    assert noted.after["accepted_unexported"] == [f"1 Receipt in {REGION}"]
    assert not KeptTypeExport.objects.exists()


def test_a_definition_without_the_version_is_refused_while_its_resources_are_kept(ready: Engine) -> None:
    accept_removals(SERVICE, "v1", "v2")
    ready.insist(request_switch, State.REVERSIBLE)
    # As once the upgrade was completed: the old version's own data are gone.
    Namespace.objects.filter(version="v1").delete()
    files = {path.relative_to(DELIVERY).as_posix(): path.read_bytes() for path in DELIVERY.rglob("*.yaml")}
    service = files["service.yaml"].splitlines(keepends=True)
    kept = [line for line in service if b"version: v1," not in line and not line.startswith(b"edges")]
    files = {"service.yaml": b"".join(kept), "v2.yaml": files["v2.yaml"]}

    (removed,) = [
        each
        for each in decisions_on(read_files(files)).decisions
        if each.difference.rule is CompatibilityRule.VERSION_REMOVED
    ]
    assert removed.verdict is ChangeVerdict.REFUSED
    assert "1 resources are stored" in removed.reasons


def test_swy_lists_what_goes_and_exports_what_is_kept(deployed: None, live_web: str, tmp_path: Path) -> None:
    engine = Engine()
    engine.begin()
    make_account("rita", "admin")
    swy, to = Swy(live_web, token_of("rita")), tmp_path / "receipts.jsonl"

    (shown,) = swy.lines("upgrade", "removals", engine.id, "-o", "json")
    assert (shown["path"], shown["stored"], shown["accepted"]) == ("Receipt", 1, False)
    assert "Receipt" in swy("upgrade", "removals", engine.id)
    assert "no" in swy("kept", "list", f"{SERVICE}@{REGION}")
    assert "Exported 1 resources of Receipt" in swy(
        "kept", "export", f"{SERVICE}@{REGION}", "Receipt", "v1", "--to", str(to)
    )
    assert [json.loads(line)["name"] for line in to.read_text().splitlines()] == ["projects/p/receipts/base"]
    kept: dict[str, Any]
    (kept,) = [
        each
        for each in swy.lines("kept", "list", f"{SERVICE}@{REGION}", "-o", "json")
        if each["type"] == "Receipt"
    ]
    assert kept["export"] is not None
    assert kept["export"]["sha256"] == sha256(to.read_bytes()).hexdigest()
    again = swy.run("kept", "export", f"{SERVICE}@{REGION}", "Receipt", "v1", "--to", str(to))
    assert (again.returncode, "exists already" in again.stderr) == (64, True)
    assert KeptTypeExport.objects.count() == 1
