"""Every example folder keeps all laws and its goldens; the case studies do what their seeds describe."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.conversion.laws.goldens import goldens
from migrations_app.domain.conversion.laws.verify import verify
from migrations_app.domain.conversion.service import CompiledService, compile_service, view
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import JsonObject

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDERS = ("secrets", "cloud-tasks", "person", "backups", "privateca", "delivery")


def load(name: str) -> CompiledService:
    code = EXAMPLES / name / "hooks.py"
    hooks = runpy.run_path(str(code))["HOOKS"] if code.is_file() else NO_HOOKS
    assert isinstance(hooks, Hooks)
    return compile_service(read_folder(EXAMPLES / name), hooks=hooks)


@pytest.mark.parametrize("name", FOLDERS)
def test_an_example_keeps_all_laws_and_its_goldens(name: str) -> None:
    compiled = load(name)

    assert [each.failure for each in verify(compiled, count=6, seed=1000) if each.failure] == []
    assert [each.path for each in goldens(compiled) if not each.is_same] == []


def test_a_property_that_returns_with_another_shape_never_meets_the_old_one() -> None:
    people = load("person")
    forth = people.converter("Person", "v20110101", "v20140101")
    old: JsonObject = {"firstName": "Ada", "lastName": "Lovelace", "age": 36, "mail": "ada@example.com"}

    new = forth.forward("people/ada", old)

    assert new.body["legalName"] == "Ada Lovelace"
    assert "age" not in new.body
    edited = {**new.body, "age": "thirty-six"}
    back = forth.backward("people/ada", edited)
    assert back.body["age"] == 36
    assert forth.forward("people/ada", back.body).body == edited


def test_an_edit_after_the_trip_wins_over_what_the_bag_kept() -> None:
    people = load("person")
    forth = people.converter("Person", "v20130101", "v20140101")
    new = forth.forward("people/x", {"givenName": "Mary Jane", "familyName": "Smith"}).body
    assert "legalName" not in new or forth.backward("people/x", new).body["givenName"] == "Mary Jane"

    married = {
        **forth.forward("people/x", {"givenName": "Ann", "familyName": "Smith"}).body,
        "legalName": "Ann Jones",
    }

    assert forth.backward("people/x", married).body == {"givenName": "Ann", "familyName": "Jones"}


def test_the_hub_is_the_newest_version_that_is_no_preview() -> None:
    people = load("person")

    assert people.hub == "v20140101"
    assert people.versions[-1] == "v20140601preview"


def test_one_definition_with_three_versions_converts_a_backup() -> None:
    converter = load("backups").converter("Backup", "v1alpha1", "v1")
    backup: JsonObject = {
        "name": "b",
        "spec": {"source": "db", "bucket": "b1", "prefix": "daily", "compress": True, "memory": "512Mi"},
        "status": {"phase": "Done"},
    }

    made = converter.forward("namespaces/n/backups/b", backup).body

    assert made["spec"] == {
        "sources": ["db"],
        "storage": {"bucket": "b1", "path": "daily"},
        "compression": "Gzip",
        "memoryMillis": 536870912000,
        "$sy": made["spec"]["$sy"],  # type: ignore[call-overload, index]
    }
    assert made["status"] == {"phase": "Succeeded"}
    assert converter.backward("namespaces/n/backups/b", made).body == backup


def test_a_certificate_leaves_its_authority_and_finds_it_again() -> None:
    converter = load("privateca").converter("Certificate", "v1beta1", "v1")
    name = "projects/p/locations/eu/certificateAuthorities/root/certificates/web"
    certificate: JsonObject = {
        "name": name,
        "config": {
            "subjectConfig": {"commonName": "web", "subject": {"organization": "Acme"}},
            "reusableConfig": {"reusableConfigValues": {"aiaOcspServers": ["http://o"]}},
            "publicKey": {"type": "PEM_EC_KEY", "key": "AAAA"},
        },
    }

    made = converter.forward(name, certificate)

    assert made.name == "projects/p/locations/eu/caPools/default/certificates/web"
    shown = view(made.body)
    assert shown["config"] == {
        "subjectConfig": {"subject": {"organization": "Acme", "commonName": "web"}},
        "x509Config": {"aiaOcspServers": ["http://o"]},
        "publicKey": {"format": "PEM", "key": "AAAA"},
    }
    assert converter.backward(made.name, made.body).body == certificate
    assert converter.get(made.name, made.body) == (name, certificate)
    issued: JsonObject = {
        "issuerCertificateAuthority": "projects/p/locations/eu/caPools/default/certificateAuthorities/sub"
    }
    assert converter.backward(made.name, issued).name == name.replace("root", "sub")
    assert converter.old_name("projects/p/locations/eu/caPools/other/certificates/web") is None
