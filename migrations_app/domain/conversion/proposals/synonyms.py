"""Words that definitions use for one another, in the form that `words` gives them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

_GROUPS = (
    ("configuration", "setting", "option", "parameter", "preference"),
    ("kind", "type", "class", "category"),
    ("state", "status", "phase", "condition"),
    ("description", "summary", "comment", "note"),
    ("title", "caption", "label", "display"),
    ("label", "tag"),
    ("annotation", "metadata", "attribute", "property"),
    ("payload", "body", "content", "data"),
    ("message", "text"),
    ("location", "region", "zone"),
    ("account", "user", "principal", "identity"),
    ("owner", "author", "creator"),
    ("policy", "rule"),
    ("error", "failure", "fault"),
    ("result", "outcome", "output"),
    ("reason", "cause"),
    ("host", "hostname", "address", "endpoint"),
    ("network", "vpc"),
    ("uri", "link", "address"),
    ("timeout", "deadline", "ttl"),
    ("duration", "period", "interval"),
    ("expire", "expiration", "expiry"),
    ("start", "begin"),
    ("end", "finish", "complete", "completion"),
    ("limit", "quota", "maximum", "capacity"),
    ("size", "capacity", "length"),
    ("count", "total"),
    ("amount", "quantity"),
    ("cost", "price", "charge"),
    ("filter", "selector", "query", "match"),
    ("search", "query"),
    ("group", "set", "collection"),
    ("member", "participant"),
    ("job", "task", "execution", "run"),
    ("function", "procedure"),
    ("instance", "machine", "node"),
    ("image", "picture"),
    ("container", "pod"),
    ("snapshot", "backup"),
    ("secret", "credential"),
    ("encryption", "cmek"),
    ("replica", "copy"),
    ("version", "revision"),
    ("hash", "digest", "checksum", "fingerprint"),
    ("percent", "ratio", "share"),
    ("target", "destination"),
    ("origin", "source"),
    ("permission", "access", "authorization"),
    ("notification", "alert"),
    ("schedule", "cron"),
    ("pattern", "regex"),
    ("sequence", "order", "rank", "priority"),
    ("time", "date"),
    ("name", "title", "label"),
    ("uri", "link", "reference"),
    ("photo", "picture", "image", "thumbnail", "avatar", "icon"),
    ("email", "mail"),
    ("language", "locale"),
    ("item", "element", "entry", "record"),
    ("folder", "directory", "container"),
    ("file", "document"),
    ("tier", "level", "class", "plan", "edition"),
    ("score", "rating", "confidence"),
    ("weight", "priority", "share"),
    ("frequency", "rate"),
    ("mode", "kind", "strategy", "policy"),
    ("remove", "delete", "drop", "trash"),
    ("modify", "change", "update", "edit"),
    ("latest", "last", "recent", "newest"),
    ("verify", "validate", "check", "confirm"),
    ("disk", "volume", "storage"),
    ("customer", "client", "consumer"),
    ("provider", "issuer", "vendor"),
    ("scope", "range", "extent"),
    ("variable", "parameter", "macro"),
    ("schema", "format", "structure"),
    ("channel", "topic", "stream", "queue"),
    ("issue", "problem", "error", "warning"),
    ("source", "input"),
    ("destination", "output", "sink"),
    ("quota", "allowance"),
    ("minimum", "least", "lower"),
    ("maximum", "most", "upper", "limit"),
)


def _by_word() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for group in _GROUPS:
        for word in group:
            found[word] |= {*group} - {word}
    return {word: frozenset(others) for word, others in found.items()}


_SYNONYMS = _by_word()


def are_synonyms(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell whether two names differ by one word each, and one of these stands for the other elsewhere."""
    gone, come = [each for each in old if each not in new], [each for each in new if each not in old]
    return len(gone) == len(come) == 1 and come[0] in _SYNONYMS.get(gone[0], ())
