"""Text from outside is read within bounds, as plain data, with its lines."""

from __future__ import annotations

import time

import pytest

from migrations_app.domain.schema.located import TextLimits, read_json, read_yaml, read_yaml_documents
from migrations_app.kernel.errors import Invalid

BILLION_LAUGHS = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"


def test_lines_are_kept_for_every_part() -> None:
    located = read_yaml("a:\n  b: 1\n  c:\n    - x\n    - y: 2\n", "f.yaml")

    assert located.value == {"a": {"b": 1, "c": ["x", {"y": 2}]}}
    assert located.line("a", "c", 1, "y") == 5
    assert located.line("a", "c", 1, "gone") == 5
    assert located.below("a", "c").line(1) == 5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("2026-01-01", "2026-01-01"),
        ("0o17", "0o17"),
        ("010", "010"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("0x1F", 31),
        ("-12", -12),
        ("1.5e3", 1500.0),
        ("1.", 1.0),
        ("~", None),
        ("''", ""),
        ("'1'", "1"),
        ("true", True),
        ("123456789012345678901234567890", 123456789012345678901234567890),
    ],
)
def test_plain_words_mean_what_json_says(text: str, value: object) -> None:
    assert read_yaml(f"v: {text}").value == {"v": value}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (BILLION_LAUGHS, "E-ALIAS"),
        ("a: 1\n<<: {b: 1}\n", "E-ALIAS"),
        ("a: 1\na: 2\n", "E-DUPLICATE"),
        ("a: !!python/object/apply:os.system [ls]\n", "E-SYNTAX"),
        ("a: .nan\n", "E-SYNTAX"),
        ("a: [1\n", "E-SYNTAX"),
        ("? [a]\n: 1\n", "E-SYNTAX"),
        ("a: 1\n---\nb: 2\n", "E-SYNTAX"),
        ("[" * 100 + "]" * 100, "E-LIMIT"),
        ("{a: " * 3000 + "}" * 3000, "E-LIMIT"),
        ("a: \x01\n", "E-SYNTAX"),
    ],
)
def test_hostile_yaml_ends_in_a_named_error(text: str, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_yaml(text, "f.yaml")
    assert refused.value.code == code
    assert "f.yaml" in refused.value.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a": 1, "a": 2}', "E-DUPLICATE"),
        ('{"a": NaN}', "E-SYNTAX"),
        ("[" * 100_000, "E-LIMIT"),
        ("[" * 100 + "]" * 100, "E-LIMIT"),
        ("1" * 10_000, "E-SYNTAX"),
        ("{", "E-SYNTAX"),
        (b"\xff\xfe\xff", "E-SYNTAX"),
    ],
)
def test_hostile_json_ends_in_a_named_error(text: str | bytes, code: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_json(text, "f.json")
    assert refused.value.code == code


def test_size_and_count_are_bounded_before_anything_is_built() -> None:
    started = time.process_time()
    with pytest.raises(Invalid, match="values"):
        read_yaml("- [" + "1, " * 200_000 + "]\n", limits=TextLimits(nodes=1000))
    with pytest.raises(Invalid, match="bytes"):
        read_yaml("a" * 100, limits=TextLimits(bytes=10))
    with pytest.raises(Invalid, match="values"):
        read_json("[" + ",".join(['{"a": 1}'] * 100) + "]", limits=TextLimits(nodes=50))
    assert time.process_time() - started < 1


def test_a_stream_of_documents_keeps_the_lines_of_each() -> None:
    first, second = read_yaml_documents("a: 1\n---\n\nb: 2\n")

    assert (first.value, second.value) == ({"a": 1}, {"b": 2})
    assert second.line("b") == 4
