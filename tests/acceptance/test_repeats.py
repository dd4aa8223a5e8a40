"""kill -9 in the middle of a batch: that one batch is repeated, no other, and no row of it is written twice."""

from __future__ import annotations

import pytest

from migrations_app import wiring
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.switch import preparing
from migrations_app.engine.sync.backfill import PAGE
from migrations_app.engine.sync.shard_pipeline import follower_name
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import Direction
from tests.acceptance.hands import Crew
from tests.acceptance.hands import crew as crew
from tests.integration.switch.secrets_upgrade import reach, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SHARDS, PAGES = 4, 2
FILLED = SHARDS * PAGE + 4_000
"""Every shard has one full page and a second one that is not full."""
CHANGED = 120

FILL = """
INSERT INTO {schema}."r_Secret"
    (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT name, switchyard.shard_of(name, 4), switchyard.shard_of(name, 4), gen_random_uuid(), 1,
    jsonb_build_object('name', name, 'title', 'Secret ' || number), '{{"generation": "1"}}', 'eu-west1', now(), now()
FROM (SELECT number, 'projects/p/secrets/filled-' || number AS name FROM generate_series(1, %s) number) made
"""
# A row trigger before the insert sees what a batch brings even where the newer row stays.
COUNT = """
CREATE TABLE {schema}.brought (name text NOT NULL, revision bigint NOT NULL, written boolean NOT NULL);
CREATE FUNCTION {schema}.count_brought() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO {schema}.brought VALUES (NEW.name, NEW.revision, TG_WHEN = 'AFTER');
    RETURN NEW;
END $$;
CREATE TRIGGER a_brought BEFORE INSERT ON {schema}."r_Secret" FOR EACH ROW EXECUTE FUNCTION {schema}.count_brought();
CREATE TRIGGER a_written AFTER INSERT OR UPDATE ON {schema}."r_Secret"
    FOR EACH ROW EXECUTE FUNCTION {schema}.count_brought();
ALTER TABLE {schema}."r_Secret" ENABLE ALWAYS TRIGGER a_brought, ENABLE ALWAYS TRIGGER a_written;
"""
REPEATED = """
SELECT switchyard.shard_of(name, 4), count(*) FROM (
    SELECT name, revision FROM {schema}.brought WHERE written = %s GROUP BY 1, 2 HAVING count(*) > 1) again
GROUP BY 1 ORDER BY 1
"""


def execute(namespace: Namespace, statement: str, *parameters: object) -> list[tuple[object, ...]]:
    with wiring.databases().transaction(namespace.database) as connection:
        connection.execute("SET LOCAL switchyard.capture = 'off'")
        cursor = connection.execute(statement.format(schema=namespace.schema), parameters or None)
        return list(cursor.fetchall()) if cursor.description else []


def repeated(target: Namespace, *, written: bool) -> dict[object, object]:
    """How many (name, revision) came more than once, by shard: brought at all, or written."""
    return dict(execute(target, REPEATED, written))


@pytest.fixture
def counted(started: str) -> tuple[str, Namespace, Namespace]:
    """The upgrade with its two namespaces: the old one filled, the new one counting what is brought."""
    record = wiring.ports().upgrades.load(started)
    budget = Budget(60.0, wiring.clock())
    assert preparing.prepare(wiring.ports(), record, budget, Lease(started, 1, "switch"))
    execute(record.source, FILL, FILLED)
    execute(record.target, COUNT)
    return started, record.source, record.target


def copied_by_shard(source: Namespace) -> dict[object, object]:
    return dict(execute(source, 'SELECT shard, count(*) FROM {schema}."r_Secret" GROUP BY 1'))


def test_a_copy_killed_between_a_page_and_its_checkpoint_repeats_that_page_alone(
    counted: tuple[str, Namespace, Namespace], crew: Crew
) -> None:
    upgrade, source, target = counted
    assert all(PAGE < int(str(count)) < PAGES * PAGE for count in copied_by_shard(source).values())
    crew.start("backfill.after:exit@1")
    crew.wait_killed()
    crew.start()
    reach(upgrade, State.READY, crew.log)
    # A page is of all the shards that are copied beside each other.
    again = repeated(target, written=False)
    assert sum(int(str(count)) for count in again.values()) == PAGE
    assert len(again) == SHARDS
    assert repeated(target, written=True) == {}
    counts = execute(target, 'SELECT count(*), count(DISTINCT name) FROM {schema}."r_Secret"')
    assert counts == [(FILLED + 60, FILLED + 60)]


def test_a_copy_killed_at_any_moment_repeats_no_more_than_a_page_for_each_kill(
    counted: tuple[str, Namespace, Namespace], crew: Crew
) -> None:
    upgrade, _, target = counted
    kills = 3
    for brought in range(kills):
        hand = crew.start()
        while (
            execute(target, "SELECT count(*) FROM {schema}.brought WHERE NOT written")[0][0] <= brought * PAGE
        ):
            assert hand.poll(0.01) is None, crew.log()
        hand.kill()
    crew.start()
    reach(upgrade, State.READY, crew.log)
    assert sum(int(str(count)) for count in repeated(target, written=False).values()) <= kills * PAGE
    assert repeated(target, written=True) == {}
    assert execute(target, 'SELECT count(*) FROM {schema}."r_Secret"') == [(FILLED + 60,)]


def test_following_killed_between_a_batch_and_its_cursor_repeats_that_batch_alone(
    counted: tuple[str, Namespace, Namespace], crew: Crew
) -> None:
    upgrade, source, target = counted
    hand = crew.start()
    reach(upgrade, State.READY, crew.log)
    hand.kill()
    names = [f"projects/p/secrets/filled-{number}" for number in range(1, CHANGED + 1)]
    for name in names:
        write(source, name, title="Changed")
    execute(target, "TRUNCATE {schema}.brought")
    # Only they: a full pass follows too, and would bring what they bring at the same time.
    crew.start("follow.applied:exit@1", only="sync")
    crew.wait_killed()
    first = dict(
        execute(
            target,
            "SELECT switchyard.shard_of(name, 4), count(*) FROM {schema}.brought WHERE written GROUP BY 1",
        )
    )
    assert len(first) == 1
    crew.start(only="sync")
    followed_all(upgrade, crew)
    assert repeated(target, written=False) == first
    assert repeated(target, written=True) == {}
    assert execute(target, "SELECT count(DISTINCT name) FROM {schema}.brought WHERE written") == [(CHANGED,)]


def followed_all(upgrade: str, crew: Crew) -> None:
    """Wait until nothing is left to follow."""
    source, follower = wiring.ports().upgrades.load(upgrade).source, follower_name(upgrade, Direction.FORWARD)
    wait_until(
        lambda: (
            not any(
                wiring.feed().backlog(source, one.position, shards=[one.shard]).entries
                for one in wiring.feed().cursors(source, follower)
            )
        ),
        crew.log,
    )
