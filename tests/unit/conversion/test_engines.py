"""The generated Python equals the reference engine on every document: fresh, strange, bagged and stale."""

from __future__ import annotations

from itertools import permutations

import pytest

from migrations_app.domain.conversion.compile.python import generated_source
from migrations_app.domain.conversion.converter import Converter
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import Case, stranger
from migrations_app.kernel.json import JsonObject, canonical
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
        found.append({**strange, **dict.fromkeys(back.source.document_type("Thing")._by_key, seed)})
    return found


@pytest.mark.parametrize("case", CASES)
def test_generated_python_equals_the_reference_engine(case: str) -> None:
    compiled = build(case)
    for source, target in permutations(compiled.versions):
        converter, back = (
            compiled.converter("Thing", *ways) for ways in ((source, target), (target, source))
        )
        plan = converter.hops[0].plan
        assert plan.is_identity or plan.engine != plan.run
        for document in documents(converter, back, 20):
            before = canonical(document)
            assert canonical(plan.engine(document)) == canonical(plan.run(document)), before
            assert canonical(document) == before


def test_the_generated_text_can_be_read() -> None:
    plan = build("rename and remove").converter("Thing", "v1", "v2").hops[0].plan

    assert (
        generated_source(plan)
        == """\
def convert_0(s):
    # v1.Thing → v2.Thing
    t = s.copy()
    bagged = t.pop('$sy', A) is not A
    b = entries(s) if bagged else {}
    v0 = t.pop('a', A)
    v1 = t.pop('lost', A)
    if 'b' in t:
        b['?b@v1'] = {'v': t.pop('b')}
    if v0 is not A:
        t['b'] = v0
    if v1 is not A:
        b['things.Thing/lost#c6e89a53'] = {'v': v1}
    if bagged and b:
        if (e := b.pop('?a@v2', A)) is not A:
            t.setdefault('a', e.get('v'))
        if (e := b.pop('?lost@v2', A)) is not A:
            t.setdefault('lost', e.get('v'))
    if b:
        seal(t, b)
    return t
"""
    )
