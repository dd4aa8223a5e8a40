"""Hooks run in threads of their own; what they ask of a transaction is answered by the thread that holds it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import TypeVar, cast

from migrations_app.adapters.service_hooks.figures import CountedCall, HookOutcome, counted
from migrations_app.kernel.call_threads import CallThread, CallThreadPool, Outcome, TimeOver
from migrations_app.kernel.errors import Busy, Invalid, InvariantBroken, Missing, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.ports.services.service_hooks import HookName, HookQuestion

MOST_HANGING = 16
"""So many hooks may hang in this process, before no more are called."""
_LOOK_SECONDS = 0.2

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Question:
    """A question of a hook, and where its answer goes."""

    run: Callable[[], object]
    answers: SimpleQueue[Outcome] = field(default_factory=SimpleQueue)


@dataclass(slots=True)
class _Call:
    """One call of a hook: what comes from its thread, and whether its time is over."""

    entries: SimpleQueue[object] = field(default_factory=SimpleQueue)
    over: threading.Event = field(default_factory=threading.Event)

    def ask(self, question: Callable[[], T], /) -> T:
        """Have a question answered; ends the hook when its time is over."""
        waiting = _Question(question)
        self.entries.put(waiting)
        while not self.over.is_set():
            try:
                answer, error = waiting.answers.get(timeout=_LOOK_SECONDS)
            except Empty:
                continue
            if error is not None:
                raise error
            return cast(T, answer)
        raise TimeOver


class HookThreads:
    """`ports.service_hooks.HookRunner` over threads."""

    def __init__(self, release: Callable[[], None] = lambda: None, most_hanging: int = MOST_HANGING) -> None:
        self._pool = CallThreadPool(release, "service-hook", most_hanging)

    def run(self, what: HookName, function: Callable[[HookQuestion], T], seconds: float) -> T:
        with counted(what) as figure:
            answer = self._run(str(what), function, seconds, figure)
            figure.outcome = HookOutcome.DONE
        return answer

    def _run(
        self, what: str, function: Callable[[HookQuestion], T], seconds: float, figure: CountedCall
    ) -> T:
        thread, call = self._thread(what, figure), _Call()
        ask: HookQuestion = call.ask
        thread.start(lambda: function(ask), call.entries)
        ended = False
        try:
            answer, error = self._outcome(what, call, seconds, figure)
            ended = True
        finally:
            call.over.set()
            if ended:
                self._pool.put_back(thread)
            else:
                self._pool.abandon(thread)
        if error is None:
            return cast(T, answer)
        if isinstance(error, SwitchyardError):
            raise error
        log.error("%s raised", what, exc_info=error)
        figure.outcome = HookOutcome.FAILED
        raise InvariantBroken(
            message("{what} raised {kind}.", what=what, kind=type(error).__name__),
            code="hook-failed",
            remedy=message("The log of the server has the details."),
        ) from error

    def _outcome(self, what: str, call: _Call, seconds: float, figure: CountedCall) -> Outcome:
        """Answer questions until the hook ends.

        Raises: Busy (`hook-deadline-exceeded`) · what a question raises that ends the call.
        """
        ends_at = time.monotonic() + seconds
        while True:
            try:
                entry = call.entries.get(timeout=max(ends_at - time.monotonic(), 0.001))
            except Empty:
                figure.outcome = HookOutcome.LATE
                raise Busy(
                    message("{what} did not end within {seconds} s.", what=what, seconds=f"{seconds:g}"),
                    code="hook-deadline-exceeded",
                    remedy=message("Try again; fix the hook if that does not help."),
                ) from None
            if not isinstance(entry, _Question):
                return cast(Outcome, entry)
            try:
                entry.answers.put((entry.run(), None))
            except (Missing, Invalid) as refusal:
                entry.answers.put((None, refusal))

    def _thread(self, what: str, figure: CountedCall) -> CallThread:
        thread = self._pool.take()
        if thread is None:
            figure.outcome = HookOutcome.NOT_CALLED
            raise Busy(
                message(
                    "{what} was not called: {most_hanging} hooks hang in this process.",
                    what=what,
                    most_hanging=self._pool.most_hanging,
                ),
                code="hooks-hanging",
                remedy=message("Fix the hook and restart the process."),
                retry_after_seconds=30.0,
            )
        return thread
