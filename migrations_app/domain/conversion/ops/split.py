"""`split` and `merge`: one text becomes several by a template, and back."""

from __future__ import annotations

import re

from migrations_app.domain.conversion.edge import Decl
from migrations_app.domain.conversion.findings import Finding
from migrations_app.domain.conversion.ops.base import Class, Functions, Kind, Op, Site
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Bundle, Mapper

_VARIABLE = re.compile(r"\{(\w+)\}")


def _whole_to_parts(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (decl.text("from"),), decl.texts("to")


def _parts_to_whole(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("from"), (decl.text("to"),)


def _split(site: Site, decl: Decl) -> Functions:
    parse, form = _functions(site, decl, decl.texts("to"))
    return Functions(parse, form, {"template": decl.text("template")})


def _merge(site: Site, decl: Decl) -> Functions:
    parse, form = _functions(site, decl, decl.texts("from"))
    return Functions(form, parse, {"template": decl.text("template")})


def _functions(site: Site, decl: Decl, paths: tuple[str, ...]) -> tuple[Mapper, Mapper]:
    """Make the parser and the formatter; a part never holds the literal text that follows it."""
    template = decl.text("template")
    names = [path.rpartition(".")[2] for path in paths]
    if sorted(_VARIABLE.findall(template)) != sorted(names):
        message = f"The template must name {', '.join(names)}, each once."
        site.report(Finding("E-ARGS", message, decl.place, f'Like "{" ".join(f"{{{n}}}" for n in names)}".'))
    pieces = _VARIABLE.split(template)
    expression = re.escape(pieces[0])
    for name, literal in zip(pieces[1::2], pieces[2::2], strict=True):
        body = rf"(?:(?!{re.escape(literal)}).)+" if literal else ".+"
        expression += f"(?P<{name}>{body}){re.escape(literal)}"
    grammar = re.compile(expression, re.DOTALL)

    def _parse(states: Bundle) -> Bundle:
        found = grammar.fullmatch(states[0]) if isinstance(states[0], str) else None
        return tuple(found[name] for name in names) if found else (ABSENT,) * len(names)

    def _form(states: Bundle) -> Bundle:
        texts = dict(zip(names, states, strict=True))
        if not all(isinstance(state, str) and state for state in states):
            return (ABSENT,)
        whole = _VARIABLE.sub(lambda match: str(texts[match[1]]), template)
        return (whole,) if _parse((whole,)) == states else (ABSENT,)

    return _parse, _form


OP = Op(
    name="split",
    kind=Kind.GATHER,
    keeps=Class.INJECTIVE,
    summary="A text becomes several, by a template.",
    arguments={"from": "!the old field", "to": "!the new fields", "template": "!how the text is written"},
    example='split: {from: full_name, to: [first, last], template: "{first} {last}"}',
    places=_whole_to_parts,
    mapping=_split,
    backward="formatted; a text that does not parse waits whole in the bag",
    filters="residual",
    masks="any part stands for the whole",
)

MERGE = Op(
    name="merge",
    kind=Kind.GATHER,
    keeps=Class.INJECTIVE,
    summary="Several texts become one, by a template.",
    arguments={"from": "!the old fields", "to": "!the new field", "template": "!how the text is written"},
    example='merge: {from: [first, last], to: full_name, template: "{first} {last}"}',
    places=_parts_to_whole,
    mapping=_merge,
    backward="parsed; parts that the text cannot show wait in the bag",
    filters="residual",
    masks="the whole stands for every part",
)
