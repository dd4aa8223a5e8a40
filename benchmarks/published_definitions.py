"""Every published pair of versions loaded and compared, with Buf as the oracle for what happens on the wire.

python -m benchmarks.published_definitions FOLDER [--buf PATH] [--only TEXT] [--part 1/4]

FOLDER is an unpacked npm `google-proto-files`; PATH is the `buf` of npm `@bufbuild/buf`. Takes minutes; not for CI.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from migrations_app.domain.compatibility.analyse import compare
from migrations_app.domain.compatibility.wire import WireRule, compare_wire
from migrations_app.domain.schema.findings import errors_of
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.kernel.errors import SwitchyardError

THEIRS = {
    "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED": WireRule.FIELD_DELETED,
    "FIELD_WIRE_COMPATIBLE_TYPE": WireRule.FIELD_TYPE,
    "FIELD_WIRE_COMPATIBLE_CARDINALITY": WireRule.FIELD_CARDINALITY,
    "FIELD_SAME_ONEOF": WireRule.FIELD_ONEOF,
    "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED": WireRule.ENUM_VALUE_DELETED,
}
Files = Mapping[str, bytes]
Finding = tuple[str, int]


def main() -> None:
    """Go through all pairs and say what came of each that is worth a word."""
    parser = arguments()
    parser.add_argument("--buf")
    given = parser.parse_args()
    files = protos(given.folder)
    total: Counter[str] = Counter()
    for base, older, newer in chosen(files, given.only, given.part):
        one_pair(files, base, older, newer, given.buf, total)
    print(", ".join(f"{count} {what}" for what, count in total.items()))


def arguments() -> argparse.ArgumentParser:
    """Take what every run over the published definitions takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only services whose path holds this text")
    parser.add_argument("--part", default="1/1", help="such as 2/4: the second of four runs")
    return parser


def protos(folder: Path) -> Files:
    """Read all definitions of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.proto")}


def chosen(files: Files, only: str, part: str) -> list[tuple[str, str, str]]:
    """List the pairs of one run."""
    number, _, count = part.partition("/")
    found = [pair for pair in pairs(files) if only in pair[0]]
    return found[int(number) - 1 :: int(count)]


def pairs(files: Files) -> Iterator[tuple[str, str, str]]:
    """List adjacent versions by service, oldest first."""
    versions: dict[str, set[str]] = defaultdict(set)
    for name in files:
        base, _, version = name.rpartition("/")[0].rpartition("/")
        if re.fullmatch(r"v\d+\w*", version):
            versions[base].add(version)
    for base, found in sorted(versions.items()):
        ordered = sorted(sorted(found), key=age)  # v1p1beta1 and v1p2beta1 are of one age
        yield from ((base, *pair) for pair in pairwise(ordered))


def age(version: str) -> tuple[int, int, int]:
    """Order versions as an API grows up."""
    match = re.match(r"v(\d+)(?:p\d+)?(alpha|beta)?(\d*)", version)
    assert match
    return int(match[1]), {"alpha": 0, "beta": 1}.get(match[2], 2), int(match[3] or 0)


def one_pair(files: Files, base: str, older: str, newer: str, buf: str | None, total: Counter[str]) -> None:
    """Load both versions, the newer one renamed to the older, and compare."""
    old = closure(files, f"{base}/{older}")
    new = renamed(closure(files, f"{base}/{newer}"), base, newer, older)
    total["pairs"] += 1
    try:
        before, after = load(old, f"{base}/{older}"), load(new, f"{base}/{older}")
    except SwitchyardError as error:
        total["refused"] += 1
        print(f"{base} {older} → {newer}: {error}")
        return
    for each in (*errors_of(before.findings), *errors_of(after.findings)):
        total["findings"] += 1
        print(f"{base} {older} → {newer}: {each}")
    first, second = before.schemas["v1"], after.schemas["v1"]
    total["fields"] += sum(len(each.fields) for _, each in first.objects())
    total["differences"] += len(compare(first, second).found)
    mine = Counter((str(each.rule), each.number) for each in compare_wire(first, second))
    if buf is None:
        total["wire findings"] += mine.total()
        return
    theirs = Counter(oracle(buf, old, new))
    total["agreed with Buf"] += (mine & theirs).total()
    for who, more in (("only Buf", theirs - mine), ("only here", mine - theirs)):
        total[who] += more.total()
        for rule, number in more:
            print(f"{base} {older} → {newer}: {who}: {rule} {number}")


def closure(files: Files, folder: str) -> dict[str, bytes]:
    """Take the files of a folder and all they import."""
    needed: dict[str, bytes] = {}
    waiting = [name for name in files if name.rpartition("/")[0] == folder]
    while waiting:
        name = waiting.pop()
        if name in files and name not in needed:
            needed[name] = files[name]
            waiting += re.findall(r'^import (?:public |weak )?"([^"]+)"', files[name].decode(), re.MULTILINE)
    return needed


def package_of(files: Files, folder: str, version: str) -> str:
    """Tell the package of a folder's files without its version.

    It need not be named as the folder is: `google/cloud/translate` holds `google.cloud.translation`.
    """
    for name, text in files.items():
        named = re.search(rf"^package ([\w.]+)\.{version}\s*;", text.decode(), re.MULTILINE)
        if name.rpartition("/")[0] == f"{folder}/{version}" and named:
            return named[1]
    return folder.replace("/", ".")


def renamed(files: Files, base: str, newer: str, older: str) -> dict[str, bytes]:
    """Let the newer package have the older one's name, so that the two are one package before and after."""
    package = package_of(files, base, newer)
    changes = ((f"{base}/{newer}/", f"{base}/{older}/"), (f"{package}.{newer}", f"{package}.{older}"))
    made: dict[str, bytes] = {}
    for name, text in files.items():
        if f"{base}/{older}/" in name:
            continue
        for new, old in changes:
            text = text.replace(new.encode(), old.encode())
        made[name.replace(*changes[0])] = text
    return made


def load(files: Files, path: str) -> ServiceFolder:
    """Read one version."""
    service = f"service: published.example.com\nversions: [{{version: v1, sources: [{{kind: protobuf, path: {path}}}]}}]"
    return read_files({**files, "service.yaml": service.encode()})


def oracle(buf: str, old: Files, new: Files) -> Iterator[Finding]:
    """Ask Buf for its WIRE findings that have a counterpart here."""
    with tempfile.TemporaryDirectory() as folder:
        images = []
        for name, files in (("old", old), ("new", new)):
            for path, text in files.items():
                target = Path(folder, name, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)
            images.append(f"{folder}/{name}.binpb")
            subprocess.run(
                [buf, "build", f"{folder}/{name}", "-o", images[-1]], check=True, capture_output=True
            )
        config = json.dumps({"version": "v1", "breaking": {"use": ["WIRE"]}})
        command = [
            buf,
            "breaking",
            images[1],
            "--against",
            images[0],
            "--error-format=json",
            "--config",
            config,
        ]
        told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for line in told.splitlines():
        found = json.loads(line)
        number = re.search(r'(?:[Ff]ield|value) "(\d+)"', found["message"])
        if found["type"] in THEIRS:
            yield str(THEIRS[found["type"]]), int(number[1]) if number else 0


if __name__ == "__main__":
    main()
