"""One message on its way: as signed JSON, as a card of Slack or Teams, or as a mail."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone

from migrations_app.adapters.egress.http import EgressClient
from migrations_app.adapters.egress.mail import send_mail as hand_over
from migrations_app.adapters.egress.sockets import public_destinations
from migrations_app.control.notifications.addresses import address_of
from migrations_app.control.notifications.messages import signature
from migrations_app.control.notifications.signing_secrets import secrets_of
from migrations_app.kernel.errors import Halted
from migrations_app.kernel.json import JsonObject, encode
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.ports.processes.outbound import AddressRefused, Deadline, EgressError

MAIL = "email"
BUTTON = "Open in Switchyard"
NO_ANSWER = message("The receiver did not answer.")

REFUSED_ADDRESS = message(
    "The address is not in a network that Switchyard may call. SWITCHYARD_EGRESS_NETWORKS lists more networks."
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one attempt: the status that was answered, if any, and what went wrong, or nothing."""

    status: int | None
    error: WordedMessage
    answered: bool


def send_post(hook: Webhook, row: WebhookDelivery, deadline: Deadline) -> Attempt:
    """Post a message; the answer's body is never read."""
    body = encode(payload(hook.format, hook.name, row.pk, row.body))
    try:
        url, secrets = address_of(hook), secrets_of(hook, timezone.now())
    except Halted as unreadable:
        return Attempt(None, unreadable.words + WordedMessage(unreadable.remedy_phrases), answered=True)
    headers = {
        "Content-Type": "application/json",
        "Switchyard-Event": row.event,
        "Switchyard-Delivery": str(row.pk),
        "Switchyard-Signature": signature(secrets, int(time.time()), body),
    }
    # Where it goes is decided now: a name may mean another address than when the channel was made.
    client = EgressClient(public_destinations())
    try:
        status = client.send_for_status(url, body, headers, deadline)
    except AddressRefused:
        return Attempt(None, REFUSED_ADDRESS, answered=True)
    except EgressError:
        return Attempt(None, NO_ANSWER, answered=False)
    finally:
        client.close()
    if 200 <= status < 300:
        return Attempt(status, NOTHING, answered=True)
    return Attempt(
        status, message("The receiver answered {status}.", status=f"{status // 100}xx"), answered=True
    )


def send_mail(hook: Webhook, rows: Sequence[WebhookDelivery], deadline: Deadline) -> Attempt:
    """Hand one message to the mail server, of all these events; a mail has no status, only what went wrong."""
    if not settings.EMAIL_HOST:
        return Attempt(None, message("No mail server is set: SWITCHYARD_MAIL_URL says which."), answered=True)
    first = rows[0]
    subject, body = mail_of(first.body if len(rows) == 1 else gathered([row.body for row in rows]))
    mail = EmailMessage(
        subject=subject,
        body=body,
        to=[hook.owner.email] if hook.owner else recipients(hook.address),
        headers={
            "Switchyard-Event": first.event if len(rows) == 1 else "digest",
            "Switchyard-Delivery": str(first.pk),
        },
    )
    try:
        hand_over(mail, deadline)
    except EgressError as error:
        words = message("The mail server did not take it.")
        return Attempt(None, words, answered=isinstance(error, AddressRefused))
    return Attempt(None, NOTHING, answered=True)


def mail_of(body: JsonObject) -> tuple[str, str]:
    """Write a message as subject and text of a mail."""
    title, text, link = words(body)
    subject = f"[Switchyard {settings.SWITCHYARD.environment}] {title}".replace("\n", " ")
    return subject, "\n\n".join(part for part in (text, link) if part) + "\n"


def gathered(bodies: Sequence[JsonObject]) -> JsonObject:
    """Write several messages as one: a line each, in their order."""
    base = settings.SWITCHYARD.public_url.rstrip("/")
    lines = []
    for body in bodies:
        title, text, link = words(body)
        at = str(body.get("at", ""))[:16].replace("T", " ")
        lines.append(f"{at} UTC  {title}: {text}".rstrip(": ") + (f"\n  {link}" if link and base else ""))
    return {
        "event": "digest",
        "title": f"{len(bodies)} events",
        "text": "\n".join(lines),
        "link": "/activity",
    }


def payload(form: str, hook: str, delivery: int, body: JsonObject) -> JsonObject:
    """Write a message as its receiver reads it."""
    if form in CARDS:
        return CARDS[form](*words(body))
    return {"delivery": delivery, "webhook": hook, **body}


def words(body: JsonObject) -> tuple[str, str, str]:
    """Take title, text and the whole address of the page out of a message."""
    path, base = str(body.get("link", "")), settings.SWITCHYARD.public_url.rstrip("/")
    return str(body.get("title") or body["event"]), str(body.get("text", "")), f"{base}{path}" if base else ""


def recipients(url: str) -> list[str]:
    """Read the addresses of `mailto:one@host,other@host`."""
    return [each.strip() for each in url.removeprefix("mailto:").split(",") if each.strip()]


def _slack(title: str, text: str, link: str) -> JsonObject:
    button: JsonObject = {
        "type": "actions",
        "elements": [
            {"type": "button", "text": {"type": "plain_text", "text": BUTTON}, "url": link},
        ],
    }
    section: JsonObject = {"type": "mrkdwn", "text": f"*{_escaped(title)}*\n{_escaped(text)}"}
    blocks: list[JsonObject] = [{"type": "section", "text": section}, *([button] if link else [])]
    return {"text": _escaped(f"{title}: {text}"), "blocks": [*blocks]}


def _teams(title: str, text: str, link: str) -> JsonObject:
    lines: list[JsonObject] = [
        {"type": "TextBlock", "text": title, "weight": "Bolder", "wrap": True},
        {"type": "TextBlock", "text": text, "wrap": True},
    ]
    actions: list[JsonObject] = [{"type": "Action.OpenUrl", "title": BUTTON, "url": link}] if link else []
    card: JsonObject = {
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": [*lines],
        "actions": [*actions],
    }
    kind = "application/vnd.microsoft.card.adaptive"
    return {"type": "message", "attachments": [{"contentType": kind, "contentUrl": None, "content": card}]}


CARDS: MappingProxyType[str, Callable[[str, str, str], JsonObject]] = MappingProxyType(
    {"slack": _slack, "teams": _teams}
)
FORMATS = ("signed", *CARDS, MAIL)


def _escaped(text: str) -> str:
    """Slack reads these three as its own marks."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
