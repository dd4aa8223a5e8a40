"""Templates as Python text: several texts written as one, and one taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrations_app.domain.conversion.templates import Template


def formed(template: Template, sources: Sequence[str], targets: Sequence[str]) -> Iterator[str]:
    """Write the texts as one, if each would be found in it again."""
    tests, text = [], _plain(template.head)
    for place, literal in zip(template.order, template.literals, strict=True):
        part = sources[place]
        tests.append(f"{part}.__class__ is str and {part}")
        if len(literal) == 1:
            tests.append(f"{literal!r} not in {part}")
        elif literal:
            tests.append(f"({part} + {literal!r}).find({literal!r}) == len({part})")
        text += f"{{{part}}}{_plain(literal)}"
    yield f"{targets[0]} = f{text!r} if {' and '.join(tests)} else A"


def parsed(template: Template, sources: Sequence[str], targets: Sequence[str]) -> Iterator[str]:
    """Take a text apart; all parts are absent when it is not of the template."""
    value, marks = sources[0], []
    yield f"if {value}.__class__ is str and {value}.startswith({template.head!r}):"
    yield f"    q = {value}[{len(template.head)}:]"
    for index, (place, literal) in enumerate(zip(template.order, template.literals, strict=True)):
        if literal:
            marks += [f"m{index}", targets[place]]
            yield f"    {targets[place]}, m{index}, q = q.partition({literal!r})"
        else:
            marks.append(targets[place])
            yield f"    {targets[place]}, q = q, ''"
    yield f"    if not ({' and '.join(marks)}) or q:"
    yield f"        {' = '.join(targets)} = A"
    yield "else:"
    yield f"    {' = '.join(targets)} = A"


def _plain(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
