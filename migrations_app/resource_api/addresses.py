"""Addresses of the resource API: which resource type, which resource or collection, which verb."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.presentation import wrong_name
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.messages import message

PREFIX = "/apis/"


@dataclass(frozen=True, slots=True)
class RequestAddress:
    """A path taken apart: `{region}/{service}/{version}/{rest}[:{verb}]`."""

    region: str
    service: str
    version: str
    rest: str
    verb: str


@dataclass(frozen=True, slots=True)
class ResourceLocation:
    """What the rest of an address means: a resource by `name`, or a collection under `parent`."""

    type: str
    name: str = ""
    parent: str = ""

    @property
    def is_collection(self) -> bool:
        """Whether it is a collection."""
        return not self.name


def address_of(path: str) -> RequestAddress:
    """Take a path apart.

    Raises: Missing (`address`).
    """
    parts = path.removeprefix(PREFIX).split("/", 3)
    if not path.startswith(PREFIX) or len(parts) < 4 or not all(parts[:3]):
        raise Missing(
            message("There is nothing at this address."),
            code="address",
            remedy=message(
                "Write /apis/{form}/{form_2}/{form_3}/{form_4}.",
                form="{region}",
                form_2="{service}",
                form_3="{version}",
                form_4="{name}",
            ),
        )
    rest, colon, verb = parts[3].partition(":")
    if colon and "/" in verb:
        rest, verb = parts[3], ""
    try:
        region, service, version, rest = (unquote(part, errors="strict") for part in (*parts[:3], rest))
    except UnicodeDecodeError as error:
        raise Invalid(message("The address is not UTF-8."), code="address") from error
    return RequestAddress(region, service, version, rest.strip("/"), verb)


def place_of(schema: Schema, rest: str) -> ResourceLocation:
    """Tell what a path below a version means: the first resource type with a pattern that fits.

    Raises: Missing (`address`) · Invalid (`name`) when it is the name of a resource but for an id.
    """
    shapes = _shapes(SchemaKey(schema))
    for type_, item, _ in shapes:
        if item.match(rest) is not None:
            return ResourceLocation(type_, name=rest)
    for type_, _, collection in shapes:
        if collection is not None and collection.match(rest, wildcards=True) is not None:
            return ResourceLocation(type_, parent=rest.rpartition("/")[0])
    for type_, item, _ in shapes:
        if item.problem(rest):
            raise wrong_name(type_, rest, [item])
    known = ", ".join(sorted({shape.text for _, shape, _ in shapes})[:10])
    raise Missing(
        message(
            "{service} {version} has no resources named {rest}.",
            service=schema.service,
            version=schema.version,
            rest=repr(rest[:120]),
        ),
        code="address",
        remedy=message("Names look like {known}.", known=known),
    )


class SchemaKey:
    """A schema as the key of what is kept for it: the same object, not an equal one, whose comparison is slow."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SchemaKey) and other.schema is self.schema


@lru_cache(maxsize=512)
def _shapes(key: SchemaKey) -> tuple[tuple[str, Pattern, Pattern | None], ...]:
    found = []
    for short, resource in key.schema.resources.items():
        for text in resource.patterns:
            item = Pattern.parse(text, resource.id_patterns)
            above = text.rpartition("/")[0]
            collection = None if item.is_singleton else Pattern.parse(above, resource.id_patterns)
            found.append((short, item, collection))
    return tuple(found)
