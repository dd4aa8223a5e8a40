"""A second console in processes of its own, over HTTP and gRPC, with a control database of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from console.embedded.postgres import Postgres
from console.env import ROOT
from tests import migrated
from tests.conftest import empty_database
from tests.processes import Children


@contextmanager
def other_console(folder: Path, postgres: Postgres, seed: str, **extra: str) -> Iterator[httpx.Client]:
    """Start it with these settings after a script has made its accounts and printed a token; give a client of it."""
    children = Children(folder)
    with empty_database(postgres) as name:
        own = {"DATABASE_URL": postgres.url(name), **extra}
        environment = children.environment() | own
        migrated.copy(postgres, name)
        made = subprocess.run(
            [sys.executable, "-c", seed],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        token = made.stdout.split()[-1]
        url = children.start_web("other", **own)
        with httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=120.0
        ) as client:
            client.headers["x-token"] = token
            client.headers["x-grpc"] = f"grpc://{children.start_grpc('other-grpc', **own)}"
            yield client
        children.stop()
