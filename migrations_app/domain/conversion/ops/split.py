"""`split` and `merge`: one text becomes several by a template, and back."""

from __future__ import annotations

import re

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.ops.base import Functions, OpClass, OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.states import ABSENT
from migrations_app.domain.conversion.steps import Mapper
from migrations_app.domain.conversion.templates import Template
from migrations_app.kernel.messages import message

_VARIABLE = re.compile(r"\{(\w+)\}")


def _whole_to_parts(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (decl.text("from"),), decl.texts("to")


def _parts_to_whole(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("from"), (decl.text("to"),)


def _split(site: PlanningContext, decl: Decl) -> Functions:
    template = _template(site, decl, decl.texts("to"))
    if template is None:
        return Functions(_nothing(len(decl.texts("to"))), _nothing(1))
    return Functions(template.parse, template.form, {"template": decl.text("template")}, template)


def _merge(site: PlanningContext, decl: Decl) -> Functions:
    template = _template(site, decl, decl.texts("from"))
    if template is None:
        return Functions(_nothing(1), _nothing(len(decl.texts("from"))))
    return Functions(template.form, template.parse, {"template": decl.text("template")}, template)


def _template(site: PlanningContext, decl: Decl, paths: tuple[str, ...]) -> Template | None:
    """Read the template; a part never holds the literal text that follows it."""
    template = decl.text("template")
    names = [path.rpartition(".")[2] for path in paths]
    pieces = _VARIABLE.split(template)
    if sorted(pieces[1::2]) != sorted(names):
        words = message("The template must name {names}, each once.", names=", ".join(names))
        site.report(
            EdgeFinding(
                "E-ARGS",
                words,
                decl.place,
                message('Like "{names}".', names=" ".join(f"{{{n}}}" for n in names)),
            )
        )
        return None
    if not all(pieces[2:-1:2]):
        words = message("Between two parts of a template there must be a text that separates them.")
        site.report(EdgeFinding("E-ARGS", words, decl.place, message("Write it between the braces.")))
    return Template(pieces[0], tuple(pieces[2::2]), tuple(names.index(name) for name in pieces[1::2]))


def _nothing(count: int) -> Mapper:
    return lambda states: (ABSENT,) * count


OP = OpForm(
    name="split",
    kind=OpKind.GATHER,
    keeps=OpClass.INJECTIVE,
    summary="A text becomes several, by a template.",
    arguments={"from": "!the old field", "to": "!the new fields", "template": "!how the text is written"},
    example='split: {from: full_name, to: [first, last], template: "{first} {last}"}',
    places=_whole_to_parts,
    mapping=_split,
    backward="formatted; a text that does not parse waits whole in the bag",
    filters="residual",
    masks="any part stands for the whole",
)

MERGE = OpForm(
    name="merge",
    kind=OpKind.GATHER,
    keeps=OpClass.INJECTIVE,
    summary="Several texts become one, by a template.",
    arguments={"from": "!the old fields", "to": "!the new field", "template": "!how the text is written"},
    example='merge: {from: [first, last], to: full_name, template: "{first} {last}"}',
    places=_parts_to_whole,
    mapping=_merge,
    backward="parsed; parts that the text cannot show wait in the bag",
    filters="residual",
    masks="the whole stands for every part",
)
