"""Whatever an uploaded folder holds, it is read or refused, and nothing of it becomes an argument of a program."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.errors import Invalid
from tests.fuzz.file_names import REFUSED_NAMES, random_name

# `make fuzz COUNT=100000` runs more; compiling one folder takes a process, so fewer of those.
COUNT = int(os.environ.get("SWITCHYARD_FUZZ_COUNT", "3000"))
SEED = int(os.environ.get("SWITCHYARD_FUZZ_SEED", "1"))
MARK = "fUzZeD"
PROTO = f'syntax = "proto3";\npackage {MARK};\nmessage A {{ string name = 1; }}\n'
TOKENS = (
    "syntax", '"proto3"', "import", f'"{MARK}/b.proto"', '"/etc/passwd"', '"../out.binpb"', "package", MARK, ";", "{", "}",
    "message", "enum", "A", "=", "1", "-1", "99999999999", "string", "repeated", "option", "(google.api.http)", "oneof",
    "map<string,A>", "reserved", "to", "max", "//", "/*", "\n", "\x00", "ÿ", "extend", "service", "rpc", "returns", "stream",
    'option (google.api.resource) = {type: "x/Y" pattern: "ys/{y}"};', "group", "edition",
)  # fmt: skip


class ProcessRecorder:
    """Records what every program started by this process was called with."""

    def __init__(self) -> None:
        self.is_on = False
        self.commands: list[list[str]] = []
        sys.addaudithook(self._record)

    def _record(self, event: str, details: Any) -> None:
        if self.is_on and event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
            self.commands.append([os.fsdecode(argument) for argument in details[1]])


RECORDER = ProcessRecorder()


@pytest.fixture
def recorder() -> Iterator[ProcessRecorder]:
    RECORDER.commands.clear()
    RECORDER.is_on = True
    yield RECORDER
    RECORDER.is_on = False


def service_of(kind: str, path: str) -> bytes:
    return (
        f"service: fuzz.example.com\nversions: [{{version: v1, sources: [{{kind: {kind}, path: {path!r}, "
        f"root: '', package: {MARK}, broken: skip}}]}}]\n"
    ).encode("utf-8", "surrogatepass")


def attempt(files: dict[str, bytes]) -> bool:
    """Read a folder; false when it was refused."""
    try:
        read_files(files)
    except Invalid:
        return False
    return True


def test_no_name_gets_past_the_readers(recorder: ProcessRecorder) -> None:
    source = random.Random(SEED)
    names = [*REFUSED_NAMES, *(random_name(source) for _ in range(COUNT))]
    # A prefix of our own makes each name a file that protoc would be given, were it admitted.
    refused = sum(
        not attempt({"service.yaml": service_of("ir", "r"), f"{MARK}/{name}": PROTO.encode()})
        for name in names
    )

    assert refused > len(REFUSED_NAMES)
    assert recorder.commands == []


def test_no_content_of_a_folder_becomes_an_argument(recorder: ProcessRecorder) -> None:
    source = random.Random(SEED)
    rounds = max(8, COUNT // 300)
    for _ in range(rounds):
        content = " ".join(source.choice(TOKENS) for _ in range(source.randrange(1, 60)))
        body = (PROTO + content if source.random() < 0.7 else content).encode()
        name = f"{MARK}/{source.choice('abc')}.proto"
        attempt({"service.yaml": service_of("protobuf", MARK), name: body, f"{MARK}/b.proto": PROTO.encode()})

    assert len(recorder.commands) >= rounds
    arguments = {argument for command in recorder.commands for argument in command}
    assert not [argument for argument in arguments if MARK in argument]
    # What is started is one command with the same words each time, whatever was uploaded.
    assert len({tuple(command) for command in recorder.commands if "grpc_tools.protoc" in command}) == 1
