"""What came of a check, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.domain.conversion.laws.goldens import Golden
from migrations_app.domain.conversion.laws.verify import Failure
from migrations_app.kernel.json import canonical


def failure_lines(failure: Failure) -> Iterator[str]:
    """Tell how a law failed: the smallest document that breaks it, and where the difference begins."""
    about = f"{failure.resource_type} {failure.source} → {failure.target}"
    yield f"{failure.law} {about}: {failure.message}"
    yield f"  first difference at {failure.where} (seed {failure.seed})"
    for title, document in (
        ("smallest document", failure.document),
        ("expected", failure.expected),
        ("found", failure.actual),
    ):
        yield f"  {title}: {canonical(document).decode()}"


def golden_lines(golden: Golden) -> Iterator[str]:
    """Tell which lines of a golden are made otherwise now."""
    pairs = zip((golden.kept or b"").splitlines(), golden.made.splitlines(), strict=False)
    for number, (kept, made) in enumerate(pairs, 1):
        if kept != made:
            yield f"{golden.path}:{number} differs from what was accepted."
            yield f"  accepted: {kept.decode()}"
            yield f"  made now: {made.decode()}"
