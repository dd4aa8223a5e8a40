"""The generated Python equals the reference engine on every document: fresh, strange, bagged and stale."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import permutations

import pytest

from migrations_app.domain.conversion.bag import BAG, strip_object
from migrations_app.domain.conversion.compile.python import generate, generated_source
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import stranger
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.kernel.json import Json, JsonObject, canonical, decode
from tests.unit.conversion.cases import CASES, build


def _odd(other: JsonObject, converter: TypeConverter, back: TypeConverter, seed: int) -> JsonObject:
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
    "7",
    "h:80",
    {"host": "h", "port": 80},
    {"host": "h", "port": 80, "more": None},
    "ENABLED",
    True,
    "X",
    ["X", "Y"],
    None,
    "",
    "A",
    "B",
    "C",
)
UNRELATED: JsonObject = {"f": 1, "b": {"unrelated": {"v": 7}}}
KEYS = (
    *("stay", "go", "a", "b", "come", "gone", "deep", "s", "old", "new", "below", "host", "port", "tls", "more"),
    *("key", "value", "name", "text", "kind", "at", "of", "region", "resource", "by", "size", "sizes", "strange"),
)  # fmt: skip


def disturbed(value: Json, chance: random.Random, *, top: bool = False) -> Json:
    """Change parts of a document anywhere in it: keys that go, come or hold something else, lists out of order."""
    if isinstance(value, dict):
        return _disturbed_object(value, chance, top=top)
    if isinstance(value, list):
        made = [disturbed(each, chance) for each in value]
        if made and chance.random() < 0.3:
            made.append(chance.choice(made))
        return made[::-1] if chance.random() < 0.3 else made
    return chance.choice(ODD) if chance.random() < 0.2 else value


def _disturbed_object(value: JsonObject, chance: random.Random, *, top: bool) -> JsonObject:
    made: JsonObject = {}
    for key, below in value.items():
        if (top and key == "name") or (key == BAG and chance.random() < 0.8):
            made[key] = below
        elif chance.random() > 0.1:
            made[key] = disturbed(below, chance)
    if not top and chance.random() < 0.4:
        made[chance.choice(KEYS)] = chance.choice(ODD)
    if not top and chance.random() < 0.2:
        made.setdefault(BAG, UNRELATED)
    return made


def symbols(value: Json, chance: random.Random) -> Json:
    """Put a symbol, known to one version or to none, in the place of every text below the top, and bags beside some."""
    if isinstance(value, dict):
        made = {key: below if key == BAG else symbols(below, chance) for key, below in value.items()}
        return {BAG: UNRELATED, **made} if chance.random() < 0.5 else made
    if isinstance(value, list):
        return [symbols(each, chance) for each in value]
    return chance.choice(("A", "B", "C", "X", "Y")) if isinstance(value, str) else value


def out_of_order(document: JsonObject, seed: int) -> list[JsonObject]:
    """Repeat the first element of every list, turn the lists round, and give one element a strange key."""
    found: list[JsonObject] = []
    for change in (
        lambda each: [*each, each[0]],
        lambda each: each[::-1],
        lambda each: _strange_key(each, seed),
    ):
        found.append(
            {
                key: change(value) if isinstance(value, list) and value else value
                for key, value in document.items()
            }
        )
    return found


def _strange_key(elements: list[Json], seed: int) -> list[Json]:
    first, *rest = elements
    if not isinstance(first, dict) or not first:
        return elements
    gone = sorted(first)[seed % len(first)]
    return [{("strange" if key == gone else key): value for key, value in first.items()}, *rest]


def _mixed(given: JsonObject, keys: Iterable[str], seed: int) -> JsonObject:
    """Put values of other kinds at every key, other ones with every seed."""
    return {**given, **{key: ODD[(seed + 5 * index) % len(ODD)] for index, key in enumerate(sorted(keys))}}


def documents(converter: TypeConverter, back: TypeConverter, count: int) -> list[JsonObject]:
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
        found += out_of_order(document, seed)
        unrelated: JsonObject = {BAG: UNRELATED}
        found += [
            {**each, **unrelated}
            for each in (
                document,
                strange,
                mixed,
                _odd(document, back, converter, seed),
                *out_of_order(document, seed),
            )
        ]
        chance = random.Random(seed)
        for given in (document, strange):
            found.append({key: symbols(value, chance) for key, value in given.items()} | {"name": name})
        came = {key: symbols(value, chance) for key, value in other.items()} | {"name": other_name}
        found.append(back.forward(other_name, came).body | unrelated)
        found.append({key: symbols(value, chance) for key, value in found[-1].items()} | {"name": name})
        found += _disturbed(document, (back, other_name, other), random.Random(seed))
    return found


def _disturbed(
    document: JsonObject, there: tuple[TypeConverter, str, JsonObject], chance: random.Random
) -> list[JsonObject]:
    """Disturb a document, one before it comes from the other version, and that one again afterwards."""
    back, name, other = there
    found: list[JsonObject] = []
    for _ in range(4):
        changed = disturbed(other, chance, top=True)
        assert isinstance(changed, dict)
        came = back.forward(name, changed).body
        made = (disturbed(document, chance, top=True), came, disturbed(came, chance, top=True))
        found += [each for each in made if isinstance(each, dict)]
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
            shown_as, shown = back.get("things/a", document)
            assert (shown_as, canonical(shown)) == (name, canonical(strip_object(body))), before
            as_name, as_bytes = converter.forward_text("things/a", before)
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
