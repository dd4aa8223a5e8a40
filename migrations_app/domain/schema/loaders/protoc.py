"""The protobuf compiler run over `.proto` files in memory, in a bounded process of its own."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import DecodeError

from migrations_app.domain.schema.files.file_paths import check_paths
from migrations_app.domain.schema.findings import DefinitionFinding, Severity
from migrations_app.domain.schema.loaders.bounded_process import run_bounded
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message, verbatim

MAX_ROUNDS = 20
# The one file that is named on the command line. It imports what is wanted, so no name of a user's file is ever an
# argument; it begins with a dot, which no allowed path does, so no file of a user's can take its place.
ENTRY = ".entry.proto"

_ERROR = re.compile(r"^(?P<file>[^\s:]+\.proto):(?:(?P<line>\d+):\d+:)? (?P<problem>.*)$")
_NOT_FOUND = "File not found"


def compile_protos(
    sources: Mapping[str, bytes], wanted: list[str], *, skip_broken: bool = False, searched: str = ""
) -> tuple[FileDescriptorSet, list[DefinitionFinding]]:
    """Compile the `wanted` files among `sources`, named relative to the include root, with all they import.

    With `skip_broken` a file that does not compile is left out with a warning, else it is an error. `searched` names
    the include root for people.

    Raises: Invalid (`E-FILENAME`) when a name is not an allowed path, (`E-PROTO`) when nothing compiles at all
    or the compiler does not end within its bounds.
    """
    check_paths(sources)
    findings: list[DefinitionFinding] = []
    with tempfile.TemporaryDirectory(prefix="switchyard-proto-") as folder:
        root = Path(folder)
        for part in ("in", "own"):
            (root / part).mkdir()
        for name, content in sources.items():
            target = root / "in" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        left = sorted(wanted)
        for _ in range(MAX_ROUNDS):
            if not left:
                break
            problems = _run(root, left)
            if not problems:
                return _descriptors(root), findings
            severity = Severity.WARNING if skip_broken else Severity.ERROR
            findings += [_finding(match, severity, searched) for match in problems]
            broken = {match["file"] for match in problems}
            if not broken & set(left):
                break
            left = [name for name in left if name not in broken]
    first = str(findings[0]) if findings else "no .proto file was named"
    raise Invalid(
        message("Nothing of the protobuf source could be read: {first}", first=first), code="E-PROTO"
    )


def _run(root: Path, names: list[str]) -> list[re.Match[str]]:
    """Compile the files below `in` into `out.binpb`; give the compiler's errors."""
    includes = [f"-I{path}" for path in (".", "../own", *_known_includes())]
    imports = "".join(f'import "{name}";\n' for name in names)
    (root / "own" / ENTRY).write_text(f'syntax = "proto3";\n{imports}')
    # Isolated: neither the folder it runs in nor a variable adds to what Python imports.
    command = [
        sys.executable,
        "-I",
        "-m",
        "grpc_tools.protoc",
        *includes,
        "--include_imports",
        "--include_source_info",
    ]
    try:
        result = run_bounded([*command, "--descriptor_set_out=../out.binpb", f"../own/{ENTRY}"], root / "in")
    except TimeoutError as error:
        raise Invalid(message("The protobuf compiler did not end in time."), code="E-PROTO") from error
    if result.code == 0:
        return []
    if result.is_out_of_bounds:
        raise Invalid(
            message("The protobuf source takes too much time, memory or space to compile."), code="E-PROTO"
        )
    problems = [match for line in result.errors.splitlines() if (match := _ERROR.match(line))]
    real = [
        match
        for match in problems
        if not match["problem"].startswith("warning:") and not match["file"].endswith(ENTRY)
    ]
    if not real:
        raise Invalid(
            message("The protobuf compiler failed: {errors}", errors=result.errors.strip()[:500]),
            code="E-PROTO",
        )
    return real


def _descriptors(root: Path) -> FileDescriptorSet:
    try:
        compiled = FileDescriptorSet.FromString((root / "out.binpb").read_bytes())
    except (OSError, DecodeError) as error:
        raise Invalid(message("The protobuf compiler wrote no descriptors."), code="E-PROTO") from error
    return FileDescriptorSet(file=[file for file in compiled.file if not file.name.endswith(ENTRY)])


def _known_includes() -> list[Path]:
    """Find the well-known types of the compiler and the annotations of google.api, if they are installed."""
    tools = find_spec("grpc_tools")
    folders = (
        [Path(location) / "_proto" for location in (tools.submodule_search_locations or ())] if tools else []
    )
    annotations = find_spec("google.api")
    if annotations is not None:
        folders += [Path(location).parent.parent for location in annotations.submodule_search_locations or ()]
    return folders


def _finding(match: re.Match[str], severity: Severity, searched: str) -> DefinitionFinding:
    remedy = message("Fix the file, or set `broken: skip` to leave it out.")
    if match["problem"].rstrip(".").endswith(_NOT_FOUND):
        remedy = message(
            "Imports are searched in {searched}, the well-known types and the annotations of "
            "google.api. Put the file there, or let `root` name the folder that its path begins "
            "in.",
            searched=searched or "the folder of the service",
        )
    return DefinitionFinding(
        "E-PROTO" if severity is Severity.ERROR else "W-PROTO",
        verbatim(match["problem"].strip()),
        match["file"],
        int(match["line"] or 0),
        remedy_words=remedy,
        severity=severity,
    )
