"""The hooks that a service registers for one of its versions; installed by the process that serves.

A service definition never names code: what runs with a write is decided by what is installed in the process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from migrations_app.domain.service_hooks.calls import ResponseCall, WriteCall
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message

WRITE_VERBS = ("create", "update", "delete")
MOST_SECONDS = 5.0
"""So long a hook may take at most: a write holds its locks meanwhile."""

OnWrite: TypeAlias = "Callable[[WriteCall], JsonObject | None]"
"""Gives the document to write in place of the call's; None leaves it."""
OnResponse: TypeAlias = "Callable[[ResponseCall], Sequence[JsonObject]]"
"""Gives the documents to show, as many and in the same order."""

W = TypeVar("W", bound=OnWrite)
R = TypeVar("R", bound=OnResponse)


@dataclass(frozen=True, slots=True)
class WriteHook:
    """Code that runs in the transaction of a write, and for how long."""

    run: OnWrite
    seconds: float


@dataclass(frozen=True, slots=True)
class ResponseHook:
    """Code that runs on the way out of a response, and for how long."""

    run: OnResponse
    seconds: float


@dataclass(slots=True)
class ServiceHooks:
    """The hooks of one version of a service.

    Install a module that makes one with `SWITCHYARD_EXTENSIONS` and name it in the module's `SERVICE_HOOKS`.
    """

    service: str
    version: str
    writes: dict[tuple[str, str], WriteHook] = field(default_factory=dict)
    """By resource type and verb."""
    responses: dict[str, ResponseHook] = field(default_factory=dict)
    """By resource type."""

    def write(
        self, type: str, *, verbs: Collection[str] = WRITE_VERBS, seconds: float = 1.0
    ) -> Callable[[W], W]:
        """Register a function for writes of a resource type.

        It runs in the transaction, before the write is converted when the hook is of the caller's version, and after
        it when it is of the active one.

        Raises: Invalid (`hook-verb`, `hook-seconds`) · Conflict (`hook-registered-twice`).
        """
        unknown = sorted(set(verbs) - set(WRITE_VERBS))
        if unknown or not verbs:
            raise Invalid(
                message("{verb} names no write of {type}.", verb=unknown[0], type=type)
                if unknown
                else message("An empty list names no write of {type}.", type=type),
                code="hook-verb",
                remedy=message("Use {write_verbs}.", write_verbs=", ".join(WRITE_VERBS)),
            )
        hook_seconds = _checked(type, seconds)

        def _register(run: W) -> W:
            for verb in verbs:
                if (type, verb) in self.writes:
                    raise self._twice(
                        message(
                            "{service} {version} has two write hooks of {type} for {verb}.",
                            service=self.service,
                            version=self.version,
                            type=type,
                            verb=verb,
                        )
                    )
                self.writes[type, verb] = WriteHook(run, hook_seconds)
            return run

        return _register

    def response(self, type: str, *, seconds: float = 1.0) -> Callable[[R], R]:
        """Register a function for responses that show resources of a type in this version.

        Raises: Invalid (`hook-seconds`) · Conflict (`hook-registered-twice`).
        """
        hook_seconds = _checked(type, seconds)

        def _register(run: R) -> R:
            if type in self.responses:
                raise self._twice(
                    message(
                        "{service} {version} has two response hooks of {type}.",
                        service=self.service,
                        version=self.version,
                        type=type,
                    )
                )
            self.responses[type] = ResponseHook(run, hook_seconds)
            return run

        return _register

    @staticmethod
    def _twice(words: WordedMessage) -> Conflict:
        return Conflict(
            words,
            code="hook-registered-twice",
            remedy=message("Call both from one function, in the order you need."),
        )


def _checked(type_: str, seconds: float) -> float:
    if not 0.0 < seconds <= MOST_SECONDS:
        raise Invalid(
            message("A hook of {type} may take {seconds} s.", type=type_, seconds=f"{seconds:g}"),
            code="hook-seconds",
            remedy=message(
                "Give it more than 0 s and at most {most_seconds} s.", most_seconds=f"{MOST_SECONDS:g}"
            ),
        )
    return seconds
