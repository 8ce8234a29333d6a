"""Opening a store, and every way in which that can go wrong."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import psycopg
import pytest
from psycopg import errors

from service.errors import Damaged, LedgerError, Unavailable, UsageError
from service.files import data_folder
from service.store import Store, differences, open_store, upgrade_store
from service.store.postgres import PostgresDatabase
from tests.postgres import PostgresServer
from tests.shell.terminal import Matchledger
from tests.store.steps import opened, step_after

PASSWORD = "hunter2"


@pytest.fixture
def postgres_address(own_postgres_address: str) -> str:
    return own_postgres_address


def refusal(attempt: Callable[[], object]) -> LedgerError:
    with pytest.raises(LedgerError) as refused:
        attempt()
    return refused.value


def test_a_file_is_made_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "100% mine #1?.db"
    with open_store(str(path)) as store:
        opened(store, "m1")
    with open_store(str(path), create=False) as store:
        assert len(store.rows("m1")) == 3
        assert store.where == repr(str(path))
    assert list(path.parent.iterdir()) == [path]


def test_only_the_data_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "some" / "where"))
    mistyped = tmp_path / "some" / "wheer" / "ledger.db"
    for attempt in (open_store, upgrade_store):
        error = refusal(lambda attempt=attempt: attempt(str(mistyped)))  # type: ignore[misc]
        assert error.code == "store/missing"
        assert repr(str(mistyped.parent)) in error.message
    assert list(tmp_path.iterdir()) == []
    open_store(str(data_folder() / "ledger.db")).close()
    assert (tmp_path / "some" / "where" / "matchledger" / "ledger.db").exists()


def test_a_file_can_be_given_as_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store(f"sqlite:///{tmp_path}/absolute.db").close()
    open_store("sqlite:///relative.db").close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["absolute.db", "relative.db"]


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    assert refusal(lambda: open_store(str(path), create=False)).code == "store/missing"
    open_store(str(path)).close()


def test_the_file_is_safe_and_shared(new_address: str) -> None:
    with open_store(new_address) as store:
        settings = {
            name: store._database.fetch(f"PRAGMA {name}")[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}


def test_a_copy_without_write_ahead_log_gets_it_back(sqlite_address: str, tmp_path: Path) -> None:
    with open_store(sqlite_address) as store:
        opened(store, "m1")
        store._database.change("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    with open_store(str(tmp_path / "copy.db")) as copy:
        assert len(copy.rows("m1")) == 3
        assert copy._database.fetch("PRAGMA journal_mode") == [("delete",)], "it was only looked at"
        opened(copy, "m2")
        assert copy._database.fetch("PRAGMA journal_mode") == [("wal",)]


@pytest.mark.parametrize("is_read_only", [True, False])
def test_a_missing_file_is_not_made_unasked(tmp_path: Path, is_read_only: bool) -> None:
    path = tmp_path / "no" / "ledger.db"
    error = refusal(lambda: open_store(str(path), create=is_read_only, read_only=is_read_only))
    assert (type(error), error.code) == (Unavailable, "store/missing")
    assert str(path) in error.message
    assert not path.parent.exists()


@pytest.mark.parametrize("attempt", [open_store, upgrade_store, differences])
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, attempt: Callable[[str], object]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Dear diary, " * 200)
    before = path.read_bytes()
    error = refusal(lambda: attempt(str(path)))
    assert error.code == "store/not-a-ledger"
    assert "notes.txt" in error.message
    assert path.read_bytes() == before


@pytest.mark.parametrize("table", ["customer", "alembic_version"])
@pytest.mark.parametrize("attempt", [open_store, upgrade_store])
def test_a_database_of_another_application_is_left_alone(
    tmp_path: Path, table: str, attempt: Callable[[str], object]
) -> None:
    path = tmp_path / "shop.db"
    file = sqlite3.connect(path)
    file.execute(f"CREATE TABLE {table} (version_num TEXT)")
    file.commit()
    file.close()
    before = path.read_bytes()
    assert refusal(lambda: attempt(str(path))).code == "store/not-a-ledger"
    assert path.read_bytes() == before


def test_a_folder_is_not_a_ledger(tmp_path: Path) -> None:
    assert refusal(lambda: open_store(str(tmp_path))).code == "store/not-a-ledger"


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = refusal(lambda: open_store(str(tmp_path / "file" / "ledger.db")))
    assert error.code == "store/missing"
    assert "ledger.db" in error.message


def test_a_damaged_file_is_told(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store:
        store.append_all([step_after(f"m{number}", None) for number in range(200)])
    size = os.path.getsize(sqlite_address)
    with open(sqlite_address, "r+b") as file:
        file.seek(4096 * 2)
        file.write(b"\xff" * (size - 4096 * 2))

    def read_everything() -> None:
        with open_store(sqlite_address) as store:
            for number in range(200):
                store.rows(f"m{number}")

    error = refusal(read_everything)
    assert isinstance(error, Damaged)
    assert (error.code, error.exit_code, error.match, error.seq) == ("store/damaged", 3, "", 0)


def test_a_newer_database_is_refused(store: Store, address: str, execute: Callable[[str], None]) -> None:
    store.close()
    execute("UPDATE alembic_version SET version_num = '9999_future'")
    for attempt in (open_store, upgrade_store):
        error = refusal(lambda attempt=attempt: attempt(address))  # type: ignore[misc]
        assert (type(error), error.code) == (Unavailable, "store/newer")
        assert "'9999_future'" in error.message
        assert "0001_ledger" in error.message


@pytest.mark.parametrize("command", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_a_locked_file_is_told(sqlite_address: str, command: str) -> None:
    with open_store(sqlite_address, timeout=0.05) as store:
        head = opened(store, "m1")
        other = sqlite3.connect(sqlite_address, isolation_level=None)
        other.execute(command)
        error = refusal(lambda: store.append(step_after("m1", head)))
        assert (type(error), error.code) == (Unavailable, "store/locked")
        assert len(store.rows("m1")) == 3  # readers need not wait
        other.close()
        store.append(step_after("m1", head))


def test_a_locked_new_file_is_told(new_address: str) -> None:
    other = sqlite3.connect(new_address, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert refusal(lambda: open_store(new_address, timeout=0.05)).code == "store/locked"
    other.close()


@pytest.mark.parametrize("commands", [["BEGIN EXCLUSIVE"], ["BEGIN", "SELECT * FROM match"]], ids=["written", "read"])
def test_a_file_that_cannot_get_its_write_ahead_log_back_is_told(sqlite_address: str, commands: list[str]) -> None:
    other = sqlite3.connect(sqlite_address, isolation_level=None)
    for command in ("PRAGMA journal_mode = DELETE", *commands):
        other.execute(command).fetchall()

    def write() -> None:
        with open_store(sqlite_address, timeout=0.05) as store:
            opened(store, "m1")

    assert refusal(write).code == "store/locked"
    other.close()
    write()


def test_a_full_disk_is_told_and_nothing_is_stored(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store:
        head = opened(store, "m1")
        store._database.fetch("PRAGMA max_page_count = 1")  # which is as many as there are
        error = refusal(lambda: store.append(step_after("m1", head, said="x" * 100_000)))
        assert (type(error), error.code) == (Unavailable, "store/full")
        assert store.find("m1").head == head
        store.append(step_after("m1", head))


def test_an_error_that_has_rolled_back_already_is_told_as_itself(sqlite_address: str) -> None:
    with open_store(sqlite_address) as store:
        head = opened(store, "m1")
        store._database.change("CREATE TRIGGER t BEFORE INSERT ON event BEGIN SELECT RAISE(ROLLBACK, 'no more'); END")
        error = refusal(lambda: store.append(step_after("m1", head)))
        assert error.code == "store/constraint"
        assert "no more" in error.message
        assert store.find("m1").head == head


def test_read_only_reads_and_does_not_write(address: str) -> None:
    with open_store(address) as store:
        head = opened(store, "m1")
    with open_store(address, read_only=True) as store:
        assert len(store.rows("m1")) == 3
        assert next(store.streams())[1].behind == b",".join(row.data for row in store.rows("m1"))
        for attempt in (lambda: store.append(step_after("m1", head)), lambda: store.rename("m1", 1, "Eve")):
            error = refusal(attempt)
            assert (type(error), error.code) == (Unavailable, "store/read-only")
    assert differences(address) == []


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Permissions do not bind root, who runs the tests in many containers; so root becomes nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Outside pytest's folders, which nobody else may enter."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)
        for path in (Path(name), *Path(name).iterdir()):
            path.chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("file_mode, folder_mode", [(0o444, 0o555), (0o666, 0o555), (0o444, 0o777)])
def test_without_permission_to_write_a_file_is_still_read(folder: Path, file_mode: int, folder_mode: int) -> None:
    path = folder / "ledger.db"
    with open_store(str(path)) as store:
        head = opened(store, "m1")
    path.chmod(file_mode)
    folder.chmod(folder_mode)
    with bound_by_permissions(), open_store(str(path)) as store:
        assert len(store.rows("m1")) == 3
        assert refusal(lambda: store.append(step_after("m1", head))).code == "store/read-only"


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("log, seen", [("none", 1), ("empty", 1), ("full", "store/forbidden")])
def test_a_file_is_frozen_only_while_nothing_lies_in_the_log_beside_it(folder: Path, log: str, seen: object) -> None:
    """Somebody who was killed has left events there, and whoever read without them would miss the end of the match."""
    written, frozen = folder / "ledger.db", folder / "frozen" / "ledger.db"
    frozen.parent.mkdir()
    with open_store(str(written)) as store:
        opened(store, "m1")
        if log == "full":
            shutil.copy(f"{written}-wal", f"{frozen}-wal")
            shutil.copy(written, frozen)
    if log != "full":
        shutil.copy(written, frozen)
    if log == "empty":
        Path(f"{frozen}-wal").touch()
    for path in frozen.parent.iterdir():
        path.chmod(0o444)
    frozen.parent.chmod(0o555)
    with bound_by_permissions():
        assert matches_seen(frozen) == seen


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize(
    "name, mode, code",
    [
        ("ledger.db", 0o555, "store/read-only"),
        ("deeper/ledger.db", 0o555, "store/missing"),
        ("ledger.db", 0o444, "store/forbidden"),
    ],
)
def test_a_folder_without_permission_is_told(folder: Path, name: str, mode: int, code: str) -> None:
    folder.chmod(mode)
    with bound_by_permissions():
        assert matches_seen(folder / name) == code


def matches_seen(path: Path) -> int | str:
    """How many matches somebody finds there, or why none."""
    try:
        with open_store(str(path)) as store:
            return store.count()
    except LedgerError as error:
        return error.code


def _answer_of(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-B", "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_an_unreachable_server_is_told_without_the_password(tmp_path: Path) -> None:
    for address, where in (
        (f"postgresql://ann:{PASSWORD}@127.0.0.1:1/ledger", "127.0.0.1:1/ledger"),
        (f"postgres://ann:{PASSWORD}@/ledger?host={tmp_path}", f"{tmp_path}/ledger"),
        (f"postgresql+psycopg://127.0.0.1:1/ledger?user=ann&password={PASSWORD}", "127.0.0.1:1/ledger"),
    ):
        for attempt in (open_store, upgrade_store, differences):
            error = refusal(lambda attempt=attempt, address=address: attempt(address))  # type: ignore[misc]
            assert (type(error), error.code) == (Unavailable, "store/unreachable")
            assert error.message.startswith(f"'postgresql://{where}' cannot be reached: ")
            assert PASSWORD not in error.message
            assert "\n" not in error.message


@pytest.mark.parametrize(
    "error, code",
    [
        (errors.UndefinedTable, "store/unmigrated"),
        (errors.ReadOnlySqlTransaction, "store/read-only"),
        (errors.InsufficientPrivilege, "store/read-only"),
        (errors.LockNotAvailable, "store/locked"),
        (errors.DeadlockDetected, "store/locked"),
        (errors.QueryCanceled, "store/locked"),
        (errors.DiskFull, "store/full"),
        (errors.UniqueViolation, "store/constraint"),
        (errors.InvalidTextRepresentation, "store/unstorable"),
        (errors.ConnectionFailure, "store/unreachable"),
        (psycopg.InterfaceError, "store/unreachable"),
        (errors.SyntaxError, "store/failed"),
    ],
)
def test_what_the_errors_of_a_server_mean(error: type[psycopg.Error], code: str) -> None:
    database = PostgresDatabase("postgresql://127.0.0.1:1/ledger", timeout=1)
    assert database.refusal(error("it says why.\nAnd more.")).code == code
    assert "And more" not in database.refusal(error("it says why.\nAnd more.")).message


def test_a_database_the_server_does_not_have_is_told(postgres: PostgresServer) -> None:
    error = refusal(lambda: open_store(postgres.address("nowhere")))
    assert error.code == "store/unreachable"
    assert "nowhere" in error.message


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ann:{PASSWORD}@home@127.0.0.1:1/ledger",
        f"postgresql://ann:{PASSWORD}/x@127.0.0.1:1/ledger",
        f"postgresql://ann:{PASSWORD}%zz@127.0.0.1:1/ledger",
        f"postgresql://127.0.0.1:1/ledger?{PASSWORD}=1",
    ],
)
def test_an_address_that_does_not_read_is_not_printed(address: str) -> None:
    error = refusal(lambda: open_store(address))
    assert (type(error), error.code) == (UsageError, "store/unsupported")
    assert "postgresql://USER:PASSWORD@HOST" in error.message
    assert PASSWORD not in error.message


@pytest.mark.parametrize(
    "database",
    [f"mysql://ann:{PASSWORD}@host/db", "postgresql+asyncpg://h/d", "sqlite://", "sqlite:///x?mode=ro", "", "a\0b"],
)
def test_an_unsupported_database_is_told_with_the_choices(database: str, tmp_path: Path) -> None:
    error = refusal(lambda: open_store(database))
    assert (type(error), error.code) == (UsageError, "store/unsupported")
    assert "choose from: a file path, sqlite:///PATH, postgresql://" in error.message
    assert PASSWORD not in error.message


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:/ann:{}@host/db",
        "postgresql:ann:{}@host/db",
        "postgresql//ann:{}@host/db",
        "postgresql ://ann:{}@host/db",
        "postgresql;//ann:{}@host/db",
        " postgresql://ann:{}@host/db",
        "POSTGRESQL:/ann:{}@host/db",
        "POSTGRESQL://ann:{}@host:x/db",
        "Postgre://ann:{}@host/db",
        "postgresql://ann:{}",
        "postgresql://ann:{}:5432/db",
        "postgresql:\\\\ann:{}@host/db",
        "postgres:{}",
        "//ann:{}@host/db",
        "ann:{}@host/db",
        "ann@home:{}@host/db",
        "sqlite://ann:{}@host/db",
        "sqlite:///ann:{}@host/db",
        "host=here password={}",
        "PGPASSWORD={}",
        "sqlite:///x?password={}",
        "https://ann:{}@host/db",
    ],
)
def test_a_mistyped_address_makes_no_file_and_shows_no_password(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = Matchledger(Path("unused"))
    program.where = ["--database", address.format(PASSWORD)]
    for words in (
        ["new", "azul"],
        ["list"],
        ["db", "where"],
        ["db", "info"],
        ["db", "check"],
        ["db", "upgrade"],
        ["audit", "--all"],
    ):
        for more in ([], ["--json"]) if words[:2] not in (["db", "upgrade"],) else ([],):
            said = program(*words, *more, code=2)
            assert "store/unsupported" in said
            assert PASSWORD not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "path", ["./a:b@c", "../a:b@c", "/tmp/a:b@c", "~/a:b@c", "a@b.db", "C:x.db", "sqlite:////tmp/a:b@c"]
)
def test_a_file_may_have_any_name(path: str) -> None:
    assert refusal(lambda: open_store(path, create=False)).code == "store/missing"


@pytest.mark.parametrize("moment", [Store.snapshot, lambda store: nullcontext()], ids=["snapshot", "read"])
def test_a_server_that_dropped_us_is_met_again(
    postgres_address: str, moment: Callable[[Store], AbstractContextManager[None]]
) -> None:
    with open_store(postgres_address) as store, psycopg.connect(postgres_address, autocommit=True) as other:
        opened(store, "m1")
        with moment(store):
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            assert refusal(lambda: store.rows("m1")).code == "store/unreachable"
        assert len(store.rows("m1")) == 3


def test_a_server_that_stays_away_is_refused_as_often_as_it_is_asked(postgres: PostgresServer) -> None:
    address = postgres.migrated_database()
    with open_store(address) as store:
        postgres.drop(address)
        assert {refusal(lambda: store.head("m1")).code for _ in range(4)} == {"store/unreachable"}


def test_opening_a_migrated_file_loads_no_migration_machinery(sqlite_address: str) -> None:
    open_store(sqlite_address).close()
    program = (
        "import sys; from service.store import open_store; open_store(sys.argv[1]).close();"
        "print([name for name in ('alembic', 'sqlalchemy', 'psycopg') if name in sys.modules])"
    )
    answer = _answer_of(program, sqlite_address)
    assert (answer.stdout.strip(), answer.stderr) == ("[]", "")


def test_looking_at_a_backup_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    ledger, backup = Matchledger(tmp_path / "ledger.db"), Matchledger(tmp_path / "copies" / "backup.db")
    backup.database.parent.mkdir()
    ledger("new", "azul", "Ann", "Ben")
    ledger("db", "backup", str(backup.database))
    before = backup.database.read_bytes()
    for words in (["list"], ["show", "last"], ["audit", "--all"], ["db", "check"]):
        backup(*words)
        assert list(backup.database.parent.iterdir()) == [backup.database], words
    assert backup.database.read_bytes() == before
    ledger("db", "backup", "--force", str(backup.database))
    backup("new", "azul", "Ann", "Ben")  # whoever writes to one makes a ledger of it again
    with sqlite3.connect(backup.database) as file:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    file.close()


def test_the_root_of_all_folders_is_no_ledger(tmp_path: Path) -> None:
    assert "is not a ledger: it is a folder" in Matchledger(tmp_path / "x.db").run_any("db", "copy", "/", "x").output
