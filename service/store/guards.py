"""The guards of the tables, held to the migrations that made them: triggers, their functions, and constraints."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Connection, inspect, text

from service.store.tables import METADATA

_SQLITE_TRIGGERS: Final = "SELECT sql FROM sqlite_schema WHERE type = 'trigger'"
_POSTGRES_TRIGGERS: Final = """
SELECT pg_get_triggerdef(pg_trigger.oid), tgenabled::text, proname, prosrc
FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"""
_FIRES: Final = "OA"
"""PostgreSQL's letters for a trigger that fires in an ordinary session; disabled ones and those of replicas do not."""
_TRIGGER: Final = re.compile(
    r"CREATE (?:CONSTRAINT )?TRIGGER (?P<name>\w+) (?P<when>BEFORE|AFTER|INSTEAD OF) (?P<events>.+?)"
    r" ON (?:\w+\.)?(?P<table>\w+) (?P<rest>.+)",
    re.IGNORECASE,
)
_FUNCTION: Final = re.compile(r"CREATE (?:OR REPLACE )?FUNCTION (?P<name>\w+)\(.*?\$\$(?P<body>.*)\$\$", re.DOTALL)


class Trigger(NamedTuple):
    """What a trigger does, however it is written down."""

    name: str
    table: str
    when: str
    events: frozenset[str]
    rest: str
    """What it does when it fires."""

    def __str__(self) -> str:
        return f"trigger {self.name} on {self.table}"


def unguarded(connection: Connection, scripts: ScriptDirectory) -> list[str]:
    """Which guards are missing, changed or strange, in words; empty when all stand as the migrations made them."""
    dialect = connection.dialect.name
    statements = [
        statement
        for script in reversed(list(scripts.walk_revisions()))
        for statement in getattr(script.module, "TRIGGERS", {}).get(dialect, ())
    ]
    triggers = _triggers(statements)
    if dialect == "postgresql":
        found = _in_postgres(connection, triggers, _functions(statements))
    else:
        # What a trigger says may lie there as anything; only text is one.
        stored = (sql for (sql,) in connection.execute(text(_SQLITE_TRIGGERS)) if isinstance(sql, str))
        found = _compared(triggers, _triggers(stored))
    return [*found, *_unchecked(connection)]


def _triggers(statements: Iterable[str]) -> dict[str, Trigger]:
    found = (_TRIGGER.fullmatch(_one_line(statement)) for statement in statements)
    return {
        parts["name"]: Trigger(
            parts["name"],
            parts["table"],
            parts["when"].upper(),
            frozenset(re.split(r" or ", parts["events"].lower())),
            re.sub(r"\b\w+\.(?=\w+\(\)$)", "", parts["rest"]),  # the schema of the function, where it is told
        )
        for parts in found
        if parts is not None
    }


def _functions(statements: Iterable[str]) -> dict[str, str]:
    found = (_FUNCTION.search(statement) for statement in statements)
    return {parts["name"]: _one_line(parts["body"]) for parts in found if parts is not None}


def _one_line(sql: str) -> str:
    return " ".join(sql.split()).rstrip(";")


def _compared(wanted: dict[str, Trigger], found: dict[str, Trigger]) -> list[str]:
    return [
        *(f"{trigger} is missing" for name, trigger in wanted.items() if name not in found),
        *(f"{trigger} is changed" for name, trigger in wanted.items() if found.get(name, trigger) != trigger),
        *(f"{trigger} is not declared" for name, trigger in found.items() if name not in wanted),
    ]


def _in_postgres(connection: Connection, wanted: dict[str, Trigger], functions: dict[str, str]) -> list[str]:
    stored = connection.execute(text(_POSTGRES_TRIGGERS)).all()
    differences = _compared(wanted, _triggers(definition for definition, *_ in stored))
    for definition, enabled, function, body in stored:
        for name, trigger in _triggers([definition]).items():
            if name in wanted and enabled not in _FIRES:
                differences.append(f"{trigger} is disabled, which is as good as missing")
            if name in wanted and function in functions and functions[function] != _one_line(body):
                differences.append(f"function {function} of {trigger} is changed")
    return differences


def _unchecked(connection: Connection) -> list[str]:
    """Conditions the tables declare and the database does not hold. SQLite keeps their words, PostgreSQL its own."""
    differences = []
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    for table in METADATA.sorted_tables:
        if table.name not in there:
            continue  # told already, as a table
        found = {
            str(check["name"]): _one_line(check["sqltext"]) for check in inspector.get_check_constraints(table.name)
        }
        for check in sorted(
            (item for item in table.constraints if isinstance(item, CheckConstraint)), key=lambda item: str(item.name)
        ):
            name = str(check.name)
            if name not in found:
                differences.append(f"check {name} on {table.name} is missing")
            elif connection.dialect.name == "sqlite" and found[name] != _one_line(str(check.sqltext)):
                differences.append(f"check {name} on {table.name} is changed")
    return differences
