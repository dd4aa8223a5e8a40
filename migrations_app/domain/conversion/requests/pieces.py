"""Field paths over one hop of a conversion, and the code that overrides them and the values beside them."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.conversion.hooks import Hooks, Pieces
from migrations_app.domain.conversion.references import Refer
from migrations_app.domain.conversion.requests.trails import PathConversion, Segments, follow, images
from migrations_app.domain.conversion.resource import ResourcePlan


def overrides(hooks: Hooks, place: str, hop: ResourcePlan) -> tuple[Pieces, Pieces]:
    """Find the code that overrides field paths of a resource type and the values beside them, both ways."""
    there, back = hooks.paths.get(place, (None, None))
    pieces = Pieces(there), Pieces(back)
    for key, (forth, home) in hooks.path_values.items():
        if not key.startswith(f"{place}."):
            continue
        path = tuple(key.removeprefix(f"{place}.").split("."))
        trail = trail_over(hop, path)
        end = pieces[0].path(path) or (trail.path if trail else None)
        pieces[0].values[path] = forth
        if end:
            pieces[1].values[end] = home
    return pieces


def trail_over(hop: ResourcePlan, path: Segments) -> PathConversion | None:
    """Follow a path over a hop, the name of the resource included."""
    if path[0] == hop.source_name_key and not hop.names.is_identity:
        return PathConversion((hop.target_name_key,), Refer((hop.names,))) if len(path) == 1 else None
    return follow(hop.plan, path)


def path_images(hop: ResourcePlan, path: Segments) -> Iterator[Segments]:
    """List every place that a part of the value at a path goes to; registered code has the first word."""
    found = hop.pieces.path(path)
    if found is None:
        yield from images(hop.plan, path)
    else:
        yield found
