"""Whether anything was written lately, so that who shows much need not read it again and again."""

from __future__ import annotations

from collections.abc import Sequence

from migrations_app.engine.serving.references.nodes import Place
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.feed import Feed, FeedOperation, Position
from migrations_app.ports.namespaces import Namespace


class FeedActivity:
    """Follows the feeds of deployments from one question to the next."""

    def __init__(self, router: Router, feed: Feed) -> None:
        self._router, self._feed = router, feed
        self._at: dict[Place, tuple[Namespace, Position]] = {}

    def moved(self, places: Sequence[Place]) -> bool:
        """Tell whether anything was written in any of these (region, service) since the last question.

        A deployment that is new, serves another version, or stopped answering has moved as well.
        """
        gone = [place for place in self._at if place not in places]
        for place in gone:
            del self._at[place]
        # Each is asked, also when the first has moved: all positions go on.
        moved = [self._moved(place) for place in places]
        return any(moved) or bool(gone)

    def _moved(self, place: Place) -> bool:
        try:
            route, _ = self._router.read_active(*place, lambda *_: None)
            known = self._at.get(place)
            if known is None or known[0] != route.namespace:
                self._at[place] = route.namespace, self._feed.head(route.namespace)
                return True
            batch = self._feed.read(*known, echo=True)
            # A watcher that is far behind need not catch up: what is read after the head holds it all.
            position = batch.position if batch.level else self._feed.head(route.namespace)
            self._at[place] = route.namespace, position
        except SwitchyardError:
            return self._at.pop(place, None) is not None
        return any(change.operation is not FeedOperation.BEAT for change in batch.changes)
