"""The addresses of the Meta API."""

from __future__ import annotations

from django.urls import URLPattern, re_path

from migrations_app.domain.registry.names import Kind
from migrations_app.meta_api.doors import (
    BatchGetDoor,
    CollectionDoor,
    MemberDoor,
    MetaDoor,
    NowhereDoor,
    described,
)
from migrations_app.meta_api.verbs import (
    BeginUpgradeDoor,
    NotifyReadinessDoor,
    RegisterDataTaskDoor,
    SetAvailableUpgradeDoor,
    UpdateDataTaskDoor,
)
from migrations_app.meta_api.watch import WatchManyDoor, WatchOneDoor, described_watch

ID = r"(?P<id>[^/:]+)"
SERVICE = r"(?P<service>[^/:]+)"
COLLECTIONS = {
    Kind.REGION: "regions",
    Kind.SERVICE: "services",
    Kind.DEPLOYMENT: f"services/{SERVICE}/deployments",
    Kind.RESOURCE: f"services/{SERVICE}/resources",
}
VERBS: dict[str, type[MetaDoor]] = {
    "beginUpgrade": BeginUpgradeDoor,
    "setAvailableUpgrade": SetAvailableUpgradeDoor,
    "notifyShardsUpgradeReadiness": NotifyReadinessDoor,
    "getOrRegisterDataUpdateTask": RegisterDataTaskDoor,
    "updateDataTaskUpdate": UpdateDataTaskDoor,
}


def _of(kind: Kind, collection: str) -> list[URLPattern]:
    return [
        re_path(rf"^{kind.value}:batchGet$", described(kind, BatchGetDoor).as_view()),
        re_path(rf"^{collection}:watch$", described_watch(kind, WatchManyDoor).as_view()),
        re_path(rf"^{collection}/{ID}:watch$", described_watch(kind, WatchOneDoor).as_view()),
        re_path(rf"^{collection}$", described(kind, CollectionDoor).as_view()),
        re_path(rf"^{collection}/{ID}$", described(kind, MemberDoor).as_view()),
    ]


urlpatterns = [
    *(pattern for kind, collection in COLLECTIONS.items() for pattern in _of(kind, collection)),
    *(
        re_path(rf"^{COLLECTIONS[Kind.DEPLOYMENT]}/{ID}:{verb}$", door.as_view())
        for verb, door in VERBS.items()
    ),
    re_path("", NowhereDoor.as_view()),
]
