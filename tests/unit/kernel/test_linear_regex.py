"""Patterns of users: what they mean, what cannot be expressed, and that none takes more than its steps."""

from __future__ import annotations

import pytest

from migrations_app.domain.filters.evaluate import MAX_LIKE, like_pattern
from migrations_app.domain.resources.id_patterns import compile_id_pattern, may_hold_slash
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.scalars import constraint_checks
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.linear_regex import MAX_PROGRAM, MAX_STEPS, MAX_VALUE, compile_linear

# Each takes a backtracking engine exponential or polynomial time on a long run of one letter that ends otherwise.
CATASTROPHIC = [
    "(aa|a)*!",
    "(a|aa)+$",
    "(a+)+b",
    "(a*)*b",
    "(?:a|b*)*c",
    "(a{2,50})+b",
    "(a|a)*b",
    "(a|a?)+b",
    "([a-z]+)*!",
    "[a-z]*[a-z]*[a-z]*[a-z]*!",
    "a*a*a*a*a*a*a*a*b",
    "(.*)*=.*",
    r"(\w+\s?)*!",
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$",
    r"(x+x+)+y",
    "(?:[ab]*a[ab]{15}){20}",
    "(a|b)*a(a|b){20}",
    "(((a{10}){10}){10})*b",
]


@pytest.mark.parametrize("text", CATASTROPHIC)
def test_a_catastrophic_pattern_ends_within_its_steps(text: str) -> None:
    pattern = compile_linear(text)
    hostile = "a" * (pattern.longest_bytes - 1) + "\n"

    assert not pattern.fullmatch(hostile)
    assert pattern.program_size <= MAX_PROGRAM
    assert len(hostile) * pattern.program_size <= MAX_STEPS
    assert len(hostile) >= MAX_STEPS // MAX_PROGRAM


@pytest.mark.parametrize("text", CATASTROPHIC)
def test_a_catastrophic_pattern_of_a_field_refuses_and_does_not_run_away(text: str) -> None:
    (check,) = constraint_checks({"pattern": f"^(?:{text.strip('^$')})$"})

    assert str(check("a" * 4000 + "\n")) == f"must match ^(?:{text.strip('^$')})$"


@pytest.mark.parametrize("text", [each for each in CATASTROPHIC if "^" not in each and "$" not in each])
def test_a_catastrophic_pattern_of_an_id_is_matched_to_the_longest_name(text: str) -> None:
    pattern = Pattern.parse("things/{thing}", {"thing": text})

    assert pattern.match("things/" + "a" * 1016 + "?") is None


@pytest.mark.parametrize(
    "text",
    ["{a}{b}{c}{d}{e}{f}{g}{h}!", "x{a=**}/y{b=**}/y{c=**}/y{d=**}/y{e=**}/y{f=**}/z", "{a}-{b}-{c}-{d}!"],
)
def test_a_name_pattern_with_many_ids_in_a_segment_does_not_run_away(text: str) -> None:
    pattern = Pattern.parse(text)

    for hostile in ("y" * 1000, "x" + "/y-" * 330, "-y" * 500):
        assert pattern.match(hostile) is None


def test_a_like_with_many_wildcards_does_not_run_away() -> None:
    pattern = like_pattern("%a" * 500 + "!")

    assert not pattern.fullmatch("a" * 100_000)
    assert pattern.fullmatch("xa" * 500 + "!")
    with pytest.raises(Invalid, match="1025 characters"):
        like_pattern("_" * (MAX_LIKE + 1))
    assert like_pattern("_" * MAX_LIKE).fullmatch("ß\n" * (MAX_LIKE // 2))


def test_a_value_longer_than_what_is_compared_is_refused_with_the_length() -> None:
    (check,) = constraint_checks({"pattern": "^a*$"})

    assert check("a" * MAX_VALUE) is None
    assert str(check("a" * (MAX_VALUE + 1))) == "must have at most 65536 bytes, because it has a pattern"
    assert str(check("ä" * (MAX_VALUE // 2 + 1))) == "must have at most 65536 bytes, because it has a pattern"


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        # As in JSON Schema, protovalidate and CRDs: a pattern is searched for, and anchors are the ends of the value.
        ("b", "abc", True),
        ("^b", "abc", False),
        ("^abc$", "abc", True),
        ("^abc$", "abc\n", False),
        ("^abc$", "x\nabc", False),
        ("^a|b$", "ax", True),
        ("^a|b$", "xb", True),
        ("^a|b$", "xbx", False),
        ("^a.c$", "a\nc", False),
        ("^a.c$", "aßc", True),
        ("^a.c$", "a\U0001f600c", True),
        # Of ASCII, as in ECMAScript; Python's `re` takes digits and letters of every script.
        (r"^\d$", "5", True),
        (r"^\d$", "\u0665", False),
        (r"^\w$", "ß", False),
        (r"^\D$", "\u0665", True),
        (r"^[\d-]+$", "1-2", True),
        (r"^\p{L}+$", "Größe", True),
        (r"^\p{Greek}$", "λ", True),
        (r"^\p{L}$", "1", False),
        ("^[à-ü]$", "é", True),
        (r"^\u00e9$", "é", True),
        (r"^[\u00e0-\u00fc]+$", "éü", True),
        (r"^\u{1f600}$", "\U0001f600", True),
        (r"^\ud83d\ude00$", "\U0001f600", True),
        (r"^\\u00e9$", "\\u00e9", True),
        (r"^\x41\/\-$", "A/-", True),
        ("^a{2}$", "aa", True),
        ("^a{,2}$", "a{,2}", True),
        ("(?i)^abc$", "ABC", True),
        (r"\bcat\b", "a cat!", True),
        ("^(?<year>[0-9]{4})$", "2026", True),
        ("^[[]$", "[", True),
        ("^[[:digit:]]$", "7", True),
        ("^$", "", True),
        ("a", "\ud800", False),
        ("^.$", "\ud800", True),
    ],
)
def test_what_a_pattern_means(text: str, value: str, holds: bool) -> None:
    (check,) = constraint_checks({"pattern": text})

    assert (check(value) is None) is holds


@pytest.mark.parametrize(
    "text",
    [
        "(?=a)b",
        "(?!a)b",
        "(?<=a)b",
        r"(a)\1",
        r"(?P<x>a)(?P=x)",
        "(?>a+)b",
        "a++",
        r"\Aabc\Z",
        r"\cA",
        r"[\b]",
        "[]a]",
        "[^]",
        r"\C",
        r"\ud83d",
        r"\ude00",
        r"\ud83dx",
        "\ud800",
        r"\p{Script=Greek}",
        "a{1001}",
        "(a{100}){100}",
        r"\p{L}{1000}",
        "[",
        "(",
        "a" * 5000,
    ],
)
def test_what_cannot_be_expressed_is_refused_and_a_field_is_not_held_to_it(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        compile_linear(text)
    (check,) = constraint_checks({"pattern": text})

    assert refused.value.code == "pattern-unsupported"
    assert refused.value.remedy.startswith("Write it in RE2's syntax")
    assert check("anything") is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (r"[\w./-]{1,8}", True),
        (r"a\x2fb", True),
        (r"a\x{2f}b", True),
        (r"a\u002fb", True),
        (r"\p{P}+", True),
        (r"[^a]", True),
        (r"\D", True),
        (".", True),
        (r"[\w.-]+", False),
        (r"\p{L}+", False),
        ("(a|b)+c?", False),
    ],
)
def test_an_id_pattern_that_lets_a_slash_in_is_known(text: str, holds: bool) -> None:
    assert may_hold_slash(text) is holds
    if holds:
        Pattern.parse("things/{thing}", {"thing": text})
    else:
        assert not compile_id_pattern(text).fullmatch("a/b")
