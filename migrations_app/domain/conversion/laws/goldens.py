"""Goldens: what a released conversion made of fixed documents, byte for byte, kept in the service folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.laws.cases import of_the_part
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.methods import method_ways
from migrations_app.domain.conversion.methods.converter import MethodConverter
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.ir import ResourceDefinition
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject, canonical, decode
from migrations_app.kernel.messages import message as worded

FOLDER = "goldens/"
SEEDS = range(4)


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden file as it should be now, and as the folder has it (None: it is not there)."""

    path: str
    made: bytes
    kept: bytes | None

    @property
    def is_same(self) -> bool:
        """Whether the conversion still makes what was accepted."""
        return self.made == self.kept


def goldens(compiled: CompiledService) -> Iterator[Golden]:
    """Convert the fixed documents of every type over every ordered pair of versions."""
    for resource, routes in compiled.ways():
        for converter in routes:
            if converter.target_type is None:
                continue
            into = f"-{converter.target_type}" if len(routes) > 1 else ""
            way = f"{converter.source.version}-{converter.target.version}"
            path = f"{FOLDER}{converter.source_type}{into}.{way}.jsonl"
            kept = compiled.folder.files.get(path)
            yield Golden(path, _lines(converter, _befores(converter, resource, kept)), kept)
    for method in method_ways(compiled):
        yield from _messages(compiled, method)


def _messages(compiled: CompiledService, method: MethodConverter) -> Iterator[Golden]:
    """Convert the fixed messages of a method, where an edge changes them."""
    way = f"{method.source.version}-{method.target.version}"
    sides = (
        ("request", method.source, method.method.request, method.request, method.changes_request),
        ("response", method.target, method.target_method.response, method.response, method.changes_response),
    )
    for side, schema, type_, convert, changes in sides:
        if not changes:
            continue
        path = f"{FOLDER}{method.method.name}.{side}.{way}.jsonl"
        kept = compiled.folder.files.get(path)
        befores = list(_message_befores(kept)) or [
            Exemplars(schema, seed).object(schema.object(type_)) for seed in SEEDS
        ]
        lines = [canonical({"before": each, "after": convert(each)}) for each in befores]
        yield Golden(path, b"\n".join(lines) + b"\n", kept)


def _message_befores(kept: bytes | None) -> Iterator[JsonObject]:
    for line in (kept or b"").splitlines():
        match decode(line):
            case {"before": dict(message)}:
                yield message
            case _:
                raise Invalid(
                    worded("A line of a golden is not {form}.", form="{before, after}"), code="golden"
                )


def _befores(
    converter: TypeConverter, resource: ResourceDefinition, kept: bytes | None
) -> Iterator[tuple[str, JsonObject]]:
    """Read the documents that were accepted; make some up where there are none."""
    for line in (kept or b"").splitlines():
        match decode(line):
            case {"before": {"name": str(name), "body": dict(body)}}:
                yield name, body
            case _:
                raise Invalid(
                    worded("A line of a golden is not {form}.", form="{before: {name, body}, after}"),
                    code="golden",
                )
    for seed in () if kept else SEEDS:
        name, body = Exemplars(converter.source, seed).resource(resource)
        yield name, of_the_part(converter, body, seed)


def _lines(converter: TypeConverter, befores: Iterator[tuple[str, JsonObject]]) -> bytes:
    lines = []
    for name, body in befores:
        made: Json
        try:
            after = converter.forward(name, body)
            made = {"name": after.name, "body": after.body}
        except NoImage:
            made = None
        before: Json = {"name": name, "body": body}
        lines.append(canonical({"before": before, "after": made}))
    return b"\n".join(lines) + b"\n"
