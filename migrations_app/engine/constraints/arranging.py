"""The writer's side: finds who owns what is referred to, and announces references before they are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from migrations_app.domain.regions.placement import region_of
from migrations_app.engine.constraints.agreeing import Agreeing
from migrations_app.engine.constraints.messages import Establish, Established, NewReference, read, write
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel.errors import Conflict, Invalid, SwitchyardError, Violation
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.ports.regions.arrangements import Agreed, PendingDeletion, UnconfirmedReference
from migrations_app.ports.regions.peers import Peer, Peers, Question

Regions = Callable[[str], Sequence[str]]
"""Tells the regions that a service is deployed in."""
_MOVES = 3


class Arranging:
    """`ports.arrangements.Arrangements` over the peers."""

    def __init__(
        self, router: Router, peers: Peers, regions: Regions, hint: Callable[[Peer], object] = lambda _: None
    ) -> None:
        self._peers, self._regions, self._hint = peers, regions, hint
        self._agreeing = Agreeing(router, peers)

    def whereabouts(self, here: Peer, service: str, name: str) -> str | None:
        """Tell the region to ask about a resource: that of its name, else one's own, else the first."""
        deployed = self._regions(service)
        try:
            named = region_of(name)
        except Invalid:
            named = None
        for region in (named, here.region):
            if region in deployed:
                return region
        return deployed[0] if deployed else None

    def establish(
        self, here: Peer, token: str, wanted: Sequence[UnconfirmedReference]
    ) -> Mapping[UnconfirmedReference, Peer]:
        """Announce references, following targets to the regions that own them."""
        asked = {each: Peer(each.service, self._region(here, each)) for each in wanted}
        settled: dict[UnconfirmedReference, Peer] = {}
        for _ in range(_MOVES):
            for peer, group, moved in self._establish(here, token, asked):
                for each in group:
                    if each in moved:
                        asked[each] = moved[each]
                if not moved:
                    settled |= dict.fromkeys(group, peer)
                    for each in group:
                        del asked[each]
            if not asked:
                return settled
        raise Conflict(
            message("No deployment owns {name}.", name=next(iter(asked)).name), code="reference-missing"
        )

    def agree(self, here: Peer, doomed: PendingDeletion) -> Agreed:
        """Mark what is to be deleted, and ask everybody who may refer to it."""
        return self._agreeing.agree(here, doomed)

    def withdraw(self, here: Peer, agreed: Agreed) -> None:
        """Give up deletions that were agreed to."""
        self._agreeing.withdraw(here, agreed)

    def written(self, here: Peer) -> None:
        """Hint that there is something to follow up."""
        self._hint(here)

    def _region(self, here: Peer, wanted: UnconfirmedReference) -> str:
        return self.whereabouts(here, wanted.service, wanted.name) or here.region

    def _establish(
        self, here: Peer, token: str, asked: Mapping[UnconfirmedReference, Peer]
    ) -> list[tuple[Peer, list[UnconfirmedReference], dict[UnconfirmedReference, Peer]]]:
        """Announce each deployment's group, all at the same time.

        Tell of each which of it has moved, in which case none of it was announced.
        """
        groups = _grouped(asked)
        questions = [
            Question(peer, "establishReferences", write(_asking(token, version, group)))
            for (peer, version), group in groups
        ]
        told = []
        for ((peer, _), group), answer in zip(groups, self._peers.call_all(here, questions), strict=True):
            if isinstance(answer, SwitchyardError):
                raise answer
            found = read(answer, Established)
            _refuse(found, peer, group)
            moved = {group[each.index]: Peer(peer.service, each.region) for each in found.remote_targets}
            told.append((peer, group, moved))
        return told


def _grouped(
    asked: Mapping[UnconfirmedReference, Peer],
) -> list[tuple[tuple[Peer, str], list[UnconfirmedReference]]]:
    found: dict[tuple[Peer, str], list[UnconfirmedReference]] = {}
    for each, peer in asked.items():
        found.setdefault((peer, each.version), []).append(each)
    return sorted(found.items(), key=lambda pair: pair[0])


def _asking(token: str, version: str, group: Sequence[UnconfirmedReference]) -> Establish:
    references = tuple(NewReference(each.type, each.name, each.kind, each.path) for each in group)
    return Establish(token, version, references)


def _refuse(found: Established, peer: Peer, group: Sequence[UnconfirmedReference]) -> None:
    if found.closed:
        names = [group[each] for each in found.closed]
        raise Conflict(
            message(
                "{path} refers to {name}, whose allowedServices do not name this service.",
                path=names[0].path,
                name=names[0].name,
            ),
            code="reference-not-allowed",
            remedy=message("Add the service to metadata.services.allowedServices of the resource."),
            violations=tuple(
                Violation(each.path, message("refers to {name}, which is closed", name=each.name))
                for each in names
            ),
        )
    refused = [*found.missing, *found.deleting]
    if not refused:
        return
    first = group[refused[0]]
    values = {"path": first.path, "name": first.name, "deployment": peer.deployment}
    raise Conflict(
        message("{path} refers to {name}, which does not exist in {deployment}.", **values)
        if found.missing
        else message("{path} refers to {name}, which is being deleted in {deployment}.", **values),
        code="reference-missing" if found.missing else "reference-deleting",
        remedy=message("Create it first.") if found.missing else message("Refer to something that stays."),
        violations=tuple(
            Violation(group[each].path, _lacking(group[each].name, is_missing=bool(found.missing)))
            for each in refused
        ),
    )


def _lacking(name: str, *, is_missing: bool) -> WordedMessage:
    if is_missing:
        return message("refers to {name}, which does not exist", name=name)
    return message("refers to {name}, which is being deleted", name=name)
