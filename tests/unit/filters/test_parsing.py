"""Filters parse in both dialects with their own precedence, and print so that none matters."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.filters.ast import (
    And,
    Compare,
    ComparisonOperator,
    Contains,
    Everything,
    Exists,
    Filter,
    In,
    IsNaN,
    IsNull,
    Like,
    MapValue,
    Not,
    Path,
    Quantifier,
    all_of,
    any_of,
    negation,
    paths_of,
)
from migrations_app.domain.filters.parse import parse
from migrations_app.domain.filters.writing import write
from migrations_app.kernel.errors import Invalid


def eq(name: str, value: int) -> Compare:
    return Compare(Path((name,)), ComparisonOperator.EQ, value)


A, B, C = eq("a", 1), eq("b", 2), eq("c", 3)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Everything()),
        ("  ", Everything()),
        ("()", Everything()),
        ("a = 1", A),
        ("a == 1", A),
        ("a=1 b=2", And((A, B))),
        ("a=1 AND b=2 OR c=3", any_of([all_of([A, B]), C])),
        ("a=1 or b=2 and c=3", any_of([A, all_of([B, C])])),
        ("a=1 (b=2 OR c=3)", all_of([A, any_of([B, C])])),
        ("NOT a=1", Not(A)),
        ("not not a=1", A),
        ("NOT (a=1 b=2)", Not(And((A, B)))),
        ("a != -1.5e3", Compare(Path(("a",)), ComparisonOperator.NE, -1500.0)),
        ('a.b.c >= "x"', Compare(Path(("a", "b", "c")), ComparisonOperator.GE, "x")),
        (
            r'labels.app\.kubernetes\.io/name = "x"',
            Compare(Path(("labels", "app.kubernetes.io/name")), ComparisonOperator.EQ, "x"),
        ),
        ('labels."a.b" = TRUE', Compare(Path(("labels", "a.b")), ComparisonOperator.EQ, True)),
        ('"a.b".c = 1', Compare(Path(("a.b", "c")), ComparisonOperator.EQ, 1)),
        ('"in" = 1 AND "a b" = 2', all_of([eq("in", 1), eq("a b", 2)])),
        ("a[0].b = 1", Compare(Path(("a", 0, "b")), ComparisonOperator.EQ, 1)),
        ("a IN (1, 2)", In(Path(("a",)), (1, 2))),
        ("a in []", In(Path(("a",)), ())),
        ('a NOT IN ["x", NULL]', Not(In(Path(("a",)), ("x", None)))),
        ("a CONTAINS 1", Contains(Path(("a",)), Quantifier.VALUE, (1,))),
        ("a HAS VALUE 1", Contains(Path(("a",)), Quantifier.VALUE, (1,))),
        ("a CONTAINS ANY (1, 2)", Contains(Path(("a",)), Quantifier.ANY, (1, 2))),
        ("a has all [1]", Contains(Path(("a",)), Quantifier.ALL, (1,))),
        ('a LIKE "x%"', Like(Path(("a",)), "x%")),
        ("a IS NULL", IsNull(Path(("a",)))),
        ("a IS NOT NULL", Not(IsNull(Path(("a",))))),
        ("a = null", IsNull(Path(("a",)))),
        ("a != NULL", Not(IsNull(Path(("a",))))),
        ("a IS NaN", IsNaN(Path(("a",)))),
        (
            "a = {x: 1, 'y': {}}",
            Compare(Path(("a",)), ComparisonOperator.EQ, MapValue((("x", 1), ("y", MapValue(()))))),
        ),
        ("a EXISTS (b = 2)", Exists(Path(("a",)), B)),
        (r'a = "q\"\u00e9\n\\"', Compare(Path(("a",)), ComparisonOperator.EQ, 'q"é\n\\')),
        (r'a = "\ud83d\ude00"', Compare(Path(("a",)), ComparisonOperator.EQ, "\U0001f600")),
    ],
)
def test_the_goten_dialect(text: str, expected: Filter) -> None:
    found = parse(text)

    assert found == expected
    assert parse(write(found)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a=1 AND b=2 OR c=3", all_of([A, any_of([B, C])])),
        ("a=1 b=2 AND c=3", all_of([A, B, C])),
        ("-a=1", Not(A)),
        ("NOT a=1 OR b=2", any_of([Not(A), B])),
        ("-(a=1 AND b=2)", Not(And((A, B)))),
        ("state = ACTIVE", Compare(Path(("state",)), ComparisonOperator.EQ, "ACTIVE")),
        ('a = "foo*"', Like(Path(("a",)), "foo%")),
        ('a != "*foo"', all_of([Not(IsNull(Path(("a",)))), Not(Like(Path(("a",)), "%foo"))])),
        ("a = *", Not(IsNull(Path(("a",))))),
        ("a:*", Not(IsNull(Path(("a",))))),
        ("a:42", Contains(Path(("a",)), Quantifier.HAS, (42,))),
        ("m:foo", Contains(Path(("m",)), Quantifier.HAS, ("foo",))),
        ("t > 2026-01-31T12:00:00Z", Compare(Path(("t",)), ComparisonOperator.GT, "2026-01-31T12:00:00Z")),
        ("d < 20s", Compare(Path(("d",)), ComparisonOperator.LT, "20s")),
        ("a = true", Compare(Path(("a",)), ComparisonOperator.EQ, True)),
    ],
)
def test_the_aip160_dialect_binds_or_tighter(text: str, expected: Filter) -> None:
    found = parse(text, "aip160")

    assert found == expected
    assert parse(write(found)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "a =",
        "= 1",
        "a = b",
        "a = 1 OR",
        "(a = 1",
        "a = 1)",
        "a IN 1",
        "a IN (1",
        "a LIKE 1",
        "a IS 1",
        "a < NULL",
        "NOT",
        "a ~ 1",
        'a = "x',
        r'a = "\q"',
        "a = 01",
        "a.b. = 1",
        "AND a = 1",
        "a = 1; DROP TABLE x",
        "(" * 100 + "a=1" + ")" * 100,
        "a = 1 " * 20_000,
        "a=1 OR " * 4000 + "a=1",
    ],
)
def test_what_is_no_filter_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse(text)
    assert refused.value.code == "filter-syntax"
    assert "at" in refused.value.nouns


@pytest.mark.parametrize("text", ["foo", "f(a)", "a = 1 OR", "-", "a:"])
def test_what_aip160_leaves_vague_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse(text, "aip160")


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(Invalid, match="goten, aip160"):
        parse("a = 1", "sql")


def test_the_paths_of_a_filter() -> None:
    found = parse("a.b = 1 OR NOT c EXISTS (d = 2 AND e IS NULL)")
    assert {str(path) for path in paths_of(found)} == {"a.b", "c", "c.d", "c.e"}


NAMES = st.text("abc.$ \"\\'üß-/", min_size=1, max_size=6) | st.sampled_from(["a", "AND", "or", "null", "in"])
PATHS = st.builds(
    lambda head, rest: Path((head, *rest)),
    NAMES | st.just(""),
    st.lists(NAMES | st.integers(0, 9), max_size=3),
)
CONSTANTS = (
    st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
ATOMS = (
    st.builds(Compare, PATHS, st.sampled_from(ComparisonOperator), CONSTANTS)
    | st.builds(In, PATHS, st.lists(CONSTANTS, max_size=3).map(tuple))
    | st.builds(IsNull, PATHS)
    | st.builds(IsNaN, PATHS)
    | st.builds(Contains, PATHS, st.sampled_from([Quantifier.ANY, Quantifier.ALL]), st.tuples(CONSTANTS))
    | st.builds(Contains, PATHS, st.sampled_from([Quantifier.VALUE, Quantifier.HAS]), st.tuples(CONSTANTS))
    | st.builds(Like, PATHS, st.text("ab%_.", max_size=5))
)
FILTERS = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, min_size=2, max_size=3).map(all_of)
        | st.lists(inner, min_size=2, max_size=3).map(any_of)
        | inner.map(negation)
        | st.builds(Exists, PATHS, inner)
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(FILTERS)
def test_every_filter_is_written_so_that_it_reads_back(found: Filter) -> None:
    assert parse(write(found)) == found


@settings(max_examples=200, deadline=None)
@given(st.text("ab.=<>!()[]{}\"'\\,:- 019ANDORTIxé\n", max_size=40), st.sampled_from(["goten", "aip160"]))
def test_no_text_crashes_a_parser(text: str, dialect: str) -> None:
    try:
        found = parse(text, dialect)
    except Invalid:
        return
    assert parse(write(found)) == found


def test_a_filter_parses_in_tens_of_microseconds() -> None:
    text = 'metadata.labels.team = "core" AND (state IN ("A", "B") OR size > 10) AND NOT name LIKE "x%"'
    parse(text)
    started = time.process_time()
    for _ in range(100):
        parse(text)
    assert (time.process_time() - started) / 100 < 0.002
