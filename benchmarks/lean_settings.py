"""The same plain DRF as fast as its settings make it: no middleware at all, since under ASGI each costs a thread."""

from benchmarks.plain_settings import *  # noqa: F403

INSTALLED_APPS = ["django.contrib.contenttypes", "rest_framework"]
MIDDLEWARE = []
