"""Serves the web process on a socket that its parent listens on: `python -m console.embedded.serve FD`."""

from __future__ import annotations

import socket
import sys

from console.env import current_env
from console.web_server import server_of


def main() -> None:
    """Serve until a signal; the socket outlives this process, so a restart refuses no connection."""
    server = server_of(current_env())
    server.run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
    if not server.started:
        sys.exit(3)


if __name__ == "__main__":
    main()
