"""Resources as people look at them: lists, and one resource in every version with its bags and its conversions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app import wiring
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.conversion.bag import BAG, entries, strip_object, value_of
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.reports.explain import explain
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.stored_types import kept_type
from migrations_app.engine.serving.presentation import ResourcePresenter, metadata_of, presenter_of
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.engine.serving.stored_names import find
from migrations_app.kernel.errors import DeploymentMissing, NotFound
from migrations_app.kernel.json import Json, JsonObject, encode
from migrations_app.kernel.messages import WordedMessage, as_message, message
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json
from migrations_app.models.registry import Deployment
from migrations_app.ports.store import Reading, StoredResource

WOULD_BE = "would be"


@dataclass(frozen=True, slots=True)
class ResourceListQuery:
    """What to list; no version means the active one, no type its first."""

    version: str = ""
    type: str = ""
    filter: str = ""
    page_token: str = ""
    limit: int = 50


def resources(actor: Actor, region: str, service: str, wanted: ResourceListQuery) -> JsonObject:
    """List the resources of a type as a version shows them.

    Raises: Denied, Missing (`deployment-missing`, `version`), Invalid, Conflict (`version-not-served`).
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))
    servers = wiring.resource_servers()
    served, active = servers.directory.served(region, service), _active(region, service)
    chosen = wanted.version or active
    schema = served.compiled.schema(chosen)
    types = sorted(schema.resources)
    type_ = wanted.type or (types[0] if types else "")
    request = ListRequest(type_, filter=wanted.filter, page_size=wanted.limit, page_token=wanted.page_token)
    page = servers.reading.list(region, service, chosen, request)
    presenter = presenter_of(schema, type_, served.unknown)
    return {
        "service": service,
        "region": region,
        "active_version": active,
        "version": chosen,
        "versions": [*served.compiled.versions],
        "type": type_,
        "types": [*types],
        "how": page.how.value,
        "hidden": page.hidden,
        "items": [_line(presenter, each) for each in page.documents],
        "next_page_token": page.next,
    }


def resource(actor: Actor, region: str, service: str, name: str, version: str = "") -> JsonObject:
    """Show one resource as stored and in each version, with its bags explained and every step of the way.

    Raises: Denied, Missing (`not-found`), Invalid.
    """
    require(actor, "resource.read", Target("deployment", service=service, region=region))

    def _look(route: ServingRoute, reading: Reading) -> tuple[ServingRoute, StoredResource]:
        type_ = _type_named(route, name)
        found = find(route, reading, type_, name)
        if found is None:
            raise NotFound(message("There is no {type} {name}.", type=type_, name=name[:200]))
        return route, found

    router = wiring.resource_servers().router
    route, stored = router.read(region, service, version or _active(region, service), _look)[1]
    presenter = presenter_of(route.stored_schema, stored.type, route.served.unknown)
    shown = presenter.show(stored.name, presenter.native_view(stored), stored, stored.name)
    visible = {key: value for key, value in stored.body.items() if key in shown or key == BAG}
    return {
        "id": f"//{service}/{region}/{stored.name}",
        "service": service,
        "region": region,
        "name": stored.name,
        "type": stored.type,
        "stored_version": route.stored_version,
        "revision": str(stored.revision),
        "metadata": metadata_of(stored, stored.name, f"services/{service}"),
        "stored": visible,
        "bags": list(_bags(visible)),
        "views": [_view(route, stored, each) for each in route.served.compiled.versions],
    }


def _active(region: str, service: str) -> str:
    rows = Deployment.objects.filter(region_id=region, service_id=service)
    found = rows.values_list("current_version", flat=True).first()
    if not isinstance(found, str) or not found:
        raise DeploymentMissing(
            message("{service} serves no version in {region}.", service=service, region=region)
        )
    return found


def _type_named(route: ServingRoute, name: str) -> str:
    for short in sorted(route.schema.resources):
        presenter = presenter_of(route.schema, short, route.served.unknown)
        if any(pattern.match(name) for pattern in presenter.patterns):
            return short
    raise NotFound(
        message("{version} has no resources named {name}.", version=route.version, name=repr(name[:200]))
    )


def _line(presenter: ResourcePresenter, document: JsonObject) -> JsonObject:
    metadata = document.get(presenter.metadata_key)
    known = metadata if isinstance(metadata, dict) else {}
    own = (presenter.name_key, presenter.metadata_key)
    return {
        "name": document.get(presenter.name_key, ""),
        "revision": known.get("resourceVersion", ""),
        "updated_at": known.get("updateTime"),
        "fields": {key: value for key, value in document.items() if key not in own},
    }


def _view(route: ServingRoute, stored: StoredResource, version: str) -> JsonObject:
    """Show the resource in one version and the steps of its conversion, or say why that version cannot."""
    compiled = route.served.compiled
    shown: JsonObject = {"version": version, "how": _how(route, version), "type": None, "name": None}
    shown |= {"document": None, "reason": "", "steps": []}
    typed = compiled.stored.typed(route.stored_version, version)
    try:
        made = typed.forward(stored.type, stored.name, stored.body)
        converter = next(each for each in typed.routes(stored.type) if each.target_type == made.type)
        steps: list[Json] = [*_steps(converter, stored)]
    except NoImage as error:
        return {**shown, **_reason(error.words + as_message(error.remedy, error.remedy_phrases))}
    kept = kept_type(made.type)
    if kept is not None:
        words = message(
            "{version} has no {type}: it is kept as {stored_version} stores it.",
            version=version,
            type=kept.type,
            stored_version=kept.version,
        )
        return {**shown, **_reason(words)}
    shown["type"] = made.type
    presenter = presenter_of(compiled.schema(version), made.type, route.served.unknown)
    document = presenter.show(made.name, strip_object(made.body), stored, made.name)
    for key in (presenter.name_key, presenter.metadata_key):
        document.pop(key, None)
    return {**shown, "name": made.name, "document": document, "steps": steps}


def _reason(words: WordedMessage) -> JsonObject:
    return {"reason": str(words), "reason_phrases": phrases_as_json(words.phrases)}


def _steps(converter: TypeConverter, stored: StoredResource) -> Iterator[JsonObject]:
    for each in explain(converter, stored.name, stored.body):
        yield {
            "op": each.op,
            "source": each.source,
            "target": each.target,
            "before": _text(each.before),
            "after": _text(each.after),
            "bag": each.bag,
        }


def _how(route: ServingRoute, version: str) -> str:
    if version == route.stored_version:
        return ServingMode.NATIVE.value
    order = list(route.served.compiled.versions)
    return (
        ServingMode.TRANSLATED.value if order.index(version) < order.index(route.stored_version) else WOULD_BE
    )


def _bags(value: Json, path: str = "") -> Iterator[JsonObject]:
    """Find the bags in a stored document, and say of each entry why it is there."""
    if isinstance(value, list):
        for at, each in enumerate(value):
            yield from _bags(each, f"{path}[{at}]")
    if not isinstance(value, dict):
        return
    for key, found in sorted(entries(value).items()):
        yield {
            "path": path,
            "key": key,
            "field": key.rpartition("/")[2].partition("#")[0],
            "value": _text(value_of(found)),
            **sentence_as_json(_why(found)),
        }
    for key, below in value.items():
        if key != BAG:
            yield from _bags(below, f"{path}.{key}" if path else key)


def _why(found: Json) -> WordedMessage:
    if value_of(found) is ABSENT:
        return message(
            "It was absent in the other version; this is remembered, so that it stays absent there."
        )
    if isinstance(found, dict) and "w" in found:
        return message(
            "The exact value of the other version; it is restored there as long as its converted value here is not changed."
        )
    return message(
        "This version has no field for it; it is kept here and restored in a version that has one."
    )


def _text(state: State) -> str:
    """Write a state as JSON; nothing where it is absent."""
    return "" if state is ABSENT else encode(state).decode()
