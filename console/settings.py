"""Django's settings, all of them drawn from the one frozen Env."""

SECRET_KEY = "not yet"  # noqa: S105
INSTALLED_APPS: list[str] = []
