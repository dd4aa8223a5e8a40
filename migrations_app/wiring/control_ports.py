"""What the control plane gives to the engine. It stands above this package, and connects it when the application starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from migrations_app.engine.controller import Controller
from migrations_app.ports.registry_cache import RegistryCache
from migrations_app.ports.upgrades import Upgrades


@dataclass(frozen=True, slots=True)
class ControlPorts:
    """How the engine reads and writes upgrades, reads the registry, and runs the upkeep of the control plane."""

    upgrades: Callable[[], Upgrades]
    registry_cache: Callable[[], RegistryCache]
    controllers: Callable[[], Iterable[Controller]]


_connected: list[ControlPorts] = []


def connect_control_ports(ports: ControlPorts) -> None:
    """Connect the control plane; the application does it once, when it starts."""
    _connected[:] = [ports]


def control_ports() -> ControlPorts:
    """Give what the control plane connected."""
    (ports,) = _connected
    return ports
