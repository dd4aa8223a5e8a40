"""The service hooks that this process has installed, and the calling of them within a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from migrations_app.domain.service_hooks.registration import ResponseHook, WriteHook

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HookName:
    """Which hook is called, as errors and figures name it; `kind` is `write` or `response`."""

    kind: str
    service: str
    version: str
    type: str

    def __str__(self) -> str:
        return f"The {self.kind} hook of {self.type} of {self.service} {self.version}"


class HookQuestion(Protocol):
    """Has a question answered by the thread that waits for the hook."""

    def __call__(self, question: Callable[[], T], /) -> T:
        """Ask, and give the answer.

        Raises: what the question raises, if the hook may go on after it.
        """
        ...


class InstalledHooks(Protocol):
    """Finds hooks by what they are registered for."""

    def write(self, service: str, version: str, type: str, verb: str) -> WriteHook | None:
        """Find the hook of a write."""
        ...

    def has_writes(self, service: str) -> bool:
        """Tell whether any version of a service has hooks of writes."""
        ...

    def response(self, service: str, version: str, type: str) -> ResponseHook | None:
        """Find the hook of a response."""
        ...


class HookRunner(Protocol):
    """Calls hooks with a limit of time, each in a thread of its own, and counts the calls."""

    def run(self, what: HookName, function: Callable[[HookQuestion], T], seconds: float) -> T:
        """Call, answer its questions in this thread, and give what it answers.

        No question is answered any more once the call has ended, however it ends. Refusals of a question
        (`Missing`, `Invalid`) go to the hook; every other error of one ends the call and is raised here.

        Raises: Busy (`hook-deadline-exceeded`, `hooks-hanging`) · InvariantBroken (`hook-failed`) for an error that is not the
        hook's own refusal.
        """
        ...
