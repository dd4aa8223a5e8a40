"""A small SMTP server that takes mails and keeps them."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class Mailbox:
    """What arrived, and whether recipients are refused."""

    port: int = 0
    refuses: bool = False
    mails: list[tuple[list[str], EmailMessage]] = field(default_factory=list)


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """Run a mail server."""
    found = Mailbox()

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            recipients: list[str] = []
            self.say("220 mailbox")
            for line in self.rfile:
                word, _, rest = line.decode().strip().partition(" ")
                if word.upper() == "RCPT":
                    recipients.append(rest.partition("<")[2].rstrip(">"))
                    self.say("550 nobody of that name" if found.refuses else "250 ok")
                elif word.upper() == "DATA":
                    self.say("354 go on")
                    found.mails.append((recipients, self.mail()))
                    self.say("250 kept")
                elif word.upper() == "QUIT":
                    self.say("221 bye")
                    return
                else:
                    self.say("250 ok")

        def mail(self) -> EmailMessage:
            lines: list[bytes] = []
            for line in self.rfile:
                if line == b".\r\n":
                    break
                lines.append(line.removeprefix(b"."))
            mail = message_from_bytes(b"".join(lines), policy=policy.default)
            assert isinstance(mail, EmailMessage)
            return mail

        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session)
    server.daemon_threads = True
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
