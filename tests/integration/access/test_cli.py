"""`swy login` as a person meets it: what is kept, and what each wrong thing is answered with."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from console.cli.client import DENIED, FAILED
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
