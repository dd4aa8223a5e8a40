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
    "console/cli/",  # `swy` is a client of the API on another machine
    "console/embedded/",  # the supervisor holds and probes this machine's own port
)
NAMES_OF_THIS_MACHINE = {"gethostname"}
GRPC_OF_A_SERVER = {
    "StatusCode", "aio", "server", "ServicerContext", "ssl_server_credentials", "method_handlers_generic_handler",
    "unary_unary_rpc_method_handler", "unary_stream_rpc_method_handler",
}  # fmt: skip


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
    # The name of this machine is not a way out, and neither is a server of gRPC: it opens no channel.
    whole = "import socket\n" in text and "from socket" not in text
    if whole and used <= NAMES_OF_THIS_MACHINE:
        found -= {"socket"}
    if (
        "import grpc\n" in text
        and "from grpc" not in _without_services(text)
        and _grpc_names(tree) <= GRPC_OF_A_SERVER
    ):
        found -= {"grpc"}
    return found


def _without_services(text: str) -> str:
    """Leave out the imports of health and reflection, which are services that a server gives."""
    return (
        text.replace("from grpc_health", "")
        .replace("from grpc_reflection", "")
        .replace("from grpc_tools", "")
    )


def _grpc_names(tree: ast.AST) -> set[str]:
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("grpc", "grpc.aio")
    }


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
        ("import grpc\ngrpc.insecure_channel('h:1')", "grpc"),
        ("import grpc\ngrpc.aio.secure_channel('h:1', c)", "grpc"),
        ("from grpc import insecure_channel", "grpc"),
    ],
)
def test_the_rule_sees_each_way_to_import_a_client(text: str, client: str) -> None:
    assert clients_of(text) == {client}
