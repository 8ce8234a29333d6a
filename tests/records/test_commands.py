"""The commands of records, through the command line as it mounts them."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner, Result

from service.errors import LedgerError
from service.play.ledger import LocalLedger
from service.play.matches import open_match
from service.play.replay import load
from service.shell.commands import real_table, records
from service.shell.commands.session import Session, session_of
from service.shell.terminal.paint import show_error
from service.store.connect import open_store
from tests.conftest import TWO, finish, make_ledger, move

Run = Callable[..., Result]
UNTOUCHED = "untouched.db"


class Refusing(TyperGroup):
    """The root group as cli.py has it: refusals become messages and exit codes."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LedgerError as error:
            show_error(error, as_json=session_of(ctx).as_json)
            raise typer.Exit(error.exit_code) from error


root = typer.Typer(cls=Refusing, pretty_exceptions_enable=False)
root.add_typer(records.app)
root.add_typer(real_table.app)


@root.callback()
def main(context: typer.Context, database: Annotated[str, typer.Option()]) -> None:
    context.obj = Session(database, is_named=True)


@pytest.fixture
def run(tmp_path: Path, migrated_file: Path) -> Run:
    def run(*words: object, database: str = "ledger.db", keys: str | None = None) -> Result:
        if database != UNTOUCHED and not (tmp_path / database).exists():
            shutil.copy(migrated_file, tmp_path / database)
        return CliRunner().invoke(root, ["--database", str(tmp_path / database), *map(str, words)], input=keys)

    return run


@pytest.fixture
def match(ledger: LocalLedger) -> str:
    return finish(ledger, open_match(ledger, "azul", 2, players=TWO)).id


def test_export_import_export(run: Run, match: str, tmp_path: Path) -> None:
    for suffix in ("text", "jsonl"):
        file = tmp_path / f"a.{suffix}"
        shown = run("export", match[:7], "--format", suffix)
        assert shown.exit_code == 0
        said = run("export", "last", "--format", suffix, "-o", file)
        assert f"Match {match} is written to" in said.output
        assert file.read_text(encoding="utf-8") == shown.stdout
        assert run("validate", file).exit_code == 0
        assert "was imported" in run("import", file, database=f"{suffix}.db").output
        assert "already, with the same history" in run("import", file, database=f"{suffix}.db").output
        assert run("export", match, "--format", suffix, database=f"{suffix}.db").stdout == shown.stdout


def test_export_all(run: Run, ledger: LocalLedger, match: str, tmp_path: Path) -> None:
    move(ledger, open_match(ledger, "azul", 3, players=(*TWO, TWO[0])), 2)
    folder, again = tmp_path / "folder", tmp_path / "again"
    folder.mkdir()
    again.mkdir()
    assert "2 records written" in run("export", "--all", folder).output
    files = sorted(folder.iterdir())
    assert [file.suffix for file in files] == [".mlr", ".mlr"]
    together = tmp_path / "together.mlr"
    together.write_text("\n".join(file.read_text(encoding="utf-8") for file in files), encoding="utf-8")
    both = run("import", together, database="other.db")
    assert both.output.count("was imported") == 2
    run("export", "--all", again, database="other.db")
    for file in files:
        assert (again / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    "words, code, said",
    [
        ((), 2, "Name one match"),
        (("last", "--all", "x"), 2, "Name one match"),
        (("last", "--format", "pgn"), 2, "'pgn' is not a format of records; choose from: text, jsonl."),
        (("nosuch",), 1, "No match 'nosuch'"),
        (("last", "-o", "no/such/folder/file"), 2, "cannot be written"),
    ],
)
def test_exports_that_make_no_sense(run: Run, match: str, words: tuple[str, ...], code: int, said: str) -> None:
    result = run("export", *words)
    assert (result.exit_code, said in result.output) == (code, True), result.output


def test_one_bad_file_stops_no_other(run: Run, examples: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mlr"
    bad.write_text((examples / "azul-table.mlr").read_text(encoding="utf-8").replace("1K3", "1K9"), encoding="utf-8")
    result = run("import", examples / "azul.mlr", bad, tmp_path / "none", examples / "azul-table.mlr")
    assert result.exit_code == 2, "the worst of what happened to each"
    assert result.output.count("was imported") == 2
    assert f"{bad}, line 19: found '1K9'" in result.output.replace("\n", " ")
    assert "Legal there for Ann (seat 1), nearest first: 1K" in result.output
    listed = json.loads(run("import", "--json", bad, examples / "azul.mlr", database="j.db").stdout)
    assert [one["outcome"] for one in listed] == ["refused", "imported"]
    assert listed[0]["code"] == "move/malformed"


def test_validate_touches_no_ledger(run: Run, examples: Path, tmp_path: Path) -> None:
    files = sorted(examples.iterdir())
    result = run("validate", *files, database=UNTOUCHED)
    assert result.exit_code == 0
    assert result.output.count(": valid ") == len(files)
    assert not (tmp_path / UNTOUCHED).exists()
    changed = tmp_path / "changed.mlr"
    text = (examples / "azul.mlr").read_text(encoding="utf-8")
    changed.write_text(text.replace("=59, ", "=60, "), encoding="utf-8")
    result = run("validate", changed, files[0])
    assert result.exit_code == 1
    assert f"{changed}, line 80: " in result.output.replace("\n", " ")
    listed = json.loads(run("validate", "--json", changed, files[0]).stdout)
    assert [one["outcome"] for one in listed] == ["refused", "valid"]


def test_standard_input(run: Run, examples: Path) -> None:
    text = (examples / "azul.mlr").read_text(encoding="utf-8")
    assert "-: valid record of match 4h7rk2m9ce" in run("validate", "-", keys=text).output
    assert "match 4h7rk2m9ce was imported" in run("import", "-", keys=text).output


def test_a_damaged_match_is_exported_as_it_is_and_said_to_be(run: Run, match: str, tmp_path: Path) -> None:
    file = sqlite3.connect(tmp_path / "ledger.db")
    file.execute("DROP TRIGGER event_never_updated")
    changed = "CAST(replace(CAST(data AS TEXT), '\"placed\":1', '\"placed\":2') AS BLOB)"
    (seq,) = file.execute("SELECT min(seq) FROM event WHERE instr(data, CAST('\"placed\":1' AS BLOB))").fetchone()
    file.execute(f"UPDATE event SET data = {changed} WHERE seq = {seq}")
    file.commit()
    file.close()
    result = run("export", match, "-o", tmp_path / "out.mlr")
    assert result.exit_code == 3
    assert "damaged" in result.output
    text = (tmp_path / "out.mlr").read_text(encoding="utf-8")
    assert f"\n!{seq} #" in text
    assert run("import", tmp_path / "out.mlr", database="other.db").exit_code == 1


class TestRecord:
    """A match entered live."""

    KEYS = (
        "help\nmoves\n2B3\n1 ; Ann starts\ndeal BBBB YYYY RRRR KKKK WWWW\nmoves\n1B1\nundo\n1B4\n"
        "Ann 2Y2\nben: 2Y2\n9X9\n1B9\n3R9\nboard\nscores\nlog\nundo\nredo\nquit\n"
    )

    def test_entries_refusals_and_undo(self, run: Run, tmp_path: Path) -> None:
        result = run("record", "azul", "Ann", "Ben", keys=self.KEYS)
        assert result.exit_code == 0, result.output
        for said in ("starting seat> ", "deal> ", "Ann> ", "Ben> ", "It is seat 2's turn", "Legal and near: "):
            assert said in result.output, said
        with open_store(str(tmp_path / "ledger.db")) as store:
            live = load(make_ledger(store), "last")
        assert live.table.opened.chance == "recorded"
        assert live.table.closed is None
        assert f"matchledger export {live.id} -o FILE Go on with: matchledger record {live.id}" in result.output
        text = run("export", "last").stdout
        assert "1:Ann 1B4" in text
        assert "x. 1:Ann 1B1" in text
        on = run("record", live.id, keys="3R3\n1: resigns\n")
        assert "Ben won" in on.output
        assert run("record", live.id, keys="").exit_code == 1

    def test_the_whole_example(self, run: Run, examples: Path, tmp_path: Path) -> None:
        """What the table record says, typed in line by line, is the same match."""
        lines = (examples / "azul-table.mlr").read_text(encoding="utf-8").splitlines()
        typed = [line.split("{")[0] for line in lines if line and line[0] not in ";["]
        result = run("record", "azul", "Ann", "Ben", "-o", "maxRounds=2", keys="\n".join(typed) + "\n")
        assert result.exit_code == 0, result.output
        assert "1. Ben  10" in result.output
        run("import", examples / "azul-table.mlr", database="other.db")
        ours, theirs = (run("export", "last", database=name).stdout.splitlines() for name in ("ledger.db", "other.db"))
        steps = [[line.split("#")[0].strip() for line in text if line[:4].strip().isdigit()] for text in (ours, theirs)]
        assert steps[0] == steps[1]

    def test_who_is_asked_where_several_may_tile(self, run: Run) -> None:
        drafts = ("1B1", "2B1", "5B-", "4B-", "3B-", "CY-", "CR-", "CK-")
        entries = ("1@1", "ben 1@2", "undo", "2: 1@3", "1@4", "quit")
        keys = "\n".join(["1", "BYRK BYRK BYRK BYRK BYRK", *drafts, *entries])
        result = run("record", "azul", "Ann", "Ben", "-o", "boardSide=grey", keys=keys)
        assert result.exit_code == 0, result.output
        assert "Ann or Ben> " in result.output
        assert "Several seats may act now" in result.output
        text = run("export", "last").stdout
        assert "2:Ben 1@3" in text
        assert "1:Ann 1@4" in text

    @pytest.mark.parametrize(
        "words, said",
        [
            (("chess",), "No match 'chess'"),
            (("azul", "Ann"), "The match is kept as"),
            (("azul", "A", "B", "C", "D", "E"), "5 seats is not possible here"),
            (("azul", "A", "B", "-o", "boardSide"), "write NAME=VALUE"),
        ],
    )
    def test_beginnings(self, run: Run, words: tuple[str, ...], said: str) -> None:
        run("record", "azul", keys="")
        assert said in run("record", *words, keys="").output

    def test_only_recorded_matches(self, run: Run, ledger: LocalLedger) -> None:
        live = open_match(ledger, "azul", 2, players=TWO)
        result = run("record", live.id, keys="")
        assert (result.exit_code, "has fair chance" in result.output) == (2, True)
