"""A disk without room: reading works, the message says so, and nothing half-written stays behind."""

import os
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from service.errors import FileTrouble, Unavailable
from service.files import write_file
from service.store.connect import open_store
from service.store.sqlite import SqliteDatabase
from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger, run_process
from tests.store.steps import opened, step_after

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and devices are those of POSIX")
LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
sys.argv[0] = "matchledger"
runpy.run_module("cli", run_name="__main__")
"""
"""The program where no file may grow beyond a size: writing more fails as it does on a full disk."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = on_empty_ledger(tmp_path_factory.mktemp("played"))
    program.play(program.new(), TO_THE_END)
    program.new()
    program("key", "show")
    return program.database


@pytest.fixture
def matchledger(tmp_path: Path, played: Path) -> Matchledger:
    return Matchledger(Path(shutil.copy(played, tmp_path / "ledger.db")))


def limited(matchledger: Matchledger, size: int, *words: str) -> "subprocess.CompletedProcess[str]":
    return run_process([sys.executable, "-c", LIMITED, str(size), "--database", str(matchledger.database), *words])


def shelled(line: str) -> "subprocess.CompletedProcess[str]":
    return run_process(["sh", "-c", line])


# ------------------------------------------------------------------------------------------------------------ databases


def test_a_database_without_room_stores_nothing_and_can_be_read(tmp_path: Path, migrated_file: Path) -> None:
    path = Path(shutil.copy(migrated_file, tmp_path / "ledger.db"))
    with open_store(str(path)) as store:
        head = opened(store, "m1")
        database = store._database
        assert isinstance(database, SqliteDatabase)
        connection: sqlite3.Connection = database._connection()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(Unavailable, match="There is no room left on the disk for") as refused:
            store.append(step_after("m1", head, said="x" * 100_000))
        assert refused.value.code == "store/full"
        assert (store.find("m1").head, len(store.rows("m1"))) == (head, 3)
        connection.execute(f"PRAGMA max_page_count = {pages + 100}")
        store.append(step_after("m1", head, said="x" * 100_000))
        assert len(store.rows("m1")) == 6


@pytest.mark.parametrize(
    "words", ["list", "show last", "log last", "scores last", "audit last", "audit --all -j 1", "db where"]
)
def test_reading_where_no_file_can_grow(matchledger: Matchledger, words: str) -> None:
    done = limited(matchledger, 0, *words.split())
    assert (done.returncode, done.stderr.strip()) == (0, "")
    assert done.stdout


def test_writing_where_no_file_can_grow(matchledger: Matchledger) -> None:
    before = matchledger.rows()
    for words in (["new", "azul", "Ann", "Ben"], ["abandon", "last"]):
        done = limited(matchledger, 0, *words)
        assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (1, "", False), done.stderr
        assert done.stderr.startswith("Refused (store/")
    assert matchledger.rows() == before


def test_a_disk_that_is_really_full(tmp_path: Path, played: Path) -> None:
    """On a file system of a few pages, where this user may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    program = f"{shlex.quote(sys.executable)} -m cli --database {disk}/ledger.db"
    script = f"""
    mount -t tmpfs -o size=1m tmpfs {disk} 2>/dev/null || exit 77
    cp {played} {disk}/ledger.db
    dd if=/dev/zero of={disk}/ballast bs=4k 2>/dev/null
    {program} list && {program} show last && {program} audit --all -j 1 || exit 3
    {program} new azul Ann Ben && exit 4
    {program} audit last --html {disk}/page.html && exit 5
    {program} audit last --html {disk}/ballast && exit 6
    ls -A {disk}
    """
    if shutil.which("unshare") is None:
        pytest.skip("nothing here mounts a small disk")
    done = run_process(["unshare", "--mount", "sh", "-c", script])
    if done.returncode in (1, 77):
        pytest.skip("this user may not mount a small disk")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("There is no room left on the disk") == 1, done.stderr
    assert done.stderr.count("cannot be written: the disk is full.") == 2, done.stderr
    assert {"ballast", "ledger.db"} <= set(done.stdout.split("\n"))
    assert not any(line.startswith(".matchledger") or line.endswith(".html") for line in done.stdout.split("\n"))


# ---------------------------------------------------------------------------------------------------------------- files


def test_nothing_half_written_stays_behind(matchledger: Matchledger, tmp_path: Path) -> None:
    """What was there before is there afterwards, byte for byte."""
    folder = tmp_path / "out"
    folder.mkdir()
    kept = folder / "kept"
    kept.write_bytes(b"what was there")
    for place in (kept, folder / "new.html"):
        done = limited(matchledger, 1000, "audit", "last", "--html", str(place))
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
        assert "cannot be written: File too large." in done.stderr
        assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("kept", b"what was there")]


def test_a_file_that_is_replaced_keeps_its_mode_its_links_and_its_name(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"before")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(link, b"after", "record", "export/file")
    assert (path.read_bytes(), link.is_symlink(), stat.S_IMODE(path.stat().st_mode)) == (b"after", True, 0o640)
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new", b"new", "record", "export/file")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    write_file(tmp_path / ("x" * 255), b"long", "record", "export/file")
    assert sorted(len(entry.name) for entry in tmp_path.iterdir()) == [3, 4, 4, 255]


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"through", "record", "export/file")
    reader.join()
    assert (read, stat.S_ISFIFO(pipe.stat().st_mode)) == ([b"through"], True)
    write_file(Path(os.devnull), b"nowhere", "record", "export/file")
    with pytest.raises(FileTrouble, match=r"The record '/dev/full' cannot be written: the disk is full\."):
        write_file(Path("/dev/full"), b"nowhere", "record", "export/file")


def test_an_output_that_is_also_a_file(matchledger: Matchledger, tmp_path: Path) -> None:
    """`-o /dev/stdout >> file` adds to the file, and takes nothing away."""
    program = f"{sys.executable} -m cli --database {matchledger.database}"
    done = shelled(f"echo before > {tmp_path}/out; {program} export last -o /dev/stdout >> {tmp_path}/out")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert text.startswith("before\n[Matchledger")


# --------------------------------------------------------------------------------------------------------------- output

PRINTING = [
    "list",
    "list --json",
    "show last",
    "log last --json",
    "export last",
    "audit last",
    "--help",
    "games",
    "act last x",
]


@pytest.mark.parametrize("words", PRINTING)
def test_an_output_without_room(matchledger: Matchledger, words: str) -> None:
    done = shelled(f"{sys.executable} -m cli --database {matchledger.database} {words} > /dev/full")
    if words.startswith("act"):  # a refusal is said on the other stream
        assert (done.returncode, "move/malformed" in done.stderr) == (2, True)
        return
    assert done.returncode == 2, done.stderr
    assert done.stderr == "Out of reach (output/unwritable): The standard output cannot be written: the disk is full.\n"


@pytest.mark.parametrize("words", PRINTING)
def test_an_output_that_is_closed(matchledger: Matchledger, words: str) -> None:
    before = matchledger.rows()
    done = shelled(f"{sys.executable} -m cli --database {matchledger.database} {words} >&-")
    assert done.returncode == 2, done.stderr
    assert done.stderr == "Out of reach (output/unwritable): The standard output cannot be written: it is closed.\n"
    assert matchledger.rows() == before


def test_both_streams_without_room(matchledger: Matchledger) -> None:
    program = f"{sys.executable} -m cli --database {matchledger.database}"
    assert shelled(f"{program} list > /dev/full 2> /dev/full").returncode == 2
    assert shelled(f"{program} list >&- 2>&-").returncode == 2
    assert shelled(f"{program} show nothing 2>&-").returncode == 1


def test_a_reader_that_has_seen_enough(matchledger: Matchledger) -> None:
    done = shelled(f"{sys.executable} -m cli --database {matchledger.database} log --json last | head -c 1")
    assert (done.stdout, done.stderr) == ("[", "")
