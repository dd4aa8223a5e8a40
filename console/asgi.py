"""The web process: HTTP to Django, sockets to the live stream."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from django.core.asgi import get_asgi_application

application = get_asgi_application()
