"""The page of docs/reference that shows every state machine: its diagram and its table."""

from __future__ import annotations

from typing import Any

from migrations_app.domain.approvals.request_states import REQUEST
from migrations_app.domain.constraints.shadows import SHADOW
from migrations_app.domain.operations import OPERATION
from migrations_app.domain.regions.read_copies import READ_COPY
from migrations_app.domain.state_machine import StateMachine
from migrations_app.domain.switch.rollout import ROLLOUT, ROLLOUT_ITEM
from migrations_app.domain.switch.states import SHARD, UPGRADE
from migrations_app.domain.sync.quarantine import QUARANTINED_RESOURCE

MACHINES: dict[str, StateMachine[Any, Any]] = {
    "Upgrade": UPGRADE,
    "Shard": SHARD,
    "Rollout": ROLLOUT,
    "Deployment of a rollout": ROLLOUT_ITEM,
    "Request for approval": REQUEST,
    "Quarantined resource": QUARANTINED_RESOURCE,
    "Read copy": READ_COPY,
    "Shadow": SHADOW,
    "Operation": OPERATION,
}
"""Every state machine, by its heading on the page."""


def state_machines_page() -> str:
    """Draw each machine, and write its table below."""
    parts = [
        "# State machines",
        "",
        "Each thing below is in exactly one state and moves by the rows of its table alone. This page is written from the",
        "tables in the code (`make reference`); tests hold the code to them.",
    ]
    for title, machine in MACHINES.items():
        source = (machine.states.__doc__ or "").strip().splitlines()[0]
        parts += [
            "",
            f"## {title}",
            "",
            source,
            "",
            "```mermaid",
            machine.mermaid(),
            "```",
            "",
            machine.table(),
        ]
    return "\n".join([*parts, ""])
