"""The Redis transport of wake-ups: a queue takes no more of them than its bound, however many are sent at once."""

from __future__ import annotations

from typing import Any

from kombu.transport import redis
from kombu.utils.json import dumps

BOUND = "switchyard-bound"
"""The header of a message that is only put into a queue that is shorter."""
PUSH = """
if redis.call('LLEN', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
return redis.call('LPUSH', KEYS[1], ARGV[1])
"""


class BoundedChannel(redis.Channel):
    """A channel that drops a wake-up when enough are waiting: each of those finds whatever is due by then."""

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:
        bound = (message.get("headers") or {}).get(BOUND)
        if bound is None:
            super()._put(queue, message, **kwargs)
            return
        key = self._q_for_pri(queue, self._get_message_priority(message, reverse=False))
        with self.conn_or_acquire() as client:
            client.eval(PUSH, 1, key, dumps(message), int(bound))


class BoundedTransport(redis.Transport):
    """A transport of bounded queues."""

    Channel: Any = BoundedChannel
