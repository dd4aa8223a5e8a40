"""The custom methods of deployments: upgrades and data tasks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import msgspec
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.commands.offer_upgrade import offer_upgrade
from migrations_app.control.registry.commands.record_data_task import (
    get_or_register_data_task,
    note_data_task,
)
from migrations_app.control.registry.commands.report_shards import report_shards
from migrations_app.control.upgrades.commands.begin_registered import begin_registered
from migrations_app.domain.registry.documents import convert
from migrations_app.domain.registry.metadata import Count, Message, Text
from migrations_app.domain.registry.names import RegistryKind, ids
from migrations_app.domain.registry.values import AvailableUpgrade, DataUpdateStatus
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.meta_api.options import body_of, with_body
from migrations_app.meta_api.shapes import listing
from migrations_app.meta_api.views import MetaView, forwarded
from migrations_app.web.preconditions import rehearsed

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
    """Report one shard of a data task; progress is what the task says of itself, `percent` is shown as such."""

    name: Text = ""
    tag: Text = ""
    shard: Count = 0
    done: bool = False
    progress_status: dict[str, Any] = {}
    db_data_target_version: Text = ""


def _shape(message_type: type[Message]) -> dict[str, Any]:
    schema, components = msgspec.json.schema_components([message_type], ref_template="{name}")
    del schema
    return {"application/json": components[message_type.__name__]}


def _fields(message_type: type[Message]) -> tuple[str, ...]:
    return tuple(each.encode_name for each in msgspec.structs.fields(message_type) if each.name != "name")


_EMPTY = {"type": "object", "properties": {}}
_STATUS = {"type": "object", "properties": {"status": _shape(DataUpdateStatus)["application/json"]}}
_REHEARSAL = listing("dryRun")


class VerbView(MetaView):
    """`POST {deployment}:verb`."""

    kind = RegistryKind.DEPLOYMENT
    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}

    def name(self) -> str:
        """Write the deployment's full name, refusing what is none."""
        found = super().name()
        ids(RegistryKind.DEPLOYMENT, found)
        return found

    def asked(self, message_type: type[AskedT]) -> AskedT:
        """Read the request from the query and the body; a name in it must be the address's.

        Raises: Invalid (`message-shape`, `parameter`, `name-mismatch`).
        """
        body = body_of(self.request)
        if body.pop("name", self.name()) != self.name():
            raise Invalid(
                message("The body names another deployment than {name}.", name=self.name()),
                code="name-mismatch",
                remedy=message("Omit the name from the body, or give the name of the request."),
            )
        return convert(with_body(self.query, body, self.asks["POST"]), message_type)

    def act(self, act: Callable[[], object]) -> Response:
        """Do it, or only rehearse it; the answer is empty."""
        rehearsed(self.dry_run, act)
        return Response({})


class BeginUpgradeView(VerbView):
    """`:beginUpgrade`."""

    asks = {"POST": _fields(BeginUpgrade)}
    may: ClassVar[dict[str, str]] = {"POST": "upgrade.start"}

    @extend_schema(
        operation_id="meta_begin_upgrade",
        request=_shape(BeginUpgrade),
        parameters=_REHEARSAL,
        responses={200: _EMPTY},
    )
    def post(self, request: Request, **_: str) -> Response:
        """Begin an upgrade: the very one the console shows, also where another registry is mirrored."""
        asked = self.asked(BeginUpgrade)
        return self.act(
            lambda: begin_registered(self.actor, self.name(), asked.target_version, asked.total_shards_count)
        )


class SetAvailableUpgradeView(VerbView):
    """`:setAvailableUpgrade`."""

    asks = {"POST": _fields(SetAvailableUpgrade)}

    @extend_schema(
        operation_id="meta_set_available_upgrade",
        request=_shape(SetAvailableUpgrade),
        parameters=_REHEARSAL,
        responses={200: _EMPTY},
    )
    @forwarded
    def post(self, request: Request, **_: str) -> Response:
        """Note what the deployment's code could move to."""
        asked = self.asked(SetAvailableUpgrade)
        offer = AvailableUpgrade(
            asked.target_api_version,
            asked.target_db_data_version,
            asked.target_db_location_tag,
            asked.total_shards_count,
        )
        return self.act(lambda: offer_upgrade(self.actor, self.name(), offer))


class NotifyReadinessView(VerbView):
    """`:notifyShardsUpgradeReadiness`."""

    asks = {"POST": _fields(NotifyShardsUpgradeReadiness)}

    @extend_schema(
        operation_id="meta_notify_shards_upgrade_readiness",
        request=_shape(NotifyShardsUpgradeReadiness),
        parameters=_REHEARSAL,
        responses={200: _EMPTY},
    )
    @forwarded
    def post(self, request: Request, **_: str) -> Response:
        """Take the report of shards."""
        asked = self.asked(NotifyShardsUpgradeReadiness)
        return self.act(
            lambda: report_shards(
                self.actor,
                self.name(),
                asked.shards_from,
                asked.shards_to,
                ready=asked.ready,
                total=asked.total_shards_count,
            )
        )


class RegisterDataTaskView(VerbView):
    """`:getOrRegisterDataUpdateTask`."""

    asks = {"POST": _fields(GetOrRegisterDataUpdateTask)}

    @extend_schema(
        operation_id="meta_get_or_register_data_update_task",
        request=_shape(GetOrRegisterDataUpdateTask),
        parameters=_REHEARSAL,
        responses={200: _STATUS},
    )
    @forwarded
    def post(self, request: Request, **_: str) -> Response:
        """Register a data task, or give the one that is there."""
        asked = self.asked(GetOrRegisterDataUpdateTask)
        status = rehearsed(
            self.dry_run,
            lambda: get_or_register_data_task(
                self.actor, self.name(), asked.tag, asked.shards_count, asked.db_data_target_version
            )[1],
        )
        return Response({"status": msgspec.to_builtins(status)})


class UpdateDataTaskView(VerbView):
    """`:updateDataTaskUpdate`."""

    asks = {"POST": _fields(UpdateDataTaskUpdate)}

    @extend_schema(
        operation_id="meta_update_data_task_update",
        request=_shape(UpdateDataTaskUpdate),
        parameters=_REHEARSAL,
        responses={200: _EMPTY},
    )
    @forwarded
    def post(self, request: Request, **_: str) -> Response:
        """Note the progress of one shard."""
        asked = self.asked(UpdateDataTaskUpdate)
        return self.act(
            lambda: note_data_task(
                self.actor,
                self.name(),
                asked.tag,
                asked.shard,
                done=asked.done,
                progress=asked.progress_status,
                target=asked.db_data_target_version,
            )
        )
