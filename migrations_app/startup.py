"""Connects the parts of the application that do not import each other; runs once, when a process starts."""

from __future__ import annotations

from migrations_app.actions.answer_once import claim_answer, keep_answer
from migrations_app.actions.note_refusal import note_refusal
from migrations_app.actions.note_rehearsal import note_rehearsal
from migrations_app.web.authentication import BearerToken, BrowserSession
from migrations_app.web.endpoint_ports import EndpointPorts, connect_endpoint_ports


def connect() -> None:
    """Connect what every view calls."""
    connect_endpoint_ports(
        EndpointPorts(
            authenticators=(BearerToken, BrowserSession),
            claim_answer=claim_answer,
            keep_answer=keep_answer,
            note_refusal=note_refusal,
            note_rehearsal=note_rehearsal,
        )
    )
