"""What operators see of the dealings between deployments, and the audit of their references."""

from __future__ import annotations

from migrations_app.adapters.databases import Databases
from tests.factories.access import client_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, Fleet

BASE = "/api/v1/constraints"


def test_operators_see_what_is_owed_blocked_and_being_deleted(fleet: Fleet) -> None:
    client = client_of("vera", "viewer")
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    fleet.create(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k", owner="users/ada")
    fleet.delete(IAM, EU, "User", "users/ada")

    items = {each["deployment"]: each for each in client.get(BASE).json()["items"]}
    assert {each["state"] for each in items.values()} == {"known"}
    secrets, iam = (f"services/{service}/deployments/{EU}" for service in (SECRETS, IAM))
    assert (items[secrets]["tally"]["owed"], items[iam]["tally"]["deleting"]) == (1, 1)
    assert {key for key, value in items[iam]["tally"].items() if isinstance(value, int)} == {
        "owed",
        "blockades",
        "overdue_blockades",
        "pending_deletes",
        "deleting",
    }
    told = client.get("/metrics").content.decode()
    (age,) = [line for line in told.splitlines() if line.startswith("switchyard_deleting_oldest_seconds ")]
    assert float(age.split()[1]) > 0
    (moving,) = client.get(f"{BASE}/{IAM}/{EU}").json()["moving"]
    assert (moving["name"], moving["state"], moving["sources"]) == ("users/ada", "DELETING", [secrets])

    fleet.work(2)
    assert client.get(f"{BASE}/{IAM}/{EU}").json()["moving"] == []
    assert client.get(f"{BASE}/{SECRETS}/{EU}/audit").json() == {"findings": [], "more": False}


def test_the_audit_names_references_whose_target_is_gone(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    _lose(fleet)
    (found,) = client_of("vera", "viewer").get(f"{BASE}/{SECRETS}/{EU}/audit").json()["findings"]
    assert found == {
        "source": f"//{SECRETS}/{EU}/projects/p/secrets/s",
        "target": f"//{IAM}/{EU}/projects/p",
        "path": "project",
        "what": "gone",
        "reason": "",
    }


def test_who_does_not_answer_is_unknown(fleet: Fleet) -> None:
    missing = client_of("vera", "viewer").get(f"{BASE}/{IAM}/nowhere").json()
    assert (missing["state"], missing["tally"]) == ("unknown", None)
    assert "no deployment" in missing["reason"]


def _lose(fleet: Fleet) -> None:
    """Delete behind everybody's back."""
    from migrations_app import wiring

    databases: Databases = wiring.databases()
    served = wiring.directory().served(EU, IAM)
    home = served.namespaces["v1"]
    with databases.connection(home.database) as connection:
        connection.execute(f'DELETE FROM "{home.schema}"."r_Project"'.encode())
