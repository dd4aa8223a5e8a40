"""The ops an edge may use, by name."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app.domain.conversion.ops import (
    added,
    convert,
    default,
    enum,
    flatten,
    ignore,
    move,
    nest,
    removed,
    rename,
    resource_name,
    retype,
    sentinel,
    shortcuts,
    wrap,
)
from migrations_app.domain.conversion.ops.base import Op

OPS: Mapping[str, Op] = {
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
        resource_name.OP,
    )
}
