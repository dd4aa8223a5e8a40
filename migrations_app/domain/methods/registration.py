"""The handlers that a service gives for its custom methods, by version; registered by the process that serves.

A service definition never names code: what a method runs is decided by what is installed in the process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from migrations_app.domain.methods.calls import Call
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

Answered: TypeAlias = "JsonObject | Iterator[JsonObject] | None"
"""What a handler gives: a response, or the messages of a server stream one by one."""
Answer: TypeAlias = "Callable[[Call], Answered]"

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Handler:
    """What answers one method of one version; one that is `always` used is not replaced by a converted call.

    One with `dry_run` changes nothing but resources by its call, so that a dry run of it can be taken back.
    """

    answer: Answer
    always: bool = False
    dry_run: bool = False


@dataclass(slots=True)
class ServiceMethods:
    """The handlers of one version of a service.

    Install a module that makes one with `SWITCHYARD_EXTENSIONS` and name it in the module's `METHODS`.
    """

    service: str
    version: str
    handlers: dict[str, Handler] = field(default_factory=dict)

    def method(self, name: str, *, always: bool = False, dry_run: bool = False) -> Callable[[A], A]:
        """Register a function for a method, named as in the definition.

        It answers calls of this version while the version is active, and calls of other versions that an edge
        converts to it. With `always` it answers calls of this version whichever version is active. With `dry_run` it
        says that it changes nothing but resources by its call: dry runs of the method are carried out and taken back.

        Raises: Conflict (`method-registered-twice`).
        """

        def _register(answer: A) -> A:
            if name in self.handlers:
                raise Conflict(
                    message(
                        "{service} {version} has two handlers of {name}.",
                        service=self.service,
                        version=self.version,
                        name=name,
                    ),
                    code="method-registered-twice",
                    remedy=message("Remove one of them."),
                )
            self.handlers[name] = Handler(answer, always, dry_run)
            return answer

        return _register


HandlersByMethod: TypeAlias = "Mapping[tuple[str, str, str], Handler]"
"""Handlers by service, version and method."""
