"""What each operation takes, read from the declaration that makes the OpenAPI document; nothing else is accepted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from django.http import HttpRequest, QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from migrations_app.kernel.errors import Invalid, Violation
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.web.methods import SAFE
from migrations_app.web.preconditions import DRY_RUN_WORDS

WITH_BODY = ("POST", "PUT", "PATCH")
DRY_RUN_NAME = DRY_RUN_WORDS[0]
CONDITIONS = ("If-Match", "If-None-Match", "If-Unmodified-Since")
"""Headers that make a change depend on what is stored."""
SHOWN_CHARACTERS = 80


@dataclass(frozen=True)
class OperationContract:
    """What one method of one address takes: parameters of the query, headers, and whether it has a body."""

    parameters: Mapping[str, OpenApiParameter]
    headers: frozenset[str]
    has_body: bool

    @cached_property
    def spellings(self) -> Mapping[str, str]:
        """Map each accepted spelling to the name in the declaration: snake_case, camelCase, the words of a dry run."""
        names = {
            each: name for name in self.parameters for each in (name, camel_case(name), snake_case(name))
        }
        if DRY_RUN_NAME in self.parameters:
            names |= dict.fromkeys(DRY_RUN_WORDS, DRY_RUN_NAME)
        return names


def contract_of(view: type[APIView], method: str) -> OperationContract:
    """Give the contract of a method of a view, read once; a HEAD takes what the GET does."""
    operation = "GET" if method == "HEAD" else method
    contract = _contracts.get((view, operation))
    if contract is None:
        contract = _contracts[view, operation] = _read(view, operation)
    return contract


_contracts: dict[tuple[type[APIView], str], OperationContract] = {}


def _read(view: type[APIView], operation: str) -> OperationContract:
    handler = getattr(view, operation.lower(), None)
    schema = getattr(handler, "kwargs", {}).get("schema")
    if schema is None:
        return OperationContract({}, frozenset(), has_body=operation in WITH_BODY)
    instance = view()
    instance.setup(HttpRequest())
    declaration = schema()
    declaration.view, declaration.method = instance, operation
    declared = declaration.get_override_parameters()
    return OperationContract(
        {each.name: each for each in declared if each.location == OpenApiParameter.QUERY},
        frozenset(each.name.lower() for each in declared if each.location == OpenApiParameter.HEADER),
        has_body=operation in WITH_BODY and declaration.get_request_serializer() is not None,
    )


def check_request(request: Request, contract: OperationContract) -> None:
    """Refuse what the operation does not take, and give its parameters the names of the declaration.

    Raises: Invalid (`parameter`, `dry-run`, `if-match`, `invalid`).
    """
    if request.query_params:
        _name_parameters(request, contract)
    if request.method in SAFE:
        return
    for header in CONDITIONS:
        if header in request.headers and header.lower() not in contract.headers:
            raise Invalid(
                message("{method} takes no {header} here.", method=str(request.method), header=header),
                code="if-match",
                remedy=message(
                    "Leave it out: nothing was changed, and no condition would have been checked."
                ),
                violations=(Violation(header, message("There is no such header."), code="if-match"),),
            )
    if not contract.has_body and request.META.get("CONTENT_LENGTH") not in (None, "", "0"):
        _check_empty(request.data)


def _name_parameters(request: Request, contract: OperationContract) -> None:
    sent, spellings = request.query_params, contract.spellings
    if unknown := [name for name in sent if name not in spellings]:
        raise unknown_parameters(str(request.method), unknown, contract.parameters)
    values: dict[str, list[str]] = {}
    for name in sent:
        values.setdefault(spellings[name], []).extend(sent.getlist(name))
    for name, texts in values.items():
        # The words of a dry run are compared where they are read: `True` and `true` are the same.
        if name != DRY_RUN_NAME and len({*texts}) > 1 and not contract.parameters[name].many:
            raise _twice(name)
    if values.keys() != sent.keys():
        named = QueryDict(mutable=True)
        for name, texts in values.items():
            named.setlist(name, texts)
        request._request.GET = named  # type: ignore[assignment]


def unknown_parameters(method: str, names: Sequence[str], parameters: Iterable[str]) -> Invalid:
    """Say that there are no such parameters, and name those that are near and all that there are."""
    if method not in SAFE and (words := [name for name in names if name in DRY_RUN_WORDS]):
        return Invalid(
            message("{method} has no dry run here.", method=method),
            code="dry-run",
            remedy=message("Leave {word} out; nothing was done.", word=words[0]),
            violations=(Violation(words[0], message("There is no dry run."), code="dry-run"),),
        )
    remedy = remedy_of(names[0], parameters, snake_case)
    return Invalid(
        message("There is no query parameter {name} here.", name=repr(names[0][:SHOWN_CHARACTERS])),
        code="parameter",
        remedy=remedy,
        violations=tuple(
            Violation(
                name[:SHOWN_CHARACTERS], message("There is no such query parameter."), remedy, "parameter"
            )
            for name in names
        ),
    )


def remedy_of(name: str, parameters: Iterable[str], spelled: Callable[[str], str]) -> WordedMessage:
    """Name the parameters that are nearest to one that there is not, and all that there are."""
    known = sorted(parameters)
    if not known:
        return message("There are no parameters here.")
    near = get_close_matches(spelled(name[:SHOWN_CHARACTERS]), known, n=2)
    there = message("The parameters are {names}.", names=", ".join(known))
    if len(near) > 1:
        return message("Did you mean {name} or {other}?", name=near[0], other=near[1]) + there
    return (message("Did you mean {name}?", name=near[0]) if near else NOTHING) + there


def _twice(name: str) -> Invalid:
    remedy = message("Send it once; snake_case and camelCase are the same parameter.")
    return Invalid(
        message("The query parameter {name} occurs twice, with different values.", name=name),
        code="parameter",
        remedy=remedy,
        violations=(Violation(name, message("Occurs twice."), remedy, "parameter"),),
    )


def _check_empty(body: Any) -> None:
    """See that a body says nothing where none is taken.

    Raises: Invalid (`invalid`).
    """
    if body is None or body == {}:
        return
    names = [str(name)[:SHOWN_CHARACTERS] for name in body] if isinstance(body, dict) else [""]
    raise Invalid(
        message("There is no body here."),
        code="invalid",
        remedy=message("Leave the body out, or send {form}.", form="{}"),
        violations=tuple(
            Violation(name, message("There is no such field."), code="invalid") for name in names
        ),
    )


def camel_case(name: str) -> str:
    """Write the name of a parameter as `pageSize`."""
    first, *others = name.split("_")
    return first + "".join(each[:1].upper() + each[1:] for each in others)


def snake_case(name: str) -> str:
    """Write the name of a parameter as `page_size`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
