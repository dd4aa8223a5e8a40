"""What Django's validators refuse of accounts and passwords, as messages: by their codes, not by their texts."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from migrations_app.kernel.messages import WordedMessage, counted, message, verbatim


def validation_message(error: ValidationError) -> WordedMessage:
    """Word one error of a validator; one that is not known stays as its validator says it."""
    code, params = error.code, error.params or {}
    match code:
        case "password_too_similar":
            return message("The password is too similar to the name or the address of the account.")
        case "password_too_common":
            return message("This password is too common.")
        case "password_too_short":
            return counted(
                int(params["min_length"]),
                "This password is too short. It must contain at least {count} character.",
                "This password is too short. It must contain at least {count} characters.",
            )
        case "max_length":
            return counted(
                int(params["limit_value"]),
                "It has more than {count} character.",
                "It has more than {count} characters.",
            )
        case "invalid":
            return message("It is not in the form that is asked for.")
        case "blank":
            return message("This field may not be empty.")
        case _:
            return verbatim(" ".join(error.messages))
