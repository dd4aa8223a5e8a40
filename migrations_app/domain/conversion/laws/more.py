"""Laws beside the lens: fused chains (L5), reintroduced properties (L7), names (L10), unknown keys (L13)."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.conversion.bag import BAG, entry, is_bagged
from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.lens import Law, LawViolation
from migrations_app.domain.resources.names import Pattern, covers
from migrations_app.kernel.json import JsonObject, canonical, decode


def engines_agree(case: Case) -> LawViolation | None:
    """L5: the generated functions, fused and over bytes, mean what the reference engine means hop by hop."""
    converter = case.converter
    for document in (case.document, _returned(case)):
        name, body = case.name, document
        for hop in converter.hops:
            name, body = hop.run(name, body)
        found = converter.forward(case.name, document)
        if canonical(found.body) != canonical(body) or found.name != name:
            return LawViolation("L5", "fused = chained", body, found.body)
        as_name, as_bytes = converter.forward_text(case.name, canonical(document))
        read = decode(as_bytes)
        if canonical(read) != canonical(body) or as_name != name:
            return LawViolation("L5", "bytes = chained", body, read if isinstance(read, dict) else {})
    return None


def _returned(case: Case) -> JsonObject:
    """Make a document that has been edited in the other version, so that it brings a bag, in part a stale one."""
    made = case.made
    edited = {**made.body, **{key: value for key, value in list(made.body.items())[::2] if key != BAG}}
    return case.converter.backward(made.name, edited).body


def foreign_shape(case: Case) -> LawViolation | None:
    """L7: what a bag keeps of a property of another shape stays there and comes to no field."""
    fields = case.converter.source.document_type(case.converter.source_type).fields
    foreign: JsonObject = {f"{field.id}#00000000": entry({"of": "another shape"}) for field in fields}
    document: JsonObject = {**case.document, BAG: {"f": 1, "b": foreign}}
    made = case.converter.forward(case.name, document)
    plain = case.made
    back = case.converter.backward(made.name, made.body).body
    if canonical({**made.body, BAG: None}) != canonical({**plain.body, BAG: None}):
        return LawViolation("L7", "an entry of another shape fills no field", plain.body, made.body)
    return None if canonical(back) == canonical(document) else LawViolation("L7", "it stays", document, back)


def names_bijective(case: Case) -> LawViolation | None:
    """L10: a name that has an image is found again from it; a dropped segment only as a wildcard."""
    for name in (case.name, _wild(case.name)):
        image = case.converter.name(name)
        if image is None:
            continue
        back = case.converter.old_name(image)
        if back is not None and not covers(back, name):
            return LawViolation("L10", "back(there(name)) = name", {"name": name}, {"name": back})
    return None


def names_known_there(case: Case) -> LawViolation | None:
    """L10b: the image of a name is a name of the other version; what that cannot name has none."""
    resource = case.converter.target.resource(case.converter.target_type or "")
    if not resource.patterns or case.converter.names_ask_documents:
        return None
    image = case.converter.name(case.name)
    patterns = [Pattern.parse(text, resource.id_patterns) for text in resource.patterns]
    if image is None or any(each.match(image) for each in patterns):
        return None
    expected: JsonObject = {"patterns": [*resource.patterns]}
    return LawViolation("L10b", "there(name) is a name there", expected, {"name": image})


def _wild(name: str) -> str:
    return "/".join([*name.split("/")[:-1], "-"])


def unknown_kept(case: Case) -> LawViolation | None:
    """L13: a key that no version knows is carried, there and back, and never lost in storage."""
    document: JsonObject = {**case.document, "x-unknown": [1, {"deep": None}]}
    made = case.converter.forward(case.name, document)
    if made.body.get("x-unknown") != [1, {"deep": None}]:
        return LawViolation("L13", "an unknown key passes", document, made.body)
    back = case.converter.backward(made.name, made.body).body
    return (
        None if canonical(back) == canonical(document) else LawViolation("L13", "and returns", document, back)
    )


def bag_bounded(case: Case) -> LawViolation | None:
    """L14b: the bag of a document that came back from the other version is empty."""
    back = case.returned.body
    return LawViolation("L14b", "a trip leaves no bag", case.document, back) if is_bagged(back) else None


MORE_LAWS: Mapping[str, Law] = {
    "L5": engines_agree,
    "L7": foreign_shape,
    "L10": names_bijective,
    "L10b": names_known_there,
    "L13": unknown_kept,
    "L14b": bag_bounded,
}
