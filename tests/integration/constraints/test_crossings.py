"""Two regions in processes of their own, who reach each other only through proxies that are cut."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from pytest_django.plugin import DjangoDbBlocker

from console.embedded.postgres import Postgres
from migrations_app.models.registry import Deployment, Service
from tests.integration.constraints import crossing_copies as copies
from tests.integration.constraints import crossing_references as references
from tests.integration.constraints import crossing_writes as writes
from tests.integration.constraints.two_regions import TwoRegions, two_regions
from tests.processes import Children

# The tests themselves only read the control database: a transaction that writes would hold every feed back.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def regions(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    postgres: Postgres,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[TwoRegions]:
    """Both regions for all of this module: starting four processes takes longer than most of its tests."""
    children = Children(tmp_path_factory.mktemp("regions"))
    with django_db_blocker.unblock():
        try:
            with two_regions(children, postgres) as started:
                yield started
        finally:
            children.stop()
            call_command("flush", interactive=False, verbosity=0)


def test_the_processes_of_both_regions_have_registered_themselves(regions: TwoRegions) -> None:
    deployments = Deployment.objects.filter(service="switchyard").order_by("name")
    assert [(each.region_id, each.current_version, each.database) for each in deployments] == [
        ("north", "v1", ""),
        ("south", "v1", ""),
    ]
    assert sorted(Service.objects.get(pk="switchyard").policy["enabledRegions"]) == ["north", "south"]


def test_a_write_goes_to_the_region_that_owns_it(regions: TwoRegions) -> None:
    writes.a_person_writes(regions)
    writes.it_stays_in_the_trace_of_its_caller(regions)
    writes.a_batch_goes_as_one(regions)
    writes.it_is_handed_on_once(regions)
    writes.a_handler_writes_at_a_peer(regions)


def test_who_may_not_write_in_a_region_does_not_write_there_through_another(regions: TwoRegions) -> None:
    writes.who_may_not_write_there_does_not(regions)


def test_a_write_to_a_cut_region_names_it_and_tells_whether_it_may_have_arrived(regions: TwoRegions) -> None:
    writes.a_cut_region_is_named_and_nothing_is_written(regions)


def test_copies_follow_their_owner(regions: TwoRegions) -> None:
    copies.follow(regions)


def test_copies_stay_while_their_owner_is_cut_off_and_are_level_after_it(regions: TwoRegions) -> None:
    copies.survive_cuts(regions)


def test_copies_equal_their_owners_after_cuts_delays_and_killed_workers(regions: TwoRegions) -> None:
    copies.survive_trouble(regions)


def test_every_reference_stays_true_through_cuts(regions: TwoRegions) -> None:
    references.survive_cuts(regions)


def test_every_reference_stays_true_through_races_cuts_and_killed_workers(regions: TwoRegions) -> None:
    references.survive_races(regions)
