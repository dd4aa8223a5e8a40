"""The generated Python equals the reference engine on every document: fresh, strange, bagged and stale."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

import pytest

from migrations_app.domain.conversion.bag import BAG
from migrations_app.domain.conversion.compile.python import generate, generated_source
from migrations_app.domain.conversion.converter import Converter
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import Case, stranger
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.kernel.json import Json, JsonObject, canonical, decode
from tests.unit.conversion.cases import CASES, build


def _odd(other: JsonObject, converter: Converter, back: Converter, seed: int) -> JsonObject:
    """Make a document of the other version with symbols and keys that only this version knows."""
    symbols = ("A", "B", "C", "X", "Y", "")
    odd: JsonObject = {
        key: symbols[(seed + index) % 6] if isinstance(value, str) and key != "name" else value
        for index, (key, value) in enumerate(other.items())
    }
    own = {field.key for field in back.source.document_type("Thing")}
    return odd | {
        field.key: seed for field in converter.source.document_type("Thing") if field.key not in own
    }


ODD: tuple[Json, ...] = (
    1.5,
    "007",
    ["B", "C", 3],
    "30.50s",
    {},
    "TRUE",
    10**30,
    "2026-01-01t00:00:00.0Z",
    {"stay": 1, "go": {}},
    [],
    "1970-01-01T00:00:00+00:00",
    7,
)


def _mixed(given: JsonObject, keys: Iterable[str], seed: int) -> JsonObject:
    """Put values of other kinds at every key, other ones with every seed."""
    return {**given, **{key: ODD[(seed + 5 * index) % len(ODD)] for index, key in enumerate(sorted(keys))}}


def documents(converter: Converter, back: Converter, count: int) -> list[JsonObject]:
    found: list[JsonObject] = []
    for seed in range(count):
        name, document = Exemplars(converter.source, seed).resource(converter.source.resource("Thing"))
        other_name, other = Exemplars(back.source, seed).resource(back.source.resource("Thing"))
        bagged = back.forward(other_name, other).body
        odd = _odd(other, converter, back, seed)
        returned = back.forward(other_name, odd).body
        weird = back.forward(other_name, stranger(Case(back, other_name, other, seed))).body
        strange = stranger(Case(converter, name, document, seed))
        found += [
            document,
            strange,
            bagged,
            {**bagged, **document},
            returned,
            weird,
            _odd(document, back, converter, seed),
        ]
        foreign = dict.fromkeys(back.source.document_type("Thing")._by_key, seed)
        found.append({**strange, **foreign})
        bag = {key: value for key, value in (bagged | weird | returned).items() if key == BAG}
        found += [{**foreign, **each, **bag} for each in (document, strange, returned)]
        keys = [key for key in converter.source.document_type("Thing")._by_key if key != "name"]
        theirs = [key for key in back.source.document_type("Thing")._by_key if key != "name"]
        mixed = _mixed(document, keys, seed)
        came = back.forward(other_name, _mixed(other, theirs, seed)).body
        found += [mixed, {**mixed, **bag}, came, {**came, **dict.fromkeys(keys[seed % 2 :: 2], seed)}]
        empty: tuple[Json, ...] = ({"f": 1, "b": {}}, None, {"f": 1})
        found.append({**document, BAG: empty[seed % 3]})
        unrelated: JsonObject = {BAG: {"f": 1, "b": {"unrelated": {"v": seed}}}}
        found += [
            {**each, **unrelated} for each in (document, strange, _odd(document, back, converter, seed))
        ]
    return found


def reference(hops: tuple[ResourcePlan, ...], name: str, body: JsonObject) -> tuple[str, JsonObject]:
    for hop in hops:
        name, body = hop.run(name, body)
    return name, body


@pytest.mark.parametrize("case", CASES)
def test_generated_python_equals_the_reference_engine(case: str) -> None:
    compiled = build(case)
    for source, target in permutations(compiled.versions):
        converter, back = (
            compiled.converter("Thing", *ways) for ways in ((source, target), (target, source))
        )
        (hop,) = converter.hops
        engine = generate(hop.plan)
        for document in documents(converter, back, 20):
            before = canonical(document)
            wanted = canonical(hop.plan.run(document))
            assert canonical(engine(document)) == wanted, before
            assert canonical(document) == before
            name, body = reference(converter.hops, "things/a", document)
            made = converter.forward("things/a", document)
            assert (made.name, canonical(made.body)) == (name, canonical(body)), before
            as_name, as_bytes = converter.forward_bytes("things/a", before)
            assert (as_name, canonical(decode(as_bytes))) == (name, canonical(body)), before
            assert canonical(document) == before


def test_the_generated_text_can_be_read() -> None:
    plan = build("rename and remove").converter("Thing", "v1", "v2").hops[0].plan

    assert (
        generated_source(plan)
        == """\
def convert_0(s):
    # v1.Thing → v2.Thing
    if '$sy' in s:
        return convert_0_bagged(s)
    t = s.copy()
    b = {}
    v0 = t.pop('a', A)
    v1 = t.pop('lost', A)
    if 'b' in t:
        b['?b@v1'] = entry(t.pop('b'))
    if v1 is not A:
        b['things.Thing/lost#c6e89a53'] = {'v': v1}
    if v0 is not A:
        t['b'] = v0
    if b:
        seal(t, b)
    return t


def convert_0_bagged(s):
    # v1.Thing → v2.Thing
    t = s.copy()
    del t['$sy']
    b = entries(s)
    v0 = t.pop('a', A)
    v1 = t.pop('lost', A)
    if 'b' in t:
        b['?b@v1'] = entry(t.pop('b'))
    if v1 is not A:
        b['things.Thing/lost#c6e89a53'] = {'v': v1}
    if b:
        give_back(t, b, back_13)
    if v0 is not A:
        t['b'] = v0
    if b:
        seal(t, b)
    return t
"""
    )
