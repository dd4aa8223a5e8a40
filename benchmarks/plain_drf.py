"""What the resource API is compared with: the same secrets as plain Django models behind ModelViewSets."""

from __future__ import annotations

from django.db import connection, models
from django.urls import include, path
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.routers import DefaultRouter
from rest_framework.serializers import ModelSerializer
from rest_framework.viewsets import ModelViewSet


class PlainSecret(models.Model):
    """A secret."""

    name = models.CharField(max_length=200, primary_key=True)
    title = models.CharField(max_length=200, blank=True)
    key_ring = models.CharField(max_length=200, blank=True)
    rotation = models.CharField(
        max_length=20, choices=[(each, each) for each in ("NONE", "MANUAL", "SCHEDULED")]
    )
    rotation_period = models.CharField(max_length=40, blank=True)
    owner = models.CharField(max_length=200, blank=True)
    labels = models.JSONField(default=dict)
    create_time = models.DateTimeField(auto_now_add=True)
    update_time = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "plain"

    def __str__(self) -> str:
        return self.name


class PlainGrant(models.Model):
    """Two references to secrets."""

    name = models.CharField(max_length=200, primary_key=True)
    member = models.CharField(max_length=200)
    secret = models.ForeignKey(PlainSecret, models.PROTECT, related_name="+")
    other = models.ForeignKey(PlainSecret, models.PROTECT, related_name="+")
    create_time = models.DateTimeField(auto_now_add=True)
    update_time = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "plain"

    def __str__(self) -> str:
        return self.name


class _SecretSerializer(ModelSerializer[PlainSecret]):
    class Meta:
        model = PlainSecret
        fields = "__all__"


class _GrantSerializer(ModelSerializer[PlainGrant]):
    class Meta:
        model = PlainGrant
        fields = "__all__"


class _Pages(LimitOffsetPagination):
    default_limit = 100


class _Secrets(ModelViewSet[PlainSecret]):
    queryset = PlainSecret.objects.order_by("name")  # type: ignore[attr-defined]
    serializer_class = _SecretSerializer
    pagination_class = _Pages


class _Grants(ModelViewSet[PlainGrant]):
    queryset = PlainGrant.objects.order_by("name")  # type: ignore[attr-defined]
    serializer_class = _GrantSerializer
    pagination_class = _Pages


def make_tables() -> None:
    """Create the tables of the two models."""
    with connection.schema_editor() as editor:
        for model in (PlainSecret, PlainGrant):
            editor.create_model(model)


_router = DefaultRouter()
_router.register("secrets", _Secrets)
_router.register("grants", _Grants)
urlpatterns = [path("plain/", include(_router.urls))]
