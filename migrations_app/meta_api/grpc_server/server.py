"""The gRPC server: the published services, health and reflection on one port."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias
from urllib.parse import unquote

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from migrations_app.domain.registry.published_methods import (
    SERVICES,
    PublishedMethod,
    methods,
    pool,
)
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.meta_api.errors import rpc_status
from migrations_app.meta_api.grpc_server.requests import http_call
from migrations_app.meta_api.grpc_server.statuses import GrpcStatus, status_of_body
from migrations_app.meta_api.grpc_server.views import ViewResponse, call, messages_of

THREADS = 16
"""So many calls run at once, as in a web process; others wait in their order until their deadline."""
LARGEST_REQUEST = 4 * 1024 * 1024
Context: TypeAlias = "grpc.aio.ServicerContext[Message, Message]"


@dataclass(frozen=True, slots=True)
class Tls:
    """The server's certificate chain and private key, as PEM."""

    certificate: bytes
    key: bytes


class MetaServer:
    """Serves the Meta API over gRPC in this process until it is stopped."""

    def __init__(self, address: str, *, tls: Tls | None = None) -> None:
        """Listen on an address, `host:port`; port 0 takes a free one.

        Raises: OSError when the address is taken.
        """
        self._pool = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="meta-grpc")
        self._secure = tls is not None
        options = [("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", LARGEST_REQUEST)]
        self._server = grpc.aio.server(options=options)
        for name in SERVICES:
            handlers = {each.name: self._handler(each) for each in methods().values() if each.service == name}
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, handlers),))
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        described = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(described, self._server, pool=_described())
        try:
            self.port = self._listen(address, tls)
        except RuntimeError as error:
            raise OSError(f"{address} cannot be listened on: {error}") from error

    def _listen(self, address: str, tls: Tls | None) -> int:
        if tls is None:
            return self._server.add_insecure_port(address)
        pairs = [(tls.key, tls.certificate)]
        return self._server.add_secure_port(address, grpc.ssl_server_credentials(pairs))

    async def start(self) -> None:
        """Serve, and say so to who asks for health."""
        await self._server.start()
        for name in ("", *SERVICES):
            await self._health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self, grace_seconds: float = 5.0) -> None:
        """Take no new calls, let those under way end, then stop."""
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_seconds)
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _handler(self, method: PublishedMethod) -> Any:
        serializer = method.answer.SerializeToString
        if method.streams:

            async def stream(request: Message, context: Context) -> AsyncIterator[Message]:
                answer = await self._call(method, request, context)
                if answer.stream is None:
                    raise RuntimeError(f"{method.name} did not answer with a stream.")
                async for each in messages_of(answer.stream):
                    yield ParseDict(each, method.answer())

            return grpc.unary_stream_rpc_method_handler(stream, method.request.FromString, serializer)

        async def unary(request: Message, context: Context) -> Message:
            answer = await self._call(method, request, context)
            return ParseDict(answer.body, method.answer())

        return grpc.unary_unary_rpc_method_handler(unary, method.request.FromString, serializer)

    async def _call(self, method: PublishedMethod, request: Message, context: Context) -> ViewResponse:
        """Let the view answer in a thread; an error ends the call with its status."""
        metadata = {str(key): str(value) for key, value in context.invocation_metadata() or ()}
        try:
            asked = http_call(method, request, dry_run=is_dry_run(metadata))
        except SwitchyardError as error:
            await _abort(context, status_of_body(rpc_status(error, metadata.get("x-request-id", ""))), {})
        loop, peer = asyncio.get_running_loop(), _address(context.peer())
        answer = await loop.run_in_executor(
            self._pool, lambda: _in_time(context, lambda: call(asked, metadata, peer, secure=self._secure))
        )
        if answer is None:
            words = "The deadline passed before the call began; nothing was done."
            await _abort(context, GrpcStatus(grpc.StatusCode.DEADLINE_EXCEEDED, words, b""), {})
        if answer.status >= 400:
            await _abort(context, status_of_body(answer.body), answer.headers)
        await context.send_initial_metadata(tuple(answer.headers.items()))
        return answer


def is_dry_run(metadata: Mapping[str, str]) -> bool:
    """Read whether only a rehearsal is asked for, from the metadata `dry-run`.

    Raises: Invalid (`dry-run`).
    """
    text = metadata.get("dry-run", "false").lower()
    if text not in {"true", "false"}:
        raise Invalid(
            message("dry-run is {text}.", text=repr(text[:40])),
            code="dry-run",
            remedy=message("Use true or false."),
        )
    return text == "true"


def _in_time(context: Context, act: Callable[[], ViewResponse]) -> ViewResponse | None:
    """Do it, unless the deadline passed while the call waited for a thread: then nothing is begun."""
    left = context.time_remaining()
    return None if left is not None and left <= 0 else act()


async def _abort(context: Context, status: GrpcStatus, headers: Mapping[str, str]) -> NoReturn:
    await context.abort(status.code, status.message, status.trailers(headers))
    raise AssertionError("unreachable")


def _address(peer: str) -> str:
    """Read the address of a peer such as `ipv4:10.0.0.1:443` or `ipv6:[::1]:443`."""
    kind, _, rest = peer.partition(":")
    if kind not in ("ipv4", "ipv6"):
        return ""
    return unquote(rest.rpartition(":")[0]).strip("[]")


def _described() -> DescriptorPool:
    """Give the definitions that reflection tells of: the published ones, health and reflection."""
    found = pool()
    for each in (health_pb2, reflection_pb2):
        found.AddSerializedFile(each.DESCRIPTOR.serialized_pb)
    return found
