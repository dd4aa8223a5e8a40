"""Which address leads to which view."""

from __future__ import annotations

from django.http import Http404
from django.urls import include, path, re_path
from django.views.decorators.http import require_safe
from django.views.defaults import page_not_found

from console.documentation import documentation
from console.metrics import metrics
from console.pages import index
from console.tables import site
from console.wheel import download
from migrations_app.control.access.sign_in.single_sign_on import back_to_sign_in, enter
from migrations_app.web.openapi.description import DocumentPage, DocumentView

# Single sign-on ends here when it does not end well; the library asks for these names.
SIGN_IN_ENDS = (
    "account_inactive",
    "account_login",
    "socialaccount_login_cancelled",
    "socialaccount_login_error",
    "socialaccount_signup",
)

# /healthz and /readyz are answered by `console.health.probes`, before any address is looked up.
urlpatterns = [
    path("metrics", metrics),
    path("cli/", download),
    path("cli/<str:name>", download),
    path("docs/", documentation),
    path("docs/<path:path>", documentation),
    path("admin/", site.urls),
    # No provider has such a name, and the library asks the database for any.
    re_path(r"^accounts/.*\x00", page_not_found, {"exception": Http404()}),
    path("accounts/oidc/<str:provider_id>/login/", enter),
    path("accounts/", include("allauth.socialaccount.providers.openid_connect.urls")),
    *(path(f"accounts/{name}", back_to_sign_in, name=name) for name in SIGN_IN_ENDS),
    path("api/v1/schema", require_safe(DocumentView.as_view()), name="schema"),
    path("api/v1/docs", require_safe(DocumentPage.as_view(url_name="schema"))),
    path("api/v1/", include("migrations_app.live.routing")),
    path("api/v1/", include("migrations_app.control.urls")),
    path("meta/v1/", include("migrations_app.meta_api.urls")),
    # Whatever no view claims is a page of the console; addresses below those of the views never are.
    re_path(r"^(?!api/|meta/|apis/|ws$|static/|assets/|admin/)(?P<path>.*)$", index),
]
