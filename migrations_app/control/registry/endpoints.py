"""Services: the list, the page of one, and applying a service folder."""

from __future__ import annotations

import base64
import binascii
from datetime import date
from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.definition_changes.schemas import ChangeAdviceSchema, ChangeDecisionSchema
from migrations_app.control.registry.commands.apply_service import ApplyServiceResult, apply_service
from migrations_app.control.registry.queries.services import service, services
from migrations_app.control.registry.queries.timelines import timeline
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import message, verbatim
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import etag, is_dry_run
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, PAGED, everything, page_schema


class ServiceImportSchema(ResponseBody, frozen=True, kw_only=True):
    """Which version of an import one version uses."""

    service: str
    version: str
    for_version: str


class ServiceSchema(ResponseBody, frozen=True, kw_only=True):
    """A service."""

    name: str
    display_name: str
    versions: list[str]
    imports: list[ServiceImportSchema]
    uses: list[str]
    regions: list[str]
    control_region: str
    automatic: bool
    rev: int


class ResourceTypeSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource type and the versions that have it."""

    type: str
    fqn: str
    plural: str
    versions: list[str]


class TypeChangeSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource type that becomes several in the next version, or several that become one."""

    kind: Annotated[str, one_of(("split", "merge"))]
    before: Annotated[str, Meta(description="The older version.")]
    after: Annotated[str, Meta(description="The next version.")]
    types_before: Annotated[list[str], Meta(description="Types of the older version.")]
    types_after: Annotated[list[str], Meta(description="What they become in the next version.")]
    by: Annotated[str, Meta(description="The field of the one type that tells the several apart.")]


class ServiceDeploymentSchema(ResponseBody, frozen=True, kw_only=True):
    """Where the service runs, and what."""

    region: str
    current_version: str


class ImporterSchema(ResponseBody, frozen=True, kw_only=True):
    """Who imports a version of this service, and for which of its own."""

    service: str
    for_version: str
    version: str


class RetirementSchema(ResponseBody, frozen=True, kw_only=True):
    """From which day a version is no longer meant to be used; no day when none is set."""

    rev: int
    retires_on: date | None
    note: str
    set_by: str
    set_at: Instant | None


class ServingPeriodSchema(ResponseBody, frozen=True, kw_only=True):
    """From when until when a region served a version."""

    region: str
    version: str
    since: Annotated[Instant | None, Meta(description="Null where it was not noted.")]
    until: Annotated[Instant | None, Meta(description="Null of what is served now.")]


class ServiceDetailSchema(ServiceSchema, frozen=True, kw_only=True):
    """Everything about one service; `raw` is its message in the registry's own words."""

    resource_types: list[ResourceTypeSchema]
    type_changes: list[TypeChangeSchema]
    deployments: list[ServiceDeploymentSchema]
    importers: list[str]
    imported_by: list[ImporterSchema]
    retirements: Annotated[dict[str, RetirementSchema], Meta(description="By version.")]
    fingerprint: str | None
    raw: dict[str, Any]


class ServiceFolderSchema(RequestBody, frozen=True, kw_only=True):
    """The files of a service folder: path to content in base64."""

    files: Annotated[dict[str, str], Meta(min_length=1)]


class AppliedServiceSchema(ResponseBody, frozen=True, kw_only=True):
    """What applying a folder came to."""

    service: str
    versions: list[str]
    resource_types: list[str]
    fingerprint: str
    changed: bool
    warnings: list[str]
    may_apply: Annotated[bool, Meta(description="False only in a dry run: what decisions or waivers lack.")]
    decisions: Annotated[
        list[ChangeDecisionSchema],
        Meta(description="On each thing that differs from what is served, the heaviest first."),
    ]
    advice: Annotated[
        ChangeAdviceSchema | None, Meta(description="On the change as a whole; null where nothing differs.")
    ]


class TimelineView(RestView):
    """`/services/{service}/timeline`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="service_timeline", responses=page_schema("ServingPeriod", ServingPeriodSchema)
    )
    def get(self, request: Request, name: str) -> Response:
        """List which region served which version from when until when, region by region."""
        return Response(everything(timeline(self.actor, name)))


class ServicesView(RestView):
    """`/services`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = in_body

    @extend_schema(operation_id="services", parameters=PAGED, responses=page_schema("Service", ServiceSchema))
    def get(self, request: Request) -> Response:
        """List services by name."""
        asked = asked_page(request)
        after = str(asked.after[0]) if asked.after else None
        found = services(self.actor, after=after, limit=asked.fetch)
        return listed(asked, found, lambda one: [one["name"]], lambda one: one)

    @extend_schema(
        operation_id="apply_service",
        request=ServiceFolderSchema,
        parameters=[DRY_RUN],
        responses=AppliedServiceSchema,
    )
    def post(self, request: Request) -> Response:
        """Apply a service folder; again is the same as once."""
        given = read(ServiceFolderSchema, request.data)
        files = contents(given.files)
        return Response(_applied(apply_service(self.actor, files, dry_run=is_dry_run(request))))


class ServiceView(RestView):
    """`/services/{service}`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="service", responses=ServiceDetailSchema)
    def get(self, request: Request, name: str) -> Response:
        """Show one service."""
        shown = service(self.actor, name)
        return Response(shown, headers={"ETag": etag(shown["rev"])})


def contents(files: dict[str, str]) -> dict[str, bytes]:
    """Read the files of a service folder.

    Raises: Invalid (`base64`).
    """
    return {path: _content(path, text) for path, text in files.items()}


def _content(path: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid(
            message("{path} is not base64.", path=path),
            code="base64",
            violations=(Violation(f"files.{path}", verbatim(str(error))),),
        ) from error


def _applied(applied: ApplyServiceResult) -> dict[str, Any]:
    return {
        "service": applied.service.id,
        "versions": list(applied.service.all_versions),
        "resource_types": list(applied.resource_types),
        "fingerprint": applied.fingerprint,
        "changed": applied.changed,
        "warnings": list(applied.warnings),
        "may_apply": applied.may_apply,
        "decisions": list(applied.decisions),
        "advice": applied.advice,
    }


urlpatterns = [
    path("services", ServicesView.as_view()),
    path("services/<str:name>/timeline", TimelineView.as_view()),
    path("services/<str:name>", ServiceView.as_view()),
]
