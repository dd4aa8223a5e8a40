"""The web process of the plain DRF."""

from django.core.asgi import get_asgi_application

application = get_asgi_application()
