"""Every published pair of versions planned as an edge with the metadata that is proposed for it, and reported on.

python -m benchmarks.published.edges FOLDER [--only TEXT] [--part 1/4]

FOLDER is an unpacked npm `google-proto-files`. Nothing may crash: what the proposals cannot say is counted by the
code of the finding, and the pairs that compile convert a few made-up documents there and back. Takes minutes.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter

from benchmarks.published.definitions import Files, arguments, chosen, closure, protos
from migrations_app.domain.conversion.edges import CompiledEdge
from migrations_app.domain.conversion.laws.verify import verify
from migrations_app.domain.conversion.metadata.findings import FindingLevel
from migrations_app.domain.conversion.proposals.propose import proposals
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.conversion.reports.loss import coverage, losses
from migrations_app.domain.conversion.service import CompiledService, compile_edges
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.kernel.errors import SwitchyardError

SERVICE = "published.example.com"
LAWS = ("L1s", "L5", "L11")


def main() -> int:
    """Go through all pairs; tell what crashed, then the sums."""
    given = arguments().parse_args()
    files = protos(given.folder)
    total: Counter[str] = Counter()
    for base, older, newer in chosen(files, given.only, given.part):
        total["pairs"] += 1
        try:
            one_pair(files, base, (older, newer), total)
        except Exception:
            total["crashed"] += 1
            print(f"{base} {older} → {newer} crashed:\n{traceback.format_exc()}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in total.items()))
    return 1 if total["crashed"] or total["laws broken"] else 0


def one_pair(files: Files, base: str, versions: tuple[str, str], total: Counter[str]) -> None:
    """Load both versions as one service, propose, compile, report and convert."""
    service = {
        name: data for version in versions for name, data in closure(files, f"{base}/{version}").items()
    }
    listed = [
        f"{{version: {version}, ordinal: {index}, sources: [{{kind: protobuf, path: {base}/{version}}}]}}"
        for index, version in enumerate(versions)
    ]
    head = f"service: {SERVICE}\nversions: [{', '.join(listed)}]\n"
    try:
        bare = read_files({**service, "service.yaml": head.encode()})
    except SwitchyardError as error:
        total["refused"] += 1
        print(f"{base} {' → '.join(versions)}: {error}", flush=True)
        return
    total["loaded"] += 1
    text = edge_file(bare)
    folder = read_files(
        {**service, "service.yaml": f"{head}edges: [edge.yaml]\n".encode(), "edge.yaml": text.encode()}
    )
    compiled, findings = compile_edges(folder, {})
    errors = [each for each in findings if each.level is FindingLevel.ERROR]
    total["findings"] += len(findings)
    for each in findings:
        total[each.code] += 1
    for edge in compiled.values():
        report(edge, total)
    total["edges without an error"] += not errors
    if not errors:
        converted(CompiledService(folder, compiled), f"{base} {' → '.join(versions)}", total)


def edge_file(folder: ServiceFolder) -> str:
    """Write the edge with all lines that are proposed; what is left to a person is only warned of."""
    return "\n".join(("unassessed: warning", *map(edge_text, proposals(folder))))


def report(edge: CompiledEdge, total: Counter[str]) -> None:
    """Make the reports of an edge."""
    total["fields assessed"] += sum(coverage(edge).values())
    total["losses"] += len(losses(edge))
    total["resource types planned"] += len(edge.plans)


def converted(compiled: CompiledService, title: str, total: Counter[str]) -> None:
    """Convert made-up documents there and back, by every engine."""
    for each in verify(compiled, count=3, laws=LAWS):
        total["documents converted"] += each.documents
        if each.failure:
            total["laws broken"] += 1
            print(
                f"{title}: {each.failure.law} {each.resource_type}: {each.failure.message} at {each.failure.where}"
            )


if __name__ == "__main__":
    sys.exit(main())
