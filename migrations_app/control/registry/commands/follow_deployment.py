"""Follow a deployment, or no longer."""

from __future__ import annotations

from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.registry.names import deployment_name
from migrations_app.kernel.errors import DeploymentMissing
from migrations_app.kernel.messages import message
from migrations_app.models.access import Account
from migrations_app.models.registry import Deployment
from migrations_app.models.subscriptions import Subscription


def follow_deployment(actor: Actor, service: str, region: str, *, follow: bool) -> None:
    """Begin or end following; again is the same as once.

    Raises: Denied, Missing (`deployment-missing`).
    """
    require(actor, "fleet.read", Target("deployment", service=service, region=region))
    row = Deployment.objects.filter(pk=deployment_name(service, region)).first()
    if row is None:
        raise DeploymentMissing(
            message("There is no deployment of {service} in {region}.", service=service, region=region)
        )
    account = Account.objects.get(username=actor.name)
    if follow:
        Subscription.objects.get_or_create(account=account, deployment=row)
    else:
        Subscription.objects.filter(account=account, deployment=row).delete()
