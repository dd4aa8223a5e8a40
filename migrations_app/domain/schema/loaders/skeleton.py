"""The loader of Goten api-skeletons: resource types, their parents and scopes, actions and versioning hints."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

from migrations_app.domain.schema.findings import DefinitionFinding, Severity
from migrations_app.domain.schema.ir import (
    LoaderLoss,
    Method,
    ResourceDefinition,
    Schema,
    ScopeAttribute,
    Source,
    VersioningHint,
)
from migrations_app.domain.schema.loaders.ir import Loaded, VersionInfo, read_hint
from migrations_app.domain.schema.loaders.jsonschema import lineage
from migrations_app.domain.schema.loaders.parts import Part
from migrations_app.domain.schema.loaders.skeleton_actions import read_action
from migrations_app.domain.schema.loaders.skeleton_options import (
    ACTION_OPTIONS,
    RESOURCE_OPTIONS,
    TOP_OPTIONS,
    report_unknown,
)
from migrations_app.domain.schema.located import read_yaml
from migrations_app.domain.schema.types import Field, ObjectType, Presence, ScalarKind, ScalarType, Type
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message

_BASIC = ("Get", "BatchGet", "List", "Watch", "Create", "Update", "Delete")
_MAX_PATTERNS = 64


def load_skeleton(part: Part, files: Mapping[str, bytes], info: VersionInfo) -> Loaded:
    """Load the api-skeleton named by `path`; it knows resource types, not their fields."""
    path = part.text("path")
    if path not in files:
        raise Invalid(message("{path} is not in the folder.", path=path), code="E-FILE", file=path)
    findings: list[DefinitionFinding] = []
    top = Part(read_yaml(files[path], path), (), findings)
    return _Skeleton(top, info, findings).read(
        Source("skeleton", path, hashlib.sha256(files[path]).hexdigest())
    )


class _Skeleton:
    def __init__(self, top: Part, info: VersionInfo, findings: list[DefinitionFinding]) -> None:
        self._top, self._info, self._findings = top, info, findings
        self._losses: list[LoaderLoss] = []
        self._hints: dict[str, VersioningHint] = {}
        self._parts: dict[str, JsonObject] = {}

    def read(self, source: Source) -> Loaded:
        """Read the whole skeleton; unknown options become warnings."""
        top, info = self._top, self._info
        report_unknown(top, TOP_OPTIONS)
        service = top.text("name")
        if info.service and service != info.service:
            top.wrong(
                "W-SERVICE",
                message("is for {service}, not {info_service}.", service=service, info_service=info.service),
                "name",
                severity=Severity.WARNING,
            )
        package = top.part("proto").part("package")
        version = package.text("currentVersion")
        if info.version and version != info.version:
            package.wrong(
                "E-VERSION",
                message(
                    "is {version}, not {info_version}.",
                    version=repr(version),
                    info_version=repr(info.version),
                ),
                "currentVersion",
            )
        resources = list(top.items("resources"))
        self._parts = {
            str(each.peek("name")): each.value for each in resources if isinstance(each.value, dict)
        }
        found = {name: resource for each in resources for name, resource in [self._resource(each)]}
        methods = dict(self._methods(resources))
        self._losses += [LoaderLoss(name, "fields-missing") for name in found]
        types: dict[str, Type] = {name: _stub(f"{lineage(info)}.{name}/name") for name in found}
        schema = Schema(
            service=info.service or service,
            version=info.version or version,
            ordinal=info.ordinal,
            stage=info.stage,
            next_version=package.text("nextVersion"),
            types=types,
            resources=found,
            methods=methods,
            imports=tuple(top.texts("imports")),
            hints=self._hints,
            sources=(source,),
            losses=tuple(dict.fromkeys(self._losses)),
        )
        return Loaded(schema, tuple(self._findings), frozenset(found))

    def _resource(self, part: Part) -> tuple[str, ResourceDefinition]:
        report_unknown(part, RESOURCE_OPTIONS)
        name = part.text("name")
        if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
            part.wrong("E-NAME", message("{name} cannot name a resource type.", name=repr(name)), "name")
        if "versioning" in part:
            self._hints[name] = read_hint(part.part("versioning"))
        variable = _lower(name)
        pattern = _id_pattern(part)
        options = {key: each for key in RESOURCE_OPTIONS.kept if (each := part.take(key)) is not None}
        resource = ResourceDefinition(
            type=name,
            message=name,
            patterns=self._patterns(name),
            singular=variable,
            plural=_collection(part.value),
            id_patterns={variable: pattern} if pattern else {},
            parents=tuple(each for each in _parents(part.value) if each),
            scope_attributes=_scopes(part.value),
            options=options,
        )
        return name, resource

    def _patterns(self, name: str) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(self._names_of(name, ())))
        if len(found) > _MAX_PATTERNS:
            path = f"resources.{name}"
            self._findings.append(
                DefinitionFinding(
                    "E-LIMIT",
                    message(
                        "{path} has more than {max_patterns} name patterns.",
                        path=path,
                        max_patterns=_MAX_PATTERNS,
                    ),
                    path=path,
                )
            )
        return found[:_MAX_PATTERNS]

    def _names_of(self, name: str, below: tuple[str, ...]) -> Iterator[str]:
        """Build every name pattern: each parent, with and without each optional scope."""
        if name in below:
            self._findings.append(
                DefinitionFinding(
                    "E-CYCLE",
                    message("The parents of {name} lead back to it.", name=name),
                    path=f"resources.{name}",
                )
            )
            return
        value = self._parts.get(name)
        if value is None:
            plural = _lower(_plural(name.rpartition("/")[2]))
            self._losses.append(LoaderLoss(name, "parent-pattern-assumed"))
            yield f"{plural}/{{{_lower(name.rpartition('/')[2])}}}"
            return
        own = f"{_collection(value)}/{{{_lower(name)}}}"
        for parent in _parents(value):
            above = self._names_of(parent, (*below, name)) if parent else iter([""])
            for prefix in above:
                for scope in _scope_prefixes(_scopes(value)):
                    yield "/".join(filter(None, (prefix, scope, own)))

    def _methods(self, resources: list[Part]) -> Iterator[tuple[str, Method]]:
        for part in resources:
            name = str(part.peek("name"))
            yield from self._basic_methods(name, part.value)
            yield from self._actions(part, name)
        for group in self._top.items("apis"):
            report_unknown(group, RESOURCE_OPTIONS)
            yield from self._actions(group, group.text("name"))

    def _basic_methods(self, name: str, value: Json) -> Iterator[tuple[str, Method]]:
        """List the basic actions that the resource did not opt out of; `{Create}Limit` names one as well."""
        given = value.get("optOuts") if isinstance(value, dict) else None
        actions = given.get("basicActions") if isinstance(given, dict) else None
        out = {re.sub(r"[{}]", "", str(each)) for each in (actions if isinstance(actions, list) else [])}
        plural = _plural_of(value)
        for verb in _BASIC:
            subject = plural if verb in ("BatchGet", "List") else name
            if f"{verb}{subject}" not in out and f"{verb}{name}" not in out:
                kind = "get" if verb == "BatchGet" else verb.lower()
                yield f"{verb}{subject}", Method(f"{verb}{subject}", kind=kind)

    def _actions(self, part: Part, group: str) -> Iterator[tuple[str, Method]]:
        for action in part.items("actions"):
            report_unknown(action, ACTION_OPTIONS)
            name = action.text("name")
            if "versioning" in action:
                self._hints[f"{group}/{name}"] = read_hint(action.part("versioning"))
            options: JsonObject = {"group": group}
            options |= {key: each for key in ACTION_OPTIONS.kept if (each := action.take(key)) is not None}
            yield name, read_action(name, group, options, self._parts)


def _stub(lineage_id: str) -> ObjectType:
    """Make the object type of a resource of which only the name is known."""
    name = Field("name", ScalarType(ScalarKind.STRING), lineage_id, presence=Presence.IMPLICIT)
    return ObjectType((name,))


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _plural(name: str) -> str:
    if re.search(r"[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    return f"{name}es" if re.search(r"(s|x|z|ch|sh)$", name) else f"{name}s"


def _plural_of(value: Json) -> str:
    given = value if isinstance(value, dict) else {}
    return str(given.get("plural") or _plural(str(given.get("name"))))


def _collection(value: Json) -> str:
    return _lower(_plural_of(value))


def _parents(value: Json) -> list[str]:
    given = value.get("parents") if isinstance(value, dict) else None
    return [str(each) for each in given] if isinstance(given, list) and given else [""]


def _scopes(value: Json) -> tuple[ScopeAttribute, ...]:
    given = value if isinstance(value, dict) else {}
    names, overrides = given.get("scopeAttributes"), given.get("scopeAttributeOverrides")
    found = []
    for each in names if isinstance(names, list) else []:
        override = overrides.get(str(each)) if isinstance(overrides, dict) else None
        optional = isinstance(override, dict) and override.get("isOptional") is True
        found.append(ScopeAttribute(str(each), optional))
    return tuple(found)


def _scope_prefixes(scopes: tuple[ScopeAttribute, ...]) -> list[str]:
    prefixes = [""]
    for scope in scopes:
        short = scope.name.rpartition("/")[2]
        segment = f"{_lower(_plural(short))}/{{{_lower(short)}}}"
        with_scope = ["/".join(filter(None, (prefix, segment))) for prefix in prefixes]
        prefixes = [*prefixes, *with_scope] if scope.optional else with_scope
    return prefixes


def _id_pattern(part: Part) -> str:
    """Take the id pattern; skeletons write backslashes twice, for the program text it ends up in."""
    return part.text("idPattern").replace("\\\\", "\\").replace("\\/", "/")
