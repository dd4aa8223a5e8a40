"""A forest of resources that go with each other, level below level, under one thing of another deployment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import sql

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.adapters.store.rows import table_of
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.ports.constraints import ConstraintTally
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer
from tests.conftest import empty_database
from tests.integration.constraints.conftest import Fleet

HERE = "here"
ROOTS, TREES = Peer("roots.example.com", HERE), Peer("trees.example.com", HERE)
ROOT = "roots/r"
_TOP = """
service: {service}
versions:
  - {{version: v1, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}], imports: [{imports}]}}
"""
_ROOTS = b"schema: {types: {Root: {fields: {name: string}}}, resources: {Root: {patterns: ['roots/{root}']}}}"
_TREES = b"""
schema:
  types:
    Tree:
      fields:
        name: string
        root: {type: {reference: roots.example.com/Root}, constraints: {onDelete: cascade}}
        above: {type: {reference: Tree}, constraints: {onDelete: cascade}}
        leans: {type: {reference: Tree}, constraints: {onDelete: block, wins: block}}
        beside: {type: {reference: Tree}, constraints: {onDelete: unset}}
  resources: {Tree: {patterns: ['trees/{tree}']}}
"""
_GROW = """
INSERT INTO {table} (name, shard, origin_shard, uid, revision, body, metadata, owning_region, create_time, update_time)
SELECT 'trees/' || level || '-' || n, n % 16, n % 16, gen_random_uuid(), 1, '{{}}', '{{}}', 'here', now(), now()
FROM generate_series(1, {levels}) level, generate_series(1, {wide}) n
"""
_REFER = """
INSERT INTO {references}
SELECT 'Tree', 'trees/' || level || '-' || n, 0, 'above', 'CASCADE',
    CASE WHEN level = 1 THEN 'roots.example.com' ELSE 'trees.example.com' END, 'here', 'v1',
    CASE WHEN level = 1 THEN 'Root' ELSE 'Tree' END,
    CASE WHEN level = 1 THEN 'roots/r' ELSE 'trees/' || level - 1 || '-' || 1 + (n * 7919 + level) % {wide} END
FROM generate_series(1, {levels}) level, generate_series(1, {wide}) n
"""


class Grove(Fleet):
    """Two services in one region: roots, and trees that go with them and with each other."""

    def plant(self, levels: int, wide: int) -> None:
        """Grow so many levels of so many trees: the first go with the root, the others with one above."""
        self.write(ROOTS.service, HERE, WriteRequest("create", "Root", ROOT, body={}), version="v1")
        self.tree("first", root=ROOT)
        self.work(1)
        place = self.home()
        told = {
            "table": sql.Identifier(place.schema, table_of("Tree")),
            "references": sql.Identifier(place.schema, "reference"),
            "levels": sql.Literal(levels),
            "wide": sql.Literal(wide),
        }
        with wiring.databases().connection(place.database) as connection:
            for statement in (_GROW, _REFER):
                connection.execute(sql.SQL(statement).format(**told))

    def tree(self, name: str, **body: str) -> str:
        """Create one tree."""
        full = f"trees/{name}"
        self.write(TREES.service, HERE, WriteRequest("create", "Tree", full, body={**body}), version="v1")
        return full

    def fell(self) -> None:
        """Delete the root."""
        self.write(ROOTS.service, HERE, WriteRequest("delete", "Root", ROOT), version="v1")

    def standing(self) -> list[str]:
        """List the first trees that are there."""
        place = self.home()
        table = sql.Identifier(place.schema, table_of("Tree"))
        with wiring.databases().connection(place.database) as connection:
            rows = connection.execute(sql.SQL("SELECT name FROM {} ORDER BY name LIMIT 20").format(table))
            return [str(name) for (name,) in rows.fetchall()]

    def at_rest(self) -> bool:
        """Tell whether nothing is under way any more."""
        return all(
            self.reading(peer.service, HERE).constraints.tally() == ConstraintTally()
            for peer in (ROOTS, TREES)
        )

    def home(self) -> Namespace:
        """Find where the trees are kept."""
        return wiring.directory().served(HERE, TREES.service).namespaces["v1"]


@contextmanager
def planted(postgres: Postgres) -> Iterator[Grove]:
    """Register both services in one region."""
    with empty_database(postgres) as database:
        apply_region(SYSTEM, HERE, HERE)
        for peer, imports, schema in (
            (ROOTS, "", _ROOTS),
            (TREES, f"{{service: {ROOTS.service}, version: v1}}", _TREES),
        ):
            top = _TOP.format(service=peer.service, imports=imports).encode()
            apply_service(SYSTEM, {"service.yaml": top, "v1.yaml": schema})
            apply_deployment(SYSTEM, peer.deployment, {"currentVersion": "v1"}, database=database)
        yield Grove()
        wiring.databases().close(database)
