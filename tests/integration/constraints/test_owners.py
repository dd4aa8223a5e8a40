"""Owner references over services: confirmed, removed with their owner, never lost to a reused name."""

from __future__ import annotations

from migrations_app import wiring
from migrations_app.engine.constraints.auditing import Auditing, ConstraintFinding
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.constraints import ConstraintTally
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.regions.peers import Peer
from tests.integration.constraints.conftest import EU, IAM, SECRETS, Fleet

KEY = "projects/p/cryptoKeys/k"


def _owned_key(fleet: Fleet, *owners: str, name: str = KEY, **more: Json) -> None:
    listed: list[Json] = [
        {"kind": f"{IAM}/Project", "version": "v1", "name": owner, "region": EU, **more} for owner in owners
    ]
    fleet.create(SECRETS, EU, "CryptoKey", name, metadata={"ownerReferences": listed})


def _links(fleet: Fleet, name: str = KEY) -> tuple[OwnerLink, ...]:
    found = fleet.find(SECRETS, EU, "CryptoKey", name)
    assert found is not None
    return fleet.reading(SECRETS, EU).constraints.owners.of(found.uid)


def _ask_now(fleet: Fleet, *, old: bool = False) -> None:
    served = wiring.directory().served(EU, SECRETS)
    with wiring.databases().transaction(served.namespaces[served.current_version].database) as connection:
        connection.execute("UPDATE switchyard.owner_reference SET ask_at = now()")
        if old:
            connection.execute("UPDATE switchyard.owner_reference SET since = now() - interval '1 hour'")


def test_an_owner_is_confirmed_and_takes_its_ownees_with_it(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _owned_key(fleet, "projects/p")
    fleet.work(1)
    owner = fleet.find(IAM, EU, "Project", "projects/p")
    assert owner is not None
    (link,) = _links(fleet)
    assert (link.owner_uid, link.owner_version) == (owner.uid, "v1")

    fleet.delete(IAM, EU, "Project", "projects/p")
    fleet.work(2)
    assert fleet.find(SECRETS, EU, "CryptoKey", KEY) is None
    assert fleet.reading(IAM, EU).constraints.tally() == ConstraintTally()


def test_the_audit_names_what_was_begun_and_has_not_ended(fleet: Fleet) -> None:
    auditing = Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts, late_seconds=0.0)
    here = Peer(IAM, EU)
    fleet.create(IAM, EU, "Project", "projects/p")
    _owned_key(fleet, "projects/p")
    fleet.work(1)
    assert list(auditing.audit(here)) == []
    owner = fleet.find(IAM, EU, "Project", "projects/p")
    assert owner is not None
    source = Peer(SECRETS, EU).deployment
    with wiring.store().transaction(wiring.directory().served(EU, IAM).namespaces["v1"]) as transaction:
        transaction.constraints.block("1-a", source, {owner.uid: "UNSET"}, 300)
    name, said = f"//{IAM}/{EU}/projects/p", f"{source} has not told how attempt 1-a ended."
    assert list(auditing.audit(here)) == [ConstraintFinding(f"//{SECRETS}/{EU}", name, "", "unsettled", said)]
    with wiring.store().transaction(wiring.directory().served(EU, IAM).namespaces["v1"]) as transaction:
        transaction.constraints.unblock(source, "1-a")

    fleet.delete(IAM, EU, "Project", "projects/p")
    told = f"DELETING; it waits for the word of {source}."
    assert list(auditing.audit(here)) == [ConstraintFinding(name, name, "", "undeleted", told)]
    late = Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts)
    assert list(late.audit(here)) == [], "it has some minutes"
    fleet.work(2)
    assert list(auditing.audit(here)) == []


def test_the_audit_names_an_owner_that_went_without_a_word_and_is_not_misled_by_its_name(
    fleet: Fleet,
) -> None:
    auditing = Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts)
    fleet.create(IAM, EU, "Project", "projects/p")
    _owned_key(fleet, "projects/p")
    fleet.work(1)
    assert list(auditing.audit(Peer(SECRETS, EU))) == []
    with wiring.store().transaction(wiring.directory().served(EU, IAM).namespaces["v1"]) as transaction:
        transaction.delete("Project", "projects/p")
    fleet.create(IAM, EU, "Project", "projects/p")
    assert list(auditing.audit(Peer(SECRETS, EU))) == [
        ConstraintFinding(
            f"//{SECRETS}/{EU}/{KEY}", f"//{IAM}/{EU}/projects/p", "metadata.ownerReferences", "gone"
        )
    ]


def test_an_ownee_lives_while_one_owner_does_and_loses_the_reference_to_the_other(fleet: Fleet) -> None:
    for name in ("p", "q"):
        fleet.create(IAM, EU, "Project", f"projects/{name}")
    _owned_key(fleet, "projects/p", "projects/q")
    fleet.work(1)
    fleet.delete(IAM, EU, "Project", "projects/p")
    fleet.work(2)
    kept = fleet.find(SECRETS, EU, "CryptoKey", KEY)
    assert kept is not None
    assert [each["name"] for each in kept.metadata["ownerReferences"]] == ["projects/q"]  # type: ignore[union-attr, index, call-overload]
    assert [each.owner_name for each in _links(fleet)] == ["projects/q"]


def test_who_is_only_to_be_unset_stays_without_the_reference(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _owned_key(fleet, "projects/p", unsetOnDelete=True)
    fleet.work(1)
    fleet.delete(IAM, EU, "Project", "projects/p")
    fleet.work(2)
    kept = fleet.find(SECRETS, EU, "CryptoKey", KEY)
    assert kept is not None
    assert "ownerReferences" not in kept.metadata


def test_an_owner_may_come_later_and_one_that_never_comes_is_denied_for_good(fleet: Fleet) -> None:
    _owned_key(fleet, "projects/p")
    _owned_key(fleet, "projects/never", name="projects/p/cryptoKeys/n")
    fleet.work(1)
    assert _links(fleet)[0].owner_uid is None
    fleet.create(IAM, EU, "Project", "projects/p")
    _ask_now(fleet)
    fleet.work(1)
    assert _links(fleet)[0].owner_uid is not None
    _ask_now(fleet, old=True)
    fleet.work(1)
    assert fleet.find(SECRETS, EU, "CryptoKey", KEY) is not None
    assert fleet.find(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/n") is None


def test_a_reused_name_does_not_own_what_the_one_before_it_owned(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _owned_key(fleet, "projects/p")
    fleet.work(1)
    (before,) = _links(fleet)
    late = {"claims": [{"refId": str(before.ref_id), "type": "Project", "name": "projects/p", "bar": True}]}
    fleet.delete(IAM, EU, "Project", "projects/p")
    fleet.work(2)
    mixin, sender, owner = wiring.mixin(), fleet.peer(SECRETS, EU), fleet.peer(IAM, EU)
    assert mixin.answer(sender, owner, "confirmMetaOwner", late) == {"barred": [0]}  # type: ignore[arg-type]

    fleet.create(IAM, EU, "Project", "projects/p")
    assert mixin.answer(sender, owner, "confirmMetaOwner", late) == {"barred": [0]}  # type: ignore[arg-type]
    _owned_key(fleet, "projects/p")
    fleet.work(1)
    (after,) = _links(fleet)
    assert after.ref_id != before.ref_id
    gone = {"uids": [str(before.owner_uid)]}
    mixin.answer(owner, sender, "removeMetaOwnerReference", gone)  # type: ignore[arg-type]
    assert fleet.find(SECRETS, EU, "CryptoKey", KEY) is not None


def test_taking_an_owner_out_of_the_metadata_ends_the_link(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    _owned_key(fleet, "projects/p")
    fleet.work(1)
    without = WriteRequest("update", "CryptoKey", KEY, body={"metadata": {"labels": {"a": "b"}}})
    fleet.write(SECRETS, EU, without)
    assert _links(fleet) == ()
    fleet.delete(IAM, EU, "Project", "projects/p")
    fleet.work(2)
    assert fleet.find(SECRETS, EU, "CryptoKey", KEY) is not None


def test_owners_tell_their_version_and_who_is_owned_writes_it_down(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    listed: list[Json] = [{"kind": f"{IAM}/Project", "name": "projects/p", "region": EU}]
    fleet.create(SECRETS, EU, "CryptoKey", KEY, metadata={"ownerReferences": listed})
    fleet.work(1)
    kept = fleet.find(SECRETS, EU, "CryptoKey", KEY)
    assert kept is not None
    assert kept.metadata["ownerReferences"] == [
        {"kind": f"{IAM}/Project", "version": "v1", "name": "projects/p", "region": EU}
    ]
    mixin, owned_name, owner = wiring.mixin(), fleet.peer(SECRETS, EU), fleet.peer(IAM, EU)
    (link,) = _links(fleet)
    asked: JsonObject = {"uids": [str(link.owner_uid)]}
    assert mixin.answer(owner, owned_name, "listMetaOwnees", asked) == {
        "ownees": [
            {"ownerUid": str(link.owner_uid), "refId": str(link.ref_id), "type": "CryptoKey", "name": KEY}
        ]
    }
    assert mixin.answer(owner, owned_name, "checkIfHasMetaOwnee", asked) == asked
    reading = fleet.reading(SECRETS, EU).constraints
    assert reading.owners.due(10) == ()
    mixin.answer(owner, owned_name, "upgradeMetaOwnerVersion", {"version": "v2"})
    assert [each.ref_id for each in reading.owners.due(10)] == [link.ref_id]
