"""Addresses of the live stream: a websocket and server-sent events."""

from __future__ import annotations

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from django.urls import path, re_path

from migrations_app.live.socket import LiveSocket
from migrations_app.live.sse import events


class NoSocket(AsyncWebsocketConsumer):
    """An address at which there is no socket: closed before it is accepted."""

    async def connect(self) -> None:
        """Refuse."""
        await self.close()


urlpatterns = [path("events", events)]

websockets = URLRouter([re_path(r"^ws$", LiveSocket.as_asgi()), re_path(r"", NoSocket.as_asgi())])
