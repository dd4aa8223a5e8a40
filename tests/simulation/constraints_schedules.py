"""Seeded schedules of writers, deleters and controllers over three deployments: every port call may be the last.

`python -m tests.simulation.constraints_schedules --count 2000` runs many; `--seed 47` shows one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import InvariantBroken as OurFault
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.uids import seeded_uids
from migrations_app.ports.constraints import ConstraintTally
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, ShadowState
from tests.factories.due_keys import keys_due
from tests.simulation.constraints_world import THINGS, USERS, World, home_of
from tests.simulation.perils import PERIL, Broken, Crash

STEPS, NAMES, DEEPEST, ROUNDS = 40, 2, 2, 10
DIES = 0.2
PAUSES = (1, 2, 6)
# Where the protocols are most easily hurt: between what others said and the commit that relies on it.
HOT = ("answer establishReferences", "answer checkIfResourceIsBlocked")
FOREIGN = ("block", "follow", "clear")


class Schedule:
    """One run, wholly determined by its seed."""

    def __init__(self, seed: int) -> None:
        self.seed, self.chance = seed, random.Random(seed)
        self.world = World(self.chance, self.may)
        self.depth, self.trace = 0, list[str]()
        self.told: dict[tuple[str, str], JsonObject] = {}
        self.work_of = [(each.name, key) for each in self.world.controllers for key in keys_due(each)]

    def may(self, call: str) -> None:
        """Die here, or let another process do something first."""
        self.world.alive()
        hot = call in HOT
        if not self.world.faulty or self.chance.random() >= (0.25 if hot else PERIL):
            return
        if self.chance.random() < (DIES / 4 if hot else DIES):
            self.note(f"dies at {call}")
            self.world.dying = True
            raise Crash
        if self.depth < DEEPEST:
            self.note(f"pauses at {call}")
            for _ in range(self.chance.choice(PAUSES) * (4 if hot else 1)):
                self.step()

    def note(self, text: str) -> None:
        self.trace.append("  " * self.depth + text)

    def run(self) -> None:
        """Let things happen, let them come to rest, and take away what blocks."""
        self.world.faulty = False
        for number in range(NAMES):
            self.write(THINGS, "create", "Thing", f"things/{number}")
        self.world.faulty = True
        for _ in range(STEPS):
            self.step()
        self.settle()

    def step(self) -> None:
        """Let a process do something; if it dies, the others live on."""
        self.depth += 1
        try:
            self._act()
        except Crash:
            self.world.dying = False
        except OurFault:
            raise
        except SwitchyardError as error:
            self.note(f"{type(error).__name__} {error.code}")
        finally:
            self.depth -= 1
        self.check()

    def _act(self) -> None:
        dice = self.chance.random()
        if dice < 0.22:
            self.change_thing()
        elif dice < 0.55:
            self.change_use(self.chance.choice(USERS))
        elif dice < 0.62 and self.world.network.late:
            late = self.world.network.late
            letter = late.pop(self.chance.randrange(len(late)))
            self.note(f"late {letter.action}")
            self.world.network.deliver(letter)
        elif dice < 0.7:
            self.world.clock.advance(self.chance.choice((1.0, 12.0, 70.0, 310.0, 310.0)))
        else:
            self.work(*self.chance.choice(self.work_of))

    def change_thing(self) -> None:
        name = f"things/{self.chance.randrange(NAMES)}"
        if self.reading(THINGS).get("Thing", name) is None:
            body: dict[str, Json] = {}
            if self.chance.random() < 0.3:
                body["inside"] = f"things/{self.chance.randrange(NAMES)}"
            self.write(THINGS, "create", "Thing", name, body)
        else:
            self.write(THINGS, "delete", "Thing", name)

    def change_use(self, here: Peer) -> None:
        name = f"regions/{here.region}/uses/{self.chance.randrange(NAMES)}"
        verb = self.chance.choice(("create", "create", "update", "delete"))
        body: dict[str, Json] = {
            field: f"things/{self.chance.randrange(NAMES)}"
            for field in FOREIGN
            if self.chance.random() < 0.35
        }
        other = self.chance.choice(USERS)
        mate = f"regions/{other.region}/uses/{self.chance.randrange(NAMES)}"
        if self.chance.random() < 0.25 and mate != name:
            body[self.chance.choice(("mate", "child"))] = mate
        if self.chance.random() < 0.25:
            owner: Json = {"kind": "base.example.com/Thing", "name": f"things/{self.chance.randrange(NAMES)}"}
            body["metadata"] = {"ownerReferences": [owner]}
        self.write(here, verb, "Use", name, body)

    def write(
        self, here: Peer, verb: str, type_: str, name: str, body: dict[str, Json] | None = None
    ) -> None:
        self.note(f"{here.region} {verb} {name} {body or ''}")
        request = WriteRequest(verb, type_, name, body=None if verb == "delete" else body or {})
        self.world.writing.write(here.region, here.service, "v1", [request])
        self.note(f"done {name}")

    def work(self, controller: str, key: str) -> None:
        found = next(each for each in self.world.controllers if each.name == controller)
        self.note(f"{controller} {key}")
        told = self.told.get((controller, key), {})
        outcome = found.reconcile(key, Budget(2.0, self.world.clock), Lease(key, 1, memo=told))
        if isinstance(outcome, Again) and outcome.memo is not None:
            self.told[controller, key] = outcome.memo

    def reading(self, peer: Peer) -> Reading:
        return self.world.memory.read(home_of(peer))

    def references(self) -> Iterator[tuple[Peer, str, str, str, Peer]]:
        """Every reference that is committed: from where, by whom, of what kind, to what, and where that is."""
        for peer in (THINGS, *USERS):
            kept = self.world.databases.namespace(home_of(peer))
            for (_, name), references in kept.references.items():
                for each in references:
                    yield peer, name, each.kind.value, each.target_name, self._owner(each.target_name)

    @staticmethod
    def _owner(name: str) -> Peer:
        return (
            THINGS
            if name.startswith("things/")
            else next(each for each in USERS if name.startswith(f"regions/{each.region}/"))
        )

    def check(self) -> None:
        """I1, at every moment: no committed reference blocks on what is gone."""
        for peer, name, kind, target, owner in self.references():
            type_ = "Thing" if owner == THINGS else "Use"
            if kind == "BLOCK" and self.reading(owner).get(type_, target) is None:
                raise Broken(f"{name} of {peer.region} refers to {target}, which is gone")

    def settle(self) -> None:
        """Nothing fails any more: what is under way ends; once nothing blocks, everything is done."""
        self.world.faulty = False
        late, self.world.network.late = self.world.network.late, []
        for letter in late:
            try:
                self.world.network.deliver(letter)
            except SwitchyardError as error:
                self.note(f"late {letter.action}: {error.code}")
        self.rest()
        self.check_rest()
        for peer, name, kind, _, _ in list(self.references()):
            if kind == "BLOCK" and self.reading(peer).get("Use", name) is not None:
                request = WriteRequest("update", "Use", name, body={})
                self.world.writing.write(peer.region, peer.service, "v1", [request])
        self.rest()
        for peer in (THINGS, *USERS):
            found = self.reading(peer).constraints.tally()
            if found != ConstraintTally():
                raise Broken(f"with nothing that blocks, {peer.deployment} has {found}")
        self.check_rest()

    def rest(self) -> None:
        for _ in range(ROUNDS):
            self.world.clock.advance(100.0)
            for work in self.work_of:
                self.work(*work)
            self.check()

    def check_rest(self) -> None:
        """I2, I9 and the order of references, once all has come to rest."""
        for peer in (THINGS, *USERS):
            tally = self.reading(peer).constraints.tally()
            if (tally.blockades, tally.owed, tally.pending_deletes) != (0, 0, 0):
                raise Broken(f"{peer.deployment} does not come to rest: {tally}")
            self.check_owners(peer)
            for shadow in self.reading(peer).constraints.moving():
                self.check_held(peer, shadow.type, shadow.name)
        for peer, name, kind, target, owner in self.references():
            type_ = "Thing" if owner == THINGS else "Use"
            found, known = self.reading(owner).get(type_, target), self.reading(owner).shadow(type_, target)
            if found is None and not (known and known.state is ShadowState.DELETING):
                raise Broken(f"{name} of {peer.region} refers by {kind} to {target}, which is gone for good")
            if peer != owner and known is not None and peer.deployment not in known.sources:
                raise Broken(f"{target} does not know that {peer.deployment} refers to it")

    def check_owners(self, peer: Peer) -> None:
        """I8, at rest: no reference to a dead owner survives, nor one whose owner does not know of it."""
        kept = self.world.databases.namespace(home_of(peer))
        for resource in kept.resources.values():
            for link in self.reading(peer).constraints.owners.of(resource.uid):
                owner = self.reading(Peer.parse(link.owner)).get(link.owner_type, link.owner_name)
                shadow = self.reading(Peer.parse(link.owner)).shadow(link.owner_type, link.owner_name)
                dying = shadow is not None and shadow.state is ShadowState.DELETING
                if dying or self._is_dying(peer, resource.name):
                    continue
                if owner is None or owner.uid != link.owner_uid:
                    raise Broken(
                        f"{resource.name} of {peer.region} is owned by {link.owner_name}, which is gone"
                    )
                if shadow is None or peer.deployment not in shadow.sources:
                    raise Broken(f"{link.owner_name} does not know that it owns {resource.name}")

    def _is_dying(self, peer: Peer, name: str) -> bool:
        shadow = self.reading(peer).shadow("Use", name)
        return shadow is not None and shadow.state is ShadowState.DELETING

    def check_held(self, peer: Peer, type_: str, name: str) -> None:
        """What is still being deleted is held by a resource that refers to it."""
        holders = [other for _, other, _, target, _ in self.references() if target == name]
        shadow = self.reading(peer).shadow(type_, name)
        owned = shadow is not None and any(
            self.reading(other).constraints.owners.owned_by(
                peer.deployment, [shadow.uid] if shadow.uid else []
            )
            for other in USERS
        )
        if not holders and not owned:
            raise Broken(
                f"the deletion of {type_} {name} in {peer.deployment} does not end, and nothing holds it"
            )


def fate(seed: int) -> tuple[BaseException | None, Schedule]:
    """Run one schedule; tell what it broke on, if it did."""
    schedule = Schedule(seed)
    try:
        with seeded_uids(f"schedule {seed}"):
            schedule.run()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return error, schedule
    return None, schedule


def told(seed: int) -> str:
    """Tell a schedule with what it broke on."""
    error, schedule = fate(seed)
    return "\n".join([*schedule.trace, f"seed {seed}: {error!r}"])


def main() -> int:
    """Run many schedules, or show one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    asked = parser.parse_args()
    if asked.seed is not None:
        sys.stdout.write(told(asked.seed) + "\n")
        return 0
    for seed in range(asked.first, asked.first + asked.count):
        error, _ = fate(seed)
        if error is not None:
            sys.stdout.write(f"seed {seed}: {error!r}\n")
            return 1
    sys.stdout.write(f"{asked.count} schedules hold\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
