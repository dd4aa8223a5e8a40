"""A real browser before the real system: Chromium, the built console, web and worker processes."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from console.env import ROOT
from migrations_app import wiring
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.access.commands.create_account import NewAccount, create_account
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import actor_with
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft
from tests import chromium
from tests.browser.person import AXE, Person
from tests.factories.access import NOW_AND_EVER
from tests.processes import Children

expect.set_options(timeout=120_000)
SECRETS = ROOT / "examples" / "secrets"
SERVICE = "secrets.example.com"
REGION = "eu-west1"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
MANY = 400
PASSWORD = "a long sentence nobody guesses"
ADMIN = replace(actor_with("root", "admin", "operator"), proved_at=NOW_AND_EVER)
PEOPLE = {
    "olga": ("operator",),
    "ann": ("approver",),
    "vera": ("viewer",),
    "otto": ("operator", "auditor", "admin"),
}


@dataclass
class World:
    """A service at its old version with resources in it, people, and the console before them."""

    url: str
    source: Namespace
    children: Children
    people: tuple[str, ...] = tuple(PEOPLE)

    def write(self, name: str, title: str) -> None:
        """Write one secret into the namespace that is served."""
        put(self.source, [(name, title)])


def put(namespace: Namespace, secrets: list[tuple[str, str]]) -> None:
    """Write secrets in one transaction."""
    with wiring.store().transaction(namespace) as transaction:
        for name, title in secrets:
            row = transaction.get("Secret", name)
            body: JsonObject = {"name": name, "title": title}
            transaction.put(Draft("Secret", name, row.uid if row else uuid4(), body))


@pytest.fixture(scope="session")
def console() -> Path:
    """The built console; built once where it is missing."""
    page = ROOT / "frontend" / "dist" / "index.html"
    if not page.is_file():
        subprocess.run(["npm", "run", "--silent", "build"], cwd=ROOT / "frontend", check=True)
    assert AXE.is_file(), "run `npm ci --ignore-scripts` in frontend"
    return page


@pytest.fixture
def world(console: Path, data_database: str, children: Children) -> World:
    """A deployment of secrets at v1alpha2 whose switch needs one approval."""
    files = {
        one.relative_to(SECRETS).as_posix(): one.read_bytes() for one in SECRETS.rglob("*") if one.is_file()
    }
    apply_region(ADMIN, REGION)
    apply_region(ADMIN, "us-east1")
    apply_service(ADMIN, files)
    for region in (REGION, "us-east1"):
        apply_deployment(
            ADMIN,
            f"services/{SERVICE}/deployments/{region}",
            {"currentVersion": "v1alpha2"},
            database=data_database,
        )
    apply_policy(ADMIN, Policy("one-approver", Purpose.SWITCH, needed=1))
    apply_policy(ADMIN, Policy("reverse-replication", Purpose.REVERT, needed=0))
    for name, roles in PEOPLE.items():
        create_account(ADMIN, NewAccount(name, email=f"{name}@example.com", password=PASSWORD))
        for role in roles:
            bind_role(ADMIN, NewBinding("account", name, role))
    source = served(REGION)
    put(source, [(f"projects/p/secrets/secret-{n}", f"Secret {n}") for n in range(MANY)])
    return World(children.start_web(), source, children)


def served(region: str) -> Namespace:
    """The namespace that is served, set up as the first request would."""
    found = RegistryDirectory(wiring.store(), wiring.fence()).served(region, SERVICE)
    return found.namespaces["v1alpha2"]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One Chromium for all tests."""
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=chromium.program(), args=["--no-sandbox"])
        yield started
        await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def people(browser: Browser, world: World) -> AsyncIterator[dict[str, Person]]:
    """Everybody with a browser window of their own, without a sign-in yet."""
    found = {name: await Person.arrive(browser, world.url, name, PASSWORD) for name in world.people}
    yield found
    for person in found.values():
        await person.leave()
