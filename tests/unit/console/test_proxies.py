"""Headers of proxies are believed from listed peers alone, whatever they are and wherever they come from."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from console.env import WrongEnvironment, read_env
from console.proxies import TrustedProxies

LISTED = ("10.0.0.7", "192.168.0.0/16", "fd00::/8")
PEERS = {
    "10.0.0.7": True,
    "192.168.3.4": True,
    "fd00::1": True,
    "10.0.0.8": False,
    "127.0.0.1": False,
    "::1": False,
    "203.0.113.5": False,
    "": False,
}
FORGED = {
    "x-forwarded-for": "203.0.113.9",
    "X-Forwarded-For": "203.0.113.9, 10.0.0.7",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
    "x-forwarded-port": "443",
    "x-forwarded-ssl": "on",
    "forwarded": "for=203.0.113.9;proto=https",
    "x-real-ip": "203.0.113.9",
}


async def _seen(
    peer: str, headers: list[tuple[str, str]], kind: str = "http", proxies: tuple[str, ...] = LISTED
) -> Any:
    seen: list[Any] = []

    async def _application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope)

    scope = {
        "type": kind,
        "scheme": "http" if kind == "http" else "ws",
        "client": (peer, 1234) if peer else None,
        "headers": [(name.encode(), value.encode()) for name, value in (("host", "h"), *headers)],
    }
    await TrustedProxies(_application, proxies)(scope, None, None)
    (found,) = seen
    return found


@pytest.mark.parametrize(
    ("peer", "name", "kind"),
    list(product((each for each, listed in PEERS.items() if not listed), FORGED, ("http", "websocket"))),
)
async def test_an_unlisted_peer_cannot_change_its_address_or_scheme(peer: str, name: str, kind: str) -> None:
    scope = await _seen(peer, [(name, FORGED[name])], kind)

    assert scope["client"] == ((peer, 1234) if peer else None)
    assert scope["scheme"] == ("http" if kind == "http" else "ws")
    assert scope["headers"] == [(b"host", b"h")]


@pytest.mark.parametrize("peer", [each for each, listed in PEERS.items() if listed])
async def test_with_no_proxy_listed_no_header_is_believed(peer: str) -> None:
    scope = await _seen(peer, list(FORGED.items()), proxies=())

    assert (scope["client"], scope["scheme"]) == ((peer, 1234), "http")


@pytest.mark.parametrize("peer", [each for each, listed in PEERS.items() if listed])
@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        (["203.0.113.9"], "203.0.113.9"),
        (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        (["198.51.100.1", "203.0.113.9, 192.168.9.9"], "203.0.113.9"),
        (["2001:db8::7"], "2001:db8::7"),
        (["nonsense"], None),
        (["' OR 1=1"], None),
        ([""], None),
    ],
)
async def test_a_listed_proxy_names_the_nearest_address_that_is_no_proxy(
    peer: str, forwarded: list[str], client: str | None
) -> None:
    headers = [("x-forwarded-for", each) for each in forwarded]
    scope = await _seen(peer, [*headers, ("x-forwarded-proto", "https")])

    assert scope["client"][0] == (client or peer)
    assert scope["scheme"] == "https"
    assert scope["headers"] == [(b"host", b"h")]
    assert (await _seen(peer, [("x-forwarded-proto", "gopher")]))["scheme"] == "http"
    assert (await _seen(peer, [("x-forwarded-proto", "https")], "websocket"))["scheme"] == "wss"


@pytest.mark.parametrize("wrong", ["*", "proxy.example", "10.0.0.0/33", "10.0.0.7, x", "10.0.0.7/8"])
def test_a_proxy_that_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(WrongEnvironment, match="write networks such as"):
        read_env({"DATABASE_URL": "postgresql:///x", "SWITCHYARD_TRUSTED_PROXIES": wrong})


def test_no_proxy_is_believed_unless_set() -> None:
    assert read_env({"DATABASE_URL": "postgresql:///x"}).proxies == ()
