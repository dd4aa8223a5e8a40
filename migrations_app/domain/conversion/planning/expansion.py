"""Declarations turned into ops: checked, with those that stand for others written out."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.ops.base import OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.ops.hole import HOLES
from migrations_app.domain.conversion.ops.registry import OPS


def expanded(decls: list[Decl], site: PlanningContext) -> list[tuple[Decl, OpForm]]:
    """Find the op of every declaration; what is wrong is reported and left out, names are left to others."""
    found: list[tuple[Decl, OpForm]] = []
    for decl in decls:
        op = OPS.get(decl.op) or HOLES.get(decl.op)
        if op is None:
            message = f"There is no op `{decl.op}`."
            site.report(EdgeFinding("E-OP", message, decl.place, f"One of {', '.join(OPS)}."))
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
