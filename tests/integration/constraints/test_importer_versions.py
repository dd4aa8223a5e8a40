"""References keep resolving while the service that refers changes its version too: every combination, and back."""

from __future__ import annotations

import itertools

import pytest

from migrations_app import wiring
from migrations_app.adapters.conversions import StoredConverter
from migrations_app.adapters.repositories.served import layouts_of
from migrations_app.control.registry.repository.upgrade_contexts import keep_place, place_of
from migrations_app.engine.constraints.auditing import Auditing
from migrations_app.engine.serving.references.stored_references import StoredReferences
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict
from migrations_app.ports.constraints import ConstraintTally
from migrations_app.ports.feed import Position
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import KeyRange, ReplicationToken
from tests.factories.puts import carried
from tests.integration.constraints.test_versions import APPS, NEW, OLD, Pair, pair  # noqa: F401 -- a fixture
from tests.integration.resource_api.conftest import REGION, SERVICE, ports  # noqa: F401 -- a fixture

IMPORTS = {"v1": ("v1alpha2", OLD), "v2": ("v1", NEW)}
"""What each version of the importer calls the secret, and in which version of the secrets service."""
OF = {APPS: ("v1", "v2"), SERVICE: ("v1alpha2", "v1")}


def active(service: str) -> str:
    return wiring.router().read_active(REGION, service, lambda route, _: route.stored_version)[1]


def _turn(pair: Pair, service: str) -> None:  # noqa: F811
    """Move a service to its other version, converted with its references as followers do it."""
    source = active(service)
    (target,) = set(OF[service]) - {source}
    deployment = Peer(service, REGION).deployment
    old, new = (place_of(deployment, version, pair.ports.database, 16) for version in (source, target))
    keep_place(new)
    wiring.directory().forget(REGION, service)
    served = wiring.directory().served(REGION, service)
    store, feed, fence = wiring.store(), wiring.feed(), wiring.fence()
    store.prepare(new, layouts_of(served.compiled, target))
    state = fence.state(FenceLocation.of(old))
    feed.register(old, "test", {shard: Position("0.0") for shard in range(16)})
    frozen = fence.freeze(old, state)
    references = StoredReferences(served.compiled, target, REGION)
    for type_, shard in itertools.product(store.types(old), range(16)):
        converter = StoredConverter(served.compiled.stored.typed(source, target), type_, references)
        puts = []
        for found in store.page(old, KeyRange(type_, shard)):
            made = converter.forward(found.name, found.body)
            puts.append(
                carried(
                    found,
                    made.name,
                    type=made.type,
                    body=made.body,
                    references=made.references,
                )
            )
        store.copy(new, puts, ReplicationToken(source, frozen.epoch))
    batch = feed.read(old, Position("0.0"), settled=True)
    for shard in range(16):
        feed.advance(old, "test", shard, batch.position, reached=batch.reached, epoch=frozen.epoch)
    fence.flip(old, new, fence.prove(frozen), "test")
    feed.forget(old, "test")


def holds(pair: Pair) -> None:  # noqa: F811
    """See that the secret is still held by the app, whichever versions are active, and that new apps may refer to it."""
    importer, importee = active(APPS), active(SERVICE)
    _, name = IMPORTS[importer]
    found = pair.reading(APPS).get("App", "apps/a")
    assert found is not None
    assert found.body == {"block": name}
    with pytest.raises(Conflict) as refused:
        pair.write(SERVICE, importee, "delete", "Secret", {"v1alpha2": OLD, "v1": NEW}[importee])
    assert refused.value.code == "deletion-blocked", refused.value
    assert f"//{APPS}/{REGION}/apps/a#block" in [each.path for each in refused.value.violations]
    pair.app(f"{importer}-{importee}-{len(_apps(pair))}", version=importer, block=name)
    pair.work()
    auditing = Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts)
    assert list(auditing.audit(Peer(APPS, REGION))) == []
    assert pair.reading(SERVICE).constraints.tally() == ConstraintTally()


def _apps(pair: Pair) -> list[str]:  # noqa: F811
    held = pair.reading(APPS).constraints.held(("", "", -1), 100)
    return [each.name for each in held]


@pytest.mark.parametrize("first", [APPS, SERVICE], ids=["importer-first", "importee-first"])
def test_a_reference_holds_in_every_combination_of_versions_and_on_the_way_back(
    pair: Pair,  # noqa: F811
    first: str,
) -> None:
    pair.app("a", block=OLD)
    pair.work()
    (second,) = {APPS, SERVICE} - {first}
    holds(pair)
    seen = {(active(APPS), active(SERVICE))}
    for service in (first, second, second, first):
        _turn(pair, service)
        seen.add((active(APPS), active(SERVICE)))
        holds(pair)
    assert len(seen) == 3
    assert (active(APPS), active(SERVICE)) == ("v1", "v1alpha2")


@pytest.mark.parametrize("turned", [(), (APPS,), (SERVICE,), (APPS, SERVICE)], ids=str)
def test_a_deletion_reaches_who_refers_in_every_combination_of_versions(
    pair: Pair,  # noqa: F811
    turned: tuple[str, ...],
) -> None:
    pair.app("f", follow=OLD)
    pair.app("u", clear=OLD)
    pair.work()
    for service in turned:
        _turn(pair, service)
    importee = active(SERVICE)
    pair.write(SERVICE, importee, "delete", "Secret", {"v1alpha2": OLD, "v1": NEW}[importee])
    pair.work()
    assert pair.reading(APPS).get("App", "apps/f") is None
    kept = pair.reading(APPS).get("App", "apps/u")
    assert kept is not None
    assert (kept.body, _apps(pair)) == ({}, [])
    assert pair.reading(SERVICE).constraints.tally() == ConstraintTally()


@pytest.mark.parametrize("service", [APPS, SERVICE])
def test_a_deletion_that_began_before_a_switch_ends_after_it(pair: Pair, service: str) -> None:  # noqa: F811
    pair.app("f", follow=OLD)
    pair.work()
    pair.write(SERVICE, "v1alpha2", "delete", "Secret", OLD)
    _turn(pair, service)
    pair.work()
    assert (_apps(pair), pair.reading(SERVICE).constraints.tally()) == ([], ConstraintTally())


def test_an_attempt_that_was_announced_before_the_importer_switched_commits_or_ends(pair: Pair) -> None:  # noqa: F811
    pair.establish("late", *IMPORTS["v1"])
    _turn(pair, APPS)
    assert pair.reading(SERVICE).constraints.tally().blockades == 1
    wiring.router().write_active(
        REGION, SERVICE, lambda _, now: now.constraints.ask_later("1700000000-late", -1)
    )
    pair.work()
    assert pair.reading(SERVICE).constraints.tally() == ConstraintTally()
    pair.write(SERVICE, "v1alpha2", "delete", "Secret", OLD)
    assert pair.reading(SERVICE).get("Secret", OLD) is None


def test_a_write_in_the_old_version_refers_by_the_new_name_once_the_importer_switched(pair: Pair) -> None:  # noqa: F811
    _turn(pair, APPS)
    request = WriteRequest("create", "App", "apps/old", body={"block": OLD})
    wiring.resource_servers().writing.write(REGION, APPS, "v1", [request])
    pair.work()
    found = pair.reading(APPS).get("App", "apps/old")
    assert found is not None
    assert found.body == {"block": NEW}
    with pytest.raises(Conflict) as refused:
        pair.write(SERVICE, "v1alpha2", "delete", "Secret", OLD)
    assert refused.value.code == "deletion-blocked"
