"""The worlds of the sync tests."""

from tests.integration.sync.conftest import moving_world as moving_world
from tests.integration.sync.conftest import renumbering_world as renumbering_world
from tests.integration.sync.conftest import split_world as split_world
from tests.integration.sync.conftest import world as world
