"""Cascades that can get stuck: a type that goes with another one, and that a living resource may block.

Source: the model `cascade_check`, its rule S2, where nothing is known to share a dying ancestor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from migrations_app.domain.constraints.references import ReferenceFinder
from migrations_app.domain.schema.findings import DefinitionFinding
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Field
from migrations_app.kernel.messages import message, verbatim

WINS = "wins"
"""The constraint with which a blocking field states what wins when its target is reached by a cascade: `block`."""


@dataclass(frozen=True, slots=True)
class TypeReference:
    """A field that refers: from a type to a type, each `service/Type`."""

    source: str
    target: str
    kind: str
    path: str
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Stuck:
    """A deletion that may not end: of `root`, which reaches `blocked` by `chain`, where `link` may hold it."""

    root: str
    chain: tuple[TypeReference, ...]
    link: TypeReference

    @property
    def sentence(self) -> str:
        """Say what would happen."""
        way = ", ".join(f"{each.source} with {each.target} (field {each.path})" for each in self.chain)
        return (
            f"Deleting {self.root} deletes {way}; but {self.link.source} may refer to {self.link.target} "
            f"by {self.link.path}, which blocks, and need not go with it: the deletion would never end."
        )


def links_of(schema: Schema) -> Iterator[TypeReference]:
    """List the references that the resource types of a schema may make."""
    finder = ReferenceFinder(schema)
    for short in schema.resources:
        for field, path, targets in finder.declared(short):
            for service, type_ in targets:
                source, target = f"{schema.service}/{short}", f"{service}/{type_}"
                yield TypeReference(source, target, finder.kind_of(field), path, _states(field))


def stuck(links: Iterable[TypeReference]) -> tuple[Stuck, ...]:
    """Find the blocking references whose target a cascade can reach; one finding for each, by its shortest way."""
    known = tuple(dict.fromkeys(links))
    cascades: dict[str, list[TypeReference]] = {}
    for each in known:
        if each.kind == "CASCADE":
            cascades.setdefault(each.target, []).append(each)
    found: dict[TypeReference, Stuck] = {}
    for root in sorted(cascades):
        for reached, chain in _reach(root, cascades).items():
            for link in known:
                if link.kind == "BLOCK" and link.target == reached and not link.stated:
                    shortest = found.get(link)
                    if shortest is None or len(chain) < len(shortest.chain):
                        found[link] = Stuck(root, chain, link)
    return tuple(found[link] for link in known if link in found)


def findings(schema: Schema, others: Iterable[Schema] = ()) -> tuple[DefinitionFinding, ...]:
    """Judge a schema together with those it imports, and those that import it."""
    every = [link for each in (schema, *others) for link in links_of(each)]
    return tuple(
        DefinitionFinding(
            "stuck-cascade",
            verbatim(each.sentence),
            path=f"{each.link.source}.{each.link.path}",
            remedy_words=message(
                "State what wins, `constraints: {example}`: the deletion then waits for those that refer; "
                "or let the field cascade or be unset.",
                example=f"{{{WINS}: block}}",
            ),
        )
        for each in stuck(every)
        if each.link.source.startswith(f"{schema.service}/")
        or any(link.source.startswith(f"{schema.service}/") for link in each.chain)
    )


def _reach(root: str, cascades: Mapping[str, list[TypeReference]]) -> dict[str, tuple[TypeReference, ...]]:
    found: dict[str, tuple[TypeReference, ...]] = {}
    waiting: list[tuple[str, tuple[TypeReference, ...]]] = [(root, ())]
    while waiting:
        type_, chain = waiting.pop(0)
        for link in cascades.get(type_, ()):
            if link.source not in found:
                found[link.source] = (*chain, link)
                waiting.append((link.source, found[link.source]))
    return found


def _states(field: Field) -> bool:
    return str(field.constraints.get(WINS, "")).lower() == "block"
