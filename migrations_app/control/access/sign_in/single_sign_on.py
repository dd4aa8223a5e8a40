"""Single sign-on by OpenID Connect: who the provider vouches for gets an account, and roles by its groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import user_logged_in
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.providers.openid_connect.views import login
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect

from migrations_app.adapters.egress.sessions import EgressSession
from migrations_app.control.access.commands.keep_sessions import remember_session
from migrations_app.control.access.commands.note_session import note_session
from migrations_app.control.access.commands.remember_groups import remember_groups
from migrations_app.control.access.queries.access import actor_of_user
from migrations_app.control.access.sign_in.identity_claims import groups_of
from migrations_app.control.access.sign_in.identity_provider import SIGN_IN_SECONDS, provider_session
from migrations_app.kernel.messages import message

LOST = "/?sign_in=failed"
UNREACHABLE = "/?sign_in=unreachable"


class AccountAdapter(DefaultAccountAdapter):
    """Local accounts are made by admins, never by signing up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse sign-ups."""
        return False


class SingleSignOnAdapter(DefaultSocialAccountAdapter):
    """Accounts of the identity provider: made at the first sign-in, never joined to a local one by name."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """A person that the provider vouches for gets an account, without any role."""
        return True

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Ask nothing more; a name that is taken gets a suffix."""
        return True

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: Mapping[str, Any]) -> Any:
        """Name the account as the provider does, and note its groups."""
        user = super().populate_user(request, sociallogin, data)
        user.display_name = str(data.get("name") or "")[:150]
        user.groups = groups_of(sociallogin.account.extra_data)
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Take the groups over as they are today."""
        if sociallogin.is_existing:
            remember_groups(sociallogin.user.username, groups_of(sociallogin.account.extra_data))

    def get_requests_session(self) -> EgressSession:
        """Ask the provider by the one way out, with a deadline for each request."""
        return provider_session(SIGN_IN_SECONDS)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: object = None,
        exception: Exception | None = None,
        extra_context: object = None,
    ) -> None:
        """Go back to the sign-in page, which offers the local form.

        Raises: ImmediateHttpResponse, which is how allauth is told.
        """
        # What could not be asked over the network is an OSError.
        away = isinstance(exception, OSError)
        raise ImmediateHttpResponse(HttpResponseRedirect(UNREACHABLE if away else LOST))


class SecondFactorAdapter(DefaultMFAAdapter):
    """The provider asks for its own second factor; ours belongs to local sign-in."""

    def is_mfa_enabled(self, user: Any, types: Any = None) -> bool:
        """Ask for nothing after single sign-on."""
        return False


def enter(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Go to the identity provider; when it does not answer, back to the sign-in page, which says so."""
    try:
        found: HttpResponseBase = login(request, provider_id)
    except OSError:
        return HttpResponseRedirect(UNREACHABLE)
    return found


def back_to_sign_in(request: HttpRequest) -> HttpResponseRedirect:
    """Go back to the sign-in page, which says that it failed."""
    return HttpResponseRedirect(LOST)


@receiver(user_logged_in)
def note_sign_in(request: HttpRequest, user: Any, **_: object) -> None:
    """Write down a sign-in by single sign-on."""
    address = str(request.META.get("REMOTE_ADDR") or "")
    actor = actor_of_user(user, address=address)
    note_session(actor, "in", "done", reason=message("by single sign-on"))
    remember_session(
        actor, request.session.session_key, request.headers.get("User-Agent", ""), "single sign-on"
    )
