"""An uploaded service folder runs nothing, and nothing of it is read for an account that may not apply it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app.adapters import definitions
from migrations_app.control.registry.commands.save_registered import create_registered
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.models import registry as rows
from tests.factories.access import client_of, make_account, token_of
from tests.fuzz.file_names import REFUSED_NAMES

pytestmark = pytest.mark.django_db

SERVICE = """
service: pwn.example.com
versions:
  - version: v1
    stage: stable
    ordinal: 10
    sources: [{kind: protobuf, root: r, path: r, package: x}]
"""
PROTO = 'syntax = "proto3";\npackage x;\nmessage %s { string name = 1; }\n'
# Thirty-two characters: as the length of a string in a request to a plugin, that is a blank to a shell.
COMMAND = ">PWNED;exit;#"
PADDED = COMMAND + "x" * (32 - len(COMMAND) - len(".proto")) + ".proto"


def upload(client: APIClient, files: Mapping[str, str], query: str = "") -> Any:
    encoded = {name: base64.b64encode(text.encode()).decode() for name, text in files.items()}
    return client.post(f"/api/v1/services{query}", {"files": encoded}, format="json")


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
@pytest.mark.parametrize(
    "names",
    [
        ("r/a.proto\n--plugin=protoc-gen-a=/bin/sh\n--a_out=.\na.proto", f"r/{PADDED}"),
        ("r/--version.proto",),
        ("r/@a.proto",),
    ],
)
def test_a_file_name_runs_no_command(
    names: tuple[str, ...], query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    client = client_of("olga", "operator")

    answer = upload(
        client,
        {"service.yaml": SERVICE, "r/a.proto": PROTO % "A", **dict.fromkeys(names, PROTO % "B")},
        query,
    )

    assert answer.status_code == 400
    assert answer.json()["code"] == "E-FILENAME"
    assert list(tmp_path.rglob("*")) == []
    assert not rows.Service.objects.exists()


@pytest.mark.parametrize("name", [name for name in REFUSED_NAMES if "\ud800" not in name], ids=ascii)
def test_every_name_of_the_corpus_is_refused_with_its_remedy(name: str) -> None:
    answer = upload(client_of("olga", "operator"), {"service.yaml": SERVICE, name: PROTO % "A"})

    assert answer.status_code == 400
    if "\0" in name:
        # No text of a request holds it, whatever the text is for.
        assert answer.json()["code"] == "invalid"
    else:
        assert answer.json()["code"] == "E-FILENAME"
        assert "letters, digits" in answer.json()["remedy"]


def test_a_folder_is_decided_on_before_its_sources_are_read() -> None:
    make_account("erin", "operator", service="other.example.com")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of('erin')}")

    answer = upload(client, {"service.yaml": SERVICE, "r/a.proto": "this is no protobuf"})

    assert answer.status_code == 403
    assert "pwn.example.com" in answer.json()["detail"]


def test_a_kept_definition_of_an_earlier_release_is_read_without_names_that_are_not_allowed() -> None:
    files = {"service.yaml": SERVICE.encode(), "r/a.proto": (PROTO % "A").encode()}
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/pwn.example.com", {"allVersions": ["v1"]})
    definitions.keep("pwn.example.com", {**files, "r/a.proto\n--version": b"", "notes (old).txt": b""})

    folder = definitions.folder("pwn.example.com")

    assert set(folder.files) == set(files)
    assert folder.schemas["v1"].object("A").field("name") is not None
