"""For services whose API versions Switchyard changes: registration, custom methods, service tokens, resources.

The registry's code is the product's own. In the wheel it is inside this package, as `switchyard_sdk.core`.
"""

from migrations_app.domain.registry.env import EnvChange
from migrations_app.engine.registry.env_registry import EnvRegistry, RegistrySubscription
from migrations_app.engine.registry.registration import Registration
from migrations_app.kernel.errors import Busy, Conflict, Denied, Invalid, Missing, Stale, SwitchyardError
from switchyard_sdk.local_registry import LocalRegistry
from switchyard_sdk.methods import MethodCall, MethodServer
from switchyard_sdk.registry import connect
from switchyard_sdk.resources import ResourceClient
from switchyard_sdk.serving import serve
from switchyard_sdk.tokens import TokenVerifier

__all__ = [
    "Busy",
    "Conflict",
    "Denied",
    "EnvChange",
    "EnvRegistry",
    "Invalid",
    "LocalRegistry",
    "MethodCall",
    "MethodServer",
    "Missing",
    "Registration",
    "RegistrySubscription",
    "ResourceClient",
    "Stale",
    "SwitchyardError",
    "TokenVerifier",
    "connect",
    "serve",
]
