"""Whatever lies in a cell of the database, every command answers, and one bad match never hides the others."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
import typer.main
from msgspec.structs import replace
from typer.testing import CliRunner

from cli import app
from service.audit.judge import own_notary
from service.play.appending import Call
from service.play.ledger import LocalLedger
from service.play.matches import open_match, resign
from service.play.moves import legal_moves, move
from service.store.connect import open_store
from service.store.shapes import Grant
from service.store.store import Store
from service.store.tables import METADATA
from service.trust.statements import as_hearsay, signed
from service.trust.tokens import hashed
from tests.conftest import TWO, finish, make_ledger
from tests.conftest import move as make_moves
from tests.postgres import PostgresServer, running_server
from tests.signing import KEY, sign_head
from tests.store.sealed import keep_dictionary, seal_all

CELLS = [(table.name, column.name) for table in METADATA.sorted_tables for column in table.columns]
"""Every column of every table: one that is added later is tried as well."""
HALF_A_LETTER = b"m\xff"
"""Put there as text that is no UTF-8."""
IN_SQLITE: dict[str, object] = {
    "nothing": None,
    "text": "garbage",
    "empty": "",
    "escape": "\x1b[31mClean.",
    "bytes": b"\xff\x00",
    "half a letter": HALF_A_LETTER,
    "deeper than anybody reads": b"[" * 100_000,
    "negative": -1,
    "zero": 0,
    "huge": 2**62,
    "fraction": 1.5,
    "before time": "0001-01-01 00:00:00+14:00",
    "no zone": "2026-01-02 00:00:00",
}
IN_POSTGRES = {
    "TEXT": ["''", "'garbage'", "repeat('x', 100000)", r"E'\x1b[31mClean.'"],
    "INTEGER": ["-1", "0", "2147483647"],
    "BLOB": ["''", r"'\xff00'"],
    "DATETIME": ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'9999-12-31 23:59:59Z'", "'0001-01-01 00:00:00+14'"],
}  # fmt: skip
PROGRAM = typer.main.get_command(app)
"""Made once: making it takes longer than most commands."""
MOST = max(map(len, IN_POSTGRES.values()))
FINE = ("fine1", "fine2", "fine3")
ABOUT_ONE = (
    "show {}",
    "show {} --json",
    "legal {} --json",
    "log {}",
    "log {} --json --at 5",
    "scores {}",
    "replay {} --json --from 3 --to 4",
    "export {}",
    "export {} --format jsonl",
    "audit {}",
    "audit {} --json",
    "audit {} --claim 1=3",
    "explain {} 5",
    "receipt {}",
    "bisect {} fine1",
    "rescore {} --ruleset azul/2",
    "dispute show {}",
    "list --parent {}",
    "fork {}",
    "act {} 1B1 --command-id once",
    "dispute open {} Wrong --seat 1",
    "rename {} 1 Zoe",
    "abandon {}",
)
ABOUT_ALL = (
    "list --limit 100",
    "list --limit 100 --json",
    "audit --all -j 1",
    "audit --all -j 1 --json",
    "export --all {folder}",
    "dispute list",
    "dispute list --json",
    "rescore --all --ruleset azul/2",
    "rescore --all --ruleset azul/2 --json",
    "list --player Ann",
    "show last",
    "db check",
    "db check --everything",
    "db info",
    "db where",
)


def victims(number: int) -> list[str]:
    """What the matches with a bad cell are called."""
    return [f"bad{index:02}" for index in range(number)]


SEALED = ("seal", "dictionary")
"""The tables that are filled only where matches are sealed, and then with rows that would be events."""


FINISHED = (1, "fine1")
"""Played to their end. The others that are closed were given up early: a command takes as long as its matches."""


def populate(store: Store, bad: Sequence[str], is_sealed: bool) -> None:
    """Matches with something in every table, every other one closed; or all of them, and those to spoil sealed."""
    plain = make_ledger(store)
    ids = iter((*bad, *FINE))
    ledger = LocalLedger(store, plain.clock, plain.new_secret, lambda: next(ids), own_notary())
    for number in range(len(bad) + len(FINE)):
        live = open_match(ledger, "azul", 2, players=TWO)
        stated = live.stated
        first = next(iter(legal_moves(live, live.game.projection.to_act(live.table.state)[0])))
        move(ledger, live, None, first, Call(command="once"))
        make_moves(ledger, live, 3, seed=number)
        if number in FINISHED or live.id in FINISHED:
            finish(ledger, live, seed=number)
        elif number % 2 or is_sealed:
            resign(ledger, live, 1)
        assert stated is not None
        heard = as_hearsay(signed(KEY, replace(stated, key=KEY.public)))
        store.grant(live.id, Grant("host", 0, hashed(live.id)))
        store.sign([sign_head(KEY, live.id, live.head.seq, live.head.hash.hex())], ledger.clock(), [heard])
    if is_sealed:
        keep_dictionary(store)
        seal_all(store)
        for match in FINE:
            store.sealing().unseal(match)


def dictionaries(bad: Sequence[str]) -> list[str]:
    """Statements that give each sealed match a dictionary of its own, so that one can be spoiled without the others."""
    copies = "INSERT INTO dictionary SELECT {}, game, data FROM dictionary WHERE number = 1"
    return [
        *(copies.format(number) for number in range(2, len(bad) + 1)),
        *(f"UPDATE seal SET dictionary = {number} WHERE match_id = '{match}'" for number, match in enumerate(bad, 1)),
    ]


SHARE = 8
"""Every eighth command is tried on each value, or more of them where there are fewer values: all on every column."""
REMARK = "INSERT INTO remark SELECT id, 1, 3, 'line', '', 'a comment' FROM match"


@cache
def _populated(is_sealed: bool) -> bytes:
    """A ledger for every test on SQLite to spoil; its tables hold anything, as if another hand had made them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.db"
        with open_store(str(path)) as store:
            populate(store, victims(len(IN_SQLITE)), is_sealed)
        file = sqlite3.connect(path, isolation_level=None)
        file.execute(REMARK)
        file.execute("PRAGMA foreign_keys = OFF")
        for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        for table in METADATA.sorted_tables:
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            file.execute(f"CREATE TABLE loose ({columns})")
            file.execute(f"INSERT INTO loose SELECT * FROM {table.name}")
            file.execute(f"DROP TABLE {table.name}")
            file.execute(f"ALTER TABLE loose RENAME TO {table.name}")
        for statement in dictionaries(victims(len(IN_SQLITE))) if is_sealed else ():
            file.execute(statement)
        file.execute("PRAGMA journal_mode = DELETE")
        file.close()
        return path.read_bytes()


class Spoiled:
    """A ledger with bad cells, and what every command has to say about it."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database = database
        self.folder = folder
        (folder / "out").mkdir(exist_ok=True)

    def say(self, line: str, match: str = "") -> str:
        """What a command answers; it may refuse, but never fall over."""
        words = [word.format(match, folder=self.folder / "out") for word in line.split()]
        with CliRunner(env={"COLUMNS": "200"}).isolation() as (_, _, printed):
            try:
                PROGRAM.main(["--database", self.database, *words], prog_name="matchledger")
                code: object = 0
            except SystemExit as left:
                code = left.code or 0
            except Exception as error:
                raise AssertionError(f"{words} fell over: {error!r}") from error
            output = printed.getvalue().decode()
        assert code in (0, 1, 2, 3), f"{words}: {output}"
        return f"{code}\n{output}"

    def hold(self, bad: Sequence[str], total: int, table: str) -> None:
        """Every command answers, and the matches nobody touched are in every answer about all.

        Only the journal is everybody's: where it is spoiled, it vouches for no match.

        A command about one match is tried on some of the values; each value meets some of the commands.
        """
        shared = {"journal"} if table == "journal" else set()
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        (self.folder / "out").mkdir()
        for line in ABOUT_ALL:
            answer = self.say(line)
            if line.startswith("list --limit"):
                assert all(match in answer for match in FINE), answer
            if line == "audit --all -j 1 --json":
                counted = json.loads(answer.partition("\n")[2])
                assert counted["matches"] == total
                others = {found["match"]: found["verdicts"] for found in counted["findings"] if found["match"] in FINE}
                failed = {v["check"] for verdicts in others.values() for v in verdicts if v["outcome"] == "failed"}
                assert failed <= shared
        written = {path.stem for path in (self.folder / "out").iterdir()}
        assert set(FINE) <= written
        for match in FINE:
            assert self.say(f"audit {match}")[0] in ("01" if shared else "0")
        share = min(SHARE, len(bad))
        for number, match in enumerate(bad):
            for line in ABOUT_ONE[number % share :: share]:
                self.say(line, match)


def where(table: str, number: int, match: str) -> str:
    """The rows of a table that belong to one of the matches to spoil."""
    if table == "dictionary":
        return f"WHERE number = {number}"
    return f"WHERE {'id' if table == 'match' else 'match_id'} = '{match}'" + " AND seq = 5" * (table == "event")


@pytest.mark.parametrize("table, column", CELLS, ids=map(".".join, CELLS))
def test_any_cell_of_a_file(table: str, column: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(_populated(table in SEALED))
    file = sqlite3.connect(path, isolation_level=None)
    bad = victims(len(IN_SQLITE))
    # From the last one on, so that no number that is put there is that of one still to come.
    for number, (match, value) in reversed(list(enumerate(zip(bad, IN_SQLITE.values(), strict=True), start=1))):
        cell = "CAST(? AS TEXT)" if value == HALF_A_LETTER else "?"
        file.execute(f"UPDATE {table} SET {column} = {cell} {where(table, number, match)}", (value,))
    file.close()
    Spoiled(str(path), tmp_path).hold(bad, len(bad) + len(FINE), table)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with running_server() as running:
        yield running


@pytest.fixture(scope="module")
def populated_servers(server: PostgresServer) -> Callable[[bool], str]:
    """A database whose constraints and guards somebody took away, to be copied and spoiled."""
    return cache(lambda is_sealed: _populated_server(server, is_sealed))


def _populated_server(server: PostgresServer, is_sealed: bool) -> str:
    address = server.migrated_database()
    with open_store(address) as store:
        populate(store, victims(MOST), is_sealed)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(REMARK)
        constraints = connection.execute(
            "SELECT conrelid::regclass::text, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid"
            " WHERE relnamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'p') ORDER BY contype = 'p'"
        ).fetchall()
        for table, name in constraints:
            if table != "alembic_version":
                connection.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}" CASCADE')
        for table in METADATA.sorted_tables:
            connection.execute(f"ALTER TABLE {table.name} DISABLE TRIGGER USER")
        for statement in dictionaries(victims(MOST)) if is_sealed else ():
            connection.execute(statement)
    return address


@pytest.mark.parametrize("table, column", CELLS, ids=map(".".join, CELLS))
def test_any_cell_of_a_server(
    table: str, column: str, tmp_path: Path, server: PostgresServer, populated_servers: Callable[[bool], str]
) -> None:
    populated = populated_servers(table in SEALED)
    address = server.empty_database(str(psycopg.conninfo.conninfo_to_dict(populated)["dbname"]))
    values = IN_POSTGRES[str(METADATA.tables[table].columns[column].type).partition("(")[0]]
    bad = victims(len(values))
    try:
        with psycopg.connect(address, autocommit=True) as connection:
            for number, (match, value) in reversed(list(enumerate(zip(bad, values, strict=True), start=1))):
                connection.execute(f"UPDATE {table} SET {column} = {value} {where(table, number, match)}")
        Spoiled(address, tmp_path).hold(bad, MOST + len(FINE), table)
    finally:
        server.drop(address)
