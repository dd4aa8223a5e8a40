"""The methods of `switchyard_client.operations`: one for each operation, for both clients."""

from __future__ import annotations

from collections.abc import Iterable

from client_generator.contract import HEADERS, JSON, TEXT, Contract, Operation, Parameter
from client_generator.types import HEADER, docstring, python_type

HEADER_NAMES = tuple(HEADERS.values())
_IMPORTS = """
from __future__ import annotations

from collections.abc import {abstract}
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from switchyard_client.exchange import Operation, Response
from switchyard_client.senders import AsyncSender, Sender

if TYPE_CHECKING:
    from switchyard_client import models
"""


def method_module(contract: Contract, tag: str) -> str:
    """Write the operations of one subject."""
    operations = [each for each in contract.operations if each.tag == tag]
    title = tag.replace("_", " ")
    blocks = ["\n".join(_constant(each) for each in operations)]
    for asynchronous in (False, True):
        name, base = class_name(tag, asynchronous), "AsyncSender" if asynchronous else "Sender"
        kind = ", awaited" if asynchronous else ""
        lines = [f"class {name}({base}):", f'    """Operations of {title}{kind}."""']
        for operation in operations:
            lines += ["", _method(contract, operation, asynchronous)]
            if operation.item:
                lines += ["", _iterator(contract, operation, asynchronous)]
        blocks.append("\n".join(lines))
    header = HEADER.format(sentence=f"Operations of {title}.")
    abstract = "AsyncIterator, Iterator, Mapping"
    return header + _IMPORTS.format(abstract=abstract) + "\n" + "\n\n\n".join(blocks) + "\n"


def index_module(contract: Contract) -> str:
    """Write the classes that have the operations of all subjects."""
    tags = tags_of(contract)
    imports = "\n".join(
        f"from switchyard_client.operations.{tag} import {class_name(tag, True)}, {class_name(tag, False)}"
        for tag in tags
    )
    header = HEADER.format(sentence="Every operation of `/api/v1`, by its id in the OpenAPI document.")
    classes = "\n\n\n".join(
        f"class {name}(\n"
        + "".join(f"    {class_name(tag, asynchronous)},\n" for tag in tags)
        + f'):\n    """Every operation{", awaited" if asynchronous else ""}."""'
        for name, asynchronous in (("Operations", False), ("AsyncOperations", True))
    )
    return f"{header}\nfrom __future__ import annotations\n\n{imports}\n\n\n{classes}\n"


def tags_of(contract: Contract) -> list[str]:
    """Name the subjects."""
    return sorted({each.tag for each in contract.operations})


def class_name(tag: str, asynchronous: bool) -> str:
    """Name the class that has the operations of a subject."""
    name = "".join(part.capitalize() for part in tag.split("_")) + "Operations"
    return f"Async{name}" if asynchronous else name


def _constant(operation: Operation) -> str:
    answers = ", ".join(f'{status}: "{name}"' for status, name in sorted(operation.answers.items()))
    kinds = [f'"{operation.id}"', f'"{operation.method}"', f'"{operation.path}"', f"{{{answers}}}"]
    if operation.body:
        kinds.append("sends_body=True")
    if "idempotency_key" in operation.headers:
        kinds.append("repeatable=True")
    return f"_{operation.id.upper()} = Operation({', '.join(kinds)})"


def _answer_type(operation: Operation) -> str:
    names = {"": "None", JSON: "Any", TEXT: "str"}
    return " | ".join(
        dict.fromkeys(names.get(name, f"models.{name}") for _, name in sorted(operation.answers.items()))
    )


def _signature(operation: Operation, leave_out: Iterable[str] = ()) -> list[str]:
    by_place = [
        next(each for each in operation.parameters if each.place == "path" and each.name == name)
        for name in _path_names(operation.path)
    ]
    query = sorted(
        (each for each in operation.parameters if each.place == "query" and each.name not in {*leave_out}),
        key=lambda each: not each.required,
    )
    parts = ["self", *(f"{each.identifier}: {_parameter_type(each)}" for each in by_place)]
    if operation.body:
        kind = (
            f"models.{operation.body} | Mapping[str, Any]" if operation.body != JSON else "Mapping[str, Any]"
        )
        parts.append(f"body: {kind}" if operation.body_required else f"body: {kind} | None = None")
    parts.append("*")
    for each in query:
        kind = _parameter_type(each)
        parts.append(
            f"{each.identifier}: {kind}" if each.required else f"{each.identifier}: {kind} | None = None"
        )
    for name in HEADER_NAMES:
        if name in operation.headers:
            parts.append(f"{name}: str" if operation.headers[name] else f'{name}: str = ""')
    return parts


def _path_names(path: str) -> list[str]:
    return [part.partition("}")[0] for part in path.split("{")[1:]]


def _parameter_type(parameter: Parameter) -> str:
    # What is not given is left out.
    kind = python_type(parameter.schema, sent=True).removesuffix(" | None")
    return {"datetime": "datetime | str", "UUID": "UUID | str", "date": "date | str"}.get(kind, kind)


def _call(operation: Operation, leave_out: Iterable[str] = ()) -> str:
    parts = [f"_{operation.id.upper()}"]
    if places := _path_names(operation.path):
        named = {each.name: each.identifier for each in operation.parameters if each.place == "path"}
        parts.append("path={" + ", ".join(f'"{name}": {named[name]}' for name in places) + "}")
    query = [each for each in operation.parameters if each.place == "query" and each.name not in {*leave_out}]
    if query:
        parts.append("query={" + ", ".join(f'"{each.name}": {each.identifier}' for each in query) + "}")
    if operation.body:
        parts.append("body=body")
    parts += [f"{name}={name}" for name in HEADER_NAMES if name in operation.headers]
    return ", ".join(parts)


def _method(contract: Contract, operation: Operation, asynchronous: bool) -> str:
    signature = ", ".join(_signature(operation))
    first, wait = ("async def", "await ") if asynchronous else ("def", "")
    lines = [
        f"    {first} {operation.name}({signature}) -> Response[{_answer_type(operation)}]:",
        docstring(_about(operation), "        "),
        f"        return {wait}self._send({_call(operation)})",
    ]
    return "\n".join(lines)


def _about(operation: Operation) -> str:
    described = operation.description.strip()
    address = f"`{operation.method} {operation.path}`."
    if not described or described.strip("`.").startswith("/"):
        return address
    return f"{described}\n\n{address}"


def _iterator(contract: Contract, operation: Operation, asynchronous: bool) -> str:
    items = contract.schemas[operation.item]["properties"]["items"]["items"]
    kind = python_type(items, sent=False)
    kind = f"models.{kind}" if "$ref" in items else kind
    iterator = "AsyncIterator" if asynchronous else "Iterator"
    signature = ", ".join(each for each in _signature(operation, ("cursor",)))
    return "\n".join(
        (
            f"    def iter_{operation.name}({signature}) -> {iterator}[{kind}]:",
            f'        """Give every item of `{operation.name}`, page after page."""',
            f"        return self._pages({_call(operation, ('cursor',))})",
        )
    )
