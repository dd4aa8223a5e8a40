"""Services: the list, the page of one, and applying a service folder."""

from __future__ import annotations

import base64
import binascii
from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.commands.apply_service import Applied, apply_service
from migrations_app.control.registry.queries.services import service, services
from migrations_app.control.registry.queries.timelines import timeline
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.web.doors import Door, in_body
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import etag, is_dry_run
from migrations_app.web.shapes import PAGED, StrictShape, everything, page_shape, read


class ServiceImportShape(serializers.Serializer[Any]):
    """Which version of an import one version uses."""

    service = serializers.CharField()
    version = serializers.CharField()
    for_version = serializers.CharField()


class ServiceShape(serializers.Serializer[Any]):
    """A service."""

    name = serializers.CharField()
    display_name = serializers.CharField()
    versions = serializers.ListField(child=serializers.CharField())
    imports = ServiceImportShape(many=True)
    uses = serializers.ListField(child=serializers.CharField())
    regions = serializers.ListField(child=serializers.CharField())
    control_region = serializers.CharField(allow_blank=True)
    automatic = serializers.BooleanField()
    rev = serializers.IntegerField()


class ResourceTypeShape(serializers.Serializer[Any]):
    """A resource type and the versions that have it."""

    type = serializers.CharField()
    fqn = serializers.CharField(allow_blank=True)
    plural = serializers.CharField(allow_blank=True)
    versions = serializers.ListField(child=serializers.CharField())


class ServiceDeploymentShape(serializers.Serializer[Any]):
    """Where the service runs, and what."""

    region = serializers.CharField()
    current_version = serializers.CharField(allow_blank=True)


class ImporterShape(serializers.Serializer[Any]):
    """Who imports a version of this service, and for which of its own."""

    service = serializers.CharField()
    for_version = serializers.CharField()
    version = serializers.CharField()


class RetirementShape(serializers.Serializer[Any]):
    """From which day a version is no longer meant to be used; no day when none is set."""

    rev = serializers.IntegerField()
    retires_on = serializers.DateField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    set_by = serializers.CharField(allow_blank=True)
    set_at = serializers.DateTimeField(allow_null=True)


class ServedShape(serializers.Serializer[Any]):
    """From when until when a region served a version."""

    region = serializers.CharField()
    version = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True, help_text="Null where nobody noted it.")
    until = serializers.DateTimeField(allow_null=True, help_text="Null of what is served now.")


class ServicePageShape(ServiceShape):
    """Everything about one service; `raw` is its message in the registry's own words."""

    resource_types = ResourceTypeShape(many=True)
    deployments = ServiceDeploymentShape(many=True)
    importers = serializers.ListField(child=serializers.CharField())
    imported_by = ImporterShape(many=True)
    retirements = serializers.DictField(child=RetirementShape(), help_text="By version.")
    fingerprint = serializers.CharField(allow_null=True)
    raw = serializers.DictField()


class ServiceFolderShape(StrictShape):
    """The files of a service folder: path to content in base64."""

    files = serializers.DictField(child=serializers.CharField(allow_blank=True), allow_empty=False)


class AppliedShape(serializers.Serializer[Any]):
    """What applying a folder came to."""

    service = serializers.CharField()
    versions = serializers.ListField(child=serializers.CharField())
    resource_types = serializers.ListField(child=serializers.CharField())
    fingerprint = serializers.CharField()
    changed = serializers.BooleanField()
    warnings = serializers.ListField(child=serializers.CharField())


class TimelineDoor(Door):
    """`/services/{service}/timeline`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="service_timeline", responses=page_shape("Served", ServedShape))
    def get(self, request: Request, name: str) -> Response:
        """List which region served which version from when until when, region by region."""
        return Response(everything(timeline(self.actor, name)))


class ServicesDoor(Door):
    """`/services`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = in_body

    @extend_schema(operation_id="services", parameters=PAGED, responses=page_shape("Service", ServiceShape))
    def get(self, request: Request) -> Response:
        """List services by name."""
        asked = asked_page(request)
        after = str(asked.after[0]) if asked.after else None
        found = services(self.actor, after=after, limit=asked.fetch)
        return listed(asked, found, lambda one: [one["name"]], lambda one: one)

    @extend_schema(operation_id="apply_service", request=ServiceFolderShape, responses=AppliedShape)
    def post(self, request: Request) -> Response:
        """Apply a service folder; again is the same as once."""
        given = read(ServiceFolderShape, request.data)
        files = {path: _content(path, content) for path, content in given["files"].items()}
        return Response(_applied(apply_service(self.actor, files, dry_run=is_dry_run(request))))


class ServiceDoor(Door):
    """`/services/{service}`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="service", responses=ServicePageShape)
    def get(self, request: Request, name: str) -> Response:
        """Show one service."""
        shown = service(self.actor, name)
        return Response(shown, headers={"ETag": etag(shown["rev"])})


def _content(path: str, text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Invalid(
            f"{path} is not base64.", code="base64", violations=(Violation(f"files.{path}", str(error)),)
        ) from error


def _applied(applied: Applied) -> dict[str, Any]:
    return {
        "service": applied.service.id,
        "versions": list(applied.service.all_versions),
        "resource_types": list(applied.resource_types),
        "fingerprint": applied.fingerprint,
        "changed": applied.changed,
        "warnings": list(applied.warnings),
    }


urlpatterns = [
    path("services", ServicesDoor.as_view()),
    path("services/<str:name>/timeline", TimelineDoor.as_view()),
    path("services/<str:name>", ServiceDoor.as_view()),
]
