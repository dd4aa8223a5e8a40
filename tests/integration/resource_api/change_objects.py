"""Change objects of watches written from a conversion alone: what served watches are compared with."""

from __future__ import annotations

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject

SHOWN = ("current", "added", "modified")


def convert_change(converter: TypeConverter, change: JsonObject) -> JsonObject | None:
    """Tell a change of the target version in the words of the source version; None where that has no name for it.

    Shape: `{current|added|modified: <document>}` or `{removed: {<name field>: …, …}}`.
    `converter` is from the version asked for to the stored one.

    Raises: Invalid (`change`) for anything else.
    """
    source, target = _name_key(converter, here=True), _name_key(converter, here=False)
    for kind in (*SHOWN, "removed"):
        found = change.get(kind)
        if not isinstance(found, dict):
            continue
        name = found.get(target)
        if not isinstance(name, str):
            break
        try:
            shown = _removed(converter, name) if kind == "removed" else converter.get(name, found)
        except NoImage:
            return None
        if shown is None:
            return None
        old_name, view = shown
        if kind == "removed":
            rest = {key: value for key, value in found.items() if key != target}
            return {kind: {**rest, source: old_name}}
        return {kind: {**view, source: old_name}}
    raise Invalid("This is no change object.", code="change", remedy="Write {modified: {name: …, …}}.")


def _removed(converter: TypeConverter, name: str) -> tuple[str, JsonObject] | None:
    old = converter.old_name(name)
    return None if old is None else (old, {})


def _name_key(converter: TypeConverter, *, here: bool) -> str:
    if converter.hops:
        return converter.hops[0].source_name_key if here else converter.hops[-1].target_name_key
    return converter.source.resource(converter.source_type).name_field
