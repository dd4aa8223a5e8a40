"""Mutants of the generated code: `python -m tests.unit.conversion.mutating` tries them all and prints the figures."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from itertools import pairwise

from migrations_app.domain.conversion.compile.python import Program
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.kernel.json import JsonObject, canonical
from tests.unit.conversion.cases import CASES, build
from tests.unit.conversion.test_engines import documents


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
    keys = list(dict.fromkeys(re.findall(r"t\['(\w+)'\] =", source)))
    for left, right in pairwise(keys):
        swapped = {f"t['{left}'] =": f"t['{right}'] =", f"t['{right}'] =": f"t['{left}'] ="}
        yield (
            f"{left} and {right} exchanged",
            re.sub("|".join(map(re.escape, swapped)), lambda match: swapped[match[0]], source),  # noqa: B023
        )


def survives(program: Program, plan: ObjectPlan, name: str, source: str, given: list[JsonObject]) -> bool:
    words = dict(program.globals)
    exec(source, words)
    mutant = words[name]
    assert callable(mutant)
    for document in given:
        try:
            if canonical(mutant(document)) != canonical(plan.run(document)):
                return False
        except Exception:
            return False
    return True


def tried(case: str, count: int) -> tuple[int, list[str]]:
    """Try every mutant of a case, both ways; tell how many there were and which nothing noticed."""
    compiled = build(case)
    total, alive = 0, []
    for source, target in (("v1", "v2"), ("v2", "v1")):
        converter, back = (
            compiled.converter("Thing", source, target),
            compiled.converter("Thing", target, source),
        )
        plan = converter.hops[0].plan
        program = Program()
        name = program.name((plan,))
        given = documents(converter, back, count)
        for what, text in mutants(program.sources[name]):
            total += 1
            if survives(program, plan, name, text, given):
                alive.append(f"{source} → {target}: {what}")
    return total, alive


def main() -> int:
    """Try the mutants of all cases."""
    total, survivors = 0, 0
    for case in CASES:
        count, alive = tried(case, 80)
        total, survivors = total + count, survivors + len(alive)
        print(f"{case}: {count} mutants, {len(alive)} alive", *alive, sep="\n  ", flush=True)
    print(f"{total} mutants, {survivors} alive")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
