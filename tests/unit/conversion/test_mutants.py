"""Every mutant of the generated code dies: the documents that prove the engines equal notice any lost line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from migrations_app.domain.conversion.compile.python import Program
from migrations_app.domain.conversion.plan import ObjectPlan
from migrations_app.kernel.json import JsonObject, canonical
from tests.unit.conversion.cases import build
from tests.unit.conversion.test_engines import documents

CASES = (
    "rename and remove",
    "same name, other field",
    "many symbols to one (scalar)",
    "nest",
    "flatten one level",
    "defaults change",
    "wrap and head",
    "objects inside",
)


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


@pytest.mark.parametrize("case", CASES)
def test_every_mutant_dies(case: str) -> None:
    compiled = build(case)
    alive: list[str] = []
    for source, target in (("v1", "v2"), ("v2", "v1")):
        converter, back = (
            compiled.converter("Thing", source, target),
            compiled.converter("Thing", target, source),
        )
        plan = converter.hops[0].plan
        program = Program()
        name = program.name((plan,))
        given = documents(converter, back, 40)
        for what, text in mutants(program.sources[name]):
            if survives(program, plan, name, text, given):
                alive.append(f"{source} → {target}: {what}")
    assert alive == []
