"""The websocket `/ws`: subscribe to topics, replay what was missed, then live."""

from __future__ import annotations

import asyncio
import time

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from migrations_app.control.live_stream import queries as live
from migrations_app.domain.access import ANONYMOUS, Actor
from migrations_app.kernel.errors import Busy, Invalid
from migrations_app.kernel.json import decode
from migrations_app.kernel.messages import message as worded
from migrations_app.kernel.unexpected_errors import UNEXPECTED
from migrations_app.live.hub import LOOK_AGAIN_SECONDS, LiveHub, Watcher, hub, now, too_many
from migrations_app.live.messages import StreamDeniedSchema, StreamHelloSchema, written
from migrations_app.live.who import origin_refusal

NOT_SIGNED_IN, NOT_ALLOWED, MALFORMED, TOO_MANY = 4401, 4403, 4400, 4429


class LiveSocket(AsyncWebsocketConsumer):
    """One watcher behind one socket."""

    watcher: Watcher
    actor: Actor = ANONYMOUS
    hub: LiveHub
    _pump: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Admit a signed-in account that comes from our own page, and say hello."""
        self.headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in self.scope["headers"]
        }
        self.address = (self.scope.get("client") or ("",))[0]
        if origin_refusal(self.headers, self.scope.get("scheme") == "wss"):
            # Closed before it is accepted, which the server answers with 403.
            await self.close()
            return
        self.hub = hub()
        self.actor = await self.hub.actor(self.headers, self.address)
        await self.accept()
        if not self.actor.name:
            await self.close(code=NOT_SIGNED_IN)
            return
        self.watcher = Watcher(self.actor)
        try:
            seq = await self.hub.join(self.watcher)
        except Busy as error:
            await self.close(code=TOO_MANY, reason=error.message)
            return
        await self.send(written(StreamHelloSchema(server_time=now(), seq=seq)))
        self._pump = asyncio.create_task(self._send_on())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read what the client asks for; what is malformed ends the socket with a reason."""
        if self._pump is None:
            return
        try:
            op, topics, since = _asked(text_data or "")
        except Invalid as error:
            await self.close(code=MALFORMED, reason=error.message)
            return
        if op == "unsubscribe":
            self.hub.unsubscribe(self.watcher, frozenset(topics))
            return
        allowed: set[str] = set()
        refused = await self.hub.ask(live.refusals, self.actor, topics)
        if any(topic.startswith(live.UPGRADE) for topic in topics):
            refused = await self.hub.ask(live.absent, topics) | refused
        for topic in topics:
            reason = refused.get(topic) or too_many(self.watcher.topics | allowed | {topic})
            if reason:
                self.watcher.put(written(StreamDeniedSchema(topic=topic, reason=str(reason))))
            else:
                allowed.add(topic)
        if allowed:
            await self.hub.subscribe(self.watcher, frozenset(allowed), since)

    async def disconnect(self, code: int) -> None:
        """Stop watching."""
        if self._pump is not None:
            self.hub.stop_watching(self.watcher)
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        raise StopConsumer

    async def _send_on(self) -> None:
        due = time.monotonic() + LOOK_AGAIN_SECONDS
        while True:
            messages = await self.watcher.messages(due - time.monotonic())
            if self.watcher.rights_changed or time.monotonic() >= due:
                if not await self._still_may():
                    return
                due = time.monotonic() + LOOK_AGAIN_SECONDS
            for text in messages:
                await self.send(text)

    async def _still_may(self) -> bool:
        """Look at the rights again: an ended session closes with 4401, a lost topic with 4403."""
        self.watcher.rights_changed = False
        try:
            self.actor = await self.hub.actor(self.headers, self.address)
            refused = await self.hub.ask(live.refusals, self.actor, frozenset(self.watcher.topics))
        except Exception:
            # What cannot be read is read again at the next look. While the database is away there are no events either.
            UNEXPECTED.note("looking at the rights of a live stream")
            return True
        if not self.actor.name:
            await self.close(code=NOT_SIGNED_IN)
            return False
        if refused:
            await self.close(code=NOT_ALLOWED)
            return False
        self.hub.look_again(self.watcher, self.actor)
        return True


def _asked(text: str) -> tuple[str, list[str], int | None]:
    if len(text) > 65_536:
        raise Invalid(worded("The message is too long."))
    message = decode(text)
    if not isinstance(message, dict) or message.get("op") not in ("subscribe", "unsubscribe"):
        raise Invalid(worded("The only things to ask for are subscribe and unsubscribe."))
    topics, since = message.get("topics"), message.get("since")
    if not isinstance(topics, list) or not all(isinstance(topic, str) for topic in topics):
        raise Invalid(worded("topics must be a list of names."))
    if since is not None and (
        not isinstance(since, int) or isinstance(since, bool) or not 0 <= since < 2**63
    ):
        raise Invalid(worded("since must be a number or null."))
    return str(message["op"]), [str(topic) for topic in topics], since
