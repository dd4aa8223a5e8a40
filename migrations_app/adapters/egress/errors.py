"""What goes wrong on the way out; the texts tell nothing about what listens where."""

from __future__ import annotations


class EgressError(Exception):
    """An outbound call gave no answer; `reached` tells whether the other side may have got it."""

    reached = False


class AddressRefused(EgressError):
    """The address is in a network that may not be connected to, or it is no address."""

    def __init__(self) -> None:
        super().__init__("The address is not in a network that Switchyard may call.")


class NotAnAddress(AddressRefused):
    """It is no address of HTTP: control characters, a name with a password, another scheme."""


class AnswerMissing(EgressError):
    """No whole answer came within the deadline, for whatever reason."""

    def __init__(self, *, reached: bool) -> None:
        super().__init__("The receiver did not answer.")
        self.reached = reached


class AnswerTooLarge(EgressError):
    """The answer is larger than was asked for, or compressed, so that its size is not known."""

    reached = True

    def __init__(self) -> None:
        super().__init__("The answer is too large.")
