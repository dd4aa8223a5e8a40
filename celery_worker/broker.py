"""The Redis transport of the workers, which notices a lost broker also while every thread is busy."""

from __future__ import annotations

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis, virtual

from migrations_app.adapters.dispatch.celery import BoundedChannel


class SteadyQoS(redis.QoS):
    """Gives a message's place free also where the broker did not hear that it is done.

    Kombu would count it as under way for ever. A worker whose places are all taken polls no socket, so it would
    never learn that the broker was away. The message itself comes again, and its key's lease and state bear that.
    """

    def ack(self, delivery_tag: str) -> None:
        """Say that a message is done with."""
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Say that a message is not taken."""
        try:
            super().reject(delivery_tag, requeue)
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


class SteadyChannel(BoundedChannel):
    """A channel whose places come free, and whose queues are bounded."""

    QoS: Any = SteadyQoS


class SteadyTransport(redis.Transport):
    """A transport whose places come free."""

    Channel: Any = SteadyChannel
    # Seconds after which the broker answers a worker at rest that there is nothing; a wake-up is answered at once. Kombu
    # asks anew each second. Longer is no gain, and a worker whose threads are all busy holds the wake-up that answers
    # its last question, which the next tick makes good after as many seconds.
    brpop_timeout = 5


def use_steady_transport() -> None:
    """Let this process's Redis addresses, also those of sockets, mean the steady transport."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = f"{__name__}:{SteadyTransport.__name__}"
