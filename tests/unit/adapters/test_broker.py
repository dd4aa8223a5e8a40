"""A worker's places come free also when the broker is away."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from celery_worker.broker import SteadyQoS


class Gone(Exception):
    """The broker does not answer."""


class AwayQoS(SteadyQoS):
    """Places of a channel whose broker is away."""

    def _remove_from_indices(self, delivery_tag: str, pipe: object = None) -> Any:
        raise Gone

    def restore_by_tag(self, tag: str, client: object = None, leftmost: bool = False) -> None:
        raise Gone


def _busy() -> AwayQoS:
    qos = AwayQoS(SimpleNamespace(connection_errors=(Gone,)), prefetch_count=1)
    qos._on_collect.cancel()
    qos._quick_append("tag", object())
    assert not qos.can_consume()
    return qos


def test_a_message_whose_end_the_broker_did_not_hear_takes_no_place() -> None:
    qos = _busy()
    with pytest.raises(Gone):
        qos.ack("tag")
    assert qos.can_consume()


@pytest.mark.parametrize("requeue", [False, True])
def test_a_message_whose_refusal_the_broker_did_not_hear_takes_no_place(requeue: bool) -> None:
    qos = _busy()
    with pytest.raises(Gone):
        qos.reject("tag", requeue)
    assert qos.can_consume()
