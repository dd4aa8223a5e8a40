"""The laws of filters and masks: what is asked of one version means the same of the other (L8, L9)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise

from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.lens import Law, LawViolation
from migrations_app.domain.filters.ast import (
    Compare,
    ComparisonOperator,
    Constant,
    Contains,
    Filter,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Path,
    Quantifier,
)
from migrations_app.domain.filters.evaluate import evaluate
from migrations_app.domain.filters.masks import Mask, merge
from migrations_app.domain.filters.order import OrderTerm, bind_order, sort_key
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject, canonical

_ATOMS, _ORDERS = 12, 6
"""How much is asked of one document: more documents find more than more questions about each."""


def filters_mean_the_same(case: Case) -> LawViolation | None:
    """L8: a converted filter never loses a document, and says exactly as much as it promises."""
    made, (_, view) = case.made, case.shown
    chance = random.Random(case.seed)  # noqa: S311 - exemplars, not secrets
    for given, wanted in _filters(case, view, chance):
        converted = case.converter.filter(given)
        found = evaluate(converted.pushed, made.body)
        if found and converted.residual is not None:
            found = wanted if converted.residual is given else evaluate(converted.residual, view)
        if found != wanted:
            about: JsonObject = {"filter": str(given), "pushed": str(converted.pushed), "how": converted.how}
            return LawViolation(
                "L8", f"{given} is {wanted}", {**about, "holds": wanted}, {**about, "holds": found}
            )
    return None


def _filters(case: Case, view: JsonObject, chance: random.Random) -> Iterator[tuple[Filter, bool]]:
    """Make filters of places and values of two documents, each with whether the view fulfils it."""
    other = case.other
    places = list(_places(case.document, ())) + list(_places(other, ()))
    found = [
        atom for path, value in chance.sample(places, min(8, len(places))) for atom in _atoms(path, value)
    ]
    atoms = chance.sample(found, min(_ATOMS, len(found)))
    judged = [(atom, evaluate(atom, view)) for atom in atoms]
    yield from judged
    for atom, holds in judged:
        yield Not(atom), not holds
    for (left, holds), (right, other_holds) in pairwise(judged):
        yield Or((left, Not(right))), holds or not other_holds


def _places(value: Json, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Json]]:
    if path:
        yield path, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _places(below, (*path, key))


def _atoms(segments: tuple[str, ...], value: Json) -> Iterator[Filter]:
    path = Path(segments)
    yield IsNull(path)
    if isinstance(value, list) and value and isinstance(value[0], str | int):
        yield Contains(path, Quantifier.VALUE, (value[0],))
    if isinstance(value, str | int | float):
        constant: Constant = value
        yield Compare(path, ComparisonOperator.EQ, constant)
        yield Compare(path, ComparisonOperator.NE, constant)
        yield Compare(path, ComparisonOperator.LT, constant)
        yield In(path, (constant, "another"))
    if isinstance(value, str) and value[:1].isalnum():
        yield Like(path, value[:1] + "%")


def orders_mean_the_same(case: Case) -> LawViolation | None:
    """L8b: documents in a converted order have views in the order that was asked for."""
    stored = [(case.made.body, case.shown[1])]
    stored += [case.neighbours.converted(case.seed + more) for more in (0, 1, 2)]
    places = list(_places(case.document, ()))
    chance = random.Random(case.seed)  # noqa: S311 - exemplars, not secrets
    for path, value in chance.sample(places, min(_ORDERS, len(places))):
        if isinstance(value, dict | list) or value is None:
            continue
        try:
            terms = bind_order((OrderTerm(Path(path)),), case.converter.source, case.converter.source_type)
        except Invalid:
            continue
        made_order = case.converter.order(terms)
        if not made_order.is_whole:
            continue
        by_view = _sorted([view for _, view in stored], terms)
        by_body = _sorted([body for body, _ in stored], _bound(case, made_order.pushed))
        if by_view != by_body:
            about: JsonObject = {"order": str(terms[0]), "pushed": str(made_order.pushed[0])}
            return LawViolation(
                "L8b", f"order by {terms[0]}", {**about, "is": [*by_view]}, {**about, "is": [*by_body]}
            )
    return None


def _sorted(documents: list[JsonObject], terms: tuple[OrderTerm, ...]) -> list[int]:
    key = sort_key(terms)
    return sorted(range(len(documents)), key=lambda index: key(documents[index]))  # type: ignore[arg-type,return-value]


def _bound(case: Case, terms: tuple[OrderTerm, ...]) -> tuple[OrderTerm, ...]:
    return bind_order(terms, case.converter.target, case.converter.target_type or "")


def masks_write_the_same(case: Case) -> LawViolation | None:
    """L9: an update by mask writes what the mask names, and the view shows nothing else changed."""
    made = case.made
    sent = case.other
    chance = random.Random(case.seed)  # noqa: S311 - exemplars, not secrets
    keys = [key for key in sorted({*case.document, *sent}) if key != "name"]
    if not keys:
        return None
    mask = Mask(tuple(Path((key,)) for key in sorted(chance.sample(keys, min(2, len(keys))))))
    _, before = case.shown
    stored = case.converter.update(case.name, sent, mask, made.body, made.name)
    _, after = case.converter.get(stored.name, stored.body)
    wanted = merge(before, sent, mask)
    return (
        None if canonical(after) == canonical(wanted) else LawViolation("L9", f"mask {mask}", wanted, after)
    )


ASKED_LAWS: Mapping[str, Law] = {
    "L8": filters_mean_the_same,
    "L8b": orders_mean_the_same,
    "L9": masks_write_the_same,
}
