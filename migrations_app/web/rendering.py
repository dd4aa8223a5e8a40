"""Answers written as JSON: compact, and fast where a list has ten thousand rows."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

_beside = JSONEncoder()


class FastJson(JSONRenderer):
    """JSON by a compiled encoder; what that does not know is written as the framework would."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Write an answer; nothing at all for an answer without a body."""
        if data is None:
            return b""
        try:
            return _encoder.encode(data)
        except UnicodeEncodeError:
            # Half a character, as a refusal quotes it, can be written as an escape.
            return json.dumps(data, default=_beside.default, separators=(",", ":")).encode()


_encoder = msgspec.json.Encoder(enc_hook=_beside.default)
