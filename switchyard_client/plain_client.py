"""The client that waits for each answer, without the operations: what `swy` needs to start."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from switchyard_client.errors import ApiError, ClientError
from switchyard_client.exchange import Operation, Request, Response, build_request, read_response
from switchyard_client.options import (
    TIMEOUT_SECONDS,
    USER_AGENT,
    checked,
    http_arguments,
    http_options,
    no_answer,
    plain_request,
    plain_response,
)
from switchyard_client.retries import RetryPolicy
from switchyard_client.senders import NOTHING, Sender
from switchyard_client.streams import ADDRESS, SILENCE_SECONDS, StreamMessage, stream_of


class PlainClient(Sender):
    """One console, seen as the account of a token: addresses, plain values, and the live stream."""

    def __init__(
        self,
        base_url: str,
        token: str = "",
        *,
        retries: RetryPolicy | None = None,
        timeout: float = TIMEOUT_SECONDS,
        user_agent: str = USER_AGENT,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.retries = retries or RetryPolicy()
        self.timeout = timeout
        self.http = httpx.Client(**http_options(base_url, token, timeout, user_agent), transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] = NOTHING,
        body: object = None,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[Any]:
        """Send a request to an address, and give what is answered as plain values.

        Raises: ApiError, Unreachable, AnswerUnreadable.
        """
        request = plain_request(
            method,
            path,
            query,
            body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
        return plain_response(self._exchange(request))

    def events(
        self, topics: Iterable[str] | str, since: int | None = None, timeout: float | None = None
    ) -> Iterator[StreamMessage]:
        """Give the messages of the live stream as they come; where the connection is lost it goes on from there.

        It ends after `timeout` seconds, and else when the caller stops.
        Raises: ApiError where the stream is refused.
        """
        state = stream_of(topics, since)
        ends = float("inf") if timeout is None else time.monotonic() + timeout
        while (left := ends - time.monotonic()) > 0:
            wait = httpx.Timeout(self.timeout, read=min(SILENCE_SECONDS, left))
            headers = {"Accept": "text/event-stream"}
            try:
                with self.http.stream(
                    "GET", ADDRESS, params=state.query(), headers=headers, timeout=wait
                ) as answer:
                    if answer.status_code >= 400:
                        answer.read()
                    for line in checked(answer).iter_lines():
                        if message := state.take_line(line):
                            yield message
                        if time.monotonic() >= ends:
                            return
            except ApiError as error:
                if error.status not in (429, 502, 503, 504):
                    raise
            except httpx.HTTPError:
                pass
            time.sleep(max(0.0, min(state.lost(), ends - time.monotonic())))

    def _send(
        self,
        operation: Operation,
        path: Mapping[str, object] = NOTHING,
        query: Mapping[str, object] = NOTHING,
        body: object = None,
        *,
        if_match: str = "",
        if_none_match: str = "",
        idempotency_key: str = "",
        request_id: str = "",
    ) -> Response[Any]:
        request = build_request(
            operation,
            path,
            query,
            body,
            if_match=if_match,
            if_none_match=if_none_match,
            idempotency_key=idempotency_key,
            request_id=request_id,
        )
        return read_response(operation, self._exchange(request))

    def _exchange(self, request: Request) -> httpx.Response:
        """Send a request until there is an answer that is no refusal for now."""
        attempt, waited = 1, 0.0
        while True:
            try:
                return self._send_once(request)
            except ClientError as error:
                delay = self.retries.delay_seconds(request, error, attempt, waited)
                if delay is None:
                    raise
            time.sleep(delay)
            attempt, waited = attempt + 1, waited + delay

    def _send_once(self, request: Request) -> httpx.Response:
        try:
            return checked(self.http.request(**http_arguments(request)))
        except httpx.HTTPError as error:
            raise no_answer(error, self.http) from error
