"""Serves the web process with its bounds: `python -m console.web_server --host 0.0.0.0 --port 8000`."""

from __future__ import annotations

import argparse
import sys

import uvicorn

from console.env import Env, current_env
from console.http_protocol import bounded_http


def server_of(
    env: Env, *, host: str = "127.0.0.1", port: int = 8000, grace_seconds: int = 5
) -> uvicorn.Server:
    """Make the server of the web process; who may forward requests is decided by the application."""
    return uvicorn.Server(
        uvicorn.Config(
            "console.asgi:application",
            host=host,
            port=port,
            http=bounded_http(env),
            access_log=False,
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=grace_seconds,
        )
    )


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser(prog="python -m console.web_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes a free one")
    parser.add_argument("--grace", type=int, default=5, help="seconds that requests under way get at the end")
    given = parser.parse_args()
    server = server_of(current_env(), host=given.host, port=given.port, grace_seconds=given.grace)
    server.run()
    if not server.started:
        sys.exit(3)


if __name__ == "__main__":
    main()
