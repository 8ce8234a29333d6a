"""Opening a store, and every way in which that can go wrong."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from service.errors import Damaged, LedgerError, Unavailable, UsageError
from service.store import Store, differences, open_store, upgrade_store
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


def test_a_file_and_its_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where" / "100% mine #1?.db"
    with open_store(str(path)) as store:
        opened(store, "m1")
    with open_store(str(path), create=False) as store:
        assert len(store.rows("m1")) == 3
    assert list(path.parent.iterdir()) == [path]


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
            name: store._database.fetch(f"PRAGMA {name}") for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert settings == {"journal_mode": [("wal",)], "synchronous": [(2,)], "foreign_keys": [(1,)]}


def test_a_copy_without_write_ahead_log_gets_it_back(sqlite_address: str, tmp_path: Path) -> None:
    with open_store(sqlite_address) as store:
        opened(store, "m1")
        store._database.change("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    with open_store(str(tmp_path / "copy.db")) as copy:
        assert len(copy.rows("m1")) == 3
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
    assert (type(error), error.code, error.exit_code) == (Damaged, "store/damaged", 3)


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


def test_read_only_reads_and_does_not_write(address: str) -> None:
    with open_store(address) as store:
        head = opened(store, "m1")
    with open_store(address, read_only=True) as store:
        assert len(store.rows("m1")) == len(next(store.streams())[1]) == 3
        for attempt in (lambda: store.append(step_after("m1", head)), lambda: store.rename("m1", 1, "Eve")):
            error = refusal(attempt)
            assert (type(error), error.code) == (Unavailable, "store/read-only")
    assert differences(address) == []


# Permissions do not bind root, who runs the tests in many containers; so root becomes nobody once all is loaded.
BECOME_NOBODY = """
import os
from pathlib import Path
Path("/").as_uri()  # which loads more on some versions of Python
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
"""
READ_THEN_WRITE = f"""
import sys
from service.errors import LedgerError
from service.store import open_store
from tests.store.steps import step_after
{BECOME_NOBODY}
with open_store(sys.argv[1]) as store:
    print(len(store.rows("m1")))
    try:
        store.append(step_after("m1", store.find("m1").head))
    except LedgerError as error:
        print(error.code)
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("file_mode, folder_mode", [(0o444, 0o555), (0o666, 0o555), (0o444, 0o777)])
def test_without_permission_to_write_a_file_is_still_read(file_mode: int, folder_mode: int) -> None:
    with tempfile.TemporaryDirectory() as folder:  # outside pytest's folders, which nobody else may enter
        path = Path(folder) / "ledger.db"
        with open_store(str(path)) as store:
            opened(store, "m1")
        path.chmod(file_mode)
        os.chmod(folder, folder_mode)
        answer = _answer_of(READ_THEN_WRITE, str(path))
        os.chmod(folder, 0o755)
    assert (answer.stdout.split(), answer.stderr) == (["3", "store/read-only"], "")


OPEN_AND_TELL = f"""
import sys
from service.errors import LedgerError
from service.store import open_store
{BECOME_NOBODY}
for path in sys.argv[1:]:
    try:
        with open_store(path) as store:
            print(store.count())
    except LedgerError as error:
        print(error.code)
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("log, seen", [("none", "1"), ("empty", "1"), ("full", "store/forbidden")])
def test_a_file_is_frozen_only_while_nothing_lies_in_the_log_beside_it(log: str, seen: str) -> None:
    """Somebody who was killed has left events there, and whoever read without them would miss the end of the match."""
    with tempfile.TemporaryDirectory() as name:
        written, frozen = Path(name) / "ledger.db", Path(name) / "frozen" / "ledger.db"
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
        os.chmod(name, 0o755)
        answer = _answer_of(OPEN_AND_TELL, str(frozen))
        frozen.parent.chmod(0o755)
    assert (answer.stdout.split(), answer.stderr) == ([seen], "")


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_folder_without_permission_to_write_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        answer = _answer_of(OPEN_AND_TELL, f"{folder}/ledger.db", f"{folder}/deeper/ledger.db")
        os.chmod(folder, 0o755)
    assert (answer.stdout.split(), answer.stderr) == (["store/read-only", "store/read-only"], "")


def _answer_of(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-B", "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_an_unreachable_server_is_told_without_the_password(tmp_path: Path) -> None:
    for address in (
        f"postgresql://ann:{PASSWORD}@127.0.0.1:1/ledger",
        f"postgres://ann:{PASSWORD}@/ledger?host={tmp_path}",
        f"postgresql+psycopg://127.0.0.1:1/ledger?user=ann&password={PASSWORD}",
    ):
        for attempt in (open_store, upgrade_store, differences):
            error = refusal(lambda attempt=attempt, address=address: attempt(address))  # type: ignore[misc]
            assert (type(error), error.code) == (Unavailable, "store/unreachable")
            assert "/ledger'" in error.message
            assert PASSWORD not in error.message
            assert "\n" not in error.message


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
    program.database = address.format(PASSWORD)  # type: ignore[assignment]
    for words in (["new", "azul"], ["list"], ["db", "where"], ["db", "check"], ["db", "upgrade"], ["audit", "--all"]):
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


def test_a_server_that_dropped_us_is_met_again(postgres_address: str) -> None:
    with open_store(postgres_address) as store, psycopg.connect(postgres_address, autocommit=True) as other:
        opened(store, "m1")
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert refusal(lambda: store.rows("m1")).code == "store/unreachable"
        assert len(store.rows("m1")) == 3


def test_opening_a_migrated_file_loads_no_migration_machinery(sqlite_address: str) -> None:
    open_store(sqlite_address).close()
    program = (
        "import sys; from service.store import open_store; open_store(sys.argv[1]).close();"
        "print([name for name in ('alembic', 'sqlalchemy', 'psycopg') if name in sys.modules])"
    )
    answer = _answer_of(program, sqlite_address)
    assert (answer.stdout.strip(), answer.stderr) == ("[]", "")
