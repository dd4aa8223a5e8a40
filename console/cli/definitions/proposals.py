"""`swy schema propose`: what the edges of a folder lack, with documents of both versions as evidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from console.cli.definitions.progress import progress
from console.cli.definitions.refusals import print_findings, print_refusal
from console.cli.output import screen
from migrations_app.domain.conversion.proposals.propose import (
    EdgeProposal,
    Ends,
    mistakes,
    proposals,
    proposed_edges,
)
from migrations_app.domain.conversion.proposals.samples import (
    SampleDocument,
    Samples,
    pair_samples,
    read_samples,
)
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import ServiceFolder, read_folder
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Invalid


def propose(
    folder: Annotated[Path, typer.Argument(help="The service folder, with its service.yaml.")],
    samples: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            "--samples",
            help="Documents of the old and of the new version as evidence: two files, a line each {type, name, uid, body}.",
        ),
    ] = None,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option("--between", help="Only the edge between these two versions."),
    ] = None,
    imports: Annotated[
        list[Path] | None, typer.Option("--import", help="The folder of a service that this one refers to.")
    ] = None,
) -> None:
    """Print what is missing in the edges: lines that are near certain, the rest as comments; exits with 1 when
    something is left to decide.
    """
    try:
        given = read_folder(folder).refuse_errors()
        others = [compile_service(read_folder(path)) for path in imports or []]
        chosen = _chosen(given, between)
        known = _samples(given, chosen, samples)
    except Invalid as error:
        print_refusal(error)
        raise typer.Exit(1) from error
    if wrong := mistakes(given):
        print_findings(wrong)
        raise typer.Exit(1)
    if not chosen:
        screen.print(f"{given.service} has one version, so there is no edge to propose anything for.")
    with progress("Proposing", len(chosen)) as step:
        edges = proposals(
            given,
            {each.service: each for each in others},
            known,
            only=chosen,
            watch=lambda edge: step(f"{edge.source} → {edge.target}"),
        )
    for ends, each in known.items():
        print(f"# {ends[0]} → {ends[1]}: {each.summary}")
    for proposal in edges:
        _print(proposal)
    if not all(each.is_decided for each in edges):
        raise typer.Exit(1)


def _print(proposal: EdgeProposal) -> None:
    """Print the lines of an edge, or that it lacks none, with what is worth knowing."""
    if not proposal.is_complete:
        print(edge_text(proposal))
        return
    ends = f"{proposal.edge.source} → {proposal.edge.target}"
    print(f"{ends}: every field is assessed; there is nothing to propose.")
    for note in dict.fromkeys(map(str, proposal.remarks)):
        print(f"# note: {note}")


def _chosen(given: ServiceFolder, between: Ends | None) -> list[Ends]:
    """List the edges to look at.

    Raises: Invalid when the one that is named is none.
    """
    known = [(edge.source, edge.target) for edge, _ in proposed_edges(given)]
    if between is None:
        return known
    if between not in known:
        said = ", ".join(f"{old} {new}" for old, new in known) or "no edge"
        raise Invalid(f"There is no edge from {between[0]} to {between[1]}.", remedy=f"It has {said}.")
    return [between]


def _samples(
    given: ServiceFolder, chosen: list[Ends], files: tuple[Path, Path] | None
) -> Mapping[Ends, Samples]:
    """Read the samples of the one edge they are for.

    Raises: Invalid when they are no documents of its versions, or when there are several edges.
    """
    if files is None:
        return {}
    if len(chosen) != 1:
        raise Invalid(
            f"Samples are of two versions, and {given.service} has {len(chosen)} edges.",
            remedy="Name one: --between OLD NEW.",
        )
    old, new = (given.schemas[version] for version in chosen[0])
    return {chosen[0]: pair_samples((old, new), _read(old, files[0]), _read(new, files[1]))}


def _read(schema: Schema, path: Path) -> list[SampleDocument]:
    try:
        with path.open("rb") as lines:
            return read_samples(schema, str(path), lines)
    except OSError as error:
        raise Invalid(
            f"{path} cannot be read: {error.strerror}.", remedy="Name a file of samples."
        ) from error
