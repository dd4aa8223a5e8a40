"""Versions that are dates: registered over REST, ordered by date, served at their address, and switched between."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.conf import LazySettings
from rest_framework.test import APIClient

from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.json import JsonObject
from migrations_app.models import registry as rows
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import EXAMPLES, REGION, deployed, files_of

SERVICE = "people.example.com"
ANN: JsonObject = {"firstName": "Ann", "lastName": "Lee", "age": 41}


def upload(client: APIClient, files: Mapping[str, bytes]) -> Any:
    encoded = {name: base64.b64encode(data).decode() for name, data in files.items()}
    return client.post("/api/v1/services", {"files": encoded}, format="json")


def folder(*versions: str) -> dict[str, bytes]:
    """Make a folder with these versions, the oldest first."""
    listed = "".join(f"  - {{version: {each}, sources: [{{kind: ir, path: v.yaml}}]}}\n" for each in versions)
    return {
        "service.yaml": f"service: people.example.com\nversions:\n{listed}".encode(),
        "v.yaml": b'schema: {types: {P: {fields: {name: string}}}, resources: {P: {patterns: ["ps/{p}"]}}}',
    }


def test_a_service_whose_versions_are_dates_is_registered_served_and_switched(
    db: None, settings: LazySettings, data_database: str
) -> None:
    extensions = ("tests.factories.secrets_extension", "examples.person.hooks")
    settings.SWITCHYARD = replace(settings.SWITCHYARD, extensions=extensions)
    apply_region(SYSTEM, REGION, "Belgium")
    client = client_of("olga", "operator")

    assert upload(client, files_of(EXAMPLES / "person")).status_code in (200, 201)
    listed = client.get(f"/api/v1/services/{SERVICE}").json()["versions"]
    assert listed == ["v20140601preview", "v20140101", "v20130101", "v20120101", "v20110101"]
    assert [*rows.ServiceVersion.objects.values_list("version", flat=True)] == listed

    with deployed(data_database, SERVICE, "v20110101") as people:
        created = people.call("POST", "people", {**ANN, "id": "7"}, version="v20110101", id="ann")
        people.switch("v20110101", "v20140101")
        new = people.call("GET", "people/ann", version="v20140101")
        old = people.call("GET", "people/ann", version="v20110101")
    assert isinstance(new.document, dict)
    assert (new.document["legalName"], new.headers["Switchyard-Served"]) == ("Ann Lee", "native")
    assert (old.document, old.headers["Switchyard-Served"]) == (created.document, "translated")


@pytest.mark.parametrize(
    ("versions", "code", "sentence"),
    [
        (("v1", "v20141301"), "version-pattern", "'v20141301' is not a version."),
        (("v1", "v1234567"), "version-pattern", "'v1234567' is not a version."),
        (
            ("v20140101", "v1"),
            "version-order",
            "people.example.com lists v20140101 before v1, and by its name v20140101 is the newer one.",
        ),
        (
            ("v20140601", "v20140601preview"),
            "version-order",
            "people.example.com lists v20140601 before v20140601preview, and by its name v20140601 is the newer one.",
        ),
    ],
)
def test_what_is_no_date_or_lies_in_another_order_is_refused(
    db: None, versions: tuple[str, ...], code: str, sentence: str
) -> None:
    answer = upload(client_of("olga", "operator"), folder(*versions))

    assert answer.status_code in (400, 409)
    assert answer.json()["code"] == code
    assert answer.json()["detail"].startswith(sentence)
    assert not rows.Service.objects.exists()
