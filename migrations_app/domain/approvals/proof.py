"""Proof of presence: a critical decision takes a fresh proof that the person is the one who signed in."""

from __future__ import annotations

from datetime import datetime, timedelta

from migrations_app.domain.access import Actor, ActorKind
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.messages import message

LASTS = timedelta(minutes=5)


def demand_proof(actor: Actor, now: datetime, *, tokens: bool = False) -> None:
    """Let an actor pass who has proved who they are lately; `tokens` lets those of automation pass as well.

    Raises: Denied (`step-up`, `step-up-token`).
    """
    if actor.kind is ActorKind.SYSTEM or (tokens and actor.kind is not ActorKind.USER):
        return
    if actor.kind is not ActorKind.USER:
        raise Denied(
            message("A token cannot decide on what is critical."),
            code="step-up-token",
            remedy=message("Decide in the console, where you can confirm your identity."),
        )
    if actor.proved_at is None or now - actor.proved_at > LASTS:
        raise Denied(
            message("Confirm your identity again: this decision is critical."),
            code="step-up",
            remedy=message("Enter your password, or sign in again; then decide within five minutes."),
        )
