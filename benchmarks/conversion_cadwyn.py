"""The benchmark's edge as a Cadwyn version change: the response of the new version migrated to the old one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cadwyn import (
    HeadVersion,
    ResponseInfo,
    Version,
    VersionBundle,
    VersionChange,
    convert_response_to_previous_version_for,
    migrate_response_body,
    schema,
)
from pydantic import BaseModel

from migrations_app.kernel.json import JsonObject


class Endpoint(BaseModel):
    """Where a plan is served."""

    host: str
    port: int


class Allowance(BaseModel):
    """One limit of one region."""

    resource: str
    region: str
    value: int


class Plan(BaseModel):
    """The new version of the document."""

    name: str
    display_name: str
    level: str
    timeout_s: int
    owners: list[str]
    endpoint: Endpoint
    legal_name: str
    generation: int | None = None
    allowances: list[Allowance]
    payload: dict[str, Any]
    labels: dict[str, str]


class OldPlan(VersionChange):  # type: ignore[misc]
    """What the edge says, written by hand for one way; nothing is kept of what the old version cannot show."""

    description = "Plans of the first version"
    instructions_to_migrate_to_previous_version = (
        schema(Plan).field("display_name").had(name="title"),
        schema(Plan).field("timeout_s").had(name="timeout_ms"),
        schema(Plan).field("owners").had(name="owner", type=str),
        schema(Plan).field("endpoint").didnt_exist,
        schema(Plan).field("host").existed_as(type=str),
        schema(Plan).field("port").existed_as(type=int),
        schema(Plan).field("legal_name").didnt_exist,
        schema(Plan).field("first").existed_as(type=str),
        schema(Plan).field("last").existed_as(type=str),
        schema(Plan).field("generation").didnt_exist,
        schema(Plan).field("allowances").had(name="limits", type=list[dict[str, Any]]),
    )

    @convert_response_to_previous_version_for(Plan)  # type: ignore[untyped-decorator]
    def to_old(response: ResponseInfo) -> None:
        """Migrate a body in place."""
        body = response.body
        body["name"] = "plans/" + body["name"].rpartition("/")[2]
        body["title"] = body.pop("display_name")
        body["level"] = {"SERVICE": "SYSTEM"}.get(body["level"], body["level"])
        body["timeout_ms"] = body.pop("timeout_s") * 1000
        body["owner"] = body.pop("owners")[0]
        endpoint = body.pop("endpoint")
        body["host"], body["port"] = endpoint["host"], endpoint["port"]
        body["first"], _, body["last"] = body.pop("legal_name").partition(" ")
        body.pop("generation", None)
        groups: dict[str, dict[str, int]] = {}
        for each in body.pop("allowances"):
            groups.setdefault(each["resource"], {})[each["region"]] = each["value"]
        body["limits"] = [{"resource": resource, "by_region": limits} for resource, limits in groups.items()]


VERSIONS = VersionBundle(HeadVersion(), Version("2026-02-01", OldPlan), Version("2026-01-01"))


def migration(body: JsonObject) -> Callable[[], object]:
    """Migrate a document of the new version to the old one, with a shallow copy since Cadwyn changes it in place."""

    def _migrate() -> object:
        return migrate_response_body(VERSIONS, Plan, latest_body=dict(body), version="2026-01-01")

    return _migrate
