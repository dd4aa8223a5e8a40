"""Digests and mismatches: what proves that two namespaces hold the same resources."""

from migrations_app.domain.parity.digest import EMPTY, Digest, digest_of
from migrations_app.domain.parity.mismatch import Mismatch, MismatchKind, Side, compare

__all__ = ["EMPTY", "Digest", "Mismatch", "MismatchKind", "Side", "compare", "digest_of"]
