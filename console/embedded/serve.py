"""Serves the web process on a socket that its parent listens on: `python -m console.embedded.serve FD`."""

from __future__ import annotations

import socket
import sys

import uvicorn


def main() -> None:
    """Serve until a signal; the socket outlives this process, so a restart refuses nobody."""
    server = uvicorn.Server(
        uvicorn.Config(
            "console.asgi:application",
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=5,
        )
    )
    server.run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
    if not server.started:
        sys.exit(3)


if __name__ == "__main__":
    main()
