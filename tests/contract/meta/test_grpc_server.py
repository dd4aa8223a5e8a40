"""The gRPC server as a process: calls, errors, health, reflection, TLS."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from tests.contract.meta.published import Published, published
from tests.factories.access import make_account, token_of
from tests.processes import Children

Got = Published


@pytest.fixture(scope="module")
def address(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One gRPC process for all tests here."""
    children = Children(tmp_path_factory.mktemp("grpc"))
    try:
        yield children.start_grpc()
    finally:
        children.stop()


@pytest.fixture
def channel(address: str, transactional_db: None) -> Iterator[grpc.Channel]:
    """An open channel."""
    make_account("root", "admin")
    with grpc.insecure_channel(address) as opened:
        yield opened


def test_a_region_is_created_and_read(channel: grpc.Channel) -> None:
    meta = published(channel, token_of("root"))
    created = meta.call("RegionService", "CreateRegion", region={"name": "regions/eu", "title": "Europe"})
    assert created.title == "Europe"
    assert meta.call("RegionService", "GetRegion", name="regions/eu") == created
