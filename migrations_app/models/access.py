"""Rows of access: accounts, the tokens that act for them, and the roles bound to them."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone

from migrations_app.domain.access import SHOWN_ZONES


class AccountManager(BaseUserManager["Account"]):
    """Makes accounts with names and addresses in their one canonical form."""

    def create_user(
        self, username: str, email: str = "", password: str | None = None, **more: object
    ) -> Account:
        """Make an account; without a password it can only act by token or single sign-on."""
        account = Account(
            username=Account.normalize_username(username),
            email=self.normalize_email(email),
            **more,
        )
        account.set_password(password)
        account.save(using=self._db)
        return account


class Account(AbstractBaseUser):
    """A person or a service that signs in; what it may do is in its role bindings alone."""

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    username = models.CharField(max_length=150, unique=True, validators=[UnicodeUsernameValidator()])
    email = models.EmailField(blank=True)
    display_name = models.CharField(max_length=150, blank=True)
    kind = models.CharField(max_length=8, default="user", choices=[("user", "user"), ("service", "service")])
    # The groups the identity provider named at the last sign-in; bindings may speak of them.
    groups = models.JSONField(default=list, blank=True)
    groups_read_at = models.DateTimeField(
        default=timezone.now, db_default=Now(), help_text="When the identity provider named the groups."
    )
    shown_zone = models.CharField(
        max_length=8,
        blank=True,
        default="",
        db_default="",
        choices=[(each, each) for each in SHOWN_ZONES],
        help_text="Which time zone the console shows; empty where they never chose.",
    )
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text="May look at the read-only admin pages.")
    date_joined = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[AccountManager] = AccountManager()

    class Meta:
        ordering: ClassVar[list[str]] = ["username"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(kind__in=["user", "service"]), name="account_kind"),
            # Votes and changes of accounts are compared by names in small letters.
            models.UniqueConstraint(Lower("username"), name="account_name_in_any_case"),
        ]

    @property
    def is_superuser(self) -> bool:
        """No account is one: Django's own permissions open nothing here."""
        return False

    def has_perm(self, perm: str, obj: object = None) -> bool:
        """Let staff read, and refuse writes, through Django's admin."""
        return self.is_active and self.is_staff and perm.partition(".")[2].startswith("view_")

    def has_module_perms(self, app_label: str) -> bool:
        """Let staff see that there are pages."""
        return self.is_active and self.is_staff


class Token(models.Model):
    """A secret that acts for an account; only its digest is kept."""

    id = models.CharField(max_length=16, primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    networks = models.JSONField(default=list, blank=True)
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    last_used_from = models.GenericIPAddressField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "id"]


class SignIn(models.Model):
    """A browser that an account signed in with, as long as its session lasts."""

    session_key = models.CharField(max_length=40, unique=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField(auto_now_add=True)
    address = models.CharField(max_length=64, blank=True)
    agent = models.CharField(max_length=300, blank=True)
    how = models.CharField(max_length=16, default="password")

    class Meta:
        ordering: ClassVar[list[str]] = ["-at", "-id"]


class FailedAttempts(models.Model):
    """The failed attempts of one account, address or browser, by a digest of it."""

    key = models.CharField(max_length=64, primary_key=True)
    limit = models.CharField(max_length=32)
    failures = models.PositiveIntegerField(default=0)
    running = models.PositiveIntegerField(default=0)
    begun_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    blocked_until = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(auto_now=True, db_index=True)


class RoleBinding(models.Model):
    """A role given to an account or a group, within a scope and up to a date."""

    subject_kind = models.CharField(max_length=8, choices=[("account", "account"), ("group", "group")])
    subject = models.CharField(max_length=150)
    role = models.CharField(max_length=20, help_text="One of the roles built in, or of `MadeRole`.")
    service = models.CharField(max_length=200, default="*")
    region = models.CharField(max_length=100, default="*")
    environment = models.CharField(max_length=100, default="*")
    expires_at = models.DateTimeField(null=True)
    conditions = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()), blank=True)
    created_by = models.CharField(max_length=150)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["subject_kind", "subject", "role", "id"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["subject_kind", "subject"], name="binding_subject"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["subject_kind", "subject", "role", "service", "region", "environment"],
                name="binding_once",
            ),
        ]


class MadeRole(models.Model):
    """A role that was put together from the list of permissions."""

    name = models.CharField(max_length=20, primary_key=True)
    title = models.CharField(max_length=200, blank=True)
    permissions = models.JSONField(default=list)
    rev = models.BigIntegerField(default=1)
    changed_by = models.CharField(max_length=150)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
