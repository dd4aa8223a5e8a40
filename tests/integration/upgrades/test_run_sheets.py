"""Run sheets as signed files: what they hold as of a moment, who gets them, and how they are verified."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import LazySettings
from django.utils import timezone
from rest_framework.test import APIClient

from console.cli.exit_codes import FAILED, REFUSED, USAGE
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.signed_files import FileSigningKey, verify_file
from migrations_app.models.access import RoleBinding
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import RecordedShardTransition, Upgrade, UpgradeSample
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.factories.access import client_of, make_account, token_of
from tests.integration.upgrades.test_api import act, plan
from tests.integration.upgrades.test_approvals import at_the_gate
from tests.swy import Swy

UPGRADES = DjangoUpgrades()
LOADING = {"src", "href", "srcset", "data", "action", "poster", "background"}
"""Attributes with which a page has a browser load something."""


class Loads(HTMLParser):
    """Collects what would have a browser load or run something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.add(tag)
        if tag in ("script", "link", "iframe", "object", "embed", "img", "form", "base"):
            self.found.append(tag)
        self.found += [name for name, _ in attrs if name in LOADING or name.startswith("on")]


def keys() -> list[str]:
    """Read the public keys as anybody may, without signing in."""
    return [each["key"] for each in APIClient().get("/api/v1/report-keys").json()["items"]]


def sheet(client: APIClient, upgrade: str, format: str = "html", at: datetime | None = None) -> str:
    moment = f"&at={quote(at.isoformat())}" if at else ""
    answer = client.get(f"/api/v1/upgrades/{upgrade}/run-sheet?as={format}{moment}")
    assert answer.status_code == 200, answer.content
    signature = verify_file(answer.content, keys())
    assert signature.subject.startswith(f"upgrade/{upgrade} ")
    return answer.content.decode()


def approved(olga: APIClient, ann: APIClient) -> str:
    """Bring an upgrade to one vote, with samples of its lag."""
    upgrade = at_the_gate()
    now = timezone.now()
    for second in range(8):
        UpgradeSample.objects.create(
            upgrade_id=upgrade,
            at=now - timedelta(seconds=second),
            ready=16,
            lag_p95=0.5 * second,
            rate=210.0,
            # As long as too few are written, it is not measured.
            write_p95=0.004 * second or None,
        )
    asked = act(olga, upgrade, "request-approval", {"comment": "see *this* </p><script>alert(1)</script>"})
    request = asked.json()["readiness"]["approvals"]["request_id"]
    shown = ann.get(f"/api/v1/approvals/{request}")
    voted = ann.post(f"/api/v1/approvals/{request}/approve", {}, format="json", HTTP_IF_MATCH=shown["ETag"])
    assert voted.status_code == 200, voted.content
    return upgrade


@pytest.mark.django_db
@pytest.mark.usefixtures("fleet")
class TestAnswers:
    """What the address answers."""

    def test_the_page_holds_its_charts_and_loads_nothing(self, olga: APIClient, ann: APIClient) -> None:
        page = sheet(olga, approved(olga, ann))
        loads = Loads(page)
        assert loads.found == []
        assert {"svg", "style", "table", "h1", "main"} <= loads.tags
        assert "url(" not in page
        assert "@import" not in page
        assert "16 shards in time" in page
        assert "Lag: highest 3.5 s at" in page
        assert "Write latency: highest 28.0 ms at" in page
        assert "ann approved" in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page

    def test_it_shows_a_moment_as_it_was_recorded(self, olga: APIClient, ann: APIClient) -> None:
        upgrade = approved(olga, ann)
        vote = Upgrade.objects.get(pk=upgrade).approval_requests.get().votes.get()
        before = sheet(olga, upgrade, "md", vote.at - timedelta(microseconds=1))
        assert "approved" not in before.split("## Approvals")[1].split("## Events")[0]
        assert "No votes until then." in before
        after = sheet(olga, upgrade, "md", vote.at)
        assert "| ann | approved |" in after
        UPGRADES.report_shard(upgrade, ShardReport(3, ShardState.REGRESSED, "follow", copied=9, total=9))
        assert "16 of 16 shards had caught up." in sheet(olga, upgrade, "md", vote.at)

    def test_a_moment_before_the_plan_or_in_the_future_is_refused(self, olga: APIClient) -> None:
        upgrade = plan(olga)["id"]
        for at in (datetime(2020, 1, 1, tzinfo=UTC), timezone.now() + timedelta(hours=1)):
            answer = olga.get(f"/api/v1/upgrades/{upgrade}/run-sheet?at={quote(at.isoformat())}")
            assert (answer.status_code, answer.json()["code"]) == (400, "sheet-moment")
        for query, code in (("at=yesterday", "moment"), ("at=2026-03-01T14:00:00", "moment")):
            answer = olga.get(f"/api/v1/upgrades/{upgrade}/run-sheet?{query}")
            assert answer.status_code == 400, code

    def test_of_more_than_64_shards_it_draws_how_many_were_in_which_state(self, olga: APIClient) -> None:
        upgrade = plan(olga, start=True)["id"]
        start = timezone.now()
        Upgrade.objects.filter(pk=upgrade).update(ring=4096, created_at=start - timedelta(hours=1))
        RecordedShardTransition.objects.bulk_create(
            RecordedShardTransition(
                upgrade_id=upgrade,
                shard=number % 4096,
                at=start - timedelta(minutes=50 - number / 300),
                state=state,
            )
            for number, state in ((n, "syncing" if n < 4096 else "ready") for n in range(10_000))
        )
        page = sheet(olga, upgrade)
        assert "4096 shards in time" in page
        assert page.count("<rect") < 600
        assert len(page) < 300_000

    def test_who_may_not_read_the_upgrade_gets_no_sheet_and_sharing_is_noted(self, olga: APIClient) -> None:
        upgrade = plan(olga)["id"]
        sheet(olga, upgrade, "md")
        noted = LedgerEntry.objects.get(action="upgrade.share", target=upgrade)
        assert noted.actor == "olga"
        assert noted.after is not None
        assert noted.after["format"] == "md"
        far = client_of("far")
        RoleBinding.objects.create(
            subject_kind="account", subject="far", role="viewer", region="us-1", created_by="root"
        )
        assert far.get(f"/api/v1/upgrades/{upgrade}/run-sheet").status_code in (403, 404)
        assert APIClient().get(f"/api/v1/upgrades/{upgrade}/run-sheet").status_code == 401
        assert olga.get("/api/v1/upgrades/u0/run-sheet").status_code == 404

    def test_files_of_an_earlier_key_stay_verifiable(self, olga: APIClient, settings: LazySettings) -> None:
        upgrade = plan(olga)["id"]
        old = olga.get(f"/api/v1/upgrades/{upgrade}/run-sheet").content
        earlier = keys()
        environment = settings.SWITCHYARD
        settings.SWITCHYARD = replace(environment, report_key="B" * 43, earlier_report_keys=tuple(earlier))
        assert keys() == [FileSigningKey("", "B" * 43).public, *earlier]
        verify_file(old, keys())
        new = olga.get(f"/api/v1/upgrades/{upgrade}/run-sheet").content
        verify_file(new, keys())
        with pytest.raises(Invalid):
            verify_file(new, earlier)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("fleet")
def test_a_sheet_is_taken_and_verified_from_the_command_line(live_web: str, tmp_path: Path) -> None:
    make_account("olga", "operator")
    olga = Swy(live_web, token_of("olga"))
    upgrade = at_the_gate()
    file, keys_file = tmp_path / "sheet.html", tmp_path / "keys.json"
    assert f"{file}: " in olga("report", "get", upgrade, "-o", str(file))
    olga("report", "keys", "-o", str(keys_file))
    assert "current_key" in olga("report", "verify", str(file))

    offline = Swy("http://127.0.0.1:9", "")
    verified = offline.told("report", "verify", str(file), "--keys", str(keys_file))
    assert verified["subject"] == f"upgrade/{upgrade}"
    content = file.read_bytes()
    for at in (0, len(content) // 2, len(content) - 60):
        changed = bytearray(content)
        changed[at] ^= 1
        file.write_bytes(bytes(changed))
        assert offline.run("report", "verify", str(file), "--keys", str(keys_file)).returncode == FAILED
    file.write_bytes(content)
    plain = tmp_path / "keys.txt"
    plain.write_text(verified["key"] + "\n")
    offline("report", "verify", str(file), "--keys", str(plain))
    plain.write_text("no key\n")
    offline("report", "verify", str(file), "--keys", str(plain), expect=REFUSED)
    offline("report", "verify", str(tmp_path / "none"), "--keys", str(plain), expect=USAGE)

    text = olga("report", "get", upgrade, "--format", "md", "-o", "-")
    assert text.startswith("# secrets.example.com @ eu-1: v1alpha2 to v1\n")
    verify_file(text.encode(), [verified["key"]])
    olga("report", "get", upgrade, "--at", "2020-01-01T00:00:00Z", "-o", "-", expect=REFUSED)
