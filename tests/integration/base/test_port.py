"""The port of the web process: held from the moment it is chosen."""

from __future__ import annotations

import socket

import pytest

from console.embedded.failure import CannotStart
from console.embedded.port import hold_port


def test_two_starts_at_once_hold_different_ports() -> None:
    with hold_port(0, "127.0.0.1") as first, hold_port(0, "127.0.0.1") as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_a_held_port_takes_connections_before_anybody_serves_them() -> None:
    with hold_port(0, "127.0.0.1") as held, socket.create_connection(held.getsockname(), timeout=60) as early:
        early.sendall(b"hello")
        arrived, _ = held.accept()
        with arrived:
            assert arrived.recv(5) == b"hello"


def test_a_taken_port_is_refused_with_the_remedy() -> None:
    with hold_port(0, "127.0.0.1") as held:
        port = held.getsockname()[1]
        with pytest.raises(CannotStart) as refused:
            hold_port(port, "127.0.0.1")
    assert str(refused.value) == (
        f"Port {port} is taken by another program. Stop that one, or choose another SWITCHYARD_PORT."
    )


@pytest.mark.parametrize("bind", ["192.0.2.1", "no such name"])
def test_an_address_of_another_machine_is_refused_with_the_remedy(bind: str) -> None:
    with pytest.raises(CannotStart, match=r"is no address of this machine .* Leave it out, or give 127\.0"):
        hold_port(0, bind)
