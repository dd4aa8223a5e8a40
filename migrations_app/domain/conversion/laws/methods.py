"""The laws of custom methods: what must hold of every request and response (M1–M3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from migrations_app.domain.conversion.bag import is_bagged, strip_object
from migrations_app.domain.conversion.laws.cases import Case
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.laws.lens import Law, LawViolation
from migrations_app.domain.conversion.methods.converter import Message, MethodConverter
from migrations_app.domain.conversion.methods.plan import MessagePlan
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.documents import DocumentChecker
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.methods import address_key, custom_methods
from migrations_app.domain.schema.types import ObjectType
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject, canonical


def request_valid(case: Case) -> LawViolation | None:
    """M1: a request that is valid in its version is valid in the other one."""
    method = case.method
    if method is None or not _is_valid(method.source, method.method.request, case.document):
        return None
    made = method.request(case.document)
    other, named = method.target_method, address_key(method.target, method.target_method)
    wrong = [
        each.path
        for each in DocumentChecker(method.target, other.request).check(made).violations
        if each.path != named
    ]
    if wrong or is_bagged(made):
        return LawViolation("M1", f"the request is not valid at {', '.join(wrong)}", case.document, made)
    return None


def request_engines_agree(case: Case) -> LawViolation | None:
    """M2: the generated conversion of a request does what the plans do one by one."""
    if case.method is None:
        return None
    plans = [hop.request for hop in case.method.hops]
    expected = _renamed(case.method.renamed_request, _run(plans, case.document))
    return _differ("M2", expected, case.method.request(case.document))


def request_returns(case: Case) -> LawViolation | None:
    """M3: a request converted there and back with all it keeps is the same."""
    if case.method is None:
        return None
    plans = [hop.request for hop in case.method.hops]
    there = _run(plans, case.document)
    return _differ("M3", case.document, _run([each.inverse for each in reversed(plans)], there))


def response_engines_agree(case: Case) -> LawViolation | None:
    """M4: the generated conversion of a response, from the handler back, does what the plans do one by one."""
    method = case.method
    if method is None or method.answered is not None:
        return None
    given = method.target.types.get(method.target_method.response)
    if not isinstance(given, ObjectType):
        return None
    response = Exemplars(method.target, case.seed).object(given)
    plans = [hop.response.inverse for hop in reversed(method.hops)]
    return _differ("M4", _renamed(method.renamed_response, _run(plans, response)), method.response(response))


METHOD_LAWS: Mapping[str, Law] = {
    "M1": request_valid,
    "M2": request_engines_agree,
    "M3": request_returns,
    "M4": response_engines_agree,
}


def method_ways(compiled: CompiledService) -> Iterator[MethodConverter]:
    """Go through the custom methods of every version to every other version that their edges convert to."""
    for source, target in permutations(compiled.versions, 2):
        if compiled.barred(source, target) is not None:
            continue
        for method in custom_methods(compiled.schema(source)):
            try:
                yield compiled.method(method.name, source, target)
            except (Missing, Invalid):
                # It ends with an edge on the way, or a finding of the edge says why it cannot be converted.
                continue


def has_requests(method: MethodConverter) -> bool:
    """Tell whether requests of a method can be made up: whether it has a type of request."""
    return isinstance(method.source.types.get(method.method.request), ObjectType)


def method_cases(method: MethodConverter, count: int, seed: int) -> Iterator[Case]:
    """Make up requests of a method that has a type of request."""
    given = method.source.object(method.method.request)
    resource = method.source.resource(method.method.resource)
    for index in range(seed, seed + count):
        chance = Exemplars(method.source, index)
        yield Case(method.resource, chance.name(resource), chance.object(given), index, method)


def _run(plans: Sequence[MessagePlan], message: JsonObject) -> JsonObject:
    for each in plans:
        if each.plan is not None and not each.plan.is_identity:
            message = each.plan.run(message)
    return message


def _renamed(rename: Message | None, message: JsonObject) -> JsonObject:
    shown = strip_object(message)
    return shown if rename is None else rename(shown)


def _is_valid(schema: Schema, type_: str, message: JsonObject) -> bool:
    return DocumentChecker(schema, type_).check(message).valid


def _differ(law: str, expected: JsonObject, found: JsonObject) -> LawViolation | None:
    if canonical(expected) == canonical(found):
        return None
    return LawViolation(law, "the messages differ", expected, found)
