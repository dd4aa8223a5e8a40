"""The name maps of one edge, read from `resourceName` and from the patterns of both sides."""

from __future__ import annotations

from collections.abc import Iterable

from migrations_app.domain.conversion.metadata.edge import Decl, Edge
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.naming.name_maps import Back, NameMap, NameSegment, Variant
from migrations_app.domain.resources.names import Pattern
from migrations_app.domain.schema.ir import ResourceDefinition, Schema
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message


def edge_name_maps(
    edge: Edge, old: Schema, new: Schema, pairs: Iterable[tuple[str, str]]
) -> tuple[dict[tuple[str, str], NameMap], list[EdgeFinding]]:
    """Read the name map of every pair of resource types."""
    maps: dict[tuple[str, str], NameMap] = {}
    findings: list[EdgeFinding] = []
    for mine, theirs in pairs:
        left, right = old.resources[mine], new.resources[theirs]
        decl = _declared(edge, left, right)
        try:
            variants = _variants(decl, left, right) if decl else _matched(edge, left, right)
        except Invalid as error:
            place = decl.place if decl else edge.place()
            findings.append(EdgeFinding(error.code, error.words, place, error.remedy_words))
            continue
        if decl:
            findings += _collisions(decl, variants)
        sides = (
            _unmapped(left, [each.source for each in variants]),
            _unmapped(right, [each.target for each in variants]),
        )
        maps[mine, theirs] = NameMap(variants, edge.service, unmapped=sides)
    return maps, findings


def _unmapped(resource: ResourceDefinition, mapped: Iterable[Pattern]) -> tuple[Pattern, ...]:
    """List the patterns of a resource type that no variant maps."""
    known = {each.text for each in mapped}
    return tuple(Pattern.parse(text, resource.id_patterns) for text in resource.patterns if text not in known)


def _declared(edge: Edge, left: ResourceDefinition, right: ResourceDefinition) -> Decl | None:
    for name in (left.type, left.message, right.type):
        for decl in edge.types.get(name, ()):
            if decl.op == "resourceName":
                return decl
    return None


def _matched(edge: Edge, left: ResourceDefinition, right: ResourceDefinition) -> tuple[Variant, ...]:
    """Take patterns of the same text for the same; one of the old side without a fellow needs a declaration."""
    found: list[Variant] = []
    fellows = {_bare(text): text for text in right.patterns}
    for text in left.patterns:
        fellow = fellows.get(_bare(text))
        if fellow is None:
            raise Invalid(
                message("The new {type} has no pattern for {text}.", type=right.type, text=text),
                code="E-NAMES",
                remedy=message("Declare - resourceName: {form}.", form="{variants: [{from: …, to: …}]}"),
            )
        found.append(_plain(left, text, right, fellow))
    return tuple(found)


def _bare(pattern: str) -> str:
    return "/".join("{}" if "{" in part else part for part in pattern.split("/"))


def _plain(left: ResourceDefinition, text: str, right: ResourceDefinition, fellow: str) -> Variant:
    source, target = Pattern.parse(text, left.id_patterns), Pattern.parse(fellow, right.id_patterns)
    sets, unsets = {}, {}
    for mine, theirs in zip(source.variables, target.variables, strict=True):
        if mine != theirs:
            sets[theirs], unsets[mine] = NameSegment(same=mine), NameSegment(same=theirs)
    return Variant(source, target, sets, unsets)


def _variants(decl: Decl, left: ResourceDefinition, right: ResourceDefinition) -> tuple[Variant, ...]:
    given = decl.args.get("variants")
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise Invalid(message("`variants` is a list of {form}.", form="{from, to, set, back}"), code="E-ARGS")
    return tuple(_variant(each, left, right) for each in given if isinstance(each, dict))


def declared_variants(
    given: list[Json], lefts: list[ResourceDefinition], rights: list[ResourceDefinition]
) -> tuple[Variant, ...]:
    """Read variants of names between resource types, each by the patterns that it names.

    Raises: Invalid (`E-ARGS`, `E-NAMES`).
    """
    found: list[Variant] = []
    for each in given:
        if not isinstance(each, dict):
            raise Invalid(message("A variant is {form}.", form="{from, to, set, back}"), code="E-ARGS")
        sides = (str(each.get("from", "")), lefts), (str(each.get("to", "")), rights)
        left, right = (
            next((resource for resource in known if text in resource.patterns), known[0])
            for text, known in sides
        )
        found.append(_variant(each, left, right))
    return tuple(found)


def _variant(given: dict[str, Json], left: ResourceDefinition, right: ResourceDefinition) -> Variant:
    source = Pattern.parse(_known(str(given.get("from", "")), left), left.id_patterns)
    target = Pattern.parse(_known(str(given.get("to", "")), right), right.id_patterns)
    back = given.get("back", "hidden")
    bag = back == "bag" or (isinstance(back, dict) and "bag" in back)
    there = Back.BAG if given.get("drop") == "bag" else Back.HIDDEN
    sets = _segments(given.get("set"))
    unsets = _segments(back.get("set") if isinstance(back, dict) else None)
    for missing in [each for each in target.variables if each not in source.variables and each not in sets]:
        raise Invalid(
            message(
                "Nothing says what {variable} of {text} is.", variable=f"{{{missing}}}", text=target.text
            ),
            code="E-NAMES",
            remedy=message(
                "Add set: {constant}, or {field}, or {table}.",
                constant=f"{{{missing}: {{const: …}}}}",
                field="{field: …}",
                table="{by: …, table: …}",
            ),
        )
    lost = [each for each in source.variables if each not in target.variables and each not in unsets]
    if lost and there is Back.HIDDEN:
        raise Invalid(
            message(
                "Nothing says what {variable} of {text} is on the inverse.",
                variable=f"{{{lost[0]}}}",
                text=source.text,
            ),
            code="E-NAMES",
            remedy=message("Add back: {back}, or drop: bag.", back=f"{{set: {{{lost[0]}: {{const: …}}}}}}"),
        )
    return Variant(source, target, sets, unsets, back=Back.BAG if bag else Back.HIDDEN, there=there)


def _known(text: str, resource: ResourceDefinition) -> str:
    if text not in resource.patterns:
        raise Invalid(
            message("{type} has no pattern {text}.", type=resource.type, text=repr(text)),
            code="E-NAMES",
            remedy=message("It has {patterns}.", patterns=", ".join(resource.patterns)),
        )
    return text


def _segments(given: Json) -> dict[str, NameSegment]:
    found: dict[str, NameSegment] = {}
    for name, rule in given.items() if isinstance(given, dict) else ():
        if not isinstance(rule, dict):
            raise Invalid(
                message("The rule of {variable} is a mapping.", variable=f"{{{name}}}"),
                code="E-ARGS",
            )
        table = rule.get("table")
        found[name] = NameSegment(
            field=tuple(str(rule["field"]).split(".")) if "field" in rule else (),
            table={key: str(value) for key, value in table.items()} if isinstance(table, dict) else {},
            by=str(rule.get("by", "")),
            const=str(rule.get("const", rule.get("else", ""))),
            same=str(rule.get("same", "")),
        )
    return found


def _collisions(decl: Decl, variants: tuple[Variant, ...]) -> list[EdgeFinding]:
    """Find patterns of one side that could both be of one name."""
    found: list[EdgeFinding] = []
    for side in ("source", "target"):
        patterns: list[Pattern] = list(dict.fromkeys(getattr(each, side) for each in variants))
        for index, left in enumerate(patterns):
            for right in patterns[index + 1 :]:
                if left.may_overlap(right):
                    words = message(
                        "A name could be of {text} and of {right_text}.",
                        text=left.text,
                        right_text=right.text,
                    )
                    found.append(
                        EdgeFinding(
                            "E-BIJECTION", words, decl.place, message("Give the ids patterns that differ.")
                        )
                    )
    return found
