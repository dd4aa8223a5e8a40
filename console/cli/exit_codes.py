"""What `swy` exits with: one table for programs, the help and the reference."""

from __future__ import annotations

OK, FAILED, DIFFERS, DENIED, NEEDS_APPROVAL, TIMED_OUT, CONFLICT, NOT_FOUND, REFUSED = range(9)
USAGE = 64
"""As `sysexits.h` has it: 2, which command lines commonly use, means a difference here."""

EXIT_CODES = {
    OK: "Done; with --diff or --dry-run of apply, and for diff: nothing differs.",
    FAILED: "Failed, or a check found something.",
    DIFFERS: "With --diff or --dry-run of apply, and for diff: something differs.",
    DENIED: "Not signed in, or not allowed.",
    NEEDS_APPROVAL: "Votes are missing.",
    TIMED_OUT: "The time to wait is over; what was waited for goes on.",
    CONFLICT: "The present state forbids it, such as another upgrade that runs, or it changed meanwhile.",
    NOT_FOUND: "There is no such thing.",
    REFUSED: "What was sent is refused: an unknown field, a wrong value.",
    USAGE: "The command was called wrongly.",
}


def exit_code_of(status: int, codes: frozenset[object]) -> int:
    """Tell what `swy` exits with after an answer of this HTTP status, whose body names these codes."""
    if codes & {"guard-approval", "approval-needed"}:
        return NEEDS_APPROVAL
    if "timeout" in codes or status == 504:
        return TIMED_OUT
    by_status = {401: DENIED, 403: DENIED, 404: NOT_FOUND, 410: NOT_FOUND, 409: CONFLICT, 412: CONFLICT}
    by_status |= {428: CONFLICT} | dict.fromkeys((400, 413, 415, 422), REFUSED)
    return by_status.get(status, FAILED)
