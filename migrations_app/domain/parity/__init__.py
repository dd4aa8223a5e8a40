"""Digests and mismatches: what proves that two namespaces hold the same resources."""

from migrations_app.domain.parity.digest import EMPTY, Digest, digest_of
from migrations_app.domain.parity.mismatch import ComparedSide, Mismatch, MismatchKind, compare

__all__ = ["EMPTY", "ComparedSide", "Digest", "Mismatch", "MismatchKind", "compare", "digest_of"]
