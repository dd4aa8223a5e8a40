"""The pending controller: pays owed confirmations, and asks how the attempts behind old blockades ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from migrations_app.engine.constraints.agreeing import Agreeing
from migrations_app.engine.constraints.messages import Outcomes, Tokens, read, write
from migrations_app.engine.constraints.ownee_checks import OwneeChecks
from migrations_app.engine.constraints.owners import Owning
from migrations_app.engine.constraints.releasing import Evicted, Releasing
from migrations_app.engine.constraints.returning import Returning
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Refused, SwitchyardError
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.ports.constraints import Blockade, Owed
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Transaction

AT_ONCE = 200
ASK_AGAIN_SECONDS = 15.0
IDLE_SECONDS = 15.0
AWAY_SECONDS = 3.0

Hosted = Callable[[], Sequence[Peer]]
"""Lists the deployments whose work this process takes."""


class Silent:
    """Those who gave no answer in one slice of work, and what came instead."""

    def __init__(self) -> None:
        self._found: dict[str, WordedMessage] = {}

    def note(self, deployment: str, error: SwitchyardError) -> None:
        """Note that a deployment did not answer, or refused."""
        self._found[deployment] = error.words

    def words(self) -> WordedMessage:
        """Say who is waited for, and why; nothing when everybody answered."""
        found = sorted(self._found.items(), key=lambda each: each[0])
        return sum((message("{place}:", place=deployment) + why for deployment, why in found), NOTHING)


class PendingController:
    """Brings every attempt to an end: confirmed by the one side, or resolved by the other.

    Source: the models' D1srv (owed confirmations) and D2srv (the TTL that only schedules a question).
    """

    name = "pending"
    queue = "constraints"
    work_class = WorkClass.CONSTRAINT_ANSWERS

    def __init__(
        self,
        router: Router,
        peers: Peers,
        hosted: Hosted,
        owning: Owning | None = None,
        evicted: Evicted = dict,
        returning: Returning | None = None,
        rest: Rest | None = None,
    ) -> None:
        self._router, self._peers, self._hosted, self._owning = router, peers, hosted, owning
        self._returning, self._rest = returning, rest
        self._releasing = Releasing(router, evicted)
        self._agreeing = Agreeing(router, peers)
        self._checks = OwneeChecks(router, peers)
        self._announced: dict[Peer, str] = {}

    def due(self) -> Iterable[str]:
        """List the deployments that are served here."""
        return [each.deployment for each in self._hosted()]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Pay and ask for one deployment."""
        here, silent = Peer.parse(key), Silent()
        quiet = self._tell_version(here)
        quiet = self._releasing.release(here, budget) and quiet
        quiet = self._checks.ask(here, silent.note) and quiet
        if self._returning is not None:
            quiet = self._returning.settle(here, budget, silent.note) and quiet
        while not budget.spent:
            validated = self._owning.validate(here) if self._owning else 0
            owed, overdue = self._look(here)
            if not owed and not overdue and not validated:
                self._prune(here)
                return self._rest.after(key) if self._rest and quiet else Again(IDLE_SECONDS)
            paid = self._pay(here, owed, silent)
            asked = self._ask(here, overdue, silent)
            if not (paid or asked or validated):
                return Again(AWAY_SECONDS, waits_for=silent.words())
        return Again()

    def _tell_version(self, here: Peer) -> bool:
        """After a switch, and once after a start, let those who are owned from here know the active version.

        Tells whether they know it.
        """
        if self._owning is None:
            return True
        active = self._router.read_active(here.region, here.service, lambda route, _: route.stored_version)[1]
        if self._announced.get(here) != active and self._owning.tell_version(here, active):
            self._announced[here] = active
        return self._announced.get(here) == active

    def _look(self, here: Peer) -> tuple[Sequence[Owed], Sequence[Blockade]]:
        return self._router.read_active(
            here.region,
            here.service,
            lambda _, reading: (reading.constraints.owed(AT_ONCE), reading.constraints.overdue(AT_ONCE)),
        )[1]

    def _pay(self, here: Peer, owed: Sequence[Owed], silent: Silent) -> int:
        """Confirm to each target what is owed to it; what is not acknowledged stays owed."""
        paid = 0
        for target, tokens in _grouped((each.target, each.token) for each in owed):
            try:
                self._peers.call(here, Peer.parse(target), "confirmBlockades", write(Tokens(tokens)))
            except SwitchyardError as error:
                silent.note(target, error)
                continue
            failpoints.reach("confirm.acknowledged")

            def _change(
                _: ServingRoute, now: Transaction, target: str = target, tokens: tuple[str, ...] = tokens
            ) -> None:
                now.constraints.paid(target, *tokens)

            self._router.write_active(here.region, here.service, _change)
            paid += len(tokens)
        return paid

    def _ask(self, here: Peer, overdue: Sequence[Blockade], silent: Silent) -> int:
        """Ask how attempts ended; a blockade goes with the answer and never without."""
        settled = 0
        for source, tokens in _grouped((each.source, each.token) for each in overdue):
            try:
                answer = self._peers.call(here, Peer.parse(source), "resolveAttempt", write(Tokens(tokens)))
            except SwitchyardError as error:
                silent.note(source, error)
                self._ask_later(
                    here, tokens, 10 * ASK_AGAIN_SECONDS if isinstance(error, Refused) else ASK_AGAIN_SECONDS
                )
                continue
            failpoints.reach("resolve.answered")
            outcomes = read(answer, Outcomes).outcomes
            self._agreeing.settled(
                here, source, {token: outcomes[token] for token in tokens if token in outcomes}
            )
            settled += len(tokens)
        return settled

    def _ask_later(self, here: Peer, tokens: Sequence[str], seconds: float) -> None:
        def _change(_: ServingRoute, transaction: Transaction) -> None:
            for token in tokens:
                transaction.constraints.ask_later(token, seconds)

        self._router.write_active(here.region, here.service, _change)

    def _prune(self, here: Peer) -> None:
        self._router.write_active(
            here.region, here.service, lambda _, transaction: transaction.constraints.prune(1000)
        )


def _grouped(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, tuple[str, ...]]]:
    found: dict[str, dict[str, None]] = {}
    for place, token in pairs:
        found.setdefault(place, {})[token] = None
    return [(place, tuple(tokens)) for place, tokens in sorted(found.items())]
