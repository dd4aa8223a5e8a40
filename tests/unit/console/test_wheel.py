"""The command line as a wheel: whole, without the server's framework, and found at its address."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.http import Http404
from django.test import RequestFactory

from console.env import ROOT
from console.wheel import NEEDS, PROTOBUF, download, wheel, wheel_name


def test_every_file_of_the_wheel_is_sealed_in_its_record() -> None:
    with zipfile.ZipFile(io.BytesIO(wheel())) as kept:
        (record,) = [name for name in kept.namelist() if name.endswith(".dist-info/RECORD")]
        rows = [line.rsplit(",", 2) for line in kept.read(record).decode().splitlines()]
        assert {row[0] for row in rows} == set(kept.namelist())
        for path, seal, size in rows[:-1]:
            content = kept.read(path)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (seal, size) == (f"sha256={digest}", str(len(content)))
        assert rows[-1] == [record, "", ""]


def test_the_wheel_runs_where_the_servers_packages_are_not_installed(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(wheel())) as kept:
        kept.extractall(tmp_path)
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('django', 'celery', 'psycopg', 'redis')));"
        "import console.cli.main as cli, console.cli.schema, console.cli.data; print(cli.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == str(tmp_path / "console" / "cli" / "main.py"), done.stderr


def test_the_wheel_needs_what_the_product_is_tested_with() -> None:
    asked = (ROOT / "requirements" / "run.in").read_text().splitlines()
    assert {*NEEDS, *PROTOBUF} <= set(asked)


def test_the_wheel_has_an_address_that_an_installer_can_read_its_name_from() -> None:
    short = download(RequestFactory().get("/cli/"))
    assert (short.status_code, short["Location"]) == (302, f"/cli/{wheel_name()}")
    assert re.fullmatch(r"switchyard_cli-[0-9][^-]*-py3-none-any\.whl", wheel_name())
    assert download(RequestFactory().get(short["Location"]), wheel_name()).content == wheel()
    with pytest.raises(Http404):
        download(RequestFactory().get("/cli/other.whl"), "other.whl")
