"""Which resource types of two versions are the same under other names, and what their names become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrations_app.domain.conversion.edges import resource_pairs
from migrations_app.domain.conversion.metadata.edge import Edge
from migrations_app.domain.conversion.planning.planner import LinkedFields
from migrations_app.domain.conversion.proposals.assignment import assign
from migrations_app.domain.conversion.proposals.evidence import Evidence
from migrations_app.domain.conversion.proposals.names.synonyms import are_synonyms
from migrations_app.domain.conversion.proposals.names.words import are_opposites, type_words
from migrations_app.domain.conversion.proposals.own_fields import OwnFields
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.shapes import Shapes, names_alike
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type

_SURE, _WORTH = 0.9, 0.3
_OWN_FIELDS = 3.0


def resource_suggestions(edge: Edge, shapes: Shapes) -> list[Suggestion]:
    """Say of every resource type that only one side has what became of it."""
    old, new = shapes.old, shapes.new
    pairs, _ = resource_pairs(edge, old, new)
    left = [
        each for name, each in old.resources.items() if name not in edge.removed and not _in(pairs, name, 0)
    ]
    right = [
        each for name, each in new.resources.items() if name not in edge.added and not _in(pairs, name, 1)
    ]
    own = OwnFields(shapes, left, right)
    evidence = {(one.type, other.type): _weigh(shapes, own, one, other) for one in left for other in right}
    weights = {pair: each.weight + 2 for pair, each in evidence.items() if each.confidence >= _WORTH}
    found: list[Suggestion] = []
    doubtful: tuple[set[str], set[str]] = (set(), set())
    for source, target in assign(weights):
        each = evidence[source, target]
        sure = each.confidence >= _SURE
        doubtful[0].add(source)
        doubtful[1].add(target)
        found.append(
            Suggestion(
                Section.RENAMED,
                source,
                confidence=round(each.confidence, 2),
                reasons=each.reasons,
                sure=sure,
                target=target,
            )
        )
    found += [Suggestion(Section.REMOVED, each.type) for each in left if each.type not in doubtful[0]]
    found += [Suggestion(Section.ADDED, each.type) for each in right if each.type not in doubtful[1]]
    return found


def _in(pairs: Iterable[tuple[str, str]], name: str, side: int) -> bool:
    return any(pair[side] == name for pair in pairs)


def _weigh(shapes: Shapes, own: OwnFields, old: ResourceDefinition, new: ResourceDefinition) -> Evidence:
    found = Evidence(-3.2, ())
    mine, theirs = type_words(old.type), type_words(new.type)
    if are_opposites(mine, theirs):
        return found.plus(-60)
    if mine == theirs:
        found = found.plus(4.0, MatchReason.NAMES_EQUAL.words_with())
    elif are_synonyms(mine, theirs) and set(mine) & set(theirs):
        found = found.plus(2.0, MatchReason.SYNONYMS.words_with())
    elif set(mine) & set(theirs):
        part = len(set(mine) & set(theirs)) / len(set(mine) | set(theirs))
        weight = (0.8 if mine[-1:] == theirs[-1:] else 0.0) + 1.5 * part
        found = found.plus(weight, MatchReason.SHARED_WORDS.words_with())
    else:
        found = found.plus(-1.0)
    if names_alike(old.message, new.message) == 1.0:
        found = found.plus(3.0, MatchReason.DOCUMENT_TYPES.words_with())
    shared = shapes.likeness(RefType(old.message), RefType(new.message))
    found = found.plus(5.0 * shared - 1.5, MatchReason.RESOURCES_SHARE.words_with(share=f"{shared:.0%}"))
    if _shapes(old) & _shapes(new):
        found = found.plus(4.5, MatchReason.PATTERNS_EQUAL.words_with())
    elif collections(old) & collections(new):
        found = found.plus(2.0, MatchReason.COLLECTIONS_EQUAL.words_with())
    if own.are_one(old.type, new.type):
        share = own.common(old.type, new.type).share
        found = found.plus(_OWN_FIELDS, MatchReason.OWN_FIELDS.words_with(share=f"{share:.0%}"))
    return found


def _shapes(resource: ResourceDefinition) -> set[tuple[str, ...]]:
    """Write the name patterns without what their variables are called."""
    return {
        tuple("{}" if part.startswith("{") else part for part in pattern.split("/"))
        for pattern in resource.patterns
        if "/" in pattern
    }


def collections(resource: ResourceDefinition) -> set[str]:
    """Name the collections that the names of a resource type end in."""
    ends = (pattern.split("/") for pattern in resource.patterns)
    return {parts[-2] for parts in ends if len(parts) > 1}


def type_suggestions(
    links: tuple[LinkedFields, ...], known: dict[str, str], shapes: Shapes
) -> Iterator[Suggestion]:
    """Say which object types are called otherwise, as fields taken for the same hold them."""
    seen: set[tuple[str, str]] = set()
    for link in links:
        pair = _named(shapes.old, link.old.type), _named(shapes.new, link.new.type)
        if not all(pair) or pair in seen or known.get(pair[0]) == pair[1]:
            continue
        seen.add(pair)
        if pair[0].rpartition(".")[2] == pair[1].rpartition(".")[2]:
            continue
        shared = shapes.likeness(RefType(pair[0]), RefType(pair[1]))
        held = MatchReason.HELD_BY.words_with(place=f"{link.source_type}.{link.old.name}")
        reasons = held, MatchReason.THEY_SHARE.words_with(share=f"{shared:.0%}")
        sure = shared >= 0.5 or names_alike(*pair) >= 0.8
        yield Suggestion(
            Section.TYPES,
            pair[0],
            confidence=0.95 if sure else 0.6,
            reasons=reasons,
            sure=sure,
            target=pair[1],
        )


def _named(schema: Schema, given: Type) -> str:
    """Name the object type in a field, through lists and maps."""
    while not isinstance(given, RefType):
        if isinstance(given, ListType):
            given = given.item
        elif isinstance(given, MapType):
            given = given.value
        else:
            return ""
    found = schema.resolve(given)
    if isinstance(found, ListType | MapType):
        return _named(schema, found)
    return given.name if isinstance(found, ObjectType) else ""
