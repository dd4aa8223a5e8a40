"""The states of a resource in the eyes of those who refer to it."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.state_machine import StateMachine, lettered


class ShadowState(StrEnum):
    """Whether a resource may be referred to."""

    ACTIVE = "ACTIVE"
    DELETE_PENDING = "DELETE_PENDING"
    DELETING = "DELETING"


class NodeState(StrEnum):
    """What a graph of references knows of a resource: a shadow's states, and those of one not found or not asked for."""

    ACTIVE = "ACTIVE"
    DELETE_PENDING = "DELETE_PENDING"
    DELETING = "DELETING"
    MISSING = "MISSING"
    UNKNOWN = "UNKNOWN"


class ShadowEvent(StrEnum):
    """What moves a shadow; once its deletion has ended it is forgotten."""

    ASK = "ask"
    REFUSE = "refuse"
    AGREE = "agree"


SHADOW = StateMachine(
    "A shadow",
    ShadowState,
    # A deletion may be the first that is heard of a resource.
    tuple(ShadowState),
    lettered(
        [
            (
                ShadowState.ACTIVE,
                ShadowEvent.ASK,
                ShadowState.DELETE_PENDING,
                "those that refer to it are asked",
            ),
            (ShadowState.ACTIVE, ShadowEvent.AGREE, ShadowState.DELETING, "nothing refers to it elsewhere"),
            (ShadowState.DELETE_PENDING, ShadowEvent.ASK, ShadowState.DELETE_PENDING, "asked for once more"),
            (
                ShadowState.DELETE_PENDING,
                ShadowEvent.REFUSE,
                ShadowState.ACTIVE,
                "a resource still refers to it",
            ),
            (ShadowState.DELETE_PENDING, ShadowEvent.AGREE, ShadowState.DELETING, "nothing refers to it"),
            (
                ShadowState.DELETING,
                ShadowEvent.ASK,
                ShadowState.DELETING,
                "asked for once more; it goes anyway",
            ),
            (ShadowState.DELETING, ShadowEvent.AGREE, ShadowState.DELETING, "agreed once more"),
        ]
    ),
)
