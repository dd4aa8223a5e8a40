"""Every published pair of versions loaded and compared, with Buf as the oracle for what happens on the wire.

python -m benchmarks.published.definitions FOLDER [--buf PATH] [--only TEXT] [--part 1/4]

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
from migrations_app.domain.compatibility.buf import CATEGORIES, Category
from migrations_app.domain.compatibility.wire import WireRule, compare_wire
from migrations_app.domain.schema.findings import errors_of
from migrations_app.domain.schema.folder import ServiceFolder, read_files
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import ObjectType
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
Field = tuple[str, str]


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
    total["differences"] += len(compare(first, second).differences)
    mine = Counter((str(each.rule), each.number) for each in compare_wire(first, second))
    if buf is None:
        total["wire findings"] += mine.total()
        return
    told = oracle(buf, old, new)
    theirs = Counter(on_the_wire(told))
    total["agreed with Buf on the wire"] += (mine & theirs).total()
    for who, more in (("only Buf", theirs - mine), ("only here", mine - theirs)):
        total[who] += more.total()
        for rule, number in more:
            print(f"{base} {older} → {newer}: {who}: {rule} {number}")
    by_field = categories(told)
    for key, claimed in claims(first, second).items():
        agreed = set(claimed) == by_field[key]
        total["fields whose categories agree" if agreed else "fields whose categories differ"] += 1
        if not agreed:
            print(f"{base} {older} → {newer}: {key}: {sorted(claimed)} here, {sorted(by_field[key])} by Buf")


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


def claims(old: Schema, new: Schema) -> dict[Field, tuple[str, ...]]:
    """Tell in which categories findings of fields say that Buf reports them.

    Fields that keep their name under another number are left out: Buf takes those for two fields.
    """
    found: dict[Field, tuple[str, ...]] = {}
    for each in compare(old, new).differences:
        name, _, key = each.path.rpartition(".")
        before, after = (
            known.by_key(key) if isinstance(known, ObjectType) else None
            for known in (old.types.get(name), new.types.get(name))
        )
        if before is not None and (after is None or after.number == before.number):
            field = name.rpartition(".")[2], before.name
            found[field] = tuple(dict.fromkeys((*found.get(field, ()), *each.buf)))
    return found


def categories(told: list[dict[str, str]]) -> dict[Field, set[str]]:
    """Tell in which categories Buf reports each field, by the name it had before."""
    was: dict[Field, str] = {}
    for each in told:
        if match := re.search(r'on message "(.+?)" changed name from "(.+?)" to "(.+?)"', each["message"]):
            was[match[1].rpartition(".")[2], match[3]] = match[2]
    found: dict[Field, set[str]] = defaultdict(set)
    for each in told:
        if match := re.search(r'ield "\d+" with name "(.+?)" on message "(.+?)"', each["message"]):
            message = match[2].rpartition(".")[2]
            field = message, was.get((message, match[1]), match[1])
            found[field].update(map(str, CATEGORIES.get(each["type"], ())))
    for (message, _), name in was.items():
        found[message, name].update(map(str, CATEGORIES["FIELD_SAME_NAME"]))
    return found


def oracle(buf: str, old: Files, new: Files) -> list[dict[str, str]]:
    """Ask Buf for its findings of all categories."""
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
        config = json.dumps({"version": "v1", "breaking": {"use": [str(each) for each in Category]}})
        command = [buf, "breaking", images[1], "--against", images[0], "--error-format=json"]
        told = subprocess.run([*command, "--config", config], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in told.stdout.splitlines()]


def on_the_wire(told: list[dict[str, str]]) -> Iterator[Finding]:
    """Give Buf's findings that have a counterpart among the rules of the wire."""
    for found in told:
        number = re.search(r'(?:[Ff]ield|value) "(\d+)"', found["message"])
        if found["type"] in THEIRS:
            yield str(THEIRS[found["type"]]), int(number[1]) if number else 0


if __name__ == "__main__":
    main()
