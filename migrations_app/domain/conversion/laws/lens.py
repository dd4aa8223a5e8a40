"""The laws of the lens: what must hold of every document and every edit (L1–L4, L6, L11, L12, L14)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from migrations_app.domain.conversion.bag import is_bagged, strip_object
from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.kernel.json import Json, JsonObject, canonical


@dataclass(frozen=True, slots=True)
class LawViolation:
    """How a law failed: what was expected and what came."""

    law: str
    message: str
    expected: JsonObject
    actual: JsonObject


STRANGE: tuple[Json, ...] = (None, 7, "text", [], {}, [None, {"a": 1}], True)
Law = Callable[[Case], LawViolation | None]


def spoke_trip(case: Case) -> LawViolation | None:
    """L1: what a client of the source version creates, it reads back."""
    made = case.converter.create(case.name, case.document)
    try:
        name, view = case.converter.get(made.name, made.body)
    except NoImage as error:
        # What has no image cannot be created; what was created is not hidden from who created it.
        return LawViolation("L1", f"get(create(a)) = a: {error}", case.document, {})
    return _differ("L1", "get(create(a)) = a", case.document, view) or _names("L1", case.name, name)


def round_trip(case: Case) -> LawViolation | None:
    """L1s: a stored document converted there and back is the same, byte for byte."""
    back = case.returned
    return _differ("L1s", "back(forth(s)) = s", case.document, back.body) or _names(
        "L1s", case.name, back.name
    )


def get_put(case: Case) -> LawViolation | None:
    """L2: putting back what was read changes nothing, byte for byte."""
    made = case.made
    name, view = case.shown
    again = case.converter.put(name, view, made.body, made.name)
    return _differ("L2", "put(get(s), s) = s", made.body, again.body)


def put_get(case: Case) -> LawViolation | None:
    """L3: what a client puts over any stored document, it reads back."""
    made = case.made
    other = case.other
    stored = case.converter.put(case.name, other, made.body, made.name)
    _, view = case.converter.get(stored.name, stored.body)
    return _differ("L3", "get(put(a, s)) = a", other, view)


def locality(case: Case) -> LawViolation | None:
    """L4: an edit of one field in the source view changes no other field of it."""
    made = case.made
    edited = _edited(case, case.document)
    stored = case.converter.put(case.name, edited, made.body, made.name)
    _, view = case.converter.get(stored.name, stored.body)
    return _differ("L4", "an edit stays where it is made", edited, view)


def edit_after_stash(case: Case) -> LawViolation | None:
    """L6: after an edit in the target version nothing stale comes back from the bag."""
    back = case.converter.backward
    made = case.made
    exemplars = Exemplars(case.converter.target, case.seed + 1)
    given = case.converter.target.resource(case.converter.target_type or "")
    fresh = exemplars.object(case.converter.target.object(given.message), 0, given.name_field)
    choice = random.Random(case.seed)  # noqa: S311 - exemplars, not secrets
    visible = [key for key in sorted({*fresh, *made.body}) if key not in ("$sy", given.name_field)]
    if not visible:
        return None
    edited = dict(made.body)
    key = choice.choice(visible)
    if key in fresh:
        edited[key] = fresh[key]
    else:
        edited.pop(key)
    stepped = back(made.name, edited)
    again = case.converter.forward(stepped.name, stepped.body)
    return _differ("L6", f"an edit of {key} survives", strip_object(edited), strip_object(again.body))


def reliability(case: Case) -> LawViolation | None:
    """L11: no document makes a conversion fail, not even one that is not of the schema."""
    mangled = stranger(case)
    made = case.converter.forward(case.name, mangled)
    back = case.converter.backward(made.name, made.body)
    return _differ("L11", "even a strange document comes back", mangled, back.body)


def stranger(case: Case) -> JsonObject:
    """Make a document that is not of the schema: other kinds of values, and an unknown key."""
    mangled: JsonObject = {**case.document, "unknownKey": {"x": [1, None]}}
    for index, key in enumerate(case.document):
        if key != "name":
            mangled[key] = STRANGE[(index + case.seed) % len(STRANGE)]
    return mangled


def determinism(case: Case) -> LawViolation | None:
    """L12: the same document converts to the same bytes, whatever the order of its keys."""
    first = case.made.body
    turned = dict(reversed(case.document.items()))
    return _differ(
        "L12", "the order of keys means nothing", first, case.converter.forward(case.name, turned).body
    )


def bag_minimal(case: Case) -> LawViolation | None:
    """L14: a document that comes back without a bag needed none."""
    made = case.made
    bare = strip_object(made.body)
    try:
        back = case.converter.backward(made.name, bare)
    except NoImage:
        return None
    if is_bagged(made.body) and canonical(back.body) == canonical(case.document) and back.name == case.name:
        return LawViolation("L14", "the bag holds nothing that is not needed", bare, made.body)
    return None


LAWS: Mapping[str, Law] = {
    "L1": spoke_trip,
    "L1s": round_trip,
    "L2": get_put,
    "L3": put_get,
    "L4": locality,
    "L6": edit_after_stash,
    "L11": reliability,
    "L12": determinism,
    "L14": bag_minimal,
}


def _edited(case: Case, document: JsonObject) -> JsonObject:
    other = case.other
    choice = random.Random(case.seed)  # noqa: S311 - exemplars, not secrets
    keys = [key for key in sorted({*document, *other}) if key != "name"]
    if not keys:
        return document
    key = choice.choice(keys)
    edited = {name: value for name, value in document.items() if name != key}
    if key in other:
        edited[key] = other[key]
    return edited


def _differ(law: str, message: str, expected: JsonObject, found: JsonObject) -> LawViolation | None:
    return None if canonical(expected) == canonical(found) else LawViolation(law, message, expected, found)


def _names(law: str, expected: str, found: str) -> LawViolation | None:
    return None if expected == found else LawViolation(law, "the name", {"name": expected}, {"name": found})
