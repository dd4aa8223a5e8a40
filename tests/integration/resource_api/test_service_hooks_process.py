"""Service hooks of a web process that installs those of the example, over HTTP."""

from __future__ import annotations

import httpx
import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from tests.factories.access import make_account, token_of
from tests.integration.resource_api.conftest import DEPLOYMENT, EXAMPLES, REGION, SERVICE, files_of
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_web_process_runs_the_hooks_of_its_extensions(children: Children, data_database: str) -> None:
    apply_region(SYSTEM, REGION, "Belgium")
    apply_service(SYSTEM, files_of(EXAMPLES / "secrets"))
    apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1"}, database=data_database)
    make_account("olga", "operator")
    url = children.start_web(SWITCHYARD_EXTENSIONS="examples.secrets.service_hooks")
    headers = {"Authorization": f"Bearer {token_of('olga')}"}
    with httpx.Client(base_url=f"{url}/apis/{REGION}/{SERVICE}/", headers=headers, timeout=30) as web:
        assert web.post("v1/projects", params={"id": "p"}, json={"title": "Paris"}).status_code == 201
        sent = {"keyRing": "ring", "owner": "ada"}
        created = web.post("v1alpha2/projects/p/secrets", params={"id": "door"}, json=sent)
        key = web.get(f"v1/projects/p/regions/{REGION}/cryptoKeys/ring")
        secret = web.get(f"v1/projects/p/regions/{REGION}/secrets/door")
        wrong = web.post("v1alpha2/projects/p/secrets", params={"id": "gate"}, json={"keyRing": "no/ring"})
        gate = web.get("v1alpha2/projects/p/secrets/gate")
        figures = web.get(f"{url}/metrics").text.splitlines()

    assert (created.status_code, created.json()["title"], created.json()["keyRing"]) == (201, "Paris", "ring")
    assert (key.status_code, key.json()["algorithm"]) == (200, "AES256")
    assert (secret.json()["cryptoKey"], "displayName" in secret.json()) == ("ring", False)
    assert (wrong.status_code, wrong.json()["code"]) == (400, "name")
    assert gate.status_code == 404
    calls = "switchyard_service_hook_seconds_count"
    hook = f'kind="{{}}",outcome="{{}}",service="{SERVICE}",type="Secret",version="v1alpha2"'
    assert f"{calls}{{{hook.format('write', 'done')}}} 1.0" in figures
    assert f"{calls}{{{hook.format('write', 'refused')}}} 1.0" in figures
    assert f"{calls}{{{hook.format('response', 'done')}}} 1.0" in figures
