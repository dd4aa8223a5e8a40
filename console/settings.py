"""Django's settings, all of them drawn from the one frozen Env."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from csp.constants import NONCE

from console.env import FILES, current_env
from console.logging import logging_config
from migrations_app.adapters.databases import parts_of_address, url_for_reading

SWITCHYARD = current_env()


def database(url: str) -> dict[str, Any]:
    """Turn a database URL into Django's settings of it; several hosts stay several, as libpq reads them."""
    options = parts_of_address(url)
    named = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    address = {setting: options.pop(name, "") for setting, name in named.items()}
    return {
        "ENGINE": "console.postgresql",
        **address,
        "NAME": address["NAME"] or "switchyard",
        "CONN_HEALTH_CHECKS": True,
        "CONN_MAX_AGE": None,
        "OPTIONS": options,
    }


DEBUG = False
SECRET_KEY = SWITCHYARD.secret_key or "only-for-commands-that-sign-nothing-" + "0" * 16
ALLOWED_HOSTS = [*SWITCHYARD.hosts]
CSRF_TRUSTED_ORIGINS = [*SWITCHYARD.origins]
AUTH_USER_MODEL = "switchyard.Account"
ROOT_URLCONF = "console.urls"
ASGI_APPLICATION = "console.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "django_prometheus",
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.mfa",
    "console",
    "migrations_app",
]

MIDDLEWARE = [
    "migrations_app.web.request_spans.request_spans",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "migrations_app.web.request_ids.request_ids",
    "console.health.probes",
    "console.pages.console_builds",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Who migrates does so as the owner of the tables; the processes that serve are not given the owner's address.
REPLICA = "registry_replica"
DATABASES = {
    "default": database(SWITCHYARD.owner_url or SWITCHYARD.database_url or "postgresql:///switchyard")
}
if SWITCHYARD.replica:
    DATABASES[REPLICA] = database(url_for_reading(SWITCHYARD.data_url(SWITCHYARD.replica)))
    DATABASES[REPLICA]["OPTIONS"]["options"] = (
        "-c search_path=switchyard_replica -c default_transaction_read_only=on"
    )
    DATABASE_ROUTERS = ["migrations_app.adapters.registry_replica.follower.ReplicaRouter"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "migrations_app.control.access.sign_in.single_sign_on.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
# Addresses identify no account here; two accounts may share one, and none is joined to another by it.
ACCOUNT_UNIQUE_EMAIL = False
ACCOUNT_PREVENT_ENUMERATION = False
ACCOUNT_USER_DISPLAY = "migrations_app.control.access.queries.access.name_of"
MFA_TOTP_TOLERANCE = 1
MFA_ADAPTER = "migrations_app.control.access.sign_in.single_sign_on.SecondFactorAdapter"
SOCIALACCOUNT_ADAPTER = "migrations_app.control.access.sign_in.single_sign_on.SingleSignOnAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False
# A plain link: the policy on forms would stop a form that ends at the provider.
SOCIALACCOUNT_LOGIN_ON_GET = True
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {
        "APPS": [
            {
                "provider_id": "sso",
                "name": "Single sign-on",
                "client_id": SWITCHYARD.oidc_client,
                "secret": SWITCHYARD.oidc_secret,
                "settings": {"server_url": SWITCHYARD.oidc_issuer, "oauth_pkce_enabled": True},
            }
        ]
        if SWITCHYARD.oidc_issuer
        else []
    }
}
SIGN_IN_PROVIDERS = (
    [{"id": "sso", "name": "Single sign-on", "url": "/accounts/oidc/sso/login/"}]
    if SWITCHYARD.oidc_issuer
    else []
)

PASSWORD_HASHERS = ["migrations_app.control.access.sign_in.password_hashing.BoundedArgon2Hasher"]
SESSION_ENGINE = "migrations_app.control.access.session_store"
SESSION_COOKIE_AGE = CSRF_COOKIE_AGE = SWITCHYARD.session_hours * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SWITCHYARD.tls
SECURE_SSL_REDIRECT = SWITCHYARD.tls
SECURE_HSTS_SECONDS = 31_536_000 if SWITCHYARD.tls else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SWITCHYARD.tls
# No header of a proxy is read here: console/proxies.py believes the listed ones, and sets the scheme of the request.
SECURE_PROXY_SSL_HEADER = None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'", NONCE],
        # Cytoscape adds one inline style of fixed content; its hash stands here.
        "style-src": ["'self'", NONCE, "'sha256-pgvDUBa4IjFA2yuSJ2cqcyxmNYJMborsd0ORcRv9vw8='"],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'", "blob:"],
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

EXAMPLE_FLEET = FILES / "examples" / "fleet"
FRONTEND = FILES / "frontend" / "dist"
DOCUMENTATION = FILES / "docs_site" / "dist"
STATIC_URL = "/static/"
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
WHITENOISE_ROOT = FRONTEND if FRONTEND.is_dir() else None
WHITENOISE_INDEX_FILE = False

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "migrations_app.web.openapi.described.DeprecatedOperationSchema",
    # Every view is a RestView, which brings its own; what is none (the API's description) needs no account.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "EXCEPTION_HANDLER": "migrations_app.web.problems.answer",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Switchyard",
    "DESCRIPTION": "The control room for changing the API version of a running, multi-region fleet.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": [
        "migrations_app.web.openapi.schema.add_problems",
        "migrations_app.live.messages.add_stream_messages",
    ],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
}

LOGGING_CONFIG = None
LOGGING = logging_config(SWITCHYARD.log_format, SWITCHYARD.log_level)

_mail = urlsplit(SWITCHYARD.mail_url)
EMAIL_HOST = _mail.hostname or ""
EMAIL_PORT = _mail.port or (465 if _mail.scheme == "smtps" else 25)
EMAIL_HOST_USER = unquote(_mail.username or "")
EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
EMAIL_USE_SSL = _mail.scheme == "smtps"
EMAIL_USE_TLS = bool(_mail.username) and not EMAIL_USE_SSL
EMAIL_BACKEND = "migrations_app.adapters.egress.mail.DeadlineBackend"
DEFAULT_FROM_EMAIL = SWITCHYARD.mail_from
