"""Connects the parts of the application that do not import each other; runs once, when a process starts."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.control.access.sign_in.authentication import BearerToken, BrowserSession
from migrations_app.control.approvals.controller import ApprovalKeeping
from migrations_app.control.audit.commands.note_refusal import note_refusal
from migrations_app.control.audit.commands.note_rehearsal import note_rehearsal
from migrations_app.control.audit.controller import LedgerWatch
from migrations_app.control.health.controllers.health_watch import HealthWatch
from migrations_app.control.health.controllers.housekeeping import Housekeeping
from migrations_app.control.notifications.controller import Courier
from migrations_app.control.operations.commands.answer_once import claim_answer, keep_answer
from migrations_app.control.references.controller import DeletionWatches
from migrations_app.control.regions.controller import EvictionKeeping
from migrations_app.control.registry.controllers.mirroring import RegistryMirror
from migrations_app.control.registry.controllers.registry_keeping import RegistryKeeping
from migrations_app.control.registry.controllers.registry_watch import RegistryWatch
from migrations_app.control.registry.repository.registry_cache import LocalRegistryCache
from migrations_app.control.resource_logs.controller import LogRetention
from migrations_app.control.rollouts.controller import DefinitionRollouts, RolloutKeeping
from migrations_app.control.schemas.controller import CompatibilityRuns
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.controller import UpgradeBlockageWatch
from migrations_app.engine.controller import Controller
from migrations_app.web.endpoint_ports import EndpointPorts, connect_endpoint_ports
from migrations_app.wiring import (
    activity,
    clock,
    controllers,
    conversion_records,
    dispatch,
    leases,
    mirrored,
    peers,
    reference_graph,
    registry_cache,
    resource_changes,
)
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
        ControlPorts(upgrades=DjangoUpgrades, registry_cache=LocalRegistryCache, controllers=_controllers)
    )


def _controllers() -> Iterator[Controller]:
    """List what looks after the control database, and tells people and systems."""
    yield RegistryWatch(dispatch(), controllers, registry_cache().imports, clock())
    yield Housekeeping(leases())
    yield LogRetention(resource_changes(), activity(), conversion_records())
    yield RegistryKeeping(leases())
    yield HealthWatch(leases(), clock())
    yield LedgerWatch(leases())
    yield Courier(leases())
    yield UpgradeBlockageWatch(leases(), clock())
    yield RolloutKeeping(leases())
    yield DefinitionRollouts(leases())
    yield ApprovalKeeping(leases())
    yield EvictionKeeping(leases(), peers())
    yield DeletionWatches(leases(), reference_graph)
    yield CompatibilityRuns()
    if registry := mirrored():
        yield RegistryMirror(leases(), registry)
