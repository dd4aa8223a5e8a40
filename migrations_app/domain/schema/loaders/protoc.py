"""The protobuf compiler run over `.proto` files in memory, in a process of its own and within a time limit."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from migrations_app.domain.schema.findings import Finding, Severity
from migrations_app.kernel.errors import Invalid

TIMEOUT_SECONDS = 60
MAX_ROUNDS = 20

# The compiler runs under limits of the shell's, where the system has them: 2 GB of memory, 60 s of time.
_BOUNDED = ("/bin/sh", "-c", 'ulimit -v 2000000 2>/dev/null; ulimit -t 60 2>/dev/null; exec "$@"', "sh")
_ERROR = re.compile(r"^(?P<file>[^\s:]+\.proto):(?:(?P<line>\d+):\d+:)? (?P<problem>.*)$")


def compile_protos(
    sources: Mapping[str, bytes], wanted: list[str], *, skip_broken: bool = False
) -> tuple[FileDescriptorSet, list[Finding]]:
    """Compile the `wanted` files among `sources`, named relative to the include root, with all they import.

    With `skip_broken` a file that does not compile is left out with a warning, else it is an error.

    Raises: Invalid (`E-PROTO`) when nothing compiles at all or the compiler does not end in time.
    """
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory(prefix="switchyard-proto-") as folder:
        root = Path(folder) / "in"
        for name, content in sources.items():
            target = root / _inside(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        out = Path(folder) / "out.binpb"
        left = sorted(wanted)
        for _ in range(MAX_ROUNDS):
            if not left:
                break
            problems = _run(root, out, left)
            if not problems:
                return FileDescriptorSet.FromString(out.read_bytes()), findings
            severity = Severity.WARNING if skip_broken else Severity.ERROR
            findings += [_finding(each, severity) for each in problems]
            broken = {each["file"] for each in problems}
            if not broken & set(left):
                break
            left = [name for name in left if name not in broken]
    first = str(findings[0]) if findings else "no .proto file was named"
    raise Invalid(f"Nothing of the protobuf source could be read: {first}", code="E-PROTO")


def _inside(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise Invalid(f"{name} leads out of its folder.", code="E-PROTO", file=name)
    return path


def _run(root: Path, out: Path, names: list[str]) -> list[re.Match[str]]:
    includes = [f"-I{path}" for path in (".", *_known_includes())]
    command = [sys.executable, "-m", "grpc_tools.protoc", *includes, "--include_imports"]
    (out.parent / "names").write_text("\n".join(names))
    try:
        done = subprocess.run(
            [*_BOUNDED, *command, f"--descriptor_set_out={out}", f"@{out.parent / 'names'}"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            cwd=root,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Invalid("The protobuf compiler did not end in time.", code="E-PROTO") from error
    if done.returncode == 0:
        return []
    problems = [match for line in done.stderr.splitlines() if (match := _ERROR.match(line))]
    real = [match for match in problems if not match["problem"].startswith("warning:")]
    if not real:
        raise Invalid(f"The protobuf compiler failed: {done.stderr.strip()[:500]}", code="E-PROTO")
    return real


def _known_includes() -> list[Path]:
    """Find the well-known types of the compiler and the annotations of google.api, if they are installed."""
    tools = find_spec("grpc_tools")
    found = [Path(each) / "_proto" for each in (tools.submodule_search_locations or ())] if tools else []
    annotations = find_spec("google.api")
    if annotations is not None:
        found += [Path(each).parent.parent for each in annotations.submodule_search_locations or ()]
    return found


def _finding(match: re.Match[str], severity: Severity) -> Finding:
    return Finding(
        "E-PROTO" if severity is Severity.ERROR else "W-PROTO",
        match["problem"].strip(),
        match["file"],
        int(match["line"] or 0),
        remedy="Mend the file, or set `broken: skip` to leave it out.",
        severity=severity,
    )
