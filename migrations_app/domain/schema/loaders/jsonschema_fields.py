"""What a property of a JSON Schema says of its field beside the type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from migrations_app.domain.schema.types import (
    Behavior,
    Default,
    DefaultKind,
    Deprecation,
    Field,
    Type,
)
from migrations_app.kernel.json import Json, JsonObject

_CONSTRAINTS: Mapping[str, str] = {
    "minimum": "min",
    "maximum": "max",
    "multipleOf": "multipleOf",
    "minLength": "minLength",
    "maxLength": "maxLength",
    "pattern": "pattern",
    "minItems": "minItems",
    "maxItems": "maxItems",
    "minProperties": "minProperties",
    "maxProperties": "maxProperties",
    "const": "const",
}


def constraints_of(schema: Mapping[str, Json]) -> JsonObject:
    """Collect the constraints of a schema in the words of the IR."""
    found: JsonObject = {ours: schema[theirs] for theirs, ours in _CONSTRAINTS.items() if theirs in schema}
    for theirs, ours, bound in (
        ("exclusiveMinimum", "exclusiveMin", "min"),
        ("exclusiveMaximum", "exclusiveMax", "max"),
    ):
        said = schema.get(theirs)
        if said is True and bound in found:  # draft 4 and OpenAPI 3.0 make the bound itself exclusive
            found[ours] = found.pop(bound)
        elif isinstance(said, int | float) and not isinstance(said, bool):
            found[ours] = said
    return found


def field_of(name: str, kind: Type, said: Mapping[str, Json], lineage: str) -> Callable[..., Field]:
    """Prepare the field of a property; the object around it says the rest."""
    return partial(
        Field,
        name=name,
        type=kind,
        id=lineage,
        default=Default(DefaultKind.STATIC, said["default"]) if "default" in said else Default(),
        behavior=_behavior(said),
        constraints=constraints_of(said),
        deprecated=_deprecation(said),
        sensitive=said.get("format") == "password" or said.get("x-sensitive") is True,
        description=str(said.get("description") or ""),
    )


def _behavior(said: Mapping[str, Json]) -> frozenset[Behavior]:
    found = set()
    if said.get("readOnly") is True:
        found.add(Behavior.OUTPUT_ONLY)
    if said.get("writeOnly") is True:
        found.add(Behavior.INPUT_ONLY)
    rules = said.get("x-kubernetes-validations")
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict) and str(rule.get("rule")).replace(" ", "") == "self==oldSelf":
            found.add(Behavior.IMMUTABLE)
    return frozenset(found)


def _deprecation(said: Mapping[str, Json]) -> Deprecation | None:
    sunset = str(said.get("x-sunset") or "")
    if said.get("deprecated") is not True and not sunset:
        return None
    return Deprecation(sunset=sunset, replaced_by=str(said.get("x-replaced-by") or ""))
