"""Files people name: out of reach, each is a matter of usage (exit 2) with its name, never damage; nothing is done."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from typer.core import TyperGroup, TyperOption

from cli import app
from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger, run_process

READ = {
    "audit target": "audit {file}",
    "audit --key": "audit last --key {file}",
    "audit --arbiter": "audit last --arbiter {file}",
    "audit --receipt": "audit last --receipt {file}",
    "audit --paper": "audit last --paper {file}",
    "import files": "import {file}",
    "validate files": "validate {file}",
    "pad --csv": "pad azul Ann Ben --csv {file}",
    "explain match": "explain {file} 1",
    "show match": "show {file}",
    "legal match": "legal {file}",
    "log match": "log {file}",
    "scores match": "scores {file}",
    "replay match": "replay {file}",
    "hint match": "hint {file}",
    "review match": "review {file}",
    "dispute show match": "dispute show {file}",
    "bisect a": "bisect {file} last",
    "bisect b": "bisect last {file}",
    "dispute rule --key": "dispute rule last 1 --key {file} --rule AZ-46 --reason Because",
    "dispute decide --key": "dispute decide last 1 --uphold --key {file} --rule AZ-46 --reason Because",
    "dispute final --key": "dispute final last --key {file}",
}
WRITTEN = {
    "audit --html": "audit last --html {file}",
    "receipt --output": "receipt last -o {file}",
    "new --receipt": "new azul Ann --seats 2 --receipt {file}",
    "join --receipt": "join last Ben --receipt {file}",
    "export --output": "export last -o {file}",
    "export --all": "export --all {file}",
    "db backup file": "db backup {file}",
}
NOWHERE = {
    "missing": "none.mlr",
    "below nothing": "none/none.mlr",
    "below a file": "file/none.mlr",
    "a folder": "folder",
}


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with one finished match and a dispute about it."""
    program = on_empty_ledger(tmp_path_factory.mktemp("disputed"))
    match = program.new()
    program.play(match, TO_THE_END)
    program("dispute", "open", match, "I have more", "--seat", "1")
    return program.database


@pytest.fixture
def matchledger(tmp_path: Path, disputed: Path) -> Matchledger:
    """A copy of that ledger, beside a file and a folder."""
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    return Matchledger(Path(shutil.copy(disputed, tmp_path / "ledger.db")))


def out_of_reach(matchledger: Matchledger, words: list[str], path: Path) -> None:
    """The command ends with 2, names the file and the reason, and leaves everything as it was."""
    before = _everything(matchledger)
    result = matchledger.run(*words, code=2)
    assert result.stderr.startswith("Out of reach (")
    assert repr(str(path)) in result.stderr
    assert "There is no " in result.stderr or " cannot be " in result.stderr
    assert "Damaged" not in result.output
    assert _everything(matchledger) == before


def _everything(matchledger: Matchledger) -> tuple[object, ...]:
    """Every file beside the ledger, and every match in it. Signing a head before it is exported changes neither."""
    rows = matchledger.rows()
    files = {path for path in matchledger.database.parent.rglob("*") if not path.name.startswith("ledger.db")}
    return files, rows["event"], rows["match"], rows["command"]


@pytest.mark.parametrize("place", NOWHERE.values(), ids=NOWHERE)
@pytest.mark.parametrize("command", READ.values(), ids=READ)
def test_what_cannot_be_read(matchledger: Matchledger, tmp_path: Path, command: str, place: str) -> None:
    path = tmp_path / place
    out_of_reach(matchledger, [word.format(file=path) for word in command.split()], path)


def test_a_folder_for_records_that_may_be_mistyped(matchledger: Matchledger, tmp_path: Path) -> None:
    """It is not made, and is named in the refusal."""
    out_of_reach(matchledger, ["export", "--all", str(tmp_path / "foldre")], tmp_path / "foldre")
    assert not (tmp_path / "foldre").exists()


@pytest.mark.parametrize("place", ["folder", "file/none.mlr", "none/none.mlr"])
@pytest.mark.parametrize("command", WRITTEN.values(), ids=WRITTEN)
def test_what_cannot_be_written(matchledger: Matchledger, tmp_path: Path, command: str, place: str) -> None:
    path = tmp_path / place
    words = [word.format(file=path) for word in command.split()]
    if "--all" in words and place == "folder":
        matchledger(*words)  # a folder is what it wants
        return
    out_of_reach(matchledger, words, path)


def test_a_record_in_the_way_of_an_export(matchledger: Matchledger, tmp_path: Path) -> None:
    path = tmp_path / "folder" / f"{matchledger.json('show', 'last')['match']}.mlr"
    path.mkdir()
    out_of_reach(matchledger, ["export", "--all", str(tmp_path / "folder")], path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions bind everybody but the superuser")
@pytest.mark.parametrize("command", [*READ.values(), *WRITTEN.values()], ids=[*READ, *WRITTEN])
def test_what_one_may_not_touch(matchledger: Matchledger, tmp_path: Path, command: str) -> None:
    (tmp_path / "folder").chmod(0)
    path = tmp_path / "folder" / "file.mlr"
    try:
        result = matchledger.run(*(word.format(file=path) for word in command.split()), code=2)
    finally:
        (tmp_path / "folder").chmod(0o700)
    assert "Permission denied" in result.stderr


@pytest.mark.parametrize("place", NOWHERE.values(), ids=NOWHERE)
def test_files_the_environment_names(
    matchledger: Matchledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    path = tmp_path / place
    monkeypatch.setenv("MATCHLEDGER_ARBITERS", str(path))
    out_of_reach(matchledger, ["audit", "last"], path)
    monkeypatch.delenv("MATCHLEDGER_ARBITERS")
    monkeypatch.setenv("MATCHLEDGER_ARBITER_KEY", str(path))
    out_of_reach(matchledger, ["dispute", "final", "last"], path)


@pytest.mark.skipif(os.name != "posix", reason="a shell closes the stream")
def test_a_standard_input_that_is_closed() -> None:
    done = run_process(["sh", "-c", 'exec "$0" -m cli validate - <&-', sys.executable])
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Out of reach (record/file): The standard input '-' cannot be read: it is closed.\n"


def test_a_key_folder_that_is_none(matchledger: Matchledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = tmp_path / "file" / "keys"
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(keys))
    for words in (["receipt", "last"], ["key", "show"], ["key", "arbiter", "Ada"]):
        out_of_reach(matchledger, words, keys)


def test_a_rotation_that_cannot_be_written(
    matchledger: Matchledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(keys))
    public = matchledger.json("key", "show")["keys"][0]["public"]
    (keys / "retired").write_text("in the way", encoding="utf-8")
    out_of_reach(matchledger, ["key", "rotate"], keys)
    (keys / "retired").unlink()
    assert matchledger.json("key", "show")["keys"][0]["public"] == public
    matchledger("key", "rotate")


def test_what_is_there_and_damaged_is_another_matter(
    matchledger: Matchledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evidence that was read and is none: exit 3. A key that is none is refused; notes that are none make no sense."""
    junk = tmp_path / "junk.mlr"
    junk.write_bytes(b"\xff\xfe junk")
    for command in ("audit", "validate", "import", "show", "legal", "log", "scores", "replay", "hint", "review"):
        assert matchledger.run(command, str(junk), code=3).stderr.startswith("No record (record/encoding): ")
    assert matchledger.run("audit", "last", "--receipt", str(junk), code=3).stderr.startswith("Damaged (")
    assert "keys/damaged" in matchledger("dispute", "final", "last", "--key", str(junk), code=1)
    for words, code in ((["--paper", str(junk)], "paper/unreadable"), (["--key", str(junk)], "keys/unreadable")):
        text = matchledger("audit", "last", *words, code=2)
        assert code in text
        assert "it is not UTF-8 text" in text


def test_a_word_that_is_no_file_is_a_match(
    matchledger: Matchledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "match/unknown" in matchledger("audit", "zzz", code=1)
    assert "match/unknown" in matchledger("audit", "x" * 5000, code=1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "last").mkdir()
    matchledger("audit", "last")
    Path("arbiters").mkdir()
    assert "Is a directory" in matchledger("audit", "arbiters", code=2)


def test_no_command_that_takes_a_file_is_forgotten() -> None:
    assert set(_taking_files(typer.main.get_command(app))) == {*READ, *WRITTEN}


def _taking_files(command: object, path: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            yield from _taking_files(inner, (*path, name))
        return
    for parameter in getattr(command, "params", ()):
        if re.search("FILE|CSV|DIR", parameter.metavar or ""):
            option = max(parameter.opts, key=len) if isinstance(parameter, TyperOption) else parameter.name
            yield " ".join((*path, str(option)))
