"""The lines of the sources that a compatibility report speaks of, of both versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import yaml

from migrations_app.control.schemas.repository.reports import current_report
from migrations_app.control.schemas.repository.source_lines import sources_of
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.acceptance import entries
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.schema.source_lines import SourceExcerpt, SourceLines
from migrations_app.kernel.json import Json, JsonObject


def changed_lines(actor: Actor, service: str, before: str, after: str, setting: Setting) -> list[Json]:
    """Give for each place of a report how its author wrote it in both versions; null where it is not found.

    Raises: Denied, Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    require(actor, "registry.read", Target("service", service=service))
    report = current_report(service, before, after, setting)
    named: dict[str, list[str]] = {}
    for finding in entries(report, "findings"):
        path = str(finding["path"])
        named.setdefault(path, [path]).extend(_converted(path, str(finding["transform"])))
    old, new = sources_of(service, before), sources_of(service, after)
    return [
        {"path": path, "before": _shown(_first(old, names)), "after": _shown(_first(new, names))}
        for path, names in named.items()
    ]


def _converted(path: str, transform: str) -> Iterator[str]:
    """Name the fields that the line of an edge converts into each other: each is in one of the versions."""
    try:
        ops = yaml.safe_load(transform)
    except yaml.YAMLError:
        return
    for op in ops if isinstance(ops, list) else ():
        for args in op.values() if isinstance(op, dict) else ():
            for side in ("from", "to"):
                field = args.get(side) if isinstance(args, dict) else None
                if isinstance(field, str) and "{" not in field:
                    parts = [path.partition(".")[0], *field.split(".")]
                    # A field of a type of its own stands there: the field that has this type is shown.
                    yield from (".".join(parts[:count]) for count in range(len(parts), 1, -1))


def _first(sources: SourceLines, paths: Iterable[str]) -> SourceExcerpt | None:
    return next((excerpt for path in paths if (excerpt := sources.find(path))), None)


def _shown(of: SourceExcerpt | None) -> JsonObject | None:
    if of is None:
        return None
    return {"file": of.file, "line": of.line, "lines": list(of.lines), "left_out": of.left_out}
