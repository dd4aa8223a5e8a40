"""Deletions that others have a say in: marked first, then asked about, then done or taken back.

Source: the model `ref_blockade`, steps DelR2, ASK and ASKA. Asking before marking loses to a reference made
in between; checking again afterwards only makes that rarer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from migrations_app.domain.constraints.deletion import DeletionVerdict, Thing
from migrations_app.engine.constraints.messages import Blockers, Dying, Outcomes, Things, Tokens, read, write
from migrations_app.engine.serving.references.stored_references import judge, judge_locked
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import names_of
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy, Conflict, PeerUnavailable, SwitchyardError, Violation
from migrations_app.kernel.messages import message
from migrations_app.ports.constraints import Blockade
from migrations_app.ports.regions.arrangements import Agreed, PendingDeletion
from migrations_app.ports.regions.peers import Answered, Peer, Peers, Question
from migrations_app.ports.store import Shadow, ShadowState, Transaction

PENDING_DEADLINE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Marked:
    """A shadow that was marked, with what its sources are asked."""

    shadow: Shadow
    asked: Dying


class Agreeing:
    """Ensures that nothing refers to what a deployment wants to delete."""

    def __init__(self, router: Router, peers: Peers) -> None:
        self._router, self._peers = router, peers

    def agree(self, here: Peer, doomed: PendingDeletion) -> Agreed:
        """Mark, ask, and tell what was agreed; or take the marks back and say why not."""
        self._settle_decided(here, self._tentative(here, doomed))
        marked = self._mark(here, doomed)
        agreed = {each.asked.uid: each.asked.delete_id for each in marked}
        failpoints.reach("delete.marked")
        try:
            self.ask(here, marked)
        except SwitchyardError:
            self.withdraw(here, agreed)
            raise
        failpoints.reach("delete.asked")
        return agreed

    def withdraw(self, here: Peer, agreed: Agreed) -> None:
        """Take marks back that are still those of these deletions."""

        def _change(_: ServingRoute, transaction: Transaction) -> None:
            found = transaction.constraints.lock_shadows(*agreed)
            pending = [each for each in found.values() if each.state is ShadowState.DELETE_PENDING]
            transaction.constraints.write(
                *(
                    replace(each, state=ShadowState.ACTIVE, root="")
                    for each in pending
                    if each.uid and each.delete_id == agreed[each.uid]
                )
            )

        if agreed:
            self._router.write_active(here.region, here.service, _change)

    def ask(self, here: Peer, marked: Sequence[Marked]) -> None:
        """Ask every source of what was marked.

        Raises: Conflict (`deletion-blocked`) · Busy (`peer-unavailable`).
        """
        for source, _, answer in self._asked(here, marked):
            if isinstance(answer, SwitchyardError):
                raise _unknown(source, answer) from answer
            found = read(answer, Blockers).blockers
            if found:
                names = {each.asked.uid: each.shadow.name for each in marked}
                raise Conflict(
                    message(
                        "{names} is referred to by {name} of {source}.",
                        names=names.get(found[0].uid, ""),
                        name=found[0].name,
                        source=source,
                    ),
                    code="deletion-blocked",
                    remedy=message("Delete or change what refers to it."),
                    violations=tuple(
                        Violation(
                            f"//{_place(source)}/{each.name}#{each.path}",
                            message("refers to {name}", name=names.get(each.uid, "")),
                        )
                        for each in found
                    ),
                )

    def willing(self, here: Peer, dying: Sequence[Shadow]) -> Agreed:
        """Ask all who may refer to what is being deleted, and tell what every one of them lets go.

        No deployment can begin to refer to it any more; one that had begun, and has not settled, does not let go.
        """
        uids = [each.uid for each in dying if each.uid]
        held = {each.uid for each in self._blockades(here, uids)}
        for _, things, answer in self._asked(here, [Marked(each, dying_of(each)) for each in dying]):
            if isinstance(answer, SwitchyardError):
                held |= {each.uid for each in things}  # unknown
            else:
                held |= {each.uid for each in read(answer, Blockers).blockers}
        return {each.uid: each.delete_id for each in dying if each.uid and each.uid not in held}

    def _asked(self, here: Peer, marked: Sequence[Marked]) -> Iterator[tuple[str, list[Dying], Answered]]:
        """Ask every source what of its things it blocks, all at the same time."""
        asked = _by_source(marked)
        questions = [
            Question(Peer.parse(source), "checkIfResourceIsBlocked", write(Things(tuple(things))))
            for source, things in asked.items()
        ]
        for (source, things), answer in zip(
            asked.items(), self._peers.call_all(here, questions), strict=True
        ):
            yield source, things, answer

    def _blockades(self, here: Peer, uids: Sequence[UUID]) -> Sequence[Blockade]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.blockades(*uids)
        )[1]

    def _tentative(self, here: Peer, doomed: PendingDeletion) -> Sequence[Blockade]:
        """List the blockades on what would go."""

        def _look(route: ServingRoute, reading: Transaction) -> list[Blockade]:
            found: list[Blockade] = []
            for each in judge(route, reading, Thing(doomed.type, doomed.name)).deleted:
                shadow = reading.shadow(each.type, each.name)
                if shadow is not None and shadow.uid is not None:
                    found += reading.constraints.blockades(shadow.uid)
            return found

        return self._router.read_active(here.region, here.service, _look)[1]  # type: ignore[arg-type]

    def _settle_decided(self, here: Peer, blockades: Sequence[Blockade]) -> None:
        """Take down blockades whose attempts ended, without ending those that are under way."""
        waiting: dict[str, set[str]] = {}
        for each in blockades:
            waiting.setdefault(each.source, set()).add(each.token)
        for source, tokens in sorted(waiting.items()):
            asked = Tokens(tuple(sorted(tokens)), settle=False)
            try:
                answer = self._peers.call(here, Peer.parse(source), "resolveAttempt", write(asked))
            except SwitchyardError as error:
                raise _unknown(source, error) from error
            self.settled(here, source, read(answer, Outcomes).outcomes)

    def settled(self, here: Peer, source: str, outcomes: Mapping[str, str]) -> None:
        """Take down the blockades of attempts that ended, one way or the other."""

        def _change(_: ServingRoute, transaction: Transaction) -> None:
            transaction.constraints.unblock(source, *sorted(outcomes))

        if outcomes:
            self._router.write_active(here.region, here.service, _change)

    def _mark(self, here: Peer, doomed: PendingDeletion) -> Sequence[Marked]:
        def _change(route: ServingRoute, transaction: Transaction) -> Sequence[Marked]:
            thing = Thing(doomed.type, doomed.name)
            if transaction.shadow(thing.type, thing.name) is None:
                return ()
            found = judge_locked(route, transaction, thing)
            if not found.complete:
                found = DeletionVerdict((thing,), (), ())
            found.or_refuse(thing)
            marked = [_marked(route, transaction, each, thing) for each in found.deleted]
            return [each for each in marked if each is not None]

        return self._router.write_active(here.region, here.service, _change)[1]


def _marked(route: ServingRoute, transaction: Transaction, thing: Thing, root: Thing) -> Marked | None:
    """Mark one shadow when another deployment may refer to it."""
    shadow, resource = transaction.shadow(thing.type, thing.name), transaction.get(thing.type, thing.name)
    if shadow is None or resource is None:
        return None
    blockades = transaction.constraints.blockades(resource.uid)
    tentative = next((each for each in blockades if each.kind == "BLOCK"), None)
    if tentative is not None:
        raise Conflict(
            message(
                "{name} is just being referred to by {source}.", name=thing.name, source=tentative.source
            ),
            code="deletion-blocked",
            remedy=message("Try again in a moment; see who refers to it then."),
            violations=(Violation(f"//{_place(tentative.source)}", message("is making a reference to it")),),
        )
    if shadow.state is ShadowState.DELETE_PENDING:
        raise Busy(
            message("{name} is already asked to be deleted.", name=thing.name), code="deletion-pending"
        )
    if not shadow.sources and not blockades:
        return None
    names = names_of(route, thing.type, thing.name, resource.body)
    marked = replace(
        shadow,
        uid=resource.uid,
        # What is being deleted already, only blocked so far, stays so.
        state=shadow.state if shadow.state is ShadowState.DELETING else ShadowState.DELETE_PENDING,
        delete_id=shadow.delete_id + 1,
        names=names,
        root=f"{root.type} {root.name}",
    )
    transaction.put_shadow(marked)
    return Marked(marked, Dying(resource.uid, names, marked.delete_id))


def _by_source(marked: Sequence[Marked]) -> dict[str, list[Dying]]:
    found: dict[str, list[Dying]] = {}
    for each in marked:
        for source in each.shadow.sources:
            found.setdefault(source, []).append(each.asked)
    return dict(sorted(found.items()))


def dying_of(shadow: Shadow) -> Dying:
    """Say of a shadow what its sources are asked."""
    uid = shadow.uid or UUID(int=0)
    return Dying(uid, dict(shadow.names), shadow.delete_id)


def _unknown(source: str, error: SwitchyardError) -> Busy:
    return PeerUnavailable(
        message("It is not known whether {source} refers to it:", source=source) + error.words,
        remedy=message("Nothing was deleted; try again once it answers, or let an administrator evict it."),
    )


def _place(source: str) -> str:
    peer = Peer.parse(source)
    return f"{peer.service}/{peer.region}"
