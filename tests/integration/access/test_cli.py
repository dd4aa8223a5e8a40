"""`swy login` as a person meets it: what is kept, and what each wrong thing is answered with."""

from __future__ import annotations

import json
import shutil
import stat
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings

from console.cli.exit_codes import DENIED, FAILED, NOT_FOUND, REFUSED, USAGE
from console.cli.looking import address_of
from console.cli.output import in_words, use_local_times
from migrations_app.models.access import Token
from tests.factories.access import make_account, token_of
from tests.processes import free_port
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_login_is_kept_for_its_owner_alone_and_a_bad_token_is_told_why(
    live_web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    make_account("vera", "viewer")
    token = token_of("vera")
    nobody = Swy("", "")

    done = nobody.run("login", live_web, "--token", token)
    assert (done.returncode, done.stdout) == (0, f"Signed in at {live_web} as vera.\n")
    (kept,) = tmp_path.rglob("credentials.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert json.loads(kept.read_text()) == {"url": live_web, "token": token}
    assert nobody.run("whoami").stdout == "vera: viewer\n"

    unknown = nobody.run("login", live_web, "--token", "swy_nonsense")
    assert unknown.returncode == DENIED
    Token.objects.update(expires_at=datetime.now(UTC) - timedelta(days=1))
    expired = nobody.run("whoami")
    assert expired.returncode == DENIED
    assert "expired at" in expired.stderr
    away = nobody.run("login", f"http://127.0.0.1:{free_port()}", "--token", token)
    assert away.returncode == FAILED
    assert "does not answer" in away.stderr
    for refused in (unknown, expired, away):
        assert refused.stderr.strip().count("\n") <= 1
        assert "Traceback" not in refused.stderr
    assert json.loads(kept.read_text()) == {"url": live_web, "token": token}


def test_the_ledger_and_tokens_are_read_and_written_from_the_command_line(live_web: str) -> None:
    # Workers of other tests may have kept heads of ledgers that are gone by now.
    shutil.rmtree(Path(settings.SWITCHYARD.home) / "anchors", ignore_errors=True)
    make_account("ada", "admin")
    ada = Swy(live_web, token_of("ada"))
    rehearsed = ada.told("tokens", "new", "pipeline", "--scope", "fleet.*", "--dry-run")
    assert rehearsed["secret"] == ""
    made = ada.told(
        "tokens", "new", "pipeline", "--scope", "fleet.*", "--network", "127.0.0.0/8", "--days", "7"
    )
    bound = Swy(live_web, made["secret"])
    assert bound.run("tokens").returncode == DENIED
    assert [(each["id"], each["scopes"]) for each in ada.lines("tokens") if each["name"] == "pipeline"] == [
        (made["id"], ["fleet.*"])
    ]
    assert ada.run("tokens", "revoke", made["id"]).stdout == f"{made['id']} is revoked.\n"
    assert "was revoked" in bound.run("fleet").stderr

    issued = ada.lines("audit", "--action", "token.*", "--outcome", "done")
    assert [each["action"] for each in issued][:2] == ["token.revoke", "token.issue"]
    assert ada.lines("audit", "--action", "token.*", "--outcome", "dry_run")
    assert ada.lines("audit", "--action", "token.*", "--outcome", "dry_run", "--quiet") == []
    assert ada.lines("audit", "--request", str(issued[0]["request_id"])) == issued[:1]
    newest = str(issued[0]["at"])
    assert ada.lines("audit", "--action", "token.*", "--outcome", "done", "--until", newest) == issued[1:]
    assert ada.lines("audit", "--action", "token.*", "--outcome", "done", "--since", newest) == issued[:1]
    assert ada.lines("audit", "--address", "10.9.9.9") == []
    taken = [json.loads(line) for line in ada("audit", "export", "--action", "token.*").splitlines()]
    assert [each["id"] for each in taken if each["outcome"] == "done"] == [each["id"] for each in issued][
        ::-1
    ]
    assert ada("audit", "export", "--as", "csv").startswith("id,seq,digest,at,actor")
    assert ada.told("audit", "verify")["intact"] is True
    assert ada.run("audit", "export", "--as", "pdf").returncode == REFUSED


def test_the_stream_is_heard_from_the_command_line_and_goes_on_where_it_was(live_web: str) -> None:
    make_account("ada", "admin")
    ada = Swy(live_web, token_of("ada"))
    make_account("eve")
    made: list[str] = []
    # On a machine that is busy the first second may be over before anything was read.
    for seconds in ("1", "4", "16"):
        heard = ada.lines("events", "audit", "--since", "0", "--timeout", seconds)
        made = [each["full"]["target"] for each in heard if each["full"]["action"] == "access.create"]
        if made:
            break
    assert made == ["ada", "eve"]
    assert ada.run("events", "nonsense", "--timeout", "1").returncode == DENIED


def test_one_name_finds_one_thing(live_web: str) -> None:
    assert address_of("secrets.example.com@eu-1") == "/api/v1/deployments/secrets.example.com/eu-1"
    assert address_of("services/s/deployments/eu-1") == "/api/v1/deployments/s/eu-1"
    assert address_of("u0123456789") == "/api/v1/upgrades/u0123456789"
    assert address_of("rollouts/w0123456789") == "/api/v1/rollouts/w0123456789"
    make_account("vera", "viewer")
    vera = Swy(live_web, token_of("vera"))
    assert vera.run("get", "nothing").returncode == USAGE
    assert vera.run("get", "u0123456789").returncode == NOT_FOUND


def test_tables_show_times_in_utc_or_where_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert in_words("2026-03-01T14:02:11.250Z") == "2026-03-01 14:02:11 UTC"
        use_local_times(True)
        assert in_words("2026-03-01T14:02:11Z") == "2026-03-01 23:02:11 JST"
        assert in_words("2026-03-01") == "2026-03-01"
    finally:
        use_local_times(False)
        monkeypatch.undo()
        time.tzset()
