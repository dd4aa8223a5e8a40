"""The web process: resources to their servers, other HTTP to Django, sockets to the live stream."""

# ruff: noqa: E402 -- the order of these lines is what they are for

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from channels.routing import ProtocolTypeRouter
from django.conf import settings
from django.core.asgi import get_asgi_application

from console.proxies import TrustedProxies
from console.request_threads import RequestThreads, with_request_threads

settings.SWITCHYARD.serve()

# More threads run requests than connections are needed: the web process keeps a pool instead of one for each.
settings.DATABASES["default"] |= {"CONN_MAX_AGE": 0}
settings.DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 2, "max_size": 24, "timeout": 10}

# Django is set up by this call, and only then can the views be imported.
http = with_request_threads(get_asgi_application(), RequestThreads())

from migrations_app import wiring
from migrations_app.control.registry.own_registration import register_process
from migrations_app.kernel import failpoints
from migrations_app.live.routing import websockets
from migrations_app.resource_api.app import by_prefix

wiring.start_telemetry("web")
if not settings.SWITCHYARD.meta_url:
    register_process(settings.SWITCHYARD.regions, waits=not settings.SWITCHYARD.replica)
failpoints.arm(settings.SWITCHYARD.fail)
wiring.feed_signals().start()
wiring.write_latency_log().start()
application = TrustedProxies(
    ProtocolTypeRouter({"http": by_prefix(http), "websocket": websockets}), settings.SWITCHYARD.proxies
)
