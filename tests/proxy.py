"""A TCP proxy that a test may cut: refusing, hanging, or losing what goes one way."""

from __future__ import annotations

import contextlib
import itertools
import socket
import struct
import threading
import time
from urllib.parse import urlsplit


class Proxy:
    """Forwards connections to an address, or to the socket at `socket_path`; `mode` is pass, refuse, hang, deaf (requests lost) or mute (answers lost)."""

    def __init__(self, url: str, socket_path: str = "") -> None:
        parts, self._socket_path = urlsplit(url), socket_path
        self._target = (str(parts.hostname), int(parts.port or 80))
        self.mode, self.delay_seconds = "pass", 0.0
        self._open = True
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._connections: list[socket.socket] = []
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._serving: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def cut(self, mode: str) -> None:
        """Change the mode, for connections that are open too."""
        self.mode = mode
        if mode == "refuse":
            self._drop()

    def heal(self) -> None:
        """Let everything pass; connections that lost something are closed."""
        self.mode = "pass"
        self._drop()

    def close(self) -> None:
        """End the proxy."""
        self._open = False
        # Only a shutdown wakes the thread that accepts.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        self._drop()
        for each in self._serving:
            each.join(5)

    def hear(self, connection: int, data: bytes) -> None:
        """Take note of what the client of a connection sent; a plain proxy does not."""

    def _accept(self) -> None:
        while self._open:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.mode == "refuse":
                # No linger: the other side sees a reset, as from a port without a listener.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
                continue
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self._serving.append(thread)
            thread.start()

    def _connected(self) -> socket.socket:
        if not self._socket_path:
            return socket.create_connection(self._target, timeout=60)
        server = socket.socket(socket.AF_UNIX)
        server.connect(self._socket_path)
        return server

    def _serve(self, client: socket.socket) -> None:
        try:
            server = self._connected()
        except OSError:
            client.close()
            return
        with self._lock:
            self._connections += [client, server]
        heard = (client, server, ("hang", "deaf"), next(self._numbers))
        there = threading.Thread(target=self._pump, args=heard, daemon=True)
        there.start()
        self._pump(server, client, ("hang", "mute"))
        there.join()
        for each in (client, server):
            each.close()

    def _pump(
        self, source: socket.socket, sink: socket.socket, lost_in: tuple[str, ...], heard: int = 0
    ) -> None:
        with contextlib.suppress(OSError):
            source.settimeout(None)
            while data := source.recv(65536):
                if self.delay_seconds:
                    time.sleep(self.delay_seconds)
                if heard:
                    self.hear(heard, data)
                if self.mode not in lost_in:
                    sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _drop(self) -> None:
        with self._lock:
            for each in self._connections:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            self._connections.clear()
