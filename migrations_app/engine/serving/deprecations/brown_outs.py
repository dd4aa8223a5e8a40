"""Which brown-outs a request or a resource of its answer meets, whether it is one of the share, and the resource without."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

from migrations_app.domain.compatibility.brown_outs import AnnouncedBrownOut, BrownOutKind
from migrations_app.domain.compatibility.places import holders, segments_of
from migrations_app.domain.compatibility.usage import without_marks
from migrations_app.engine.serving.usage import keys_of, messages_of
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.services.usage import Use


def brown_outs_met(brown_outs: Sequence[AnnouncedBrownOut], use: Use) -> list[AnnouncedBrownOut]:
    """List the brown-outs whose field, method or version a request uses: a field that it sends or names."""
    reads_fields = any(each.kind is BrownOutKind.FIELD for each in brown_outs)
    methods: set[str] = set()
    fields: set[str] = set()
    for method, type_, body in messages_of(use):
        methods.add(f"{type_}.{method}")
        if reads_fields:
            keys = keys_of(use, type_, body)
            fields |= {without_marks(f"{type_}.{path}") for path, state in keys if state.is_sent}
    used = {BrownOutKind.METHOD: methods, BrownOutKind.FIELD: fields}
    return [
        each
        for each in brown_outs
        if each.kind is BrownOutKind.VERSION or without_marks(each.place) in used[each.kind]
    ]


def refusing(
    brown_outs: Sequence[AnnouncedBrownOut], use: Use, chance: Callable[[], float]
) -> AnnouncedBrownOut | None:
    """Choose the brown-out that refuses a request, each with the chance of its share; None where none does."""
    running = (each for each in brown_outs if each.is_running(use.at))
    return next((each for each in running if chance() * 100 < each.percent), None)


def brown_outs_of_fields(brown_outs: Sequence[AnnouncedBrownOut], type_: str) -> list[AnnouncedBrownOut]:
    """List the brown-outs of fields of a resource type."""
    return [
        each
        for each in brown_outs
        if each.kind is BrownOutKind.FIELD and each.place.partition(".")[0] == type_
    ]


def holds_field(resource: JsonObject, brown_out: AnnouncedBrownOut) -> bool:
    """Tell whether a resource holds the field of a brown-out, with a value."""
    segments = segments_of(brown_out.place.partition(".")[2])
    return any(each.get(segments[-1]) is not None for each in holders(resource, segments))


def without_field(resource: JsonObject, brown_out: AnnouncedBrownOut) -> JsonObject:
    """Copy a resource without the field of a brown-out."""
    segments = segments_of(brown_out.place.partition(".")[2])
    shown = copy.deepcopy(resource)
    for each in holders(shown, segments):
        each.pop(segments[-1], None)
    return shown
