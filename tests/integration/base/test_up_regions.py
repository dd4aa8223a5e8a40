"""The example fleet of `make up`: what one region writes is read in the other two, each with its own data."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from pathlib import Path

from migrations_app.kernel.json import Json
from tests.integration.base.test_up import Up

USERS = "iam.example.com/v1/users"


def _call(up: Up, method: str, path: str, body: Json = None) -> tuple[int, dict[str, Json]]:
    account = json.loads((up.home / "credentials.json").read_text())["accounts"]["operator"]
    request = urllib.request.Request(
        f"http://127.0.0.1:{up.port}/apis/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {account['token']}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.loads(answer.read() or b"{}")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")


def test_a_resource_of_one_region_appears_in_the_others(tmp_path: Path) -> None:
    up = Up(tmp_path / "home", SWITCHYARD_EXAMPLE="true").ready()
    try:
        assert up.becomes_ready()
        status, made = _call(up, "POST", f"eu-west1/{USERS}?id=ada", {"email": "ada@example.com"})
        assert status == 201, made
        metadata = made["metadata"]
        assert isinstance(metadata, dict)
        assert metadata["syncing"] == {
            "owningRegion": "eu-west1",
            "regions": ["ap-south3", "eu-west1", "us-east2"],
        }
        until = time.monotonic() + 60
        for region in ("us-east2", "ap-south3"):
            while (found := _call(up, "GET", f"{region}/{USERS}/ada"))[0] == 404:
                assert time.monotonic() < until, up.text[-3000:]
                time.sleep(0.2)
            assert found == (200, made)
    finally:
        up.stop()
