"""Mutants of the generated code: `python -m tests.unit.conversion.mutating` tries them all and prints the figures.

Mutated is every function that is generated for a case, those of names and lists too, of the engine over dicts and of
the one over bytes. It exits with 1 when a mutant lives: code that no document can notice is not to be generated.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise

from migrations_app.domain.conversion.bag import BAG
from migrations_app.domain.conversion.compile.python import Program
from migrations_app.domain.conversion.compile.records import RecordProgram
from migrations_app.domain.conversion.compile.resources import ResourceProgram
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.kernel.json import JsonObject, canonical, decode, encode
from tests.unit.conversion.cases import CASES, build
from tests.unit.conversion.services import named_service
from tests.unit.conversion.test_engines import UNRELATED, documents

Run = Callable[[str, JsonObject], tuple[str, JsonObject]]
NAMES = "names"


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Leave out each line, turn each test round, and exchange each pair of neighbouring keys."""
    lines = source.splitlines()
    for index, line in enumerate(lines):
        text = line.strip()
        if not text or text.startswith(("#", "def ", "t = ", "return ", "b = ")):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        if not text.endswith(":"):
            yield (
                f"{index}: without {text}",
                "\n".join([*lines[:index], f"{indent}pass", *lines[index + 1 :]]),
            )
        elif "is not A" in text:
            turned = line.replace("is not A", "is A", 1)
            yield f"{index}: turned {text}", "\n".join([*lines[:index], turned, *lines[index + 1 :]])
        elif text.startswith("if m := "):
            turned = line.replace("if m := ", "if not (m := ").replace(":", "):", 2).replace("):=", ":=")
            yield f"{index}: turned {text}", "\n".join([*lines[:index], turned, *lines[index + 1 :]])
    yield from _exchanged(source)


def _exchanged(source: str) -> Iterator[tuple[str, str]]:
    """Exchange neighbours among the keys that are written, and among the values that a struct is made of."""
    keys = list(dict.fromkeys(re.findall(r"t\['(\w+)'\] =", source)))
    for left, right in pairwise(keys):
        swapped = {f"t['{left}'] =": f"t['{right}'] =", f"t['{right}'] =": f"t['{left}'] ="}
        yield (
            f"{left} and {right} exchanged",
            re.sub("|".join(map(re.escape, swapped)), lambda match: swapped[match[0]], source),  # noqa: B023
        )
    for found in re.finditer(r"Target\(([\w., ]+?), (?:A|\()", source):
        values = found[1].split(", ")
        for index, (left, right) in enumerate(pairwise(values)):
            if left != right:
                made = ", ".join([*values[:index], right, left, *values[index + 2 :]])
                yield (
                    f"{found.start()}: {left} and {right} exchanged",
                    f"{source[: found.start(1)]}{made}{source[found.end(1) :]}",
                )


class Engine:
    """One way to run a conversion, made of generated functions that can be replaced by mutants."""

    def __init__(self, title: str, program: Program, run: Callable[[dict[str, object]], Run]) -> None:
        self.title, self._program, self._run = title, program, run

    def mutants(self) -> Iterator[tuple[str, Run]]:
        """Make every mutant, as something to run."""
        sources = self._program.sources
        for name, source in sources.items():
            for what, text in mutants(source):
                words = dict(self._program.globals)
                for each in sources.values():
                    exec(each, words)
                exec(text, words)
                yield f"{name} {what}", self._run(words)


def engines(converter: TypeConverter) -> Iterator[Engine]:
    """List the engines that have generated text."""
    resources = ResourceProgram(converter.hops)
    resources.forward()
    yield Engine("dicts", resources.program, lambda words: _called(words["resource_0"]))
    records = RecordProgram(converter.hops, converter.forward)
    if records.fits:
        records.convert()
        yield Engine("bytes", records.resources.program, lambda words: _over_bytes(words["through_records"]))


def _called(function: object) -> Run:
    assert callable(function)
    return function


def _over_bytes(function: object) -> Run:
    assert callable(function)

    def _run(name: str, document: JsonObject) -> tuple[str, JsonObject]:
        found, data = function(name, encode(document))
        made = decode(data)
        assert isinstance(made, dict)
        return found, made

    return _run


def outcome(run: Run, name: str, document: JsonObject) -> bytes:
    """Tell what comes of a resource: its name and document, or that it has no name there, or a crash."""
    try:
        found, made = run(name, document)
    except NoImage:
        return b"no image"
    except Exception as error:
        return repr(error).encode()
    return canonical([found, made])


def resources(
    case: str, source: str, target: str, count: int
) -> tuple[TypeConverter, list[tuple[str, JsonObject]]]:
    """Make the converter of a case, one way, and the resources to try it with."""
    compiled = named_service() if case == NAMES else build(case)
    converter, back = (compiled.converter("Thing", *way) for way in ((source, target), (target, source)))
    if case != NAMES:
        return converter, [(str(each.get("name")), each) for each in documents(converter, back, count)]
    ids = ("t", "p1", "-", "a/b", "", "ä", "a b", "t" * 1006, "t" * 1007, "t" * 1000)
    heads = ("projects/p", "projects/p/regions/north", "projects/p/regions/south", "projects/-", "others/p")
    names = [f"{head}/things/{each}" for head in heads for each in ids]
    fields: tuple[JsonObject, ...] = ({"a": "x"}, {"b": "y"}, {"a": "x", "b": "y"}, {"b": 1, BAG: UNRELATED})
    found = [(name, {**more, **body}) for name in names for body in fields for more in ({}, {"name": name})]
    for name, body in list(found):
        with suppress(NoImage):
            came, made = back.forward(name, body)
            found += [(came, made), (came, made | {"a": 1, "b": 2})]
    return converter, found


def tried(case: str, count: int) -> tuple[int, list[str]]:
    """Try every mutant of a case, both ways; tell how many there were and which nothing noticed."""
    total, alive = 0, []
    for source, target in (("v1", "v2"), ("v2", "v1")):
        converter, given = resources(case, source, target, count)
        (hop,) = converter.hops
        wanted = [(each, outcome(hop.run, *each)) for each in given]
        for engine in engines(converter):
            for what, mutant in engine.mutants():
                total += 1
                if all(outcome(mutant, *each) == right for each, right in wanted):
                    alive.append(f"{source} → {target}, {engine.title}: {what}")
    return total, alive


def main() -> int:
    """Try the mutants of all cases."""
    total, survivors = 0, 0
    for case in (*CASES, NAMES):
        count, alive = tried(case, 80)
        total, survivors = total + count, survivors + len(alive)
        print(f"{case}: {count} mutants, {len(alive)} alive", *alive, sep="\n  ", flush=True)
    print(f"{total} mutants, {survivors} alive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
