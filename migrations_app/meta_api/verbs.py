"""The custom methods of deployments: upgrades and data tasks."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.actions.begin_registered import begin_registered
from migrations_app.actions.offer_upgrade import offer_upgrade
from migrations_app.actions.record_data_task import get_or_register_data_task, note_data_task
from migrations_app.actions.report_shards import report_shards
from migrations_app.domain.access import reach_of
from migrations_app.domain.registry.documents import convert, document, tidy
from migrations_app.domain.registry.metadata import Count, Message, Text
from migrations_app.domain.registry.names import Kind, ids
from migrations_app.domain.registry.redaction import redact
from migrations_app.domain.registry.values import AvailableUpgrade
from migrations_app.meta_api.doors import MetaDoor
from migrations_app.meta_api.shapes import message
from migrations_app.queries.registry_lists import one

AskedT = TypeVar("AskedT", bound=Message)


class BeginUpgrade(Message, frozen=True):
    """Begin an upgrade; what is left out comes from availableUpgrade."""

    name: Text = ""
    target_version: Text = ""
    total_shards_count: Count = 0


class SetAvailableUpgrade(Message, frozen=True):
    """Say what the deployment's code could move to."""

    name: Text = ""
    target_api_version: Text = ""
    total_shards_count: Count = 0
    target_db_data_version: Text = ""
    target_db_location_tag: Text = ""


class NotifyShardsUpgradeReadiness(Message, frozen=True):
    """Report the shards from..to, both included."""

    name: Text = ""
    shards_from: Count = 0
    shards_to: Count = 0
    ready: bool = False
    total_shards_count: Count = 0


class GetOrRegisterDataUpdateTask(Message, frozen=True):
    """Register a data task once."""

    name: Text = ""
    tag: Text = ""
    shards_count: Count = 0
    db_data_target_version: Text = ""


class UpdateDataTaskUpdate(Message, frozen=True):
    """Report one shard of a data task; progress is in percent."""

    name: Text = ""
    tag: Text = ""
    shard: Count = 0
    done: bool = False
    progress_status: Count = 0
    db_data_target_version: Text = ""


def _shape(message_type: type[Message]) -> dict[str, Any]:
    schema, components = msgspec.json.schema_components([message_type], ref_template="{name}")
    del schema
    return {"application/json": components[message_type.__name__]}


_ANSWER = message(Kind.DEPLOYMENT)


class VerbDoor(MetaDoor):
    """`POST {deployment}:verb`."""

    kind = Kind.DEPLOYMENT
    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}

    def name(self) -> str:
        """Write the deployment's full name, refusing what is none."""
        found = super().name()
        ids(Kind.DEPLOYMENT, found)
        return found

    def asked(self, message_type: type[AskedT]) -> AskedT:
        """Read the body; a name in it must be the address's."""
        return convert(tidy(self.request.data), message_type)

    def shown(self) -> Response:
        """Answer with the deployment as it is now."""
        return Response(one(self.actor, Kind.DEPLOYMENT, self.name()))


class BeginUpgradeDoor(VerbDoor):
    """`:beginUpgrade`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.start"}
    # The approvals that are asked for here come first.
    forwards = False

    @extend_schema(operation_id="meta_begin_upgrade", request=_shape(BeginUpgrade), responses={200: _ANSWER})
    def post(self, request: Request, **_: str) -> Response:
        """Begin an upgrade: the very one the console shows."""
        asked = self.asked(BeginUpgrade)
        begin_registered(self.actor, self.name(), asked.target_version, asked.total_shards_count)
        return self.shown()


class SetAvailableUpgradeDoor(VerbDoor):
    """`:setAvailableUpgrade`."""

    @extend_schema(
        operation_id="meta_set_available_upgrade",
        request=_shape(SetAvailableUpgrade),
        responses={200: _ANSWER},
    )
    def post(self, request: Request, **_: str) -> Response:
        """Note what the deployment's code could move to."""
        asked = self.asked(SetAvailableUpgrade)
        offer = AvailableUpgrade(
            asked.target_api_version,
            asked.target_db_data_version,
            asked.target_db_location_tag,
            asked.total_shards_count,
        )
        offer_upgrade(self.actor, self.name(), offer)
        return self.shown()


class NotifyReadinessDoor(VerbDoor):
    """`:notifyShardsUpgradeReadiness`."""

    @extend_schema(
        operation_id="meta_notify_shards_upgrade_readiness",
        request=_shape(NotifyShardsUpgradeReadiness),
        responses={200: _ANSWER},
    )
    def post(self, request: Request, **_: str) -> Response:
        """Take the report of shards."""
        asked = self.asked(NotifyShardsUpgradeReadiness)
        report_shards(
            self.actor,
            self.name(),
            asked.shards_from,
            asked.shards_to,
            ready=asked.ready,
            total=asked.total_shards_count,
        )
        return self.shown()


class RegisterDataTaskDoor(VerbDoor):
    """`:getOrRegisterDataUpdateTask`."""

    @extend_schema(
        operation_id="meta_get_or_register_data_update_task",
        request=_shape(GetOrRegisterDataUpdateTask),
        responses={200: {"type": "object"}},
    )
    def post(self, request: Request, **_: str) -> Response:
        """Register a data task, or give the one that is there."""
        asked = self.asked(GetOrRegisterDataUpdateTask)
        status = get_or_register_data_task(
            self.actor, self.name(), asked.tag, asked.shards_count, asked.db_data_target_version
        )[1]
        return Response(msgspec.json.decode(msgspec.json.encode(status)))


class UpdateDataTaskDoor(VerbDoor):
    """`:updateDataTaskUpdate`."""

    @extend_schema(
        operation_id="meta_update_data_task_update",
        request=_shape(UpdateDataTaskUpdate),
        responses={200: _ANSWER},
    )
    def post(self, request: Request, **_: str) -> Response:
        """Note the progress of one shard."""
        asked = self.asked(UpdateDataTaskUpdate)
        after = note_data_task(
            self.actor,
            self.name(),
            asked.tag,
            asked.shard,
            done=asked.done,
            progress=asked.progress_status,
            target=asked.db_data_target_version,
        )
        return Response(redact(document(after), reach_of(self.actor, "registry.read")))
