"""Placement as serving asks it: from the tables, kept, and known again after a change."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.registry.commands.save_registered import update_registered
from migrations_app.control.registry.repository.registry_cache import LocalRegistryCache
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.regions.placement import Placement
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.engine.registry.placements import Placements
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.ports.stored import Draft
from tests.integration.resource_api.conftest import EXAMPLES, files_of

pytestmark = pytest.mark.django_db
IAM, AUDIT, APPS = "iam.example.com", "audit.example.com", "apps.example.com"


class Fleet:
    """iam and audit of the example fleet in two regions, with iam's data in one database."""

    def __init__(self, database: str) -> None:
        for region in ("eu", "us"):
            apply_region(SYSTEM, region)
        for folder in ("iam", "audit"):
            apply_service(SYSTEM, files_of(EXAMPLES / "fleet" / folder))
        for service in (IAM, AUDIT):
            for region in ("us", "eu"):
                apply_deployment(SYSTEM, f"services/{service}/deployments/{region}", {}, database=database)
        self.clock = HeldClock()
        self.databases = Databases(settings.SWITCHYARD.data_url)
        self.store = PostgresStore(self.databases)
        feed, fence = PostgresFeed(self.databases), PostgresFence(self.databases)
        self.directory = RegistryDirectory(self.store, fence)
        self.registry_cache = LocalRegistryCache(self.clock)
        self.placements = Placements(self.directory, self.store, feed, self.registry_cache, self.clock)

    def write_policy(self, *regions: str, control: str) -> None:
        """Write the policy of project p0 where eu's iam keeps it."""
        home = self.directory.served("eu", IAM).namespaces["v1"]
        policy = {"enabledRegions": [*regions], "defaultControlRegion": control}
        with self.store.transaction(home) as transaction:
            transaction.put(Draft("Project", "projects/p0", uuid4(), {"multiRegionPolicy": policy}))  # type: ignore[dict-item]

    def place(self, name: str, type_: str, service: str = AUDIT) -> Placement:
        """Ask as eu's deployment of a service."""
        return self.placements.place("eu", service, name, type_)


@pytest.fixture
def fleet(data_database: str):  # type: ignore[no-untyped-def]
    """The fleet, its connections closed afterwards."""
    made = Fleet(data_database)
    yield made
    made.databases.close()


def test_an_importer_is_placed_by_the_holder_that_its_import_keeps(fleet: Fleet) -> None:
    fleet.write_policy("eu", "us", control="eu")
    assert fleet.place("projects/p0/logs/l0", "Log") == Placement("eu", ("eu", "us"), "projects/p0")
    assert fleet.place("projects/p0/regions/us/logs/l0", "Log").owning_region == "us"


def test_what_has_no_holder_follows_the_service_and_a_change_of_it_is_heard(fleet: Fleet) -> None:
    assert fleet.place("users/u0", "User", IAM) == Placement("us", ("eu", "us"))
    policy = {"multiRegionPolicy": {"enabledRegions": ["eu", "us"], "defaultControlRegion": "eu"}}
    update_registered(SYSTEM, RegistryKind.SERVICE, f"services/{IAM}", policy, mask=(("multiRegionPolicy",),))  # type: ignore[arg-type]
    assert fleet.place("users/u0", "User", IAM).owning_region == "us"
    fleet.clock.advance(0.6)
    assert fleet.place("users/u0", "User", IAM).owning_region == "eu"


def test_criteria_for_disabled_sync_take_a_type_out_of_a_region(fleet: Fleet) -> None:
    policy = {
        "enabledRegions": ["eu", "us"],
        "defaultControlRegion": "us",
        "criteriaForDisabledSync": [{"resourceTypeName": "User", "destRegion": "eu"}],
    }
    update_registered(
        SYSTEM,
        RegistryKind.SERVICE,
        f"services/{IAM}",
        {"multiRegionPolicy": policy},  # type: ignore[dict-item]
        mask=(("multiRegionPolicy",),),
    )
    fleet.clock.advance(0.6)
    assert fleet.place("users/u0", "User", IAM) == Placement("us", ("us",))
    assert fleet.place("groups/g0", "Group", IAM) == Placement("us", ("eu", "us"))


def test_a_warm_placement_asks_no_database(fleet: Fleet) -> None:
    fleet.write_policy("eu", control="eu")
    fleet.place("projects/p0/logs/l0", "Log")
    with CaptureQueriesContext(connection) as asked:
        for _ in range(50):
            fleet.place("projects/p0/logs/l0", "Log")
    assert [each["sql"] for each in asked.captured_queries] == []


def test_a_deployment_is_read_with_its_service_by_few_questions(fleet: Fleet) -> None:
    fleet.directory.served("eu", AUDIT)
    fleet.directory.forget("eu", AUDIT)
    with CaptureQueriesContext(connection) as asked:
        fleet.directory.served("eu", AUDIT)
    # The deployment with its service, its namespaces, the definitions that the service and its imports have now.
    assert len(asked) == 3


@pytest.mark.django_db(transaction=True)  # the feed tells nothing newer than the oldest open transaction
def test_a_written_policy_counts_from_the_next_look_on(fleet: Fleet) -> None:
    fleet.write_policy("eu", control="eu")
    assert fleet.place("projects/p0/logs/l0", "Log").regions == ("eu",)
    fleet.write_policy("eu", "us", control="us")
    fleet.clock.advance(0.6)
    assert fleet.place("projects/p0/logs/l0", "Log") == Placement("us", ("eu", "us"), "projects/p0")


def test_nothing_is_placed_under_a_holder_that_was_never_written(fleet: Fleet) -> None:
    with pytest.raises(Conflict) as refused:
        fleet.place("projects/p0/logs/l0", "Log")
    assert refused.value.code == "policy-unknown"
    with pytest.raises(Missing) as missing:
        fleet.place("projects/p0/logs/l0", "Log", "nobody.example.com")
    assert missing.value.code == "deployment-missing"


def test_surroundings_follow_imports_and_deployments_as_they_change(fleet: Fleet) -> None:
    seen = fleet.registry_cache
    assert seen.imports(AUDIT) == (IAM,)
    assert (seen.relevant(IAM), [each.region_id for each in seen.deployments(AUDIT)]) == (
        (AUDIT, IAM),
        ["eu", "us"],
    )
    apply_region(SYSTEM, "jp")
    apply_deployment(SYSTEM, f"services/{IAM}/deployments/jp", {}, database="elsewhere")
    apply_deployment(SYSTEM, f"services/{AUDIT}/deployments/jp", {}, database="elsewhere")
    update_registered(
        SYSTEM, RegistryKind.SERVICE, "services/stranger", {"usedServices": [IAM]}, allow_missing=True
    )
    assert [each.region_id for each in seen.deployments(AUDIT)] == ["eu", "us"]
    fleet.clock.advance(0.6)
    assert [each.region_id for each in seen.deployments(AUDIT)] == ["eu", "jp", "us"]
    assert seen.relevant(IAM) == (AUDIT, IAM, "stranger")
