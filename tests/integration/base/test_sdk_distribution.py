"""The wheel of the SDK: small, without a framework, and enough to run the example service."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest

import distribution
from console.env import ROOT
from migrations_app.adapters.service_tokens import ServiceKeys
from tests.processes import free_port

ABSENT = ("django", "celery", "psycopg", "redis", "rest_framework", "migrations_app", "console")
PROGRAM = ROOT / "examples" / "devices-service" / "devices_service.py"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this clone and unpacked."""
    folder = tmp_path_factory.mktemp("sdk")
    distribution.build_sdk(folder)
    with zipfile.ZipFile(next(folder.glob("switchyard_sdk-*.whl"))) as wheel:
        wheel.extractall(folder / "unpacked")
    return folder / "unpacked"


def test_the_wheel_is_one_package_that_needs_three_libraries(unpacked: Path) -> None:
    packages = sorted(path.name for path in unpacked.iterdir())
    assert packages[0] == "switchyard_sdk"
    assert len(packages) == 2
    metadata = next(unpacked.glob("*.dist-info/METADATA")).read_text()
    needed = [line.split(" ", 1)[1] for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert [each.partition(">")[0] for each in needed] == ["httpx", "msgspec", "pyjwt[crypto]"]
    assert "migrations_app" not in "".join(path.read_text() for path in unpacked.rglob("*.py"))
    assert len(list((unpacked / "switchyard_sdk" / "core").rglob("*.py"))) < 40


def test_the_example_service_runs_by_the_wheel_alone(unpacked: Path, tmp_path: Path) -> None:
    port = free_port()
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({ABSENT!r})); import runpy;"
        f"runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"
    )
    environment = os.environ | {
        "PYTHONPATH": str(unpacked),
        "DEVICES_URL": "local",
        "DEVICES_KEY": ServiceKeys.of("x" * 32).public,
        "DEVICES_REGION": "eu-west1",
        "DEVICES_PORT": str(port),
    }
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=log, stderr=log
        )
    try:
        until = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=30) as answer:
                    status = answer.read().decode()
                    break
            except OSError:
                assert process.poll() is None, (tmp_path / "log").read_text()
                assert time.monotonic() < until, (tmp_path / "log").read_text()
                time.sleep(0.1)
        assert '"currentVersion":"v2"' in status
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0


def test_a_service_without_its_settings_says_which_are_missing(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("DEVICES_")}
    done = subprocess.run(
        [sys.executable, str(PROGRAM)],
        env=clean | {"PYTHONPATH": f"{ROOT / 'sdk'}:{ROOT}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        1,
        "devices-service: DEVICES_URL, DEVICES_KEY, DEVICES_REGION is not set.\n",
    )
