"""EnvRegistry: how a deployment registers itself and sees its surroundings."""

from migrations_app.engine.registry.env_registry import EnvRegistry
from migrations_app.engine.registry.policies import PolicyStore
from migrations_app.engine.registry.registration import Registration

__all__ = ["EnvRegistry", "PolicyStore", "Registration"]
