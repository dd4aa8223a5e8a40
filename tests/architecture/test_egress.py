"""Nothing leaves but by `migrations_app/adapters/egress`: no other module imports a client of the network."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.test_house_rules import MODULES, ROOT

CLIENTS = {
    "aiohttp", "ftplib", "http.client", "httpcore", "httpx", "imaplib", "poplib", "requests", "smtplib", "socket", "ssl",
    "telnetlib", "urllib.request", "urllib3", "websockets", "xmlrpc.client", "asyncio.open_connection",
    "django.core.mail.get_connection", "django.core.mail.send_mail", "django.core.mail.send_mass_mail",
    "django.core.mail.mail_admins", "django.core.mail.mail_managers", "django.core.mail.backends", "grpc",
}  # fmt: skip
AT_HOME = (
    "migrations_app/adapters/egress/",
    "console/cli/",  # `swy` is a client of the API on somebody else's machine
    "console/embedded/",  # the supervisor holds and probes this machine's own port
)
NAMES_OF_THIS_MACHINE = {"gethostname"}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def clients_of(text: str) -> set[str]:
    tree = ast.parse(text)
    found = {client for name in imported(tree) for client in CLIENTS if f"{name}.".startswith(f"{client}.")}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "socket"
    }
    # The name of this machine is not a way out.
    whole = "import socket\n" in text and "from socket" not in text
    return found - {"socket"} if whole and used <= NAMES_OF_THIS_MACHINE else found


@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if not path.relative_to(ROOT).as_posix().startswith(AT_HOME)],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_only_the_egress_modules_import_clients_of_the_network(path: Path) -> None:
    assert clients_of(path.read_text()) == set(), "use migrations_app.adapters.egress"


@pytest.mark.parametrize(
    ("text", "client"),
    [
        ("import httpx", "httpx"),
        ("from httpx import Client", "httpx"),
        ("import urllib.request as r", "urllib.request"),
        ("from urllib import request", "urllib.request"),
        ("import socket\nsocket.create_connection(('h', 1))", "socket"),
        ("from socket import create_connection", "socket"),
        ("def f():\n    import requests", "requests"),
        ("from http.client import HTTPConnection", "http.client"),
        ("from django.core.mail import send_mail", "django.core.mail.send_mail"),
    ],
)
def test_the_rule_sees_each_way_to_import_a_client(text: str, client: str) -> None:
    assert clients_of(text) == {client}
