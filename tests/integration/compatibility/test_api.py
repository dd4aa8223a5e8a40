"""The compatibility report over REST, from the definition that was applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from tests.factories.access import client_of
from tests.factories.remembered import remembered

pytestmark = pytest.mark.django_db
FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
ADDRESS = "/api/v1/services/secrets.example.com/compatibility"
_PROTO = """syntax = "proto3"; package docs.%s;
import "google/api/resource.proto";
message Doc {
  option (google.api.resource) = {type: "docs.example.com/Doc" pattern: "docs/{doc}"};
  string name = 1;
  %s
}
"""
PROTOBUF = {
    "service.yaml": b"""
service: docs.example.com
versions:
  - {version: v1, sources: [{kind: protobuf, path: v1.proto, package: docs.v1}]}
  - {version: v2, sources: [{kind: protobuf, path: v2.proto, package: docs.v2}]}
""",
    "v1.proto": (_PROTO % ("v1", "int32 size = 3; string label = 4;")).encode(),
    "v2.proto": (_PROTO % ("v2", "int64 size = 3;")).encode(),
}


@pytest.fixture
def fleet() -> None:
    """Apply the example fleet."""
    remembered("example fleet", [], lambda: apply_fleet(SYSTEM, FLEET))


@pytest.mark.usefixtures("fleet")
def test_two_versions_are_compared_as_the_asker_reads_them() -> None:
    client = client_of("vera", "viewer")

    shown = client.get(ADDRESS, {"before": "v1alpha2", "after": "v1", "client": "strict"}).json()

    assert (shown["service"], shown["client"], shown["policy"]) == (
        "secrets.example.com",
        "strict",
        "no-loss",
    )
    assert shown["verdict"] in ("handled", "compatible")
    assert shown["findings"]
    assert all(each["handled"] for each in shown["findings"])


@pytest.mark.usefixtures("fleet")
def test_the_report_names_classes_and_is_given_as_sarif_too() -> None:
    client = client_of("vera", "viewer")
    asked = {"before": "v1alpha2", "after": "v1"}

    shown = client.get(ADDRESS, asked).json()
    found = client.get(ADDRESS, {**asked, "as": "sarif"}).json()

    assert [each["properties"]["tags"] for each in found["runs"][0]["results"]] == [
        each["classes"] for each in shown["findings"]
    ]
    assert client.get(ADDRESS, {**asked, "as": "pdf"}).json()["code"] == "report-form"


def test_the_report_leaves_what_buf_would_report_in_one_category() -> None:
    apply_service(SYSTEM, PROTOBUF)
    client, asked = client_of("vera", "viewer"), {"before": "v1", "after": "v2"}
    address = "/api/v1/services/docs.example.com/compatibility"
    whole = client.get(address, asked).json()

    part = client.get(address, {**asked, "buf": "WIRE"}).json()

    assert part["findings"] == [each for each in whole["findings"] if "WIRE" in each["buf"]]
    assert 0 < len(part["findings"]) < len(whole["findings"])
    assert part["buf"] == whole["buf"]
    assert part["buf"]["WIRE"] == len(part["findings"])
    assert client.get(address, {**asked, "buf": "WIRES"}).status_code == 400


@pytest.mark.usefixtures("fleet")
def test_buf_is_not_asked_about_what_is_no_protobuf() -> None:
    client, asked = client_of("vera", "viewer"), {"before": "v1alpha2", "after": "v1"}
    whole = client.get(ADDRESS, asked).json()

    refused = client.get(ADDRESS, {**asked, "buf": "WIRE_JSON"})

    assert set(whole["buf"].values()) == {0}
    assert {len(each["buf"]) for each in whole["findings"]} == {0}
    assert (refused.status_code, refused.json()["code"]) == (400, "not-protobuf")


@pytest.mark.usefixtures("fleet")
@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"before": "v1alpha2", "after": "v7"}, 404, "version"),
        ({"before": "v1", "after": "v1"}, 400, "versions"),
        ({"before": "v1"}, 400, None),
        ({"before": "v1alpha2", "after": "v1", "client": "careless"}, 400, None),
    ],
)
def test_a_question_that_has_no_answer_is_refused(
    query: dict[str, str], status: int, code: str | None
) -> None:
    answer = client_of("vera", "viewer").get(ADDRESS, query)

    assert answer.status_code == status
    assert code in (None, answer.json()["code"])


def test_a_service_without_a_definition_is_missing() -> None:
    answer = client_of("vera", "viewer").get(ADDRESS, {"before": "v1alpha2", "after": "v1"})
    assert answer.status_code == 404


@pytest.mark.usefixtures("fleet")
def test_the_places_of_a_report_are_shown_as_their_authors_wrote_them() -> None:
    client, asked = client_of("vera", "viewer"), {"before": "v1alpha2", "after": "v1"}
    report = client.get(ADDRESS, asked).json()
    shown = {each["path"]: each for each in client.get(f"{ADDRESS}/lines", asked).json()["items"]}
    assert set(shown) == {each["path"] for each in report["findings"]}
    title = shown["Secret.title"]
    # The field that the edge renames it to, as the other author wrote it.
    assert title["after"]["lines"] == ["display_name: string"]
    assert title["before"]["file"] == "v1alpha2.yaml"
    written = (FLEET / "secrets" / "v1alpha2.yaml").read_text().splitlines()
    assert title["before"]["lines"] == [written[title["before"]["line"] - 1].strip()]
    missing = client.get(f"{ADDRESS}/lines", {"before": "v1alpha2", "after": "v9"})
    assert missing.status_code == 404
