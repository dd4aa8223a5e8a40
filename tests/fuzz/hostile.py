"""The corpus of hostile values, and seeded generators of more: texts, numbers, queries, headers and documents."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import quote_from_bytes

# What once led to a 5xx, or nearly did, stays here.
TEXTS = (
    b"", b"-", b".", b"..", b"/", b"//", b"%", b"*", b"a", b"x" * 300, b"x" * 5000, b"\x00", b"a\x00b", b"\xff\xfe", b"\xed\xa0\x80",
    b"\xf0\x9f\x98\x80", "é".encode(), "e\u0301".encode(), b"\r\nX-Injected: 1", b"' OR 1=1 --", b"{{7*7}}", b"${jndi:x}", b"../../etc/passwd",
    b"null", b"true", b"NaN", b"1e999", b"-1", b"0", b"9" * 40, b"1" * 5000, b"9223372036854775808", b"2147483648", b"1.5", b"0x10", b"\xd9\xa5",
    b"00000000-0000-0000-0000-000000000001", b"v1", b"v1alpha2", b"eu-west1", b"secrets.example.com", b"projects/p/secrets/s", b"a:b", b":",
    b"(a+)+$", b"(aa|a)*!", b"[", b"\\", b'"', b"`", b"<script>", b"2026-01-01T00:00:00Z", b"0000-00-00", b"9999-12-31T23:59:59.999999999Z",
    b"10000-01-01T00:00:00Z", b"-1s", b"999999999999s", b"W/\"1\"", b"\"99999999999999999999\"", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"a" * 1025,
    b"((((((((((", b"(" * 2000, b"NOT " * 500, b"a.b.c.d" * 100, b"name LIKE \"%a%a%a%a%a\"", b"a = 1 AND b = 'x'", b"created_at>=yesterday",
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (0, -1, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1.5, -0.0, 1e308, 0.1)
KEYS = (
    "page_size", "pageSize", "page_token", "pageToken", "filter", "order_by", "orderBy", "fields", "fieldMask", "read_mask", "view", "since",
    "limit", "cursor", "q", "search", "topics", "dry_run", "dryRun", "until", "from", "to", "region", "service", "version", "type", "id", "names",
    "status", "state", "after", "before", "at", "timezone", "depth", "name", "parent", "wait", "format", "kind", "actor", "target", "resourceVersion",
)  # fmt: skip
HEADERS = (
    "If-Match", "If-None-Match", "Idempotency-Key", "X-Request-ID", "Accept", "Content-Type", "Content-Encoding", "Last-Event-ID", "Cookie", "Range",
    "X-HTTP-Method-Override", "X-Forwarded-For", "Origin", "Referer", "User-Agent", "Accept-Language", "Prefer", "X-CSRFToken", "Transfer", "Expect-CT",
)  # fmt: skip


class Hostile:
    """Makes hostile input; the same seed makes the same."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)

    def raw(self) -> bytes:
        """Make a text in bytes."""
        roll = self.chance.random()
        if roll < 0.75:
            return self.chance.choice(TEXTS)
        if roll < 0.9:
            return self.chance.choice(TEXTS) + self.chance.choice(TEXTS)[:50]
        return bytes(self.chance.randrange(256) for _ in range(self.chance.randrange(1, 30)))

    def escaped(self) -> str:
        """Make a text for a path or a query."""
        return quote_from_bytes(self.raw(), safe=self.chance.choice(("", "", ":/-", "!$&'()*+,;=@")))

    def query(self, known: tuple[str, ...]) -> str:
        """Make a query: known parameters, others, and some twice."""
        if self.chance.random() < 0.3:
            return ""
        keys = [*known, *self.chance.choices(KEYS, k=2)]
        chosen = self.chance.choices(keys, k=self.chance.randrange(1, 4))
        return "&".join(f"{quote_from_bytes(key.encode())}={self.escaped()}" for key in chosen)

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Make headers that a server may be sent: no line breaks, any other byte."""
        found = []
        for name in self.chance.sample(HEADERS, self.chance.choice((0, 0, 0, 1, 2))):
            value = bytes(byte for byte in self.raw()[:2000] if byte >= 32 and byte != 127)
            found.append((name.encode(), value))
        return found

    def value(self, depth: int = 0) -> Any:
        """Make a JSON value."""
        roll = self.chance.random()
        if roll < 0.45 or depth > 3:
            # Half a character stays one: JSON can write it as an escape.
            return self.raw().decode("utf-8", "surrogateescape")
        if roll < 0.65:
            return self.chance.choice(NUMBERS)
        if roll < 0.78:
            return self.chance.choice((None, True, False))
        if roll < 0.9:
            return [self.value(depth + 1) for _ in range(self.chance.randrange(4))]
        return {self.chance.choice(KEYS): self.value(depth + 1) for _ in range(self.chance.randrange(4))}

    def document(self, schema: dict[str, Any], named: dict[str, Any], depth: int = 0) -> Any:
        """Make a document that is nearly of a schema, so that it gets past the first checks."""
        while "$ref" in schema:
            schema = named[schema["$ref"].rpartition("/")[2]]
        if depth > 6 or self.chance.random() < 0.12:
            return self.value(depth)
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        kind = schema.get("type")
        kind = self.chance.choice(kind) if isinstance(kind, list) else kind
        for several in ("allOf", "oneOf", "anyOf"):
            if several in schema:
                return self.document(self.chance.choice(schema[several]), named, depth + 1)
        if kind == "object" or "properties" in schema:
            fields = schema.get("properties", {})
            kept = [key for key in fields if key in schema.get("required", ()) or self.chance.random() < 0.5]
            return {key: self.document(fields[key], named, depth + 1) for key in kept}
        if kind == "array":
            return [
                self.document(schema.get("items", {}), named, depth + 1)
                for _ in range(self.chance.randrange(3))
            ]
        if kind in ("integer", "number"):
            return self.chance.choice((1, 2, *NUMBERS))
        if kind == "boolean":
            return self.chance.random() < 0.5
        if schema.get("format") == "date-time":
            return self.chance.choice(
                ("2026-11-23T12:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00")
            )
        return self.raw().decode("utf-8", "surrogateescape")

    def body(self, schema: dict[str, Any] | None, named: dict[str, Any]) -> bytes:
        """Make a body: JSON that is nearly right, JSON of any kind, or bytes."""
        roll = self.chance.random()
        if roll < 0.06:
            return self.raw()
        if roll < 0.08:
            return b"[" * 20_000
        found = self.document(schema, named) if schema is not None and roll < 0.85 else self.value()
        return json.dumps(found).encode()
