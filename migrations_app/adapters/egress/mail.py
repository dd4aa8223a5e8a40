"""Mails: Django's SMTP backend over sockets with one deadline for the whole conversation."""

from __future__ import annotations

import smtplib
import ssl
from contextlib import suppress
from functools import cached_property
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

from migrations_app.adapters.egress.sockets import TimedSocket, named_destinations, open_socket, tls_context
from migrations_app.ports.processes.outbound import AddressRefused, AnswerMissing, Deadline

MAIL_SECONDS = 8.0


def send_mail(mail: EmailMessage, deadline: Deadline) -> None:
    """Hand a mail to the server that SWITCHYARD_MAIL_URL names.

    Raises: AnswerMissing when the server did not take it · AddressRefused.
    """
    mail.connection = DeadlineBackend(deadline)
    try:
        mail.send()
    except AddressRefused:
        raise
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise AnswerMissing(reached=True) from error


class DeadlineBackend(EmailBackend):
    """Sends mails to the server that the settings name, before a deadline."""

    def __init__(self, deadline: Deadline | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._deadline = deadline or Deadline(MAIL_SECONDS)

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        """Give what opens the conversation."""
        kind = _TLSConversation if self.use_ssl else _Conversation
        return type("Conversation", (kind,), {"deadline": self._deadline})

    @cached_property
    def ssl_context(self) -> ssl.SSLContext:
        """Give what verifies the server."""
        return tls_context(self._deadline)

    def close(self) -> None:
        """Close; a server that took the mail and does not say goodbye has taken it."""
        opened = self.connection
        with suppress(OSError, smtplib.SMTPException):
            super().close()
        if opened is not None:
            opened.close()


class _Conversation(smtplib.SMTP):
    """SMTP over a socket of ours."""

    deadline: Deadline

    def _get_socket(self, host: str, port: int, timeout: float) -> TimedSocket:
        name = f"[{settings.EMAIL_HOST}]" if ":" in settings.EMAIL_HOST else settings.EMAIL_HOST
        named = named_destinations([f"smtp://{name}:{settings.EMAIL_PORT}"])
        return open_socket(host, port, named, self.deadline)


class _TLSConversation(_Conversation, smtplib.SMTP_SSL):
    """The same under TLS from the first byte."""

    def _get_socket(self, host: str, port: int, timeout: float) -> ssl.SSLSocket:  # type: ignore[override]
        opened = super()._get_socket(host, port, timeout)
        opened.settimeout(self.deadline.wait_seconds())
        return self.context.wrap_socket(opened, server_hostname=host)
