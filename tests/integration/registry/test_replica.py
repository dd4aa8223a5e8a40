"""A region whose processes serve by a replica of the registry, cut off from the control database and healed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from django.db import connection

from migrations_app import wiring
from migrations_app.adapters.registry_replica.copying import REPLICATED
from migrations_app.control.upgrades.commands.request_switch import REPLICA_SECONDS, request_switch
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict
from migrations_app.models.access import Account
from tests.factories.access import make_account, token_of
from tests.integration.switch.secrets_upgrade import OLGA
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import work_once, work_until
from tests.processes import Children
from tests.statements import PostgresProxy

pytestmark = pytest.mark.django_db(transaction=True)
SECRETS = "projects/p/secrets"
AGE = "Switchyard-Registry-Age"


@pytest.fixture
def control() -> Iterator[PostgresProxy]:
    """The way of the region's processes to the control database."""
    sockets = parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0]
    proxy = PostgresProxy("tcp://localhost:5432", f"{sockets}/.s.PGSQL.5432")
    yield proxy
    proxy.close()


class Region:
    """A web process that serves by the replica in its data database, and a client of it."""

    def __init__(self, children: Children, control: PostgresProxy, alias: str) -> None:
        self._children, self.control, self._alias = children, control, alias
        make_account("region", "operator")
        self.token, self.other_token = token_of("region"), token_of("region")
        self.url = ""

    def start(self) -> None:
        """Start the process, or start it again."""
        parts = urlsplit(os.environ["DATABASE_URL"])
        name = connection.settings_dict["NAME"]
        there = f"127.0.0.1:{urlsplit(self.control.url).port}"
        url = f"postgresql://{parts.username}:{parts.password}@{there}/{name}"
        self.url = self._children.start_web(DATABASE_URL=url, SWITCHYARD_REPLICA=self._alias)

    def send(
        self, method: str, path: str, body: object = None, version: str = "v1alpha2", token: str = ""
    ) -> httpx.Response:
        """Send a request, with the token of the region if no other is given."""
        url = f"{self.url}/apis/eu-west1/secrets.example.com/{version}/{path}"
        return httpx.request(
            method, url, json=body, headers={"Authorization": f"Bearer {token or self.token}"}, timeout=60
        )

    def until(self, holds: Callable[[httpx.Response], bool], token: str = "") -> httpx.Response:
        """Read until an answer is as expected."""
        end = time.monotonic() + 120
        while True:
            answer = self.send("GET", SECRETS, token=token)
            if holds(answer):
                return answer
            assert time.monotonic() < end, (answer.status_code, answer.headers, answer.text)
            time.sleep(0.2)


def _asked(control: PostgresProxy, before: dict[int, int]) -> list[str]:
    """List what was asked of the tables that the replica has, at the control database and not by who copies them."""
    asked: list[str] = []
    for number, client in list(control.heard.items()):
        if b"default_transaction_read_only=on" not in client.startup:
            asked += client.statements[before.get(number, 0) :]
    return [each for each in asked if any(f'"{table}"' in each for table in REPLICATED)]


def _refusal(upgrade: str) -> str:
    """Ask for the switch, and give the code of the refusal; a comparison that grew old meanwhile is made again before."""
    end = time.monotonic() + 120
    while True:
        with pytest.raises(Conflict) as refused:
            request_switch(OLGA, upgrade)
        if refused.value.code != "guard-parity":
            return refused.value.code
        assert time.monotonic() < end, refused.value
        work_once()


def test_a_region_that_is_cut_off_serves_and_a_switch_is_refused_until_it_is_healed(
    children: Children, control: PostgresProxy, data_database: str, started: str
) -> None:
    region = Region(children, control, data_database)
    region.start()
    # The first request may be answered by the control database: it starts the copying.
    region.until(lambda answer: answer.status_code == 200 and AGE in answer.headers)
    work_until(started, State.READY)

    heard = list(control.heard.items())
    assert any("switchyard_token" in each for _, client in heard for each in client.statements)
    before = {number: len(client.statements) for number, client in heard}
    for n in range(60):
        read = (region.send("GET", f"{SECRETS}/secret-{n}"), region.send("GET", f"{SECRETS}?pageSize=5"))
        assert {each.status_code for each in read} == {200}
    assert _asked(control, before) == []

    control.cut("refuse")
    region.until(lambda answer: int(answer.headers.get(AGE, 0)) >= 3)
    answers = [region.send("GET", f"{SECRETS}/secret-{n}") for n in range(40)]
    assert {each.status_code for each in answers} == {200}
    assert int(answers[-1].headers[AGE]) >= 3
    # Beyond what a process remembers of a token, which is 10 seconds, and surely beyond what a switch bears.
    region.until(lambda answer: int(answer.headers.get(AGE, 0)) >= REPLICA_SECONDS + 5, region.other_token)
    assert region.send("GET", f"{SECRETS}/secret-1").status_code == 200
    made = region.send("POST", f"{SECRETS}?id=cut", {"title": "Cut off"})
    assert made.status_code == 201, made.text
    changed = region.send("PATCH", f"{SECRETS}/secret-2", {"title": "Changed"})
    assert changed.status_code == 200, changed.text
    assert _refusal(started) == "registry-replica-behind"

    children.kill("web")
    region.start()
    assert region.until(lambda answer: answer.status_code == 200).headers[AGE]

    # What was decided meanwhile arrives when the region is healed.
    Account.objects.filter(username="region").update(is_active=False)
    assert region.send("GET", SECRETS).status_code == 200
    control.heal()
    region.until(lambda answer: answer.status_code == 401)
    Account.objects.filter(username="region").update(is_active=True)
    region.until(lambda answer: answer.status_code == 200 and int(answer.headers[AGE]) <= 2)
    assert region.send("GET", f"{SECRETS}/cut").json()["title"] == "Cut off"
    work_until(started, State.REVERSIBLE, request_switch)
    region.until(lambda answer: answer.headers.get("Switchyard-Served") == "translated")
    assert region.send("GET", f"{SECRETS}/cut").json()["title"] == "Cut off"
    assert region.send("GET", f"{SECRETS}/secret-2").json()["title"] == "Changed"


def test_the_replica_keeps_no_passwords(
    children: Children, control: PostgresProxy, data_database: str, started: str
) -> None:
    make_account("petra", "operator", password="correct horse battery")
    region = Region(children, control, data_database)
    region.start()
    region.until(lambda answer: AGE in answer.headers)
    with wiring.databases().connection(data_database) as data:
        rows = data.execute(
            b"SELECT username, password FROM switchyard_replica.switchyard_account"
        ).fetchall()
    assert ("petra", "") in rows
    assert {password for _, password in rows} == {""}
