"""Documents of both versions as evidence: read, checked against their version, paired, and kept by field.

No value of a sample leaves this module but symbols of enums that an op maps; what is wrong is named by its place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ListType, MapType, ObjectType, RefType, Type
from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.json import Json, JsonObject, canonical, decode
from migrations_app.kernel.messages import message as worded

MOST_DOCUMENTS = 5_000
MOST_BYTES = 1024 * 1024  # of one line
_MOST_VIOLATIONS = 50
_MOST_LEAVES = 200  # of one field in one document
Place = tuple[str, str]  # the type that has the field, and the field's name
Leaves = tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class SampleDocument:
    """One document: what identifies it in both versions, its resource type, and its body."""

    type: str
    name: str
    uid: str
    body: JsonObject


def read_samples(schema: Schema, file: str, lines: Iterable[bytes]) -> list[SampleDocument]:
    """Read documents of a version, one JSON object `{type, name, uid, body}` a line.

    `uid` may be left out, and `type` where the version has one resource type.

    Raises: Invalid (`samples`) that names every line and path that is wrong, and no value.
    """
    found: list[SampleDocument] = []
    wrong: list[Violation] = []
    checkers: dict[str, DocumentChecker] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{file}:{number}"
        if len(found) >= MOST_DOCUMENTS:
            words = worded("more than {most} samples", most=MOST_DOCUMENTS)
            wrong.append(Violation(place, words, worded("Give fewer."), "E-LIMIT"))
            break
        try:
            document = _document(schema, line)
        except Invalid as error:
            wrong.append(Violation(place, error.words, error.remedy_words, "E-SAMPLE"))
            continue
        checker = checkers.get(document.type)
        if checker is None:
            message = schema.resources[document.type].message
            checker = checkers[document.type] = DocumentChecker(schema, message)
        checked = checker.check(document.body)
        wrong += [
            Violation(
                f"{place}: {document.type}.{each.path}",
                each.words,
                each.remedy_words,
                each.code or "E-SAMPLE",
            )
            for each in checked.violations
        ]
        if len(wrong) >= _MOST_VIOLATIONS:
            break
        found.append(document)
    if wrong:
        raise _refusal(schema, file, wrong)
    return found


def _refusal(schema: Schema, file: str, wrong: Sequence[Violation]) -> Invalid:
    return Invalid(
        worded(
            "{file}: {count} places of the samples are no documents of {version}.",
            file=file,
            count=len(wrong),
            version=schema.version,
        ),
        code="samples",
        remedy=worded("Fix them, or leave these documents out."),
        violations=tuple(wrong[:_MOST_VIOLATIONS]),
    )


def _document(schema: Schema, line: bytes) -> SampleDocument:
    """Read one line.

    Raises: Invalid.
    """
    if len(line) > MOST_BYTES:
        raise Invalid(
            worded("The line is longer than {most} bytes.", most=MOST_BYTES),
            remedy=worded("Leave this document out."),
        )
    read = decode(line)
    body = read.get("body") if isinstance(read, dict) else None
    if not isinstance(read, dict) or not isinstance(body, dict):
        raise Invalid(
            worded("The line has no body."),
            remedy=worded("Write {example}.", example="{type: …, name: …, body: {…}}"),
        )
    type_ = read.get("type") or (next(iter(schema.resources)) if len(schema.resources) == 1 else None)
    if not isinstance(type_, str) or type_ not in schema.resources:
        known = ", ".join(sorted(schema.resources)[:20])
        raise Invalid(
            worded("The line names no resource type of its version."),
            remedy=worded("Its type is one of {known}.", known=known),
        )
    name = read.get("name") or body.get(schema.resources[type_].name_field) or _kubernetes_name(body)
    uid = read.get("uid") or _metadata(body).get("uid")
    return SampleDocument(
        type_, name if isinstance(name, str) else "", uid if isinstance(uid, str) else "", body
    )


def _metadata(body: JsonObject) -> JsonObject:
    found = body.get("metadata")
    return found if isinstance(found, dict) else {}


def _kubernetes_name(body: JsonObject) -> str:
    parts = (_metadata(body).get(key) for key in ("namespace", "name"))
    return "/".join(part for part in parts if isinstance(part, str))


@dataclass(slots=True)
class SampleSide:
    """What fields hold in the documents of one version: for each document, the leaves of every occurrence."""

    fields: dict[Place, dict[int, list[Leaves]]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, schema: Schema, index: int, document: SampleDocument) -> None:
        """Take the values of one document."""
        message = schema.resources[document.type].message
        self._object(schema, message, schema.object(message), document.body, index)

    def _object(self, schema: Schema, name: str, given: ObjectType, value: JsonObject, index: int) -> None:
        for each in given.fields:
            if each.key in value:
                leaves = tuple(_leaves(value[each.key]))[:_MOST_LEAVES]
                if leaves:
                    self.fields[name, each.name].setdefault(index, []).append(leaves)
                self._below(schema, each.type, f"{name}.{each.name}", value[each.key], index)

    def _below(self, schema: Schema, given: Type, otherwise: str, value: Json, index: int) -> None:
        name = given.name if isinstance(given, RefType) else otherwise
        resolved = schema.resolve(given)
        match resolved, value:
            case ObjectType(), dict():
                self._object(schema, name, resolved, value, index)
            case ListType(), list():
                for item in value:
                    self._below(schema, resolved.item, name, item, index)
            case MapType(), dict():
                for item in value.values():
                    self._below(schema, resolved.value, name, item, index)


def _leaves(value: Json) -> Iterator[Json]:
    """List the single values inside a value; what is empty, zero or false says nothing."""
    if isinstance(value, dict):
        for below in value.values():
            yield from _leaves(below)
    elif isinstance(value, list):
        for below in value:
            yield from _leaves(below)
    elif value not in (None, "", 0, False, "0"):
        yield value


@dataclass(frozen=True, slots=True)
class SampleAgreement:
    """How the values of two fields compare over paired documents."""

    both: int  # documents in which both have a value
    equal: int
    distinct: int  # different values among the equal ones
    alone: int  # documents in which one has a value and the other has none

    @property
    def share(self) -> float:
        """The share of equal ones."""
        return self.equal / self.both if self.both else 0.0


class Samples:
    """Documents that exist in both versions, asked by pairs of fields."""

    def __init__(self) -> None:
        self.pairs = 0
        self.alone = (0, 0)
        self._old, self._new = SampleSide(), SampleSide()

    @property
    def summary(self) -> str:
        """How many documents both versions have, in a sentence."""
        mine, theirs = self.alone
        rest = (
            f"; {mine} of the old and {theirs} of the new ones have no counterpart" if mine or theirs else ""
        )
        return f"samples show {self.pairs} documents in both versions{rest}"

    def agreement(self, old: Place, new: Place) -> SampleAgreement | None:
        """Compare what two fields hold; None where no document has both."""
        left, right = self._old.fields.get(old, {}), self._new.fields.get(new, {})
        both = left.keys() & right.keys()
        if not both:
            return None
        equal = [index for index in both if _same(left[index], right[index])]
        distinct = {canonical(list(map(_text, leaves))) for index in equal for leaves in left[index]}
        return SampleAgreement(len(both), len(equal), len(distinct), len(left.keys() ^ right.keys()))

    def values(self, old: Place, new: Place) -> list[tuple[Json, Json]]:
        """List the pairs of single values of documents that have one of each."""
        left, right = self._old.fields.get(old, {}), self._new.fields.get(new, {})
        return [
            (left[index][0][0], right[index][0][0])
            for index in sorted(left.keys() & right.keys())
            if all(len(side[index]) == 1 and len(side[index][0]) == 1 for side in (left, right))
        ]

    def symbols(self, old: Place, new: Place) -> Mapping[str, Counter[str]]:
        """Count for each old symbol the new ones that stand in its place."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for mine, theirs in self.values(old, new):
            if isinstance(mine, str | bool) and isinstance(theirs, str):
                found[str(mine)][theirs] += 1
        return found

    def add(self, schemas: tuple[Schema, Schema], old: SampleDocument, new: SampleDocument) -> None:
        """Take a document in both versions."""
        self._old.add(schemas[0], self.pairs, old)
        self._new.add(schemas[1], self.pairs, new)
        self.pairs += 1


NO_SAMPLES = Samples()


def pair_samples(
    schemas: tuple[Schema, Schema], old: Iterable[SampleDocument], new: Iterable[SampleDocument]
) -> Samples:
    """Pair documents by uid, else by name, else by the last id of the name where that is unique."""
    found = Samples()
    waiting, rest = list(old), list(new)
    for key in (_uid, _name, _last_id):
        theirs = _unique(rest, key)
        for mine in _unique(waiting, key).items():
            fellow = theirs.get(mine[0])
            if fellow is not None:
                found.add(schemas, mine[1], fellow)
                waiting.remove(mine[1])
                rest.remove(fellow)
    found.alone = len(waiting), len(rest)
    return found


def _unique(documents: Iterable[SampleDocument], key: object) -> dict[tuple[str, ...], SampleDocument]:
    assert callable(key)
    by_key: dict[tuple[str, ...], list[SampleDocument]] = defaultdict(list)
    for each in documents:
        if (named := key(each)) is not None:
            by_key[named].append(each)
    return {named: members[0] for named, members in by_key.items() if len(members) == 1}


def _uid(given: SampleDocument) -> tuple[str, ...] | None:
    return (given.uid,) if given.uid else None


def _name(given: SampleDocument) -> tuple[str, ...] | None:
    return (given.type, given.name) if given.name else None


def _last_id(given: SampleDocument) -> tuple[str, ...] | None:
    return (given.type, given.name.rpartition("/")[2]) if given.name else None


def _same(left: list[Leaves], right: list[Leaves]) -> bool:
    """Tell whether the occurrences of one side are among those of the other; a shared type may occur more often."""
    mine, theirs = (Counter(tuple(map(_text, each)) for each in side) for side in (left, right))
    return mine <= theirs if len(left) <= len(right) else theirs <= mine


def _text(value: Json) -> str:
    """Write a value so that a number and its decimal text are the same."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
