"""Rows and database constraints; no verbs."""

from migrations_app.models import access as access
from migrations_app.models import approvals as approvals
from migrations_app.models import duty as duty
from migrations_app.models import evictions as evictions
from migrations_app.models import hooks as hooks
from migrations_app.models import ledger as ledger
from migrations_app.models import operations as operations
from migrations_app.models import outbox as outbox
from migrations_app.models import registry as registry
from migrations_app.models import rollouts as rollouts
from migrations_app.models import sync as sync
from migrations_app.models import upgrades as upgrades
from migrations_app.models import usage as usage
from migrations_app.models import waivers as waivers
from migrations_app.models import windows as windows
from migrations_app.models import work as work
