"""A whole resource that is sent back without fields that its client was not shown loses none of them."""

from __future__ import annotations

import copy
import random

from migrations_app.domain.compatibility.places import holders, segments_of
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.unseen_fields import UnseenFields
from migrations_app.kernel.json import JsonObject
from tests.factories.shelves import STORED, folder

SCHEMA = read_files(folder()).refuse_errors().schemas["v1"]
PATHS = ("title", "weight", "lid.colour", "lid.hingeCount", "parts[].note", "parts[].size", "tags{}.note")


def without(document: JsonObject, path: str) -> JsonObject:
    """Leave a field out, as an answer does."""
    shown = copy.deepcopy(document)
    segments = segments_of(path)
    for each in holders(shown, segments):
        each.pop(segments[-1], None)
    return shown


def unseen(*paths: str) -> UnseenFields:
    return UnseenFields(SCHEMA, SCHEMA.document_type("Box"), frozenset(paths))


def test_any_choice_of_fields_comes_back_as_it_was_beside_what_is_changed() -> None:
    rand = random.Random(7)
    for _ in range(300):
        chosen = rand.sample(PATHS, rand.randint(1, len(PATHS)))
        sent = copy.deepcopy(STORED)
        for path in chosen:
            sent = without(sent, path)
        changed = {**sent, "sealed": False}
        assert unseen(*chosen).kept(changed, STORED) == {**STORED, "sealed": False}, chosen


def test_what_is_sent_counts_and_other_fields_may_be_taken_away() -> None:
    fields = unseen("title", "parts[].note")
    sent: JsonObject = {"title": "new", "parts": [{"id": "b", "size": 4}, {"id": "z"}]}
    kept: JsonObject = {"title": "new", "parts": [{"id": "b", "size": 4, "note": "short"}, {"id": "z"}]}
    assert fields.kept(sent, STORED) == kept
    assert fields.kept({"title": None}, STORED) == {"title": None}
    assert fields.kept({}, {"weight": 1}) == {}
