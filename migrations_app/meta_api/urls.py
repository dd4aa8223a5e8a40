"""The addresses of the Meta API."""

from __future__ import annotations

from django.urls import URLPattern, re_path

from migrations_app.domain.registry.names import RegistryKind
from migrations_app.meta_api.verbs import (
    BeginUpgradeView,
    NotifyReadinessView,
    RegisterDataTaskView,
    SetAvailableUpgradeView,
    UpdateDataTaskView,
)
from migrations_app.meta_api.views import (
    BatchGetView,
    CollectionView,
    MemberView,
    MetaView,
    UnknownMetaAddressView,
    described,
)
from migrations_app.meta_api.watch import WatchManyView, WatchOneView, described_watch

ID = r"(?P<id>[^/:]+)"
SERVICE = r"(?P<service>[^/:]+)"
COLLECTIONS = {
    RegistryKind.REGION: "regions",
    RegistryKind.SERVICE: "services",
    RegistryKind.DEPLOYMENT: f"services/{SERVICE}/deployments",
    RegistryKind.RESOURCE: f"services/{SERVICE}/resources",
}
VERBS: dict[str, type[MetaView]] = {
    "beginUpgrade": BeginUpgradeView,
    "setAvailableUpgrade": SetAvailableUpgradeView,
    "notifyShardsUpgradeReadiness": NotifyReadinessView,
    "getOrRegisterDataUpdateTask": RegisterDataTaskView,
    "updateDataTaskUpdate": UpdateDataTaskView,
}


def _of(kind: RegistryKind, collection: str) -> list[URLPattern]:
    return [
        re_path(rf"^{kind.value}:batchGet$", described(kind, BatchGetView).as_view()),
        re_path(rf"^{collection}:watch$", described_watch(kind, WatchManyView).as_view()),
        re_path(rf"^{collection}/{ID}:watch$", described_watch(kind, WatchOneView).as_view()),
        re_path(rf"^{collection}$", described(kind, CollectionView).as_view()),
        re_path(rf"^{collection}/{ID}$", described(kind, MemberView).as_view()),
    ]


urlpatterns = [
    *(pattern for kind, collection in COLLECTIONS.items() for pattern in _of(kind, collection)),
    *(
        re_path(rf"^{COLLECTIONS[RegistryKind.DEPLOYMENT]}/{ID}:{verb}$", view.as_view())
        for verb, view in VERBS.items()
    ),
    re_path("", UnknownMetaAddressView.as_view()),
]
