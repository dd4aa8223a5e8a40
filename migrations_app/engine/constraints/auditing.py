"""The audit of references: every one that is kept has its target, and the target knows who refers to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from migrations_app.engine.constraints.messages import NewReference, Verified, Verify, read, write
from migrations_app.engine.serving.naming import stored_as
from migrations_app.engine.serving.routing import Route, Router
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.constraints import HeldReference
from migrations_app.ports.peers import Peer, Peers
from migrations_app.ports.store import Reading, ShadowState

PAGE = 500


@dataclass(frozen=True, slots=True)
class Finding:
    """A reference or a read copy that is not as it should be, or `unknown` when nobody answered.

    References are `gone` or `unlisted`; copies have no path and are `lacking`, `stale` or `extra`.
    """

    source: str
    target: str
    path: str
    what: str
    reason: str = ""


class Auditing:
    """Compares what deployments refer to with what is there."""

    def __init__(
        self, router: Router, peers: Peers, whereabouts: Callable[[Peer, str, str], str | None]
    ) -> None:
        self._router, self._peers, self._whereabouts = router, peers, whereabouts

    def audit(self, here: Peer) -> Iterator[Finding]:
        """Find the references of one deployment that do not hold."""
        after = ("", "", -1)
        while True:
            page = self._page(here, after)
            for (there, version), group in self._grouped(here, page).items():
                yield from self._verify(here, there, version, group)
            if len(page) < PAGE:
                return
            last = page[-1]
            after = (last.type, last.name, last.ordinal)

    def _page(self, here: Peer, after: tuple[str, str, int]) -> tuple[HeldReference, ...]:
        return self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.held(after, PAGE)
        )[1]

    def _grouped(
        self, here: Peer, page: tuple[HeldReference, ...]
    ) -> Mapping[tuple[Peer, str], list[HeldReference]]:
        found: dict[tuple[Peer, str], list[HeldReference]] = {}
        for each in page:
            reference = each.reference
            region = self._whereabouts(here, reference.target_service, reference.target_name)
            if region is not None:
                told = region if reference.named_region == region else reference.target_region or region
                there = Peer(reference.target_service, told)
                found.setdefault((there, reference.target_version), []).append(each)
        return found

    def _verify(self, here: Peer, there: Peer, version: str, group: list[HeldReference]) -> Iterator[Finding]:
        asked = tuple(
            NewReference(
                each.reference.target_type,
                each.reference.target_name,
                each.reference.kind.value,
                each.reference.path,
            )
            for each in group
        )

        def _finding(each: HeldReference, what: str, reason: str = "") -> Finding:
            source = f"//{here.service}/{here.region}/{each.name}"
            target = f"//{there.service}/{there.region}/{each.reference.target_name}"
            return Finding(source, target, each.reference.path, what, reason)

        try:
            body = write(Verify(version, asked))
            found = read(self._peers.call(here, there, "verifyReferences", body), Verified)
        except SwitchyardError as error:
            yield from (_finding(each, "unknown", error.message) for each in group)
            return
        yield from (_finding(group[index], "gone") for index in found.gone)
        yield from (_finding(group[index], "unlisted") for index in found.unlisted)


def verify(router: Router, sender: Peer, here: Peer, asked: Verify) -> Verified:
    """VerifyReferences: tell which targets are gone, and which do not list the sender."""

    def _answer(route: Route, reading: Reading) -> Verified:
        gone, unlisted = [], []
        for index, each in enumerate(asked.references):
            stored = stored_as(route, asked.version, each.type, each.name)
            found = reading.get(*stored) if stored else None
            shadow = reading.shadow(*stored) if stored else None
            if found is None:
                dying = shadow is not None and shadow.state is ShadowState.DELETING
                gone += [] if dying and each.kind != "BLOCK" else [index]
            elif sender != here and (shadow is None or sender.deployment not in shadow.sources):
                unlisted.append(index)
        return Verified(tuple(gone), tuple(unlisted))

    return router.read_active(here.region, here.service, _answer)[1]
