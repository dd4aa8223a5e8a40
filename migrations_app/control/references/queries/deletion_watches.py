"""What a person waits for to be free to go."""

from __future__ import annotations

from urllib.parse import quote

from migrations_app.domain.access import Actor
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import kept_message, sentence_as_json
from migrations_app.models.watches import DeletionWatch


def watches(actor: Actor) -> list[JsonObject]:
    """List one's own watches, the oldest first."""
    return [watch_as_json(row) for row in DeletionWatch.objects.filter(account__username=actor.name)]


def watch_as_json(row: DeletionWatch) -> JsonObject:
    """Give a watch as the API shows it."""
    return {
        "id": row.id,
        "name": row.name,
        "verdict": row.verdict,
        **sentence_as_json(kept_message(row.sentence, row.phrases)),
        "since": row.since.isoformat(),
        "looked_at": row.looked_at.isoformat() if row.looked_at else None,
        "cleared_at": row.cleared_at.isoformat() if row.cleared_at else None,
    }


def cleared(actor: Actor) -> list[Json]:
    """Name what this actor waited for and what is free now; it stands until they put it away."""
    rows = DeletionWatch.objects.filter(account__username=actor.name, cleared_at__isnull=False)
    return [
        {
            "kind": "deletion",
            "id": f"{row.id} {row.cleared_at:%s}",
            **sentence_as_json(
                message("{name}:", name=ReferenceNode.parse(row.name).name)
                + kept_message(row.sentence, row.phrases)
            ),
            "deadline": None,
            "link": f"/refs/deletion?name={quote(row.name, safe='')}",
        }
        for row in rows
    ]
