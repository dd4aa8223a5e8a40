"""The wheels of `make dist`: installed into an empty environment, without the clone, each does what it is for."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

import distribution
from console.env import ROOT
from tests.integration.base.test_up import Up

UV = str(ROOT / ".venv" / "bin" / "uv")
LOCK = """\
# a comment
alpha==1.2 ; sys_platform == 'linux' \\
    --hash=sha256:aa \\
    --hash=sha256:bb
    # via beta
beta[extra]==3 \\
    --hash=sha256:cc
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this clone."""
    folder = tmp_path_factory.mktemp("dist")
    distribution.build(folder)
    return next(folder.glob("switchyard-*.whl"))


def test_the_wheel_asks_for_the_versions_that_the_lock_names(wheel: Path) -> None:
    assert distribution.pinned(LOCK) == ["alpha==1.2 ; sys_platform == 'linux'", "beta[extra]==3"]
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith("/METADATA"))
        asked = [line for line in archive.read(metadata).decode().splitlines() if "Requires-Dist" in line]
        examples = [name for name in archive.namelist() if name.startswith("console/bundle/examples/")]
    assert len(asked) == len(distribution.pinned((ROOT / "requirements" / "run.lock").read_text()))
    assert all("==" in line for line in asked), asked
    # The published definitions are no part of the repository; who installs the wheel has them all the same.
    assert any(name.endswith("cloud-tasks/protos/google/cloud/tasks/v2/queue.proto") for name in examples)


def test_the_wheel_of_the_client_needs_nothing_of_the_product(tmp_path: Path) -> None:
    distribution.build_client(tmp_path)
    (built,) = tmp_path.glob("*.whl")
    assert re.fullmatch(r"switchyard_client-[0-9][^-]*-py3-none-any\.whl", built.name)
    environment = tmp_path / "environment"
    python = str(environment / "bin" / "python")
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, str(environment)], check=True)
    subprocess.run([UV, "pip", "install", "-q", "--python", python, str(built)], check=True)
    code = (
        "from switchyard_client import AsyncClient, Client, models;"
        "import importlib.util as found;"
        "assert not any(map(found.find_spec, ('console', 'migrations_app', 'django')));"
        "print(models.NewUpgradeRequest(deployment='d').deployment, Client.plan_upgrade.__name__)"
    )
    done = subprocess.run(
        [python, "-c", code],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["d", "plan_upgrade"], done.stderr
    assert (ROOT / "switchyard_client" / "build").exists() is False


def test_an_installation_from_the_wheel_runs_the_whole_system(wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, str(environment)], check=True)
    subprocess.run(
        [
            UV,
            "pip",
            "install",
            "-q",
            "--compile-bytecode",
            "--python",
            str(environment / "bin" / "python"),
            str(wheel),
        ],
        check=True,
    )
    person = {"HOME": str(tmp_path), "PATH": f"{environment / 'bin'}:/usr/bin:/bin", "PYTHONPATH": ""}
    program = str(environment / "bin" / "switchyard")
    running = Up(tmp_path / ".switchyard", (program,), tmp_path, SWITCHYARD_EXAMPLE="true", **person)
    try:
        running.wait_for("Stop: Ctrl-C", seconds=240)
        with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/", timeout=30) as answer:
            page = answer.read().decode()
        script = re.search(r'<script [^>]*src="(/assets/[^"]+)"', page)
        assert script is not None, page
        assert running.get(script[1]) == 200
        assert running.becomes_ready()
        assert (tmp_path / ".switchyard" / "credentials.json").is_file()
        swy = subprocess.run(
            [str(environment / "bin" / "swy"), "--version"], capture_output=True, text=True, check=True
        )
        assert swy.stdout.strip()
    finally:
        assert running.stop() == 0, running.text
