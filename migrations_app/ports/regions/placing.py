"""Where a resource lives, asked by readers and writers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from migrations_app.domain.regions.placement import Placement
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.json import JsonObject


class Placing(Protocol):
    """Places the resources of every deployment; asks no peer once it has seen a policy."""

    def place(
        self,
        region: str,
        service: str,
        name: str,
        resource_type: str,
        schema: Schema | None = None,
        making: Mapping[str, JsonObject] | None = None,
    ) -> Placement:
        """Decide the owning region and the read copies of a resource, as its deployment in `region` sees it.

        `schema` is that of the version the name is of; the deployment's current one when left out. `making`
        are the documents, by name, that the same write creates: a policy holder among them counts already.

        Raises: Missing (`service-unknown`, `deployment-missing`) · Invalid (`resource-name`,
        `policy-broken`) · Conflict (`policy-unknown`, `region-not-enabled`, `control-region-missing`).
        """
        ...

    def service_policy(self, service: str) -> MultiRegionPolicy:
        """Give the policy that counts for whatever has no holder.

        Raises: Missing (`service-unknown`).
        """
        ...
