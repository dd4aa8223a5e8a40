"""An edge with what is proposed for it, planned again and again until nothing more is open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from migrations_app.domain.conversion.edges import CompiledEdge, compile_edge
from migrations_app.domain.conversion.hooks import NO_HOOKS
from migrations_app.domain.conversion.metadata.edge import Decl, Edge, ResourceChange
from migrations_app.domain.conversion.metadata.findings import EdgeFileLine, EdgeFinding, FindingLevel
from migrations_app.domain.conversion.planning.lineage import Lineages
from migrations_app.domain.conversion.proposals.reasons import MatchReason
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.conversion.refermaps import Imported
from migrations_app.domain.schema.folder import ServiceFolder

PROPOSED = "proposed"


@dataclass(slots=True)
class EdgeDraft:
    """The edge as written, the lines taken so far, and the suggestions that are left to a person."""

    folder: ServiceFolder
    written: Edge
    imported: Mapping[str, Imported]
    lines: list[Suggestion] = field(default_factory=list)
    doubts: list[Suggestion] = field(default_factory=list)
    refused: set[tuple[str, str, str, str]] = field(default_factory=set)

    def take(self, suggestions: Iterable[Suggestion]) -> bool:
        """Take what is sure as lines and the rest as doubts; tell whether anything was new."""
        known = {each.key for each in (*self.lines, *self.doubts)} | self.refused
        fresh = [each for each in {each.key: each for each in suggestions}.values() if each.key not in known]
        for each in fresh:
            (self.lines if each.sure else self.doubts).append(each)
        return any(each.sure for each in fresh)

    def compile(self) -> CompiledEdge:
        """Plan the edge with all lines; a line that cannot be planned becomes a doubt with the reason."""
        while True:
            compiled = compile_edge(self.edge(), self.folder, (Lineages(), NO_HOOKS), self.imported)
            wrong = {
                each.place.line - 1: each
                for each in compiled.findings
                if each.place.file == PROPOSED and each.level is FindingLevel.ERROR and each.place.line
            }
            if not wrong:
                return compiled
            for index in sorted(wrong, reverse=True):
                line = self.lines.pop(index)
                self.refused.add(line.key)
                reason = MatchReason.NOT_COMPILED.words_with(finding=wrong[index].message)
                self.doubts.append(replace(line, sure=False, reasons=(reason, *line.reasons)))

    def edge(self) -> Edge:
        """Write the lines into the edge; the place of each op tells which line it is."""
        types: dict[str, list[Decl]] = defaultdict(list)
        renames, removed, added = (
            dict(self.written.type_renames),
            list(self.written.removed),
            list(self.written.added),
        )
        resources = list(self.written.resources)
        for index, line in enumerate(self.lines, start=1):
            place = EdgeFileLine(PROPOSED, index)
            if line.section is Section.OPS:
                types[self._heading(line)].append(Decl(line.op, line.args or {}, place))
            elif line.section is Section.TYPES:
                renames[line.owner] = line.target
            elif line.section is Section.RENAMED:
                resources.append(ResourceChange(line.owner, line.target, place))
            else:
                (removed if line.section is Section.REMOVED else added).append(line.owner)
        merged = {name: tuple(decls) for name, decls in self.written.types.items()}
        for name, decls in types.items():
            merged[name] = (*merged.get(name, ()), *decls)
        return replace(
            self.written,
            types=merged,
            type_renames=renames,
            removed=tuple(removed),
            added=tuple(added),
            resources=tuple(resources),
        )

    def _heading(self, line: Suggestion) -> str:
        """Name the type under which the file has the ops of this pair already, else the old one."""
        written = self.written.types
        return line.target if line.target in written and line.owner not in written else line.owner

    def errors(self, compiled: CompiledEdge) -> list[EdgeFinding]:
        """List what still keeps the edge from compiling."""
        return [each for each in compiled.findings if each.level is FindingLevel.ERROR]
