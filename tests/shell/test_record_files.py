"""Record files are matches to whoever looks: every command that changes nothing takes one as it takes an id."""

from pathlib import Path

import pytest

from tests.shell.terminal import ROOT, Matchledger, on_empty_ledger

EXAMPLES = ROOT / "docs" / "examples"
LOOKING = ("show {}", "legal {}", "log {}", "scores {}", "replay {} --from 3 --to 9", "explain {} 9", "dispute show {}")
PLACES = ("show {} --at s6", "show {} --at 9 --json", "legal {} --at s6", "log {} --at 9", "scores {} --at s9")
BEGINNING = ("replay {} --at s8 --to 9", "replay {} --at 9 --json --to 12")


@pytest.fixture
def matchledger(tmp_path: Path) -> Matchledger:
    return on_empty_ledger(tmp_path)


@pytest.mark.parametrize("name", ["azul.mlr", "azul.jsonl", "coloretto-table.mlr", "master-chocolatier-pad.mlr"])
def test_a_file_looks_as_it_does_once_it_is_imported(matchledger: Matchledger, name: str) -> None:
    file = str(EXAMPLES / name)
    commands = (*LOOKING, *PLACES, *BEGINNING)
    before = [matchledger.run_any(*command.format(file).split()) for command in commands]
    assert matchledger.json("list") == []  # nothing was taken in by looking
    (imported,) = matchledger.json("import", file)
    for command, looked in zip(commands, before, strict=True):
        again = matchledger.run_any(*command.format(imported["match"]).split())
        assert (looked.exit_code, looked.output) == (again.exit_code, again.output), command


def test_no_ledger_is_needed_or_made(tmp_path: Path) -> None:
    program = Matchledger(tmp_path / "none.db")
    assert "Round 5" in program("show", str(EXAMPLES / "azul.mlr"))
    assert not program.database.exists()


def test_what_contradicts_itself_is_shown_with_a_warning(matchledger: Matchledger, tmp_path: Path) -> None:
    """A paper's wrong totals, and a record somebody changed: both are evidence, and neither passes for sound."""
    changed = tmp_path / "changed.mlr"
    text = (EXAMPLES / "azul.mlr").read_text(encoding="utf-8")
    changed.write_text(text.replace('[Head "0', '[Head "1'), encoding="utf-8")
    for file in (ROOT / "docs" / "papers" / "kitchen.mlr", changed):
        result = matchledger.run("log", str(file))
        assert f"see: matchledger audit {file}" in result.stderr
        assert "The lot fell on Ann" in result.stdout
        matchledger.json("show", str(file))  # says nothing beside it


def test_a_file_of_several_is_asked_about(matchledger: Matchledger, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_bytes((EXAMPLES / "azul.jsonl").read_bytes() * 2)
    assert "record/which" in matchledger("show", str(both), code=2)


@pytest.mark.parametrize(
    "command", ["act {} 1B1", "undo {}", "fork {}", "export {}", "receipt {}", "resign {} --seat 1"]
)
def test_what_changes_a_match_says_how_to_import_it(matchledger: Matchledger, command: str) -> None:
    file = str(EXAMPLES / "azul.mlr")
    assert f"matchledger import {file}" in matchledger(*command.format(file).split(), code=1).replace("\n", " ")


class TestImport:
    """What is said to whoever imports, and which match is the last one then."""

    def test_what_to_do_next(self, matchledger: Matchledger) -> None:
        text = matchledger("import", str(EXAMPLES / "azul.mlr"))
        assert text.endswith("Look at it: matchledger show 4h7rk2m9ce (or replay, scores, log, audit)\n")
        files = [str(EXAMPLES / name) for name in ("azul.mlr", "coloretto.mlr")]
        assert matchledger("import", *files).endswith("matchledger show MATCH (or replay, scores, log, audit)\n")
        assert "Look at" not in matchledger("import", "none.mlr", code=2)

    def test_an_open_match_whose_secret_stays_elsewhere(self, matchledger: Matchledger, tmp_path: Path) -> None:
        match, file = matchledger.new(), str(tmp_path / "open.mlr")
        matchledger("export", match, "-o", file)
        (tmp_path / "other").mkdir()
        other = on_empty_ledger(tmp_path / "other")
        text = " ".join(other("import", file).split())
        assert f"cannot be continued here: the secret of its draws stays in the ledger that opened it. To play on from where it stands: matchledger fork {match}" in text  # fmt: skip # noqa: E501
        assert "match/no-secret" in other("act", match, other.moves(match)[0], code=1)
        fork = other.json("fork", match)["match"]
        other("act", fork, other.moves(fork)[0])

    def test_an_open_match_of_recorded_chance_goes_on(self, matchledger: Matchledger, tmp_path: Path) -> None:
        file = tmp_path / "open.mlr"
        file.write_text('[Game "azul"]\n[Seat 1 "Ann"]\n[Seat 2 "Ben"]\n1\nBBBB YYYY RRRR KKKK WWWW\n1B1\n')
        (imported,) = matchledger.json("import", str(file))
        assert imported["can_go_on"]
        assert "cannot be continued" not in matchledger("import", str(file))
        matchledger("act", imported["match"], "2Y2")

    def test_twice_is_once(self, matchledger: Matchledger, tmp_path: Path) -> None:
        file = tmp_path / "undated.mlr"
        file.write_text('[Game "azul"]\n[Seat 1 "Ann"]\n[Seat 2 "Ben"]\n1\nBBBB YYYY RRRR KKKK WWWW\n1B1\n')
        outcomes = [matchledger.json("import", str(file))[0] for _ in range(2)]
        assert [outcome["outcome"] for outcome in outcomes] == ["imported", "present"]
        assert [line["id"] for line in matchledger.json("list")] == [outcomes[0]["match"]]

    def test_last_is_what_was_touched_last(self, matchledger: Matchledger) -> None:
        """The match was moved long before the others; listed by its moves, it comes last."""
        first = matchledger.new()
        matchledger("import", str(EXAMPLES / "azul.mlr"), str(EXAMPLES / "coloretto.mlr"))
        coloretto = matchledger.json("show", "last")["match"]
        assert matchledger.json("show", "last")["game"] == "coloretto"
        assert matchledger.json("list")[0]["id"] == first
        matchledger("export", "4h7rk2m9ce")  # a look, though the journal knows of it
        assert matchledger.json("show", "last")["match"] == coloretto
        assert matchledger.process("show", "last").stdout.startswith("Coloretto")
        matchledger("act", first, matchledger.moves(first)[0])
        assert matchledger.json("show", "last")["match"] == first
        fork = matchledger.json("fork", "4h7rk2m9ce", "--step", "20")["match"]
        assert matchledger.json("show", "last")["match"] == fork
        matchledger("dispute", "open", first, "So not", "--seat", "1")
        assert matchledger.json("show", "last")["match"] == first
