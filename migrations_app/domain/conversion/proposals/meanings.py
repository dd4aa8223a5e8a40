"""What needs a person beside the lines: fields of one name whose meaning changed, types and methods that go.

An edge may say that something goes without a counterpart, and it is no all-clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding, FindingLevel
from migrations_app.domain.conversion.planning.planner import LinkedFields
from migrations_app.domain.conversion.proposals.documents.corpus import DocumentCorpus
from migrations_app.domain.conversion.proposals.names.common_names import UNITS
from migrations_app.domain.conversion.proposals.names.words import document_words
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ScalarType
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

_REMEDY = message("`swy schema compat` reports it as a break until a person accepts it.")
_LEAST_WORDS, _UNLIKE = 6, 0.12


def changed_meanings(
    links: Iterable[LinkedFields], corpus: DocumentCorpus, place: EdgeFileLine
) -> Iterator[EdgeFinding]:
    """Note fields that match by name although their documents name other units, or have next to nothing in common."""
    seen: set[tuple[str, str]] = set()
    for link in links:
        if (link.source_type, link.old.name) in seen:
            continue
        seen.add((link.source_type, link.old.name))
        change = _change(link, corpus)
        if change:
            places = [str(each) for each in (link.old.place, link.new.place) if each]
            yield EdgeFinding(
                "W-MEANING",
                change + _read_at(places),
                place,
                message("If its values mean something else now, write unit, convert, or removed and added."),
                FindingLevel.WARNING,
            )


def _read_at(places: list[str]) -> WordedMessage:
    if not places:
        return NOTHING
    if len(places) == 1:
        return message("Read {place}.", place=places[0])
    return message("Read {place} and {other}.", place=places[0], other=places[1])


def _change(link: LinkedFields, corpus: DocumentCorpus) -> WordedMessage:
    old, new, field = link.old, link.new, f"{link.source_type}.{link.old.name}"
    if (
        isinstance(old.type, ScalarType)
        and isinstance(new.type, ScalarType)
        and old.type.format != new.type.format
    ):
        return message(
            "{field} keeps its name, but its format was {before} and is {after}.",
            field=field,
            before=old.type.format or "none",
            after=new.type.format or "none",
        )
    left, right = document_words(old.description), document_words(new.description)
    units = left & UNITS, right & UNITS
    if all(units) and not units[0] & units[1]:
        return message(
            "{field} keeps its name, but its document says {before}, then {after}.",
            field=field,
            before=", ".join(sorted(units[0])),
            after=", ".join(sorted(units[1])),
        )
    if min(len(left), len(right)) >= _LEAST_WORDS:
        alike = corpus.alike(old.description, new.description, frozenset())
        if alike is not None and alike < _UNLIKE:
            return message(
                "{field} keeps its name, but its documents have next to nothing in common.", field=field
            )
    return NOTHING


def removal_notes(edge: Edge, old: Schema, new: Schema) -> Iterator[EdgeFinding]:
    """Note each resource type and each custom method that the newer version has nothing for."""
    for name in edge.removed:
        if name in old.resources:
            yield _note(
                edge,
                message(
                    "{name} of {source} has no counterpart in {target}: its resources are kept and served by "
                    "{source}, and clients have nothing to move to.",
                    name=name,
                    source=edge.source,
                    target=edge.target,
                ),
            )
    for name, method in old.methods.items():
        if method.verb and edge.methods.renamed.get(name, name) not in new.methods:
            yield _note(
                edge,
                message(
                    "The method {name} of {source} ends with it: {target} has none like it.",
                    name=name,
                    source=edge.source,
                    target=edge.target,
                ),
            )


def _note(edge: Edge, words: WordedMessage) -> EdgeFinding:
    return EdgeFinding("W-REMOVED", words, edge.place(), _REMEDY, FindingLevel.WARNING)
