"""Registry messages as JSON documents: the protobuf JSON mapping, both ways."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from migrations_app.domain.registry.names import (
    RegistryKind,
    deployment_name,
    ids,
    last_id,
    region_name,
    service_name,
)
from migrations_app.domain.registry.values import Deployment, Region, Registered, Resource, Service, Stage
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message as worded
from migrations_app.kernel.messages import verbatim

TYPES: dict[RegistryKind, type[Region] | type[Service] | type[Deployment] | type[Resource]] = {
    RegistryKind.REGION: Region,
    RegistryKind.SERVICE: Service,
    RegistryKind.DEPLOYMENT: Deployment,
    RegistryKind.RESOURCE: Resource,
}
KINDS = {cls: kind for kind, cls in TYPES.items()}
_MAPS = frozenset({"labels", "annotations", "shards"})
_PLACE = re.compile(r" - at `\$\.?([^`]*)`$")
MessageT = TypeVar("MessageT")


def kind_of(value: Registered) -> RegistryKind:
    """Tell the collection a value belongs to."""
    return KINDS[type(value)]


def document(value: Registered) -> JsonObject:
    """Write a value as its JSON document; unset fields are left out."""
    written: JsonObject = msgspec.json.decode(msgspec.json.encode(value))
    if isinstance(value, Deployment) and value.upgrade_state is not None:
        state = written["upgradeState"]
        assert isinstance(state, dict)
        state["stage"] = value.upgrade_state.stage.value
    return written


def read(kind: RegistryKind, body: Json, name: str = "") -> Registered:
    """Read a value from a JSON document; `name`, when given, is the name it must have.

    Shape: references may be given as full names or bare ids; snake_case keys, quoted numbers and nulls are
    understood, as protobuf's own parser does.
    Raises: Invalid (`message-shape`, `name-pattern`, `name-mismatch`).
    """
    plain = tidy(body)
    if not isinstance(plain, dict):
        raise Invalid(worded("The body must be a JSON object."), code="message-shape")
    if name and plain.setdefault("name", name) != name:
        raise Invalid(
            worded(
                "The body is named '{name}', the request '{name_2}'.", name=str(plain["name"]), name_2=name
            ),
            code="name-mismatch",
            remedy=worded("Omit the name from the body, or give the name of the request."),
        )
    state = plain.get("upgradeState")
    if isinstance(state, dict):
        # The first value of the enum is what leaving it out means.
        state.setdefault("stage", state.pop("state", Stage.READY.value))
        state.pop("state", None)
    value = convert(plain, TYPES[kind])
    ids(kind, value.name)
    return settle(value)


def convert(plain: Json, message: type[MessageT]) -> MessageT:
    """Read a message from plain values.

    Raises: Invalid (`message-shape`) with the path of the first wrong field.
    """
    try:
        return msgspec.convert(plain, message, strict=False)
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        text = str(error)
        place = _PLACE.search(text)
        path = place[1] if place else ""
        reason = _PLACE.sub("", text)
        raise Invalid(
            worded("{path}: {reason}.", path=path or "The body", reason=reason),
            code="message-shape",
            violations=(Violation(path, verbatim(reason), code="message-shape"),),
        ) from error


def tidy(body: Json) -> Json:
    """Write keys in lowerCamelCase and drop nulls, except inside maps whose keys are data.

    Raises: Invalid (`message-shape`) for a key in both spellings with different values.
    """
    if isinstance(body, dict):
        kept: JsonObject = {}
        for key, value in body.items():
            if value is None:
                continue
            inner = value if key in _MAPS else tidy(value)
            name = camel(key)
            if kept.setdefault(name, inner) != inner:
                raise Invalid(
                    worded("{name} occurs twice, with different values.", name=name),
                    code="message-shape",
                    remedy=worded("Send it once; snake_case and camelCase are the same field."),
                    violations=(Violation(name, worded("Occurs twice."), code="message-shape"),),
                )
        return kept
    if isinstance(body, list):
        return [tidy(one) for one in body]
    return body


def camel(key: str) -> str:
    """Write a key in lowerCamelCase."""
    head, *rest = key.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def settle(value: Registered) -> Registered:
    """Write every reference as a full name, and derive what follows from the name."""
    replace = msgspec.structs.replace
    if isinstance(value, Service):
        return replace(
            value,
            imported_services=_names(value.imported_services),
            used_services=_names(value.used_services),
            leading_service=service_name(last_id(value.leading_service)) if value.leading_service else "",
            imported_versions=tuple(
                replace(one, target_service=service_name(last_id(one.target_service)))
                for one in value.imported_versions
            ),
        )
    if isinstance(value, Deployment):
        if value.region and last_id(value.region) != value.region_id:
            raise Invalid(
                worded(
                    "{name} is for region '{region_id}' but says '{region}'.",
                    name=value.name,
                    region_id=value.region_id,
                    region=value.region,
                ),
                code="deployment-id-is-region",
                remedy=worded("The id of a deployment is the id of its region."),
            )
        name = deployment_name(value.service_id, value.region_id)
        return replace(
            value,
            name=name,
            service_name=service_name(value.service_id),
            region=region_name(value.region_id),
        )
    return value


def _names(references: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({service_name(last_id(one)) for one in references}))
