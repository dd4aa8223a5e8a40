"""A server that counts connections and answers each in one of several bad ways."""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MEGABYTE = 1024 * 1024


@dataclass
class Sink:
    """What arrived at which path, how much of it at the same time, and how many bytes the senders took."""

    port: int = 0
    manner: str = "good"
    begun: list[float] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    arrived: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    under_way: dict[str, set[socket.socket]] = field(default_factory=lambda: defaultdict(set))
    most_under_way: Counter[str] = field(default_factory=Counter)
    sent_bytes: int = 0
    location: str = ""
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/in"


def has_hung_up(connection: socket.socket) -> bool:
    """Tell whether the other end of a connection whose request was read has closed it."""
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


@contextmanager
def sink(manner: str = "good") -> Iterator[Sink]:
    """Run a server: `good`, `drip` (a byte a second), `huge` (125 MB), `mute` (no answer), `redirect`, `gzip`, `closed` at once."""
    found = Sink(manner=manner)

    class Session(socketserver.StreamRequestHandler):
        path = ""

        def handle(self) -> None:
            with found.lock:
                found.begun.append(time.monotonic())
            if found.manner == "closed":
                return
            line = self.rfile.readline()
            path = line.decode("latin-1").split(" ")[1] if b" " in line else ""
            with found.lock:
                found.paths.append(path)
                found.arrived[path].append(time.monotonic())
                found.under_way[path].add(self.connection)
                open_attempts = sum(not has_hung_up(each) for each in found.under_way[path])
                found.most_under_way[path] = max(found.most_under_way[path], open_attempts)
            self.path = path
            try:
                self.read_request()
                getattr(self, f"answer_{found.manner}")()
            except OSError:
                pass
            finally:
                self.end_attempt()

        def end_attempt(self) -> None:
            """Count the attempt as over, before its answer is sent.

            The sender may begin the next attempt as soon as it has the answer: before this thread runs again.
            """
            with found.lock:
                found.under_way[self.path].discard(self.connection)

        def read_request(self) -> None:
            length = 0
            for header in self.rfile:
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
                if header in (b"\r\n", b"\n"):
                    break
            self.rfile.read(length)

        def answer_good(self) -> None:
            self.end_attempt()
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        def answer_redirect(self) -> None:
            self.end_attempt()
            head = f"HTTP/1.1 307 Over there\r\nLocation: {found.location}\r\nContent-Length: 0\r\n\r\n"
            self.wfile.write(head.encode())

        def answer_gzip(self) -> None:
            self.end_attempt()
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}")

        def answer_mute(self) -> None:
            # Until the sender hangs up, or the test is over.
            self.connection.settimeout(0.05)
            while not found.closing.is_set():
                try:
                    if not self.connection.recv(1):
                        return
                except TimeoutError:
                    continue

        def answer_drip(self) -> None:
            self.connection.settimeout(0.05)
            for letter in b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000:
                self.connection.sendall(bytes([letter]))
                with found.lock:
                    found.sent_bytes += 1
                try:
                    if found.closing.wait(1.0) or not self.connection.recv(1):
                        return
                except TimeoutError:
                    continue

        def answer_huge(self) -> None:
            self.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Length: {125 * MEGABYTE}\r\n\r\n".encode())
            for _ in range(125):
                self.connection.sendall(b"x" * MEGABYTE)
                with found.lock:
                    found.sent_bytes += MEGABYTE

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Session)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2})
    thread.start()
    try:
        yield found
    finally:
        found.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
