"""`splitReference` and `mergeReferences`: one reference becomes several, and back."""

from __future__ import annotations

from migrations_app.domain.conversion.metadata.edge import Decl
from migrations_app.domain.conversion.metadata.findings import EdgeFinding
from migrations_app.domain.conversion.ops.base import Functions, OpClass, OpForm, OpKind, PlanningContext
from migrations_app.domain.conversion.references import SplitReference
from migrations_app.domain.conversion.values import SAME, Conv
from migrations_app.domain.schema.types import Field, ObjectType, ReferenceType
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message

_NAMES = "of a part whose names no type says: a list of variants {from, to, set, back}, as in resourceName"


def _whole_to_parts(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (decl.text("from"),), decl.texts("to")


def _parts_to_whole(decl: Decl) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return decl.texts("from"), (decl.text("to"),)


def _split(site: PlanningContext, decl: Decl) -> Functions:
    parts = _parts(site, decl, is_split=True)
    return Functions(parts.split, parts.join, references=parts)


def _merge(site: PlanningContext, decl: Decl) -> Functions:
    parts = _parts(site, decl, is_split=False)
    return Functions(parts.join, parts.split, references=parts)


def _parts(site: PlanningContext, decl: Decl, *, is_split: bool) -> SplitReference:
    """Plan how the one name becomes that of each part; what is wrong is a finding at the op's line."""
    whole, paths = (
        (decl.text("from"), decl.texts("to")) if is_split else (decl.text("to"), decl.texts("from"))
    )
    unknown = [name for name in decl.table("names") if name not in paths]
    if len(paths) < 2 or unknown:
        words = (
            message("`names` speaks of {unknown}, which is no part.", unknown=unknown[0])
            if unknown
            else message("One part is a rename.")
        )
        site.report(
            EdgeFinding("E-ARGS", words, decl.place, message("Name at least two fields as the parts."))
        )
        return SplitReference((SAME,) * max(1, len(paths)))
    return SplitReference(tuple(_part(site, decl, whole, path, is_split=is_split) for path in paths))


def _part(site: PlanningContext, decl: Decl, whole: str, path: str, *, is_split: bool) -> Conv:
    variants = decl.table("names").get(path)
    try:
        ends = _reference(site, whole, old=is_split), _reference(site, path, old=not is_split)
        old, new = ends if is_split else ends[::-1]
        conv = site.reference_part(old, new, variants if isinstance(variants, list) else [])
    except Invalid as error:
        site.report(EdgeFinding(error.code, error.words, decl.place, error.remedy_words))
        return SAME
    return conv if is_split else conv.inverse


def _reference(site: PlanningContext, path: str, *, old: bool) -> ReferenceType:
    """Find the reference at a path.

    Raises: Invalid (`E-TYPE`).
    """
    at = site.source if old else site.target
    found: Field | None = None
    for name in path.split("."):
        found = at.field(name)
        below = site.resolve(found.type, old=old) if found else None
        at = below if isinstance(below, ObjectType) else ObjectType(())
    given = site.resolve(found.type, old=old) if found else None
    if not isinstance(given, ReferenceType) or given.form == "id" or not given.resource:
        raise Invalid(
            message("{path} is no reference by name to a resource type.", path=path),
            code="E-TYPE",
            remedy=message(
                "Say type: {form} of the field, or write split, merge or hook.", form="{reference: TYPE}"
            ),
        )
    return given


OP = OpForm(
    name="splitReference",
    kind=OpKind.GATHER,
    keeps=OpClass.INJECTIVE,
    summary="One reference becomes several: to the parts of a type that splits, or to resources that belong together.",
    arguments={"from": "!the old field", "to": "!the new fields", "names": _NAMES},
    example=(
        "splitReference: {from: account, to: [login, wallet], names: {wallet: "
        "[{from: 'accounts/{account}', to: 'wallets/{account}'}]}}"
    ),
    places=_whole_to_parts,
    mapping=_split,
    backward="the name that becomes exactly these; parts that lead to no one resource wait in the bag",
    filters="= becomes all parts =, IN any of these; residual where a part is absent or the name is not known",
    masks="any part stands for the whole",
)

MERGE = OpForm(
    name="mergeReferences",
    kind=OpKind.GATHER,
    keeps=OpClass.INJECTIVE,
    summary="Several references become one: the inverse of splitReference.",
    arguments={"from": "!the old fields", "to": "!the new field", "names": _NAMES},
    example=(
        "mergeReferences: {from: [login, wallet], to: account, names: {wallet: "
        "[{from: 'wallets/{account}', to: 'accounts/{account}'}]}}"
    ),
    places=_parts_to_whole,
    mapping=_merge,
    backward="all parts from the one name; parts that led to no one resource come back from the bag",
    filters="residual",
    masks="the whole stands for every part",
)
