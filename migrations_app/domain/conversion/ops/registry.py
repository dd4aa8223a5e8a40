"""The ops an edge may use, by name."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.conversion.ops import (
    added,
    convert,
    default,
    enum,
    explode,
    flatten,
    hook,
    ignore,
    invert,
    map_to_list,
    move,
    nest,
    oneof,
    removed,
    rename,
    resource_name,
    retype,
    sentinel,
    shortcuts,
    split,
    split_reference,
    wrap,
)
from migrations_app.domain.conversion.ops.base import OpForm

OPS: Mapping[str, OpForm] = {
    op.name: op
    for op in (
        rename.OP,
        move.OP,
        nest.OP,
        flatten.OP,
        added.OP,
        removed.OP,
        ignore.OP,
        enum.OP,
        convert.OP,
        shortcuts.BOOL,
        invert.OP,
        shortcuts.NUMBER,
        shortcuts.UNIT,
        wrap.OP,
        wrap.HEAD,
        default.OP,
        default.REQUIRE,
        default.RELAX,
        retype.OP,
        retype.TYPE_RENAME,
        sentinel.OP,
        map_to_list.OP,
        map_to_list.LIST_TO_MAP,
        explode.OP,
        explode.GROUP,
        split.OP,
        split.MERGE,
        split_reference.OP,
        split_reference.MERGE,
        oneof.OP,
        hook.OP,
        resource_name.OP,
    )
}
