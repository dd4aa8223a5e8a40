"""The Python client has what the contract has: every operation, with the types of the document."""

from __future__ import annotations

import inspect

import pytest

from client_generator.__main__ import differences
from client_generator.contract import Contract, read_contract
from client_generator.types import python_type
from console.env import ROOT
from switchyard_client import AsyncClient, Client, models
from switchyard_client.version import VERSION
from tests.api_description import api_description


@pytest.fixture(scope="module")
def contract() -> Contract:
    """What the document says."""
    return read_contract(api_description())


def test_the_written_parts_are_what_the_document_says() -> None:
    assert differences() == [], "run `make openapi`"


def test_both_clients_have_a_method_for_every_operation(contract: Contract) -> None:
    assert len(contract.operations) > 200
    names = [operation.name for operation in contract.operations]
    assert len({*names}) == len(names)
    for operation in contract.operations:
        for client in (Client, AsyncClient):
            method = getattr(client, operation.name)
            assert f"`{operation.method} {operation.path}`" in inspect.cleandoc(method.__doc__ or "")
        assert inspect.iscoroutinefunction(getattr(AsyncClient, operation.name))
        assert hasattr(Client, f"iter_{operation.name}") is bool(operation.item)


def test_every_type_can_be_made_and_read() -> None:
    import msgspec

    for name in dir(models):
        # Forward references and renamed fields are resolved here, or fail here.
        msgspec.json.Decoder(getattr(models, name))


def test_words_that_are_answered_may_grow_and_those_that_are_sent_may_not(contract: Contract) -> None:
    state = contract.schemas["Upgrade"]["properties"]["state"]
    assert python_type(state, sent=False) == "str"
    until = contract.schemas["UpgradeMilestoneRequest"]["properties"]["until"]
    assert python_type(until, sent=True) == 'Literal["ready", "switched", "complete"]'
    assert python_type({"type": ["string", "null"], "format": "date-time"}, sent=False) == "datetime | None"


def test_the_package_has_the_version_of_the_product() -> None:
    import tomllib

    for path in ("pyproject.toml", "switchyard_client/pyproject.toml"):
        assert tomllib.loads((ROOT / path).read_text())["project"]["version"] == VERSION
