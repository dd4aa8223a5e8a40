"""What every answer carries so that a browser keeps the console's pages to themselves."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import structlog
from django.conf import LazySettings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from console.env import ROOT
from console.pages import BUILD_HEADER
from migrations_app.web.request_ids import request_ids
from tests.factories.access import make_account, token_of

pytestmark = pytest.mark.django_db


def test_a_page_lets_in_only_what_carries_its_own_nonce() -> None:
    pages = [Client().get("/") for _ in range(2)]
    policies = [page["Content-Security-Policy"] for page in pages]
    nonces = [re.findall(r"'nonce-([^']+)'", policy)[0] for policy in policies]
    assert nonces[0] != nonces[1]
    for policy in policies:
        script = next(part for part in policy.split("; ") if part.startswith("script-src "))
        assert "'unsafe-inline'" not in script
        assert "'unsafe-eval'" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "object-src 'none'" in policy


def test_every_answer_says_how_to_treat_it() -> None:
    for address in ("/", "/api/v1/session", "/api/v1/overview", "/api/v1/nowhere"):
        answer = Client().get(address)
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["Referrer-Policy"] == "same-origin"
        assert re.fullmatch(r"[0-9a-f]{32}", answer["X-Request-ID"])


def test_a_request_id_of_the_caller_is_kept_when_it_is_well_formed() -> None:
    assert Client().get("/api/v1/session", headers={"X-Request-ID": "trace-7"})["X-Request-ID"] == "trace-7"
    odd = Client().get("/api/v1/session", headers={"X-Request-ID": "a b\tc" * 30})["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", odd)


def test_what_is_logged_while_a_request_is_answered_carries_its_id() -> None:
    seen: list[dict[str, object]] = []

    def view(_: HttpRequest) -> HttpResponse:
        seen.append(structlog.contextvars.get_contextvars())
        return HttpResponse()

    answer = request_ids(view)(RequestFactory().get("/", headers={"X-Request-ID": "trace-7"}))
    assert seen == [{"request_id": "trace-7"}]
    assert answer["X-Request-ID"] == "trace-7"
    assert structlog.contextvars.get_contextvars() == {}


def test_the_page_and_every_answer_name_the_same_console(tmp_path: Path, settings: LazySettings) -> None:
    settings.FRONTEND = tmp_path
    assert BUILD_HEADER not in Client().get("/api/v1/session")
    (tmp_path / "index.html").write_text("<html><head></head><script src=/assets/a1.js></script></html>")
    named = Client().get("/api/v1/session")[BUILD_HEADER]
    assert f'<meta name="console-build" content="{named}">' in Client().get("/").content.decode()
    (tmp_path / "index.html").write_text("<html><head></head><script src=/assets/b2.js></script></html>")
    os.utime(tmp_path / "index.html", (1, 1))
    assert Client().get("/api/v1/session")[BUILD_HEADER] not in ("", named)


def test_a_foreign_host_is_refused() -> None:
    assert Client().get("/", headers={"Host": "evil.example"}).status_code == 400


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites() -> None:
    make_account("ann", "viewer", password="correct horse battery")
    client = Client()
    body = {"username": "ann", "password": "correct horse battery"}
    signed_in = client.post("/api/v1/session", body, content_type="application/json")
    assert signed_in.status_code == 200
    cookie = signed_in.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


TOLD = """
import django
django.setup()
from django.test import Client
first = Client().get("/api/v1/session")
answer = Client().get("/api/v1/session", secure=True)
cookie = answer.cookies["csrftoken"]
print(first.status_code, first["Location"], answer["Strict-Transport-Security"], cookie["secure"], sep="|")
from django.conf import settings
print(settings.SESSION_COOKIE_SECURE, settings.SECURE_HSTS_SECONDS)
print(Client().get("/healthz", headers={"Host": "10.1.2.3:8000"}).status_code)
"""


def test_behind_tls_everything_but_a_probe_is_https_and_stays_so() -> None:
    environment = os.environ | {"SWITCHYARD_TLS": "true", "DJANGO_SETTINGS_MODULE": "console.settings"}
    told = subprocess.run(
        [sys.executable, "-c", TOLD], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == [
        "301|https://testserver/api/v1/session|max-age=31536000; includeSubDomains|True",
        "True 31536000",
        "200",
    ]


def test_a_probe_is_answered_by_address_whatever_the_console_is_called() -> None:
    for path, status in {"/healthz": 200, "/readyz": 503}.items():
        assert Client().get(path, headers={"Host": "10.1.2.3:8000"}).status_code == status


def test_prometheus_is_answered_by_address_with_a_good_token_alone() -> None:
    make_account("vera", "viewer")
    address = {"Host": "10.1.2.3:8000"}
    good, bad = ({"Authorization": f"Bearer {token}"} for token in (token_of("vera"), "swy_nothing"))
    assert Client().get("/metrics", headers=address | good).status_code == 200
    assert Client().get("/metrics", headers=address | bad).status_code == 401
    assert Client().get("/metrics", headers=address).status_code == 400


@pytest.mark.parametrize(
    "process",
    [
        ["-m", "uvicorn", "console.asgi:application", "--port", "0"],
        ["-m", "celery", "-A", "celery_worker.app", "beat"],
    ],
    ids=["web", "beat"],
)
def test_no_process_starts_without_a_secret_of_its_own(process: list[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "SWITCHYARD_SECRET_KEY"}
    refused = subprocess.run(
        [sys.executable, *process], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert refused.returncode != 0
    assert refused.stderr.startswith("switchyard: SWITCHYARD_SECRET_KEY is not set. Set it")
    assert "Traceback" not in refused.stderr
