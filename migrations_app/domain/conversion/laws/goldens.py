"""Goldens: what a released conversion made of fixed documents, byte for byte, kept in the service folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.namemap import NoImage
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.kernel.json import Json, canonical

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
    for source, target in permutations(compiled.versions, 2):
        for resource in compiled.resource_types(source):
            converter = compiled.converter(resource.type, source, target)
            if converter.target_type is None:
                continue
            path = f"{FOLDER}{converter.source_type}.{source}-{target}.jsonl"
            lines = []
            for seed in SEEDS:
                name, body = Exemplars(converter.source, seed).resource(resource)
                made: Json
                try:
                    after = converter.forward(name, body)
                    made = {"name": after.name, "body": after.body}
                except NoImage:
                    made = None
                before: Json = {"name": name, "body": body}
                lines.append(canonical({"before": before, "after": made}))
            yield Golden(path, b"\n".join(lines) + b"\n", compiled.folder.files.get(path))
