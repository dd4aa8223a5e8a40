"""The OpenAPI document of every example, and the addresses it names."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest

from console.cli.sample_data import SampleData
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.resource_api.addresses import ResourceLocation, address_of, place_of
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.openapi.document import openapi

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FOLDERS = sorted(path.parent for path in EXAMPLES.glob("*/service.yaml"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_sample_resources_fit_the_document_of_their_version(folder: Path) -> None:
    for version, schema in read_folder(folder).schemas.items():
        document = openapi(schema, "here")
        assert document["info"] == {"title": schema.service, "version": version}
        for sample in SampleData(schema, 3).samples(20):
            ref = {"$ref": f"#/components/schemas/{sample.type}", "components": document["components"]}
            jsonschema_rs.validator_for(ref).validate(sample.document)


def test_a_path_and_its_parameters_are_described() -> None:
    schema = read_folder(EXAMPLES / "secrets").schemas["v1alpha2"]
    document = openapi(schema, "here")
    paths = document["paths"]
    assert isinstance(paths, dict)
    collection = paths["/projects/{project}/secrets"]
    assert isinstance(collection, dict)
    assert sorted(collection) == ["get", "parameters", "post"]
    assert document["servers"] == [{"url": "/apis/here/secrets.example.com/v1alpha2"}]
    assert sorted(paths["/projects/{project}/secrets/{secret}"]) == [  # type: ignore[arg-type]
        "delete",
        "get",
        "parameters",
        "patch",
        "put",
    ]


def test_addresses_are_taken_apart() -> None:
    schema = read_folder(EXAMPLES / "secrets").schemas["v1alpha2"]
    address = address_of("/apis/here/secrets.example.com/v1alpha2/projects/p/secrets:batchGet")
    assert (address.region, address.service, address.version, address.rest, address.verb) == (
        "here",
        "secrets.example.com",
        "v1alpha2",
        "projects/p/secrets",
        "batchGet",
    )
    assert place_of(schema, "projects/p/secrets/door") == ResourceLocation(
        "Secret", name="projects/p/secrets/door"
    )
    assert place_of(schema, "projects/-/secrets") == ResourceLocation("Secret", parent="projects/-")
    for path in ("/apis/here", "/api/v1/x", "/apis/a/b/"):
        with pytest.raises(Missing):
            address_of(path)


def test_bodies_are_read_strictly() -> None:
    assert read_body(b'{"a": [1, 2.5, null, true, "x"]}') == {"a": [1, 2.5, None, True, "x"]}
    for text in (b'{"a": 1, "a": 2}', b"[NaN]", b"[Infinity]", b"{", b"\xff", b'"\\ud800"', b'"\\u0000"'):
        with pytest.raises(Invalid):
            read_body(text)
    for text in (b'"\xed\xa0\x80"', '"\\ud800"'.encode("utf-16"), '"\\ud800"'.encode("utf-16-le")):
        with pytest.raises(Invalid, match="half of a surrogate pair"):
            read_body(text)
    assert read_body('"ß \\u00e9"'.encode()) == "ß é"


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_devices_of_the_example_fleet_can_be_searched(version: str) -> None:
    devices = read_folder(EXAMPLES / "fleet" / "devices").schemas[version]
    paths = openapi(devices, "eu-west1")["paths"]
    assert [path for path in paths if path.endswith(":search")] == [  # type: ignore[union-attr]
        "/projects/{project}/regions/{region}/devices:search"
    ]


def test_the_custom_methods_of_a_version_are_described() -> None:
    document = openapi(read_folder(EXAMPLES / "cloud-tasks").schemas["v2"], "eu-west1")
    queue = "/projects/{project}/locations/{location}/queues/{queue}"
    paths = document["paths"]
    assert isinstance(paths, dict)

    verbs = {each.removeprefix(queue) for each in paths if each.startswith(f"{queue}:")}
    assert verbs == {
        ":getIamPolicy",
        ":pause",
        ":purge",
        ":resume",
        ":setIamPolicy",
        ":testIamPermissions",
        ":watch",
    }
    run = paths[f"{queue}/tasks/{{task}}:run"]["post"]  # type: ignore[index,call-overload]
    assert run["operationId"] == "callRunTask"  # type: ignore[index,call-overload]
    assert run["x-permission"] == "resource.method:RunTask"  # type: ignore[index,call-overload]
    answer = run["responses"]["200"]["content"]["application/json"]["schema"]  # type: ignore[index,call-overload]
    assert answer == {"$ref": "#/components/schemas/Task"}
    body = run["requestBody"]["content"]["application/json"]["schema"]  # type: ignore[index,call-overload]
    # The name is in the address.
    assert list(body["properties"]) == ["responseView"]  # type: ignore[index,call-overload]
    assert "required" not in body  # type: ignore[operator]
