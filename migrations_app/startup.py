"""Connects the parts of the application that do not import each other; runs once, when a process starts."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.actions.answer_once import claim_answer, keep_answer
from migrations_app.actions.note_refusal import note_refusal
from migrations_app.actions.note_rehearsal import note_rehearsal
from migrations_app.adapters.anchoring import LedgerWatch
from migrations_app.adapters.approval_keeping import ApprovalKeeping
from migrations_app.adapters.compatibility_runs import CompatibilityRuns
from migrations_app.adapters.deletion_watches import DeletionWatches
from migrations_app.adapters.eviction_keeping import EvictionKeeping
from migrations_app.adapters.health_watch import HealthWatch
from migrations_app.adapters.hooks.courier import Courier
from migrations_app.adapters.housekeeping import Housekeeping
from migrations_app.adapters.registry_keeping import RegistryKeeping
from migrations_app.adapters.registry_mirror import RegistryMirror
from migrations_app.adapters.repositories.registry_surroundings import RegistrySurroundings
from migrations_app.adapters.repositories.upgrades import DjangoUpgrades
from migrations_app.adapters.rollout_keeping import RolloutKeeping
from migrations_app.adapters.upgrade_blockage_watch import UpgradeBlockageWatch
from migrations_app.engine.controller import Controller
from migrations_app.web.authentication import BearerToken, BrowserSession
from migrations_app.web.endpoint_ports import EndpointPorts, connect_endpoint_ports
from migrations_app.wiring import leases, mirrored, peers, reference_graph
from migrations_app.wiring.control_ports import ControlPorts, connect_control_ports


def connect() -> None:
    """Connect what every view calls, and what the engine is given by the control plane."""
    connect_endpoint_ports(
        EndpointPorts(
            authenticators=(BearerToken, BrowserSession),
            claim_answer=claim_answer,
            keep_answer=keep_answer,
            note_refusal=note_refusal,
            note_rehearsal=note_rehearsal,
        )
    )
    connect_control_ports(
        ControlPorts(upgrades=DjangoUpgrades, surroundings=RegistrySurroundings, controllers=_controllers)
    )


def _controllers() -> Iterator[Controller]:
    """List what looks after the control database, and tells people and systems."""
    yield Housekeeping(leases())
    yield RegistryKeeping(leases())
    yield HealthWatch(leases())
    yield LedgerWatch(leases())
    yield Courier(leases())
    yield UpgradeBlockageWatch(leases())
    yield RolloutKeeping(leases())
    yield ApprovalKeeping(leases())
    yield EvictionKeeping(leases(), peers())
    yield DeletionWatches(leases(), reference_graph)
    yield CompatibilityRuns()
    if registry := mirrored():
        yield RegistryMirror(leases(), registry)
