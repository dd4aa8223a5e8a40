"""Streams of JSON objects, taken apart wherever their parts end."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from migrations_app.kernel.json_stream import ObjectSplitter

texts = st.text(alphabet='{}[]",\\\n aé', max_size=8)
values = st.recursive(
    st.one_of(texts, st.integers(), st.none()),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
objects = st.lists(st.dictionaries(texts, values, max_size=3), max_size=4)


@given(objects, st.booleans(), st.integers(1, 7))
def test_objects_are_found_in_lines_and_in_arrays_wherever_parts_end(
    sent: list[dict[str, object]], as_array: bool, size: int
) -> None:
    documents = [json.dumps(each).encode() for each in sent]
    stream = b"[" + b",".join(documents) + b"]" if as_array else b"\n\n".join([*documents, b""])
    splitter = ObjectSplitter()
    found = [
        each for start in range(0, len(stream), size) for each in splitter.feed(stream[start : start + size])
    ]

    assert found == documents
    assert splitter.waiting == 0


def test_what_has_not_ended_waits() -> None:
    splitter = ObjectSplitter()
    assert list(splitter.feed(b'[{"a":"}"},{"b":')) == [b'{"a":"}"}']
    assert splitter.waiting == len(b'{"b":')
    assert list(splitter.feed(b"1}")) == [b'{"b":1}']
