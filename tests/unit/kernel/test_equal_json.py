"""Two values are the same JSON exactly where PostgreSQL's jsonb says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrations_app.kernel.json import Json, equal_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.sampled_from([0, 1, 2, 0.0, 1.0, 0.5, "", "1", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({"a": True}, {"a": 1}, False),
        ({"a": [0, {"b": 0}]}, {"a": [0, {"b": False}]}, False),
        ([True, 1], [1, True], False),
        ({"a": "\ud800", "b": True}, {"a": "\ud800", "b": 1}, False),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1.0}, True),
        ({"a": "\ud800", "b": 1}, {"b": 1.0, "a": "\ud800"}, True),
        ({"a": None}, {}, False),
    ],
)
def test_true_is_not_one_and_one_is_one_point_nought(one: Json, other: Json, equal: bool) -> None:
    assert equal_json(one, other) is equal
    assert equal_json(other, one) is equal


def _marked(value: Json) -> object:
    """Put every boolean out of the reach of numbers."""
    if isinstance(value, dict):
        return {key: _marked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_marked(inner) for inner in value]
    return ("boolean", value) if isinstance(value, bool) else value


@given(VALUES, VALUES)
def test_equality_is_that_of_values_whose_booleans_are_no_numbers(one: Json, other: Json) -> None:
    assert equal_json(one, other) is (_marked(one) == _marked(other))
    assert equal_json(one, one)
