"""Declarations turned into ops: checked, with those that stand for others written out."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.ops.base import OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.ops.hole import HOLES
from migrations_app.domain.conversion.ops.registry import OPS
from migrations_app.kernel.messages import message


def expanded(decls: list[Decl], site: PlanningContext) -> list[tuple[Decl, OpForm]]:
    """Find the op of every declaration; what is wrong is reported and left out, names are left to others."""
    found: list[tuple[Decl, OpForm]] = []
    for decl in decls:
        op = OPS.get(decl.op) or HOLES.get(decl.op)
        if op is None:
            words = message("There is no op `{op}`.", op=decl.op)
            site.report(EdgeFinding("E-OP", words, decl.place, message("One of {ops}.", ops=", ".join(OPS))))
            continue
        problems = op.problems(decl)
        for problem in problems:
            site.report(problem)
        if problems or op.kind is OpKind.NAME:
            continue
        simpler = op.instead(decl)
        if simpler is not None:
            found += expanded([simpler], site)
        elif op.expand is not None:
            found += expanded(op.expand(decl, site.source, site.target), site)
        else:
            found.append((decl, op))
    return found
