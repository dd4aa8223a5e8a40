"""Python's types for JSON schemas, and the Structs of `switchyard_client.models`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from client_generator.contract import SHARED, Contract, identifier, references

WIDTH = 108
FORMATS = {"date-time": "datetime", "date": "date", "uuid": "UUID"}
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
HEADER = '"""{sentence}\n\nWritten by `python -m client_generator` from docs/reference/openapi.yaml: change that.\n"""\n'


def python_type(schema: Mapping[str, Any], *, sent: bool) -> str:
    """Write the type of a value; of what is answered, lists of allowed words may grow, so they are text."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "oneOf" in schema:
        return _union(python_type(each, sent=sent) for each in schema["oneOf"])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return _union(python_type({**schema, "type": kind}, sent=sent) for kind in kinds)
    if kinds == "array":
        return f"list[{python_type(schema['items'], sent=sent)}]"
    if kinds == "object":
        values = schema.get("additionalProperties") or {}
        return f"dict[str, {python_type(values, sent=sent) if values is not True else 'Any'}]"
    if sent and "enum" in schema and kinds != "null":
        words = [each for each in schema["enum"] if each is not None]
        return f"Literal[{', '.join(_literal(each) for each in words)}]"
    if kinds == "string":
        return FORMATS.get(str(schema.get("format")), "str")
    return PLAIN.get(str(kinds), "Any")


def _union(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def docstring(text: str, indent: str) -> str:
    """Write a docstring, wrapped."""
    escaped = text.replace("\\", "\\\\").replace('"""', "'''").strip()
    paragraphs = [
        textwrap.fill(" ".join(each.split()), WIDTH - len(indent) - 6) for each in escaped.split("\n\n")
    ]
    written = "\n\n".join(paragraphs)
    if written.endswith('"'):
        written += " "
    if "\n" in written:
        return textwrap.indent(f'"""{written}\n"""', indent)
    return f'{indent}"""{written}"""'


def model_module(contract: Contract, module: str) -> str:
    """Write one module of Structs."""
    names = [name for name, place in contract.modules.items() if place == module]
    body = "\n\n\n".join(_struct(contract, name) for name in names)
    shared = sorted(
        {
            reference
            for name in names
            for reference in references(contract.schemas[name])
            if contract.modules[reference] != module
        }
    )
    lines = [HEADER.format(sentence=f"Types of the operations of {module.replace('_', ' ')}."), _IMPORTS]
    if module == SHARED:
        lines[0] = HEADER.format(sentence="Types that operations of several subjects use.")
    if shared:
        lines.append(f"from switchyard_client.models.{SHARED} import {', '.join(shared)}")
    return "\n".join(lines) + f"\n\n\n{body}\n"


_IMPORTS = """
from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field
"""


def _struct(contract: Contract, name: str) -> str:
    schema = contract.schemas[name]
    sent = name in contract.requests
    required = set(schema.get("required", ()))
    lines = [f"class {name}(Struct, frozen=True, kw_only=True):"]
    lines.append(docstring(str(schema.get("description") or _sentence(name)), "    "))
    for key, described in schema.get("properties", {}).items():
        lines.append(f"    {_field(key, described, key in required, sent)}")
        if text := str(described.get("description", "")).strip():
            lines.append(docstring(text, "    "))
    return "\n".join(lines)


def _sentence(name: str) -> str:
    return "A page of a list." if name.endswith("Page") else f"`{name}` of the OpenAPI document."


def _field(key: str, schema: Mapping[str, Any], required: bool, sent: bool) -> str:
    written, kind = identifier(key), python_type(schema, sent=sent)
    renamed = f'name="{key}"' if written != key else ""
    if required:
        return f"{written}: {kind}" + (f" = field({renamed})" if renamed else "")
    default = f"field(default=UNSET, {renamed})" if renamed else "UNSET"
    return f"{written}: {kind} | UnsetType = {default}"


def index_module(contract: Contract) -> str:
    """Write the package's own module: every type by its name, each imported when it is used."""
    typed = "\n".join(
        f"    from switchyard_client.models.{module} import {name} as {name}"
        for name, module in contract.modules.items()
    )
    places = "\n".join(f'    "{name}": "{module}",' for name, module in contract.modules.items())
    return f'''{HEADER.format(sentence="What is sent and answered: one type for each schema, imported when it is used.")}
from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
{typed}

MODULES = {{
{places}
}}


def __getattr__(name: str) -> Any:
    """Import the module of a type when the type is asked for."""
    module = MODULES.get(name)
    if module is None:
        raise AttributeError(f"switchyard_client.models has no {{name}}")
    return getattr(import_module(f"switchyard_client.models.{{module}}"), name)


def __dir__() -> list[str]:
    """Name the types."""
    return sorted(MODULES)
'''
