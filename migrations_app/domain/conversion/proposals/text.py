"""Proposals as text to put into an edge file: lines, doubts as comments with their reasons, and what stays open."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from migrations_app.domain.conversion.metadata.edge import SHORTHAND
from migrations_app.domain.conversion.proposals.candidates import Candidate, candidates_of
from migrations_app.domain.conversion.proposals.propose import EdgeProposal
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.kernel.json import Json


def edge_text(given: EdgeProposal) -> str:
    """Write the file of an edge that has none, or what is to be added to one; comments tell the rest."""
    lines = [f"# {given.edge.file}: {_summary(given)}"]
    if given.is_new:
        edge = given.edge
        lines.append(_flow({"edge": {"service": edge.service, "from": edge.source, "to": edge.target}})[1:-1])
    lines += _resources(given)
    lines += _renames(given)
    lines += _types(given)
    lines += [
        f"# open: {each}"
        for each in given.open
        if each.code != "E-UNASSESSED" or not _in_doubt(given, str(each))
    ]
    lines += [f"# note: {each}" for each in dict.fromkeys(map(str, given.remarks))]
    return "\n".join(lines)


def _summary(given: EdgeProposal) -> str:
    parts = [f"{len(given.lines)} lines"]
    if given.doubts:
        parts.append(f"{len(given.doubts)} to decide, below as comments")
    if given.going:
        count = len(given.going)
        parts.append(
            f"{count} resource type{'' if count == 1 else 's'} to give up, or to name a counterpart of"
        )
    parts.append("it compiles with the lines" if given.is_covered else f"{len(given.open)} places stay open")
    return ", ".join(parts)


def _in_doubt(given: EdgeProposal, message: str) -> bool:
    paths = [(doubt, path) for doubt in given.doubts for path in (*doubt.old, *doubt.new)]
    return any(
        f"{doubt.owner}.{path} " in message or f"{doubt.target}.{path} " in message for doubt, path in paths
    )


def _resources(given: EdgeProposal) -> Iterator[str]:
    sections = (Section.RENAMED, Section.REMOVED, Section.ADDED)
    if not any(each.section in sections for each in (*given.lines, *given.doubts)):
        return
    yield "resources:"
    renamed = {each.owner: each.target for each in given.lines if each.section is Section.RENAMED}
    if renamed:
        yield f"  renamed: {_flow(dict(renamed))}"
    for section in (Section.REMOVED, Section.ADDED):
        names: Json = [each.owner for each in given.lines if each.section is section]
        if names:
            yield f"  {section}: {_flow(names)}"
    for doubt in given.doubts:
        if doubt.section is Section.RENAMED:
            yield f"  # {_why(doubt)}"
            yield f"  # renamed: {_flow({doubt.owner: doubt.target})}"
            yield f"  # or: removed: {_flow([doubt.owner])} and added: {_flow([doubt.target])}"


def _renames(given: EdgeProposal) -> Iterator[str]:
    renamed: dict[str, Json] = {
        each.owner: each.target for each in given.lines if each.section is Section.TYPES
    }
    if renamed:
        yield f"typeRename: {_flow(renamed)}"
    for doubt in given.doubts:
        if doubt.section is Section.TYPES:
            yield f"# typeRename: {_flow({doubt.owner: doubt.target})}  # {_why(doubt)}"


def _types(given: EdgeProposal) -> Iterator[str]:
    ops = [each for each in (*given.lines, *given.doubts) if each.section is Section.OPS]
    if ops:
        yield "types:"
    for owner in dict.fromkeys(each.owner for each in ops):
        mine = [each for each in ops if each.owner == owner]
        certain = [each for each in mine if each.sure]
        yield f"  {_flow(owner)}:" if certain else f"  # {_flow(owner)}:"
        yield "    ops:" if certain else "  #   ops:"
        for line in (each for each in certain if each.op not in SHORTHAND):
            yield f"      - {_op(line)}  # {_why(line)}"
        for op in ("removed", "added"):
            paths: Json = [(each.args or {})["path"] for each in certain if each.op == op]
            if paths:
                yield f"      - {op}: {_flow(paths)}"
        for path, candidates in candidates_of(given.candidates, owner).items():
            yield f"      # {path}, if it does not go, may be: {'; or '.join(map(_candidate, candidates))}"
        for doubt in (each for each in mine if not each.sure):
            yield f"      # {_why(doubt)}"
            yield f"      # - {_op(doubt)}"
            for op, sides in (("removed", doubt.old), ("added", doubt.new)):
                if sides and "path" not in (doubt.args or {}):
                    yield f"      # {'or' if op == 'removed' else 'and'} - {op}: {_flow(list(sides))}"


def _candidate(given: Candidate) -> str:
    return f"{given.path} ({given.confidence:.2f}: {'; '.join(map(str, given.reasons[:3]))})"


def _op(line: Suggestion) -> str:
    return f"{line.op}: {_flow(line.args or {})}"


def _why(line: Suggestion) -> str:
    where = " → ".join(place for place in line.places if place)
    told = "; ".join(map(str, line.reasons[:4]))
    return f"{line.confidence:.2f}: {told}" + (f" ({where})" if where else "")


def _flow(given: Json) -> str:
    text = yaml.safe_dump(given, default_flow_style=True, width=10_000, sort_keys=False, allow_unicode=True)
    return text.strip().removesuffix("\n...").strip()
