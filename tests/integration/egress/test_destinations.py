"""Every spelling of a refused address by every kind of outbound call: nothing connects, nothing is told."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from ipaddress import ip_address
from threading import Event

import pytest
import requests
from django.conf import LazySettings
from django.core.mail import EmailMessage

from migrations_app import wiring
from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.mail import send_mail
from migrations_app.adapters.egress.sessions import EgressSession
from migrations_app.adapters.egress.sockets import named_destinations
from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.adapters.registry_clients.http import HttpRegistry
from migrations_app.control.access.sign_in.identity_provider import provider_session
from migrations_app.control.notifications.addresses import put_address
from migrations_app.control.notifications.sending import send_post
from migrations_app.control.notifications.signing_secrets import put_secret
from migrations_app.domain.destinations import Destinations, is_public
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.errors import Busy
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.ports.processes.outbound import AddressRefused, AnswerMissing, AnswerTooLarge, Deadline
from migrations_app.ports.regions.peers import Peer
from tests.factories.sink import Sink, sink

SPELLINGS = (
    "127.0.0.1", "localhost", "2130706433", "0x7f.1", "0x7f000001", "127.1", "0177.0.0.1", "0.0.0.0", "[::1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::]",
)  # fmt: skip
"""This machine, in the ways in which a resolver understands it."""
METADATA = (
    "169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[fe80::1]",
    "100.100.100.200", "168.63.129.16", "[fd00:ec2::254]", "224.0.0.1", "[ff02::1]", "255.255.255.255", "0.0.0.0",
)  # fmt: skip
"""What even a setting may not name without listing the network."""
CHANNELS = ("signed", "slack", "teams")


@pytest.fixture(autouse=True)
def _lists_nothing(settings: LazySettings) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, egress_networks=())


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as found:
        yield found


def post(form: str, url: str) -> str:
    hook = Webhook(id="w1", name="pager", format=form)
    put_address(hook, url)
    put_secret(hook, "whsec_x")
    body = {"event": "upgrade.caught-up", "title": "t", "text": "x", "link": "/"}
    delivery = WebhookDelivery(pk=1, event="upgrade.caught-up", body=body)
    return str(send_post(hook, delivery, Deadline(60)).error)


def ask_endpoint(url: str) -> None:
    with provider_session() as session:
        session.get(url)


def ask_peer(url: str) -> None:
    with closing(HttpPeers(wiring.service_tokens(), {"south": url}.get, answer_seconds=60)) as peers:
        peers.call(Peer("a", "north"), Peer("b", "south"), "describeConstraints", {})


def ask_registry(url: str) -> None:
    with closing(HttpRegistry(url, "token", timeout_seconds=60)) as registry:
        registry.read(RegistryKind.REGION, "regions/a")


def watch_registry(url: str) -> None:
    with closing(HttpRegistry(url, "token", timeout_seconds=60)) as registry:
        list(registry.watch(RegistryKind.REGION, "", Event()))


def post_mail(url: str, settings: LazySettings) -> None:
    host, _, port = url.removeprefix("http://").removesuffix("/in").rpartition(":")
    settings.EMAIL_HOST, settings.EMAIL_PORT = host.strip("[]"), int(port)
    send_mail(EmailMessage("subject", "text", "a@example.com", ["b@example.com"]), Deadline(60))


@pytest.mark.parametrize("host", SPELLINGS)
@pytest.mark.parametrize("form", CHANNELS)
def test_channels_never_reach_this_machine(server: Sink, form: str, host: str) -> None:
    error = post(form, f"http://{host}:{server.port}/in")
    assert error.startswith("The address is not in a network that Switchyard may call.")
    assert server.begun == []


@pytest.mark.parametrize("host", METADATA)
@pytest.mark.parametrize("form", CHANNELS)
def test_channels_never_reach_special_networks(form: str, host: str) -> None:
    assert post(form, f"http://{host}/latest").startswith("The address is not in a network")


@pytest.mark.parametrize("host", SPELLINGS)
def test_an_endpoint_that_a_provider_names_is_no_way_to_this_machine(server: Sink, host: str) -> None:
    with pytest.raises(requests.exceptions.InvalidURL):
        ask_endpoint(f"http://{host}:{server.port}/token")
    assert server.begun == []


@pytest.mark.parametrize("host", METADATA)
@pytest.mark.parametrize("ask", [ask_peer, ask_registry, watch_registry])
def test_special_networks_are_refused_even_where_a_setting_names_them(
    ask: Callable[[str], None], host: str
) -> None:
    with pytest.raises(Busy) as away:
        ask(f"http://{host}:1")
    assert isinstance(away.value.__cause__, AddressRefused)


@pytest.mark.parametrize("host", METADATA)
def test_a_mail_server_in_a_special_network_is_refused(settings: LazySettings, host: str) -> None:
    with pytest.raises(AddressRefused):
        post_mail(f"http://{host}:1/in", settings)


def test_hosts_that_settings_name_may_be_here(server: Sink, settings: LazySettings) -> None:
    for ask in (ask_peer, ask_registry, watch_registry):
        before = len(server.begun)
        ask(f"http://127.0.0.1:{server.port}")
        assert len(server.begun) == before + 1, ask.__name__
    # SMTP waits for a greeting: this server gives none, and waits no longer.
    with sink("closed") as mail_server:
        with pytest.raises(AnswerMissing):
            post_mail(mail_server.url, settings)
        assert len(mail_server.begun) == 1


def test_only_the_port_that_a_setting_names_is_open(server: Sink) -> None:
    rule = named_destinations(["http://127.0.0.1:1"])
    with pytest.raises(AddressRefused):
        EgressClient(rule).request("GET", server.url, deadline=Deadline(2))
    assert server.begun == []


@pytest.mark.parametrize("form", CHANNELS)
def test_a_listed_network_is_reached(server: Sink, form: str, settings: LazySettings) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, egress_networks=("127.0.0.0/8",))
    assert post(form, f"http://[::ffff:127.0.0.1]:{server.port}/in") == ""
    assert len(server.begun) == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://h/a\r\nX: y", "http://h\r\n/x", "http://h/\x00", "http://h/\x7f", "http://h/ b", "ftp://h/x", "https://",
        "https://me:pw@h/x", "http://h\\@g/", "file:///etc/passwd", "//h/x", "http://[::1/x", "http://h:99999/", "",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_before_anything_is_resolved(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_: asked.append(args) or [])
    assert post("signed", url).startswith("The address is not in a network")
    assert asked == []


def test_a_name_is_resolved_once_and_what_was_judged_is_connected_to(
    server: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second answer of a name server that changes its mind is never asked for."""
    answers = iter(["127.0.0.1", "127.0.0.2"])
    real, asked = socket.getaddrinfo, []

    def rebinding(host: str, port: int, **options: object) -> object:
        asked.append(host)
        return real(next(answers), port, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    rule = named_destinations([f"http://rebinding.example:{server.port}"])
    url = f"http://rebinding.example:{server.port}/in"
    assert EgressClient(rule).request("GET", url, deadline=Deadline(60)).status == 200
    assert (asked, len(server.begun)) == (["rebinding.example"], 1)


def test_a_public_name_with_a_private_address_too_is_reached_at_the_public_one_alone() -> None:
    rule = Destinations()
    assert rule.admit("h", 80, ip_address("93.184.216.34"))
    assert not rule.admit("h", 80, ip_address("10.0.0.1"))


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.1.1", "0.0.0.0", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "203.0.113.1", "192.0.0.1",
        "192.88.99.1", "::", "::1", "fe80::1", "fc00::1", "fd00::1", "ff02::1", "fec0::1", "2001:db8::1", "2001::1",
        "2002:7f00:1::", "2002:a00:1::", "64:ff9b:1::a00:1", "2a00:1450::5efe:a00:1", "100::1", "3fff::1", "5f00::1",
        "::127.0.0.1",
    ],
)  # fmt: skip
def test_what_is_special_is_not_public(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("text", ["93.184.216.34", "8.8.8.8", "2a00:1450:4001:81b::200e", "2606:4700::1111"])
def test_what_is_public_is(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.fixture
def _listed(settings: LazySettings) -> None:
    settings.SWITCHYARD = replace(settings.SWITCHYARD, egress_networks=("127.0.0.0/8",))


@pytest.mark.usefixtures("_listed")
def test_no_kind_of_call_follows_a_redirect() -> None:
    with sink() as other, sink("redirect") as server:
        server.location = other.url
        for form in CHANNELS:
            assert post(form, server.url) == "The receiver answered 3xx."
        with provider_session() as session:
            assert session.get(server.url).status_code == 307
        for ask in (ask_peer, ask_registry):
            ask_url = f"http://127.0.0.1:{server.port}"
            with pytest.raises(Busy):
                ask(ask_url)
        assert (len(server.begun), other.begun) == (6, [])


@pytest.mark.usefixtures("_listed")
@pytest.mark.parametrize("manner", ["huge", "gzip"])
def test_no_kind_of_call_takes_an_answer_of_unknown_size_in(manner: str) -> None:
    with sink(manner) as server:
        for form in CHANNELS:
            assert post(form, server.url) == "", "the status is all that is looked at"
        for ask in (ask_peer, ask_registry):
            with pytest.raises(Busy) as away:
                ask(f"http://127.0.0.1:{server.port}")
            assert isinstance(away.value.__cause__, AnswerTooLarge)
        with provider_session() as session, pytest.raises(requests.ConnectionError):
            session.get(server.url)
        # What lies in the buffers of both ends of six connections, never six bodies.
        assert server.sent_bytes <= 6 * 16 * 1024 * 1024


@pytest.mark.usefixtures("_listed")
@pytest.mark.parametrize("manner", ["mute", "drip"])
def test_every_kind_of_call_ends_with_its_deadline(manner: str, settings: LazySettings) -> None:
    with sink(manner) as server:
        hook = Webhook(id="w1", name="pager")
        put_address(hook, server.url)
        put_secret(hook, "whsec_x")
        row = WebhookDelivery(pk=1, event="test", body={"event": "test"})
        attempt = send_post(hook, row, Deadline(1.2))
        assert (attempt.status, str(attempt.error), attempt.answered) == (
            None,
            "The receiver did not answer.",
            False,
        )
        root = f"http://127.0.0.1:{server.port}"
        peers = HttpPeers(wiring.service_tokens(), {"south": root}.get, answer_seconds=1.2)
        with closing(peers), pytest.raises(Busy):
            peers.call(Peer("a", "north"), Peer("b", "south"), "describeConstraints", {})
        with pytest.raises(requests.ConnectionError):
            EgressSession(named_destinations([]), 1.2).get(server.url)
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        with pytest.raises(AnswerMissing):
            send_mail(EmailMessage("subject", "text", "a@b.example", ["b@b.example"]), Deadline(1.2))


def test_proxies_of_the_environment_are_not_asked(server: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    with sink() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        rule = named_destinations([server.url])
        EgressClient(rule).request("GET", server.url, deadline=Deadline(60))
        with EgressSession(rule, 5) as session:
            session.get(server.url)
        assert (len(server.begun), proxy.begun) == (2, [])
