"""Every rule of the registry, broken once and kept once."""

from __future__ import annotations

import json

import msgspec
import pytest

from console.generated_pages.server_texts import CATALOGUE
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.changes import (
    CHANGE_RULES,
    check_deployment_removal,
    check_deployment_update,
    check_fenced,
    check_generation,
    check_references,
    check_region_owner,
    check_region_removal,
    check_service_removal,
)
from migrations_app.domain.registry.picture import Picture
from migrations_app.domain.registry.rules import RULES, breaches, check_change
from migrations_app.domain.registry.values import ImportedVersion, UpgradeState
from migrations_app.kernel.errors import Conflict, Denied
from tests.unit.registry.pictures import deployment, fleet, service

TEXTS = {*json.loads(CATALOGUE.read_text())}


def refused(before: Picture, after: Picture) -> tuple[str, str]:
    """Give the code and the first sentence of a refused change."""
    with pytest.raises(Conflict) as error:
        check_change(before, after)
    for each in error.value.violations:
        keys = [phrase.key for phrase in (*each.phrases, *each.remedy_phrases)]
        assert len(keys) == 1 + bool(each.remedy)
        assert {*keys} <= TEXTS
    return error.value.code, error.value.violations[0].message


def test_the_example_fleet_breaks_no_rule() -> None:
    assert breaches(fleet()) == ()


def test_adding_a_region_needs_the_imports_there() -> None:
    before = fleet().with_region("jp")
    wide = service("secrets", "iam", regions=("eu", "jp", "us"))
    after = before.with_service(wide).with_deployment(deployment("secrets", "jp"))
    assert refused(before, after) == (
        "import-not-in-region",
        "secrets imports iam, which is not deployed in jp.",
    )


def test_removing_or_disabling_an_imported_deployment_is_refused() -> None:
    before = fleet()
    sentence = "secrets imports iam, which is not deployed in eu."
    disabled = msgspec.structs.replace(deployment("iam", "eu"), is_disabled=True)
    for after in (before.without_deployment("iam", "eu"), before.with_deployment(disabled)):
        with pytest.raises(Conflict) as error:
            check_change(before, after)
        assert error.value.code == "import-not-in-region"
        assert {one.message for one in error.value.violations} == {
            sentence,
            "devices imports iam, which is not deployed in eu.",
        }


def test_a_circle_of_imports_is_refused() -> None:
    before = fleet()
    assert refused(before, before.with_service(service("iam", "devices"))) == (
        "import-cycle",
        "Imports form a cycle: devices → iam → devices.",
    )


def test_an_unknown_import_is_refused() -> None:
    before = fleet()
    assert (
        refused(before, before.with_service(service("secrets", "iam", "limits")))[0]
        == "import-unknown-service"
    )


def test_every_version_says_which_version_of_an_import_it_uses() -> None:
    before = fleet()
    silent = msgspec.structs.replace(service("secrets", "iam"), imported_versions=())
    assert refused(before, before.with_service(silent)) == (
        "import-version-missing",
        "secrets v1 does not say which version of iam it uses.",
    )


def test_the_named_version_of_an_import_exists() -> None:
    before = fleet()
    wrong = msgspec.structs.replace(
        service("secrets", "iam"), imported_versions=(ImportedVersion("services/iam", "v9", "v1"),)
    )
    assert refused(before, before.with_service(wrong)) == (
        "import-version-unknown",
        "secrets v1 uses iam v9, which does not exist.",
    )


def test_a_version_in_use_is_not_dropped() -> None:
    before = fleet()
    code, sentence = refused(
        before, before.with_service(service("devices", "iam", "secrets", versions=("v2",)))
    )
    assert code == "version-in-use"
    assert sentence == "services/devices/deployments/eu runs v1, which is not among the versions of devices."


def test_a_version_that_an_importer_uses_is_not_dropped() -> None:
    before = fleet()
    code, _ = refused(before, before.with_service(service("iam", versions=("v2",))))
    assert code == "import-version-unknown"


def test_versions_follow_the_pattern() -> None:
    before = fleet()
    assert (
        refused(before, before.with_service(service("iam", versions=("v1", "one"))))[0] == "version-pattern"
    )


@pytest.mark.parametrize(
    "version", ["v20140101", "v20140601preview", "v20240229beta2", "v999999", "v1preview1"]
)
def test_dates_and_previews_are_versions(version: str) -> None:
    before = fleet()
    check_change(before, before.with_service(service("iam", versions=("v1", version))))


@pytest.mark.parametrize("version", ["v20141301", "v20140132", "v01", "v2014-01-01", "20140101", "v1234567"])
def test_what_is_neither_a_number_nor_a_date_is_no_version(version: str) -> None:
    before = fleet()
    assert refused(before, before.with_service(service("iam", versions=("v1", version)))) == (
        "version-pattern",
        f"'{version}' is not a version.",
    )


def test_a_deployment_needs_its_region_and_its_service() -> None:
    before = fleet()
    assert {one.rule for one in breaches(before.with_deployment(deployment("iam", "jp")))} == {
        "region-unknown",
        "region-not-enabled",
    }
    codes = {one.rule for one in breaches(before.with_deployment(deployment("nobody", "jp")))}
    assert codes == {"region-unknown", "service-unknown"}


def test_the_policy_enables_where_the_service_is() -> None:
    before = fleet()
    narrow = service("iam", regions=("us",))
    assert refused(before, before.with_service(narrow))[0] == "region-not-enabled"
    stray = msgspec.structs.replace(service("iam"), multi_region_policy=MultiRegionPolicy(("eu", "us"), "jp"))
    assert refused(before, before.with_service(stray))[0] == "control-region-not-enabled"


def test_old_breaches_are_not_blamed_on_a_new_change() -> None:
    broken = fleet().without_deployment("iam", "eu")
    check_change(broken, broken.with_region("jp"))


def test_a_region_or_service_in_use_stays() -> None:
    with pytest.raises(Conflict) as region:
        check_region_removal("eu", fleet())
    with pytest.raises(Conflict) as deployed:
        check_service_removal("iam", fleet())
    bare = Picture(services=fleet().services)
    with pytest.raises(Conflict) as imported:
        check_service_removal("iam", bare)
    assert region.value.code == "region-in-use"
    assert deployed.value.message == "services/iam cannot be removed: it is deployed in eu, us."
    assert imported.value.message == "services/iam cannot be removed: devices, secrets import or use it."
    check_region_removal("jp", fleet())
    check_service_removal("devices", bare)


def test_only_the_registry_makes_regions() -> None:
    with pytest.raises(Denied) as error:
        check_region_owner(False, "eu")
    assert error.value.code == "region-owner"
    check_region_owner(True, "eu")


def test_an_older_program_does_not_overwrite_a_newer_registration() -> None:
    with pytest.raises(Conflict) as error:
        check_generation(3, 2, "services/iam")
    assert error.value.code == "generation-older"
    check_generation(3, 3, "services/iam")


def test_a_deployment_in_the_middle_of_an_upgrade_is_left_alone() -> None:
    before = msgspec.structs.replace(
        deployment("iam", "eu"), upgrade_state=UpgradeState(target_version="v2", pending_shards=(0,))
    )
    disabled = msgspec.structs.replace(before, is_disabled=True)
    moved = msgspec.structs.replace(before, current_version="v2")
    for after in (disabled, moved):
        with pytest.raises(Conflict) as error:
            check_deployment_update(before, after)
        assert error.value.code == "upgrade-running"
    with pytest.raises(Conflict):
        check_deployment_removal(before)
    check_deployment_update(before, msgspec.structs.replace(before, public_domain="x"))
    check_deployment_removal(deployment("iam", "eu"))


def test_what_a_hosted_deployment_serves_is_left_to_its_upgrades() -> None:
    before = msgspec.structs.replace(deployment("iam", "eu"), current_version="v1", db_location_tag="eu")
    check_fenced(before, msgspec.structs.replace(before, public_domain="iam.eu", db_data_version="v1.2"))
    for moved in ({"current_version": "v2"}, {"current_version": ""}, {"db_location_tag": "us"}):
        with pytest.raises(Conflict) as error:
            check_fenced(before, msgspec.structs.replace(before, **moved))
        assert error.value.code == "current-version-fenced"


def test_references_point_only_to_imported_services() -> None:
    secrets = service("secrets", "iam")
    check_references(secrets, {"v1": frozenset({"iam", "secrets"})})
    with pytest.raises(Conflict) as error:
        check_references(secrets, {"v1": frozenset({"devices"})})
    assert error.value.code == "reference-not-imported"


def test_a_breach_is_named_after_the_rule_that_found_it() -> None:
    before = fleet()
    broken = (
        before.without_region("eu").without_service("iam").with_deployment(deployment("devices", "jp", "v9"))
    )
    for rule in RULES:
        assert {one.rule for one in rule.check(broken)} <= {rule.name}


def test_every_rule_has_one_name_and_one_sentence() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    for sentence in [*(rule.sentence for rule in RULES), *CHANGE_RULES.values()]:
        assert sentence.endswith(".")
