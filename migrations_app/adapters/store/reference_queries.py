"""References found by the database itself, along the trails of a pushed-down conversion."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import sql

from migrations_app.adapters.databases import Connection
from migrations_app.adapters.store.rows import FOLLOWING, RESOURCE, table_of
from migrations_app.adapters.store.writing import reference_columns
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import CollectionStep, ReferencePath


def refer(
    connection: Connection,
    namespace: Namespace,
    type_: str,
    names: list[str],
    trails: Sequence[ReferencePath],
) -> None:
    """Replace the references of resources by what stands at the trails in their documents."""
    if not names:
        return
    connection.execute(RESOURCE("clear_references", schema=namespace.schema), (type_, names))
    found = sql.SQL(" UNION ALL ").join(trail_query(namespace, type_, trail) for trail in trails)
    statement = FOLLOWING.template("add_found_references").format(
        schema=sql.Identifier(namespace.schema), type=sql.Literal(type_), found=found
    )
    connection.execute(statement, {"names": names})


def trail_query(
    namespace: Namespace, type_: str, trail: ReferencePath, *, restricted: bool = True
) -> sql.Composed:
    """Write the query of one trail: the name of the resource, the order of the find, and its columns.

    It asks about the resources named by the parameter `names`, or else about all.

    Shape: each step becomes one more lateral source, so that a list of maps of lists is no special case.
    """
    value = "t.body"
    sources: list[sql.Composable] = [sql.SQL("{}.{} t").format(*_table(namespace, type_))]
    path: list[sql.Composable] = []
    order: list[str] = []
    for index, (step, place) in enumerate(zip(trail.steps, trail.places, strict=True)):
        if not isinstance(step, CollectionStep):
            sources.append(
                sql.SQL("CROSS JOIN LATERAL (SELECT {} -> {} AS v) s{}").format(
                    sql.SQL(value), sql.Literal(step), sql.SQL(str(index))
                )
            )
            path.append(sql.Literal(f".{step}" if path else step))
            order.append(str(place))
        else:
            sources.append(sql.SQL(_EXPANDED[step].format(value=value, index=index)))
            path.append(sql.SQL(_SHOWN[step].format(index=index)))
            order.append(f"s{index}.n")
        value = f"s{index}.v"
    return sql.SQL(
        "SELECT t.name, ARRAY[{order}]::bigint[] AS place, {path} AS path, {told}, {value} #>> '{{}}' AS target_name"
        " FROM {sources} WHERE {names}jsonb_typeof({value}) = 'string' AND {value} <> '\"\"'"
    ).format(
        names=sql.SQL("t.name = ANY(%(names)s) AND " if restricted else ""),
        order=sql.SQL(", ".join(order)),
        path=sql.SQL(" || ").join(path),
        told=_columns(trail),
        value=sql.SQL(value),
        sources=sql.SQL(" ").join(sources),
    )


_EXPANDED = {
    CollectionStep.ITEM: "CROSS JOIN LATERAL jsonb_array_elements(CASE WHEN jsonb_typeof({value}) = 'array' THEN {value} END)"
    " WITH ORDINALITY s{index}(v, n)",
    CollectionStep.ENTRY: "CROSS JOIN LATERAL jsonb_each(CASE WHEN jsonb_typeof({value}) = 'object' THEN {value} END)"
    " WITH ORDINALITY s{index}(k, v, n)",
}
_SHOWN = {CollectionStep.ITEM: "'[' || (s{index}.n - 1) || ']'", CollectionStep.ENTRY: "'.' || s{index}.k"}


def _columns(trail: ReferencePath) -> sql.Composed:
    _, *told, _ = reference_columns(trail.reference)
    names = ("kind", "target_service", "target_region", "target_version", "target_type")
    return sql.SQL(", ").join(
        sql.SQL("{}::text AS {}").format(sql.Literal(value), sql.SQL(name))
        for value, name in zip(told, names, strict=True)
    )


def _table(namespace: Namespace, type_: str) -> tuple[sql.Identifier, sql.Identifier]:
    return sql.Identifier(namespace.schema), sql.Identifier(table_of(type_))
