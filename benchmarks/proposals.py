"""How good proposals are: against what a person found in published pairs, and against made-up evolutions.

python -m benchmarks.proposals [FOLDER] [--part seen|held-out|all] [--only TEXT] [--pairs]

FOLDER is the `node_modules` of `benchmarks/published`; without it the locked packages are installed there. They hold the
protobuf definitions of npm `google-proto-files`, what npm `kubernetes-models` declares of the versions of custom and
built-in resources of Kubernetes, and what npm `@googleapis/*` declare of the versions of REST APIs. `held-out` are services
chosen by the hash of their path, and groups of resources and APIs chosen by that of their name, which were not looked at
while the matcher was built until 28 November 2026; then what was missed there was read, and rules made of it, so that both
parts are seen ones now. Releases of PyPI `ansible` declare themselves which options of their modules were renamed. Wheels
of PyPI `azure-mgmt-…` hold the models of versions of Azure's management APIs, whose held-out part was not looked at;
`--only azure/` takes these alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from benchmarks.published.azure import wheels
from benchmarks.published.corpora import (
    APIS,
    RESOURCES,
    SERVICE,
    PublishedPair,
    api_pairs,
    azure_pairs,
    option_pairs,
    protobuf_pairs,
    resource_pairs,
    service_of,
)
from benchmarks.published.decoys import decoys
from benchmarks.published.definitions import Files, pairs, protos
from benchmarks.published.derivable import is_derivable
from benchmarks.published.evolutions import Evolution, Truth, evolve, reached_types
from benchmarks.published.options import archives, read_releases
from benchmarks.published.typings import histories
from console.env import ROOT
from migrations_app.domain.conversion.metadata.edge import read_edge
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid, FindingLevel
from migrations_app.domain.conversion.planning.matching import are_one_name
from migrations_app.domain.conversion.proposals.propose import EdgeProposal, mistakes, proposals
from migrations_app.domain.conversion.proposals.suggestion import Section, Suggestion
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.conversion.service import compile_edges
from migrations_app.domain.schema.folder import RawEdge, ServiceFolder
from migrations_app.domain.schema.loaders.ir_types import camel
from migrations_app.domain.schema.methods import custom_methods
from migrations_app.domain.schema.types import Field, ListType, MapType, ObjectType, Type
from migrations_app.kernel.errors import SwitchyardError

PUBLISHED = ROOT / "benchmarks" / "published"
TRUTH = ("truth_seen.yaml", "truth_held_out.yaml", "truth_azure_seen.yaml", "truth_azure_held_out.yaml")
SIBLING_TURNS = 3  # so many different pairs are made of every type


@dataclass(slots=True)
class Tally:
    """What was right and wrong, of one kind of evidence for truth."""

    counts: Counter[str] = field(default_factory=Counter)
    shares: list[float] = field(default_factory=list)

    def add(self, kind: str, truth: set[Truth], lines: set[Truth], sets: tuple[set[Truth], ...]) -> None:
        """Count lines, those that are right, true pairs, those that lines find, and those that comments show too."""
        for what, members in zip(
            ("true", "lines", "lines right", "found", "shown"), (truth, lines, *sets), strict=True
        ):
            self.counts[f"{kind} {what}"] += len(members)

    def report(self) -> dict[str, object]:
        """Tell shares beside counts."""
        made: dict[str, object] = dict(sorted(self.counts.items()))
        for kind in ("renames", "moves", "symbols"):
            lines, true = self.counts[f"{kind} lines"], self.counts[f"{kind} true"]
            made[f"{kind} precision"] = (
                round(self.counts[f"{kind} lines right"] / lines, 3) if lines else None
            )
            made[f"{kind} recall"] = round(self.counts[f"{kind} found"] / true, 3) if true else None
            made[f"{kind} recall with comments"] = (
                round(self.counts[f"{kind} shown"] / true, 3) if true else None
            )
        if true := self.counts["renames true"]:
            made["renames recall with candidates"] = round(self.counts["renames in reach"] / true, 3)
        if derivable := self.counts["renames derivable"]:
            made["renames recall of derivable"] = round(self.counts["derivable renames found"] / derivable, 3)
        if self.shares:
            made["fields left to a person, median"] = round(statistics.median(self.shares), 4)
            made["fields left to a person, mean"] = round(statistics.fmean(self.shares), 4)
        return made


def _implied(line: Truth, truth: set[Truth]) -> bool:
    """Tell whether a line is true, or is of a part of an object of which it is true."""
    owner, old, new = line
    while True:
        if (owner, old, new) in truth:
            return True
        left, right = old.rpartition("."), new.rpartition(".")
        if not left[0] or not right[0] or left[2] != right[2]:
            return False
        old, new = left[0], right[0]


def _covered(true: Truth, lines: set[Truth]) -> bool:
    owner, old, new = true
    return true in lines or any(
        line[0] == owner and line[1].startswith(f"{old}.") and line[2].startswith(f"{new}.") for line in lines
    )


def pairs_of(suggestions: Iterable[Suggestion]) -> tuple[set[Truth], set[Truth]]:
    """Split what suggestions take for the same into fields that are renamed and fields that move."""
    renamed: set[Truth] = set()
    moved: set[Truth] = set()
    for each in suggestions:
        if each.section is Section.OPS and "path" not in (each.args or {}) and each.old and each.new:
            for old, new in zip(each.old, each.new, strict=True):
                parents = old.rpartition(".")[0], new.rpartition(".")[0]
                ends = old.rpartition(".")[2], new.rpartition(".")[2]
                if camel(old) == camel(new) or (parents[0] == parents[1] and are_one_name(*ends)):
                    continue  # edges take both for one: another type, and no rename
                (renamed if parents[0] == parents[1] else moved).add((each.owner, old, new))
        elif each.section is Section.RENAMED:
            renamed.add(("resources", each.owner, each.target))
        elif each.op == "flatten" or each.op == "nest":
            moved |= {(each.owner, *ends) for ends in zip(each.old, each.new, strict=True)}
    return renamed, moved


def symbols_of(suggestions: Iterable[Suggestion]) -> set[Truth]:
    """List the symbols that suggestions map."""
    found: set[Truth] = set()
    for each in suggestions:
        table = (each.args or {}).get("map") if each.op == "enum" else None
        for old, new in table.items() if isinstance(table, dict) else ():
            if old != new and new != "…":
                found.add(("", old, str(new)))
    return found


def judge(folder: ServiceFolder, proposal: EdgeProposal, tally: Tally) -> None:
    """Compile what is printed, and count what is left to a person."""
    tally.counts["pairs"] += 1
    text = edge_text(proposal)
    try:
        read_edge(text)
    except EdgeInvalid:
        tally.counts["texts that cannot be read"] += 1
        return
    strict = _errors(folder, text)
    tally.counts["compile by lines alone"] += not strict
    tally.counts["lines compile"] += not _errors(folder, f"unassessed: warning\n{text}", but="E-NAMES")
    tally.counts["no line is a mistake"] += not mistakes(_with_edge(folder, text))
    tally.counts["false all-clears"] += proposal.is_covered and bool(strict)
    schemas = folder.schemas[proposal.edge.source], folder.schemas[proposal.edge.target]
    fields = sum(_fields(each) for schema in schemas for _, each in schema.objects())
    left = sum(max(1, len(each.old) + len(each.new)) for each in proposal.doubts)
    tally.shares.append(left / max(1, fields))
    tally.counts["lines proposed"] += len(proposal.lines)
    tally.counts["left to decide"] += len(proposal.doubts)


def _fields(given: Type) -> int:
    """Count the fields of a type, with those of the objects in it that have no name of their own."""
    if isinstance(given, ObjectType):
        return sum(1 + _fields(each.type) for each in given.fields)
    inner = given.item if isinstance(given, ListType) else given.value if isinstance(given, MapType) else None
    return _fields(inner) if inner is not None else 0


def _with_edge(folder: ServiceFolder, text: str) -> ServiceFolder:
    return ServiceFolder(folder.service, folder.schemas, (RawEdge(text, "edge.yaml"),))


def _errors(folder: ServiceFolder, text: str, but: str = "") -> list[str]:
    _, findings = compile_edges(_with_edge(folder, text), {})
    return [str(each) for each in findings if each.level is FindingLevel.ERROR and each.code != but]


def published(chosen: Iterable[PublishedPair], tally: Tally, *, show: bool) -> None:
    """Hold the proposals of published pairs against what a person found."""
    known: dict[str, Mapping[str, list[list[str]]]] = {}
    for name in TRUTH:
        known |= yaml.safe_load((PUBLISHED / name).read_text()) or {}
    for pair in chosen:
        try:
            folder = pair.load()
        except SwitchyardError as error:
            tally.counts["refused"] += 1
            print(f"{pair}: {error}", file=sys.stderr)
            continue
        (proposal,) = proposals(folder)
        judge(folder, proposal, tally)
        reached = edge_types(folder, proposal)
        said = known.get(str(pair), {}) if pair.declared is None else pair.declared
        truth = {
            kind: {
                (each[0], each[1], each[2]) for each in said.get(kind, []) if _is_reached(each[0], reached)
            }
            for kind in ("renames", "moves", "symbols")
        }
        tally.counts["renames that no edge converts"] += len(said.get("renames", [])) - len(truth["renames"])
        _score(tally, truth, proposal)
        _count_derivable(tally, truth["renames"], folder, proposal)
        if show:
            _show(str(pair), proposal, truth)


def _count_derivable(
    tally: Tally, renames: set[Truth], folder: ServiceFolder, proposal: EdgeProposal
) -> None:
    """Count the true renames that definitions say anything of, and those of them that lines find."""
    old, new = folder.schemas[proposal.edge.source], folder.schemas[proposal.edge.target]
    types = {each: after for owner, each, after in renames if owner == "resources"}
    lines = set().union(*pairs_of(proposal.lines))
    for rename in renames:
        if rename[0] == "resources" or is_derivable(old, new, rename, types.get(rename[0], "")):
            tally.counts["renames derivable"] += 1
            tally.counts["derivable renames found"] += _covered(rename, lines)


def _is_reached(owner: str, reached: set[str]) -> bool:
    """Tell whether a type, or the one that holds the object that it is, is among those that documents hold."""
    return owner in reached or ("." in owner and _is_reached(owner.rpartition(".")[0], reached))


def edge_types(folder: ServiceFolder, proposal: EdgeProposal) -> set[str]:
    """List the types that documents of resources and messages of custom methods hold; no edge converts others.

    Of methods those count that both versions have: the messages of one that ends with the old version are not converted.
    """
    schema, newer = folder.schemas[proposal.edge.source], folder.schemas[proposal.edge.target]
    there = {each.name for each in custom_methods(newer)}
    kept = (each for each in custom_methods(schema) if each.name in there)
    messages = [name for each in kept for name in (each.request, each.response)]
    return {"", "resources", *reached_types(schema, messages)}


def _score(tally: Tally, truth: Mapping[str, set[Truth]], proposal: EdgeProposal) -> None:
    lines, comments = pairs_of(proposal.lines), pairs_of(proposal.doubts)
    same = truth["renames"] | truth["moves"]
    for index, kind in enumerate(("renames", "moves")):
        right = {each for each in lines[index] if _implied(each, same)}
        found = {each for each in truth[kind] if _covered(each, lines[0] | lines[1])}
        shown = {
            each for each in truth[kind] if _covered(each, lines[0] | lines[1] | comments[0] | comments[1])
        }
        tally.add(kind, truth[kind], lines[index], (right, found, shown))
    ranked = {(each.owner, each.path, one.path) for each in proposal.candidates for one in each.candidates}
    every = ranked.union(*lines, *comments)
    tally.counts["renames in reach"] += sum(_covered(each, every) for each in truth["renames"])
    tally.counts["candidates"] += len(ranked)
    mapped, likely = symbols_of(proposal.lines), symbols_of(proposal.doubts)
    symbols = {("", old, new) for _, old, new in truth["symbols"]}
    tally.add("symbols", symbols, mapped, (mapped & symbols, mapped & symbols, (mapped | likely) & symbols))


def _show(title: str, proposal: EdgeProposal, truth: Mapping[str, set[Truth]]) -> None:
    lines, comments = (set().union(*pairs_of(each)) for each in (proposal.lines, proposal.doubts))
    same = truth["renames"] | truth["moves"]
    for each in lines:
        if not _implied(each, same):
            print(f"{title}: wrong: {each}", file=sys.stderr)
    for each in same:
        if not _covered(each, lines):
            print(f"{title}: {'comment' if _covered(each, comments) else 'missed'}: {each}", file=sys.stderr)


def made_up(files: Files, chosen: Iterable[str], foreign: list[Field], tally: Tally, *, show: bool) -> None:
    """Hold proposals against evolutions whose truth is known."""
    newest = {base: new for base, _, new in pairs(files)}
    for base in chosen:
        try:
            schema = next(iter(service_of(files, base, (newest[base],)).schemas.values()))
        except SwitchyardError:
            continue
        made = evolve(schema, foreign, base)
        folder = ServiceFolder(SERVICE, {"v1": made.old, "v2": made.new})
        (proposal,) = proposals(folder)
        judge(folder, proposal, tally)
        messages = [name for each in custom_methods(made.old) for name in (each.request, each.response)]
        both = {*reached_types(made.old, messages)} & {*reached_types(made.new, messages)}
        truth = {kind: {each for each in found if each[0] in both} for kind, found in _truth(made).items()}
        _score(tally, truth, proposal)
        if show:
            _show(base, proposal, truth)


def _truth(made: Evolution) -> dict[str, set[Truth]]:
    return {"renames": made.renamed, "moves": made.moved, "symbols": made.symbols}


def siblings(files: Files, chosen: Iterable[str], *, show: bool) -> dict[str, object]:
    """Count the lines between siblings that stand side by side in a published type: every one is wrong."""
    newest = {base: new for base, _, new in pairs(files)}
    counts: Counter[str] = Counter()
    for base in chosen:
        try:
            schema = next(iter(service_of(files, base, (newest[base],)).schemas.values()))
        except SwitchyardError:
            continue
        for turn in range(SIBLING_TURNS):
            made = decoys(schema, f"{base} {turn}")
            (proposal,) = proposals(ServiceFolder(SERVICE, {"v1": made.old, "v2": made.new}))
            lines, comments = (set().union(*pairs_of(each)) for each in (proposal.lines, proposal.doubts))
            counts["pairs of siblings"] += len(made.pairs)
            counts["wrong lines"] += len(lines)
            counts["comments"] += len(comments)
            for each in proposal.lines if show else ():
                if each.section is Section.OPS and each.old and each.new:
                    print(
                        f"{base}: sibling: {each.owner} {each.old} {each.new} {[*map(str, each.reasons)]}",
                        file=sys.stderr,
                    )
    right = 1 - counts["wrong lines"] / max(1, counts["pairs of siblings"])
    return {**dict(sorted(counts.items())), "pairs without a wrong line": round(right, 3)}


def strangers(files: Files) -> list[Field]:
    """Take fields of a service that is in no pair, to be added to others."""
    folder = service_of(files, "google/cloud/run", ("v2",))
    schema = next(iter(folder.schemas.values()))
    kept = [
        each
        for _, given in schema.objects()
        for each in given.fields
        if type(each.type).__name__ == "ScalarType"
    ]
    return kept[::5]


def installed() -> Path:
    """Install the locked definitions once, and tell where they are."""
    folder = PUBLISHED / "node_modules"
    if not all((folder / each).is_dir() for each in ("google-proto-files", *RESOURCES, *APIS)):
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=PUBLISHED, check=True, stdout=subprocess.DEVNULL)
    return folder


def main() -> int:
    """Measure the parts that are asked for, and print figures as JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--part", choices=("seen", "held-out", "all"), default="all")
    parser.add_argument("--only", default="", help="only services whose path holds this text")
    parser.add_argument("--published", action="store_true", help="leave out what is made up")
    parser.add_argument("--pairs", action="store_true", help="show what is wrong or missed")
    given = parser.parse_args()
    home = given.folder or installed()
    files, groups = protos(home / "google-proto-files"), histories([home / each for each in RESOURCES])
    packages = [home / each for each in APIS]
    releases = read_releases(archives(PUBLISHED / "archives"))
    of_azure = wheels(PUBLISHED / "archives")
    foreign = strangers(files)
    report: dict[str, object] = {}
    for part in ("seen", "held-out"):
        if given.part not in (part, "all"):
            continue
        held_out = part == "held-out"
        of_protobuf = list(protobuf_pairs(files, held_out=held_out, only=given.only))
        real, resources, rest, options, azure, invented = (Tally() for _ in range(6))
        published(of_protobuf, real, show=given.pairs)
        published(resource_pairs(groups, held_out=held_out, only=given.only), resources, show=given.pairs)
        published(api_pairs(packages, held_out=held_out, only=given.only), rest, show=given.pairs)
        published(option_pairs(releases, held_out=held_out, only=given.only), options, show=given.pairs)
        published(azure_pairs(of_azure, held_out=held_out, only=given.only), azure, show=given.pairs)
        report[f"{part}, published"] = real.report()
        report[f"{part}, options of modules"] = options.report()
        report[f"{part}, REST APIs"] = rest.report()
        report[f"{part}, resources of Kubernetes"] = resources.report()
        report[f"{part}, management APIs of Azure"] = azure.report()
        if not given.published:
            bases = dict.fromkeys(each.base for each in of_protobuf)
            made_up(files, bases, foreign, invented, show=given.pairs)
            report[f"{part}, made up"] = invented.report()
            report[f"{part}, siblings"] = siblings(files, bases, show=given.pairs)
    print(json.dumps(report, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
