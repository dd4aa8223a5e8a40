"""The deployments whose data are kept here, as the controllers ask for them now and then."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.adapters.repositories.places import DjangoPlaces
from migrations_app.models import registry as rows
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer


def hosted(serves: Callable[[str], bool]) -> Sequence[Peer]:
    """List the deployments with data in databases of this installation, in regions this process serves."""
    known = rows.Deployment.objects.exclude(database="").exclude(current_version="").filter(is_disabled=False)
    places = known.order_by("name").values_list("service_id", "region_id")
    return [Peer(service, region) for service, region in places if serves(region)]


def places_in_use(serves: Callable[[str], bool], place: tuple[str, str] | None = None) -> Sequence[Namespace]:
    """List the namespaces in databases of this installation, in regions this process serves.

    Shape: `place` names a database and one schema of it; all namespaces are listed without it.
    """
    known = DjangoPlaces().in_use_at(*place) if place else DjangoPlaces().in_use()
    return [each for each in known if each.database and serves(Peer.parse(each.deployment).region)]
