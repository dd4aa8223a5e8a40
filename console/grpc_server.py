"""Serves the Meta API over gRPC: `python -m console.grpc_server --host 0.0.0.0 --port 8001`."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

import django
from django.conf import settings

from console.env import Env, current_env
from console.env_values import WrongEnvironment
from migrations_app.kernel.errors import SwitchyardError

GRACE_SECONDS = 5.0


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m console.grpc_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8001, help="port to listen on; 0 takes a free one")
    given = parser.parse_args()
    env = current_env()
    env.serve()
    settings.DATABASES["default"] |= {"CONN_MAX_AGE": 0}
    settings.DATABASES["default"]["OPTIONS"]["pool"] = {"min_size": 1, "max_size": 20, "timeout": 10}
    django.setup()
    host = f"[{given.host}]" if ":" in given.host else given.host
    try:
        asyncio.run(_serve(env, f"{host}:{given.port}"))
    except (OSError, WrongEnvironment, SwitchyardError) as error:
        print(f"switchyard: {error}", file=sys.stderr)
        sys.exit(3)


async def _serve(env: Env, address: str) -> None:
    from migrations_app import wiring
    from migrations_app.control.registry.own_registration import register_process
    from migrations_app.kernel import failpoints
    from migrations_app.meta_api.grpc_server.server import MetaServer, Tls

    wiring.start_telemetry("grpc")
    if not env.meta_url:
        register_process(env.regions, waits=not env.replica)
    failpoints.arm(env.fail)
    files = _pem(env)
    server = MetaServer(address, tls=Tls(*files) if files else None)
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await server.start()
    print(f"gRPC listens on port {server.port}.", flush=True)
    await stop.wait()
    await server.stop(GRACE_SECONDS)


def _pem(env: Env) -> tuple[bytes, bytes] | None:
    """Read the certificate chain and the key that the settings name; nothing when they name none.

    Raises: WrongEnvironment when only one is named, or a file cannot be read.
    """
    paths = (env.grpc_certificate, env.grpc_key)
    if not any(paths):
        return None
    if not all(paths):
        raise WrongEnvironment("Set SWITCHYARD_GRPC_CERTIFICATE and SWITCHYARD_GRPC_KEY both, or neither.")
    try:
        certificate, key = (Path(path).read_bytes() for path in paths)
    except OSError as error:
        raise WrongEnvironment(f"The certificate or key of gRPC cannot be read ({error}).") from None
    return certificate, key


if __name__ == "__main__":
    main()
