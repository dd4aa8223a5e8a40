"""Filters over a reference that became several: what is asked of it is asked of all parts."""

from __future__ import annotations

from migrations_app.domain.conversion.requests.trails import Segments
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.steps import Gather
from migrations_app.domain.filters.ast import (
    Atom,
    Compare,
    ComparisonOperator,
    Filter,
    In,
    Path,
    ValueKind,
    all_of,
    any_of,
)


def filter_of_parts(hop: ResourcePlan, atom: Atom) -> tuple[Filter, bool] | None:
    """Say an atom by the parts of its reference, and whether that is exact; None where it cannot be."""
    if not isinstance(atom, Compare | In):
        return None
    step, names = _split_at(hop, atom.path.segments), _names(atom)
    if step is None or not names:
        return None
    found = [_parts(step, name, atom.kind) for name in names]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    return any_of([parts for parts, _ in known]), all(exact for _, exact in known)


def _split_at(hop: ResourcePlan, path: Segments) -> Gather | None:
    for step in hop.plan.steps:
        is_split = isinstance(step, Gather) and step.references is not None and len(step.sources) == 1
        if isinstance(step, Gather) and is_split and step.sources[0].keys == path:
            return step
    return None


def _names(atom: Compare | In) -> tuple[str, ...]:
    """List the names that an atom takes; nothing when it asks for something else."""
    if isinstance(atom, Compare):
        is_name = atom.op is ComparisonOperator.EQ and isinstance(atom.value, str)
        return (str(atom.value),) if is_name else ()
    names = tuple(value for value in atom.values if isinstance(value, str))
    return names if len(names) == len(atom.values) else ()


def _parts(step: Gather, name: str, kind: ValueKind) -> tuple[Filter, bool] | None:
    images = step.references.images(name) if step.references is not None else None
    if images is None or not any(images):
        return None
    asked: list[Filter] = [
        Compare(Path(slot.keys), ComparisonOperator.EQ, image, kind)
        for slot, image in zip(step.targets, images, strict=True)
        if image is not None
    ]
    # Of a part that is absent nothing is asked, so documents that have one are taken too.
    return all_of(asked), len(asked) == len(images)
