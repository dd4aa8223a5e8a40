"""Create an account, open or close it, and set its password."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app.control.access.repository.access import account_as_json, grants_of
from migrations_app.control.access.repository.account_changes import note_change
from migrations_app.control.access.validation_messages import validation_message
from migrations_app.control.audit import ledger
from migrations_app.control.events import outbox
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.approvals.account_control import ChangeKind
from migrations_app.domain.approvals.proof import demand_proof
from migrations_app.domain.granting import check_stands_above
from migrations_app.kernel.errors import Conflict, Invalid, Missing, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account


@dataclass(frozen=True, slots=True)
class NewAccount:
    """An account to be; without a password it acts by token or single sign-on."""

    name: str
    email: str = ""
    kind: str = "user"
    display_name: str = ""
    password: str | None = None
    staff: bool = False


def create_account(actor: Actor, new: NewAccount) -> JsonObject:
    """Create an account that may do nothing yet.

    Raises: Denied (`denied`, `step-up`, `step-up-token`), Invalid (`account-name`, `password`), Conflict (`account-exists`).
    """
    target = Target("account", new.name)
    require(actor, "access.manage", target)
    if new.password is not None:
        # Otherwise a stolen token or an open browser becomes a person of its own.
        demand_proof(actor, timezone.now())
    account = Account(
        username=Account.normalize_username(new.name),
        email=Account.objects.normalize_email(new.email),
        kind=new.kind,
        display_name=new.display_name,
        is_staff=new.staff,
    )
    taken = Conflict(
        message("There is already an account {name}, in capital or small letters.", name=repr(new.name)),
        code="account-exists",
    )
    # Looked for first: a database may log a statement that it refuses, with the password's hash in it.
    # In any case of letters: one person's votes and changes are found by the name so.
    if Account.objects.filter(username__iexact=account.username).exists():
        raise taken
    check_password_strength(account, new.password)
    account.set_password(new.password)
    try:
        account.clean_fields()
        with transaction.atomic():
            account.save()
            shown = account_as_json(account)
            ledger.record(actor, "access.create", target, "done", after=shown)
            note_change(actor, ChangeKind.CREATED, account.username)
            if new.password is not None:
                note_change(actor, ChangeKind.PASSWORD, account.username)
    except IntegrityError as error:
        raise taken from error
    except ValidationError as error:
        wrong = tuple(
            Violation(field, validation_message(each))
            for field, errors in error.error_dict.items()
            for each in errors
        )
        raise Invalid(message("The account is wrong."), code="account-name", violations=wrong) from error
    return shown


def set_active(actor: Actor, name: str, active: bool) -> JsonObject:
    """Open or close an account; closing ends its sessions' rights at once.

    Raises: Denied (`denied`, `more-than-held`), Missing (`account`), Conflict (`own-account`).
    """
    target = Target("account", name)
    require(actor, "access.manage", target)
    if name == actor.name and not active:
        raise Conflict(message("You cannot close your own account."), code="own-account")
    with transaction.atomic():
        account = Account.objects.select_for_update().filter(username=name).first()
        if account is None:
            raise Missing(message("There is no account {name}.", name=repr(name)), code="account")
        check_stands_above(actor, grants_of(account))
        before = account_as_json(account)
        account.is_active = active
        account.save(update_fields=["is_active"])
        shown = account_as_json(account)
        ledger.record(
            actor, "access.open" if active else "access.close", target, "done", before=before, after=shown
        )
        if before["active"] is not active:
            note_change(actor, ChangeKind.OPENED if active else ChangeKind.CLOSED, name)
        outbox.publish("access", "binding", f"account:{name}", patch={})
    return shown


def check_password_strength(account: Account, password: str | None) -> None:
    """Refuse a password that is easily guessed.

    Raises: Invalid (`password`).
    """
    if password is None:
        return
    try:
        validate_password(password, account)
    except ValidationError as error:
        wrong = tuple(Violation("password", validation_message(each)) for each in error.error_list)
        raise Invalid(message("The password is too weak."), code="password", violations=wrong) from error
