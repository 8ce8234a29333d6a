"""Alembic's entry: runs the scripts on the connection that `service.store.schema` hands over."""

from alembic import context
from sqlalchemy import Connection

from service.store.tables import METADATA


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=METADATA, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()


def _run_for_a_developer() -> None:
    # `alembic -x database=… revision --autogenerate`, set up by [tool.alembic] of pyproject.toml, brings no connection.
    from service.store.connect import open_engine

    database = context.get_x_argument(as_dictionary=True).get("database")
    if context.is_offline_mode() or not isinstance(database, str):
        raise SystemExit("say which database: alembic -x database=PATH-OR-URL …")
    engine = open_engine(database)
    try:
        with engine.begin() as connection:
            _run(connection)
    finally:
        engine.dispose()


_handed_over = context.config.attributes.get("connection")
if isinstance(_handed_over, Connection):
    _run(_handed_over)
else:
    _run_for_a_developer()
