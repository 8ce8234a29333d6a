"""`db backup`, `db copy`, `db info` and `db where` as people use them."""

import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from service.audit.storage import make_backup
from service.errors import FileTrouble
from service.store.refusals import REVISIONS
from tests.shell.terminal import ROOT, TO_THE_END, Matchledger, finish, on_empty_ledger, plain

KILLED = """
import os, signal, sys
from pathlib import Path
from service.audit.storage import make_backup

make_backup(sys.argv[1], Path(sys.argv[2]), notice=lambda done: os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = on_empty_ledger(tmp_path_factory.mktemp("played"))
    program.play(program.new(), TO_THE_END)
    program.new()
    program("simulate", "coloretto", "-n", "2", "--seed", "1", "--save")
    return program.database


@pytest.fixture
def matchledger(tmp_path: Path, played: Path) -> Matchledger:
    return Matchledger(Path(shutil.copy(played, tmp_path / "ledger.db")))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if not path.name.endswith(("-wal", "-shm")))


class TestBackup:
    def test_it_is_written_checked_and_told(self, matchledger: Matchledger, tmp_path: Path) -> None:
        text = matchledger("db", "backup", str(tmp_path / "copy.db"))
        info = matchledger.json("db", "info")
        assert text.startswith(f"Backed up {matchledger.database} to {tmp_path / 'copy.db'}, ")
        assert f"4 matches ({info['events']} events)" in text
        assert f"journal of {info['entries']} entries (head {info['head'][:16]}…): sound." in text
        assert "The keys are not in it" in text
        assert files(tmp_path) == ["copy.db", "ledger.db"]
        assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
        copy = Matchledger(tmp_path / "copy.db")
        assert copy.rows() == matchledger.rows()
        assert "all clean" in copy("audit", "--all", "-j", "1")
        copy.play(copy.json("list", "--status", "playing")[0]["id"], 3)

    def test_a_file_that_is_there_is_replaced_only_by_force(self, matchledger: Matchledger, tmp_path: Path) -> None:
        target = tmp_path / "copy.db"
        target.write_text("mine")
        assert "backup/exists" in matchledger("db", "backup", str(target), code=1)
        assert target.read_text() == "mine"
        answer = matchledger.json("db", "backup", str(target), "--force")
        assert answer["checked"]["findings"] == []
        assert answer["bytes"] == target.stat().st_size
        assert stat.S_IMODE(target.stat().st_mode) == 0o600

    def test_a_file_that_came_meanwhile_is_left_alone(self, matchledger: Matchledger, tmp_path: Path) -> None:
        target = tmp_path / "copy.db"
        with pytest.raises(FileTrouble, match="File exists"):
            make_backup(str(matchledger.database), target, notice=lambda done: target.touch())
        assert target.read_bytes() == b""
        assert files(tmp_path) == ["copy.db", "ledger.db"]

    def test_neither_the_ledger_itself_nor_one_in_use_is_replaced(
        self, matchledger: Matchledger, tmp_path: Path
    ) -> None:
        (tmp_path / "link.db").symlink_to(matchledger.database)
        before = matchledger.rows()
        for name in ("ledger.db", "link.db"):
            assert "backup/same" in matchledger("db", "backup", str(tmp_path / name), "--force", code=2)
        used = Path(shutil.copy(matchledger.database, tmp_path / "used.db"))
        (tmp_path / "used.db-wal").write_bytes(b"something")
        content = used.read_bytes()
        assert "backup/in-use" in matchledger("db", "backup", str(used), "--force", code=1)
        assert used.read_bytes() == content
        assert matchledger.rows() == before

    @pytest.mark.parametrize("name", ["none/copy.db", "folder", "ledger.db/copy.db"])
    def test_nothing_is_made_where_no_file_can_be(self, matchledger: Matchledger, tmp_path: Path, name: str) -> None:
        (tmp_path / "folder").mkdir()
        before = files(tmp_path)
        assert "backup/unwritable" in matchledger("db", "backup", str(tmp_path / name), code=2)
        assert files(tmp_path) == before

    def test_without_a_ledger_there_is_no_backup(self, tmp_path: Path) -> None:
        missing = Matchledger(tmp_path / "none.db")
        assert "store/missing" in missing("db", "backup", str(tmp_path / "copy.db"), code=2)
        assert files(tmp_path) == []

    def test_a_damaged_ledger_is_backed_up_and_told_but_replaces_nothing(
        self, matchledger: Matchledger, tmp_path: Path
    ) -> None:
        good = tmp_path / "good.db"
        matchledger("db", "backup", str(good))
        content = good.read_bytes()
        with matchledger.tampering(guards=False) as file:
            file.execute("UPDATE event SET data = x'7b7d' WHERE seq = 2")
        text = matchledger("db", "backup", str(good), "--force", code=3)
        assert "backup/damaged" in text
        assert good.read_bytes() == content
        answer = matchledger.json("db", "backup", str(tmp_path / "bad.db"), code=3)
        assert any("does not match its hash" in finding for finding in answer["checked"]["findings"])
        assert (tmp_path / "bad.db").exists()

    def test_killed_in_the_middle_there_is_no_backup(self, matchledger: Matchledger, tmp_path: Path) -> None:
        words = [sys.executable, "-c", KILLED, str(matchledger.database), str(tmp_path / "copy.db")]
        assert subprocess.run(words, cwd=ROOT, check=False).returncode == -signal.SIGKILL
        assert not (tmp_path / "copy.db").exists()
        matchledger("db", "backup", str(tmp_path / "copy.db"))

    def test_a_terminal_shows_how_far_it_is(self, matchledger: Matchledger, tmp_path: Path) -> None:
        with matchledger.at_terminal("db", "backup", str(tmp_path / "copy.db")) as child:
            child.expect("backing up")
            text, code = finish(child)
        assert code == 0
        assert "sound" in plain(text)


class TestCopy:
    def test_both_ends_and_the_rule_are_named(self, matchledger: Matchledger, tmp_path: Path) -> None:
        target = Matchledger(tmp_path / "second.db")
        text = matchledger("db", "copy", str(matchledger.database), str(target.database))
        assert text.startswith(f"Copied {matchledger.database} to {target.database}.\n")
        assert "in 12 tables, all equal: 4 matches, " in text
        assert "Only one of the two may go on" in text
        assert target.rows() == matchledger.rows()
        assert "copy/not-empty" in matchledger("db", "copy", str(matchledger.database), str(target.database), code=1)

    def test_for_programs(self, matchledger: Matchledger, tmp_path: Path) -> None:
        answer = matchledger.json("db", "copy", str(matchledger.database), str(tmp_path / "second.db"))
        assert (answer["source"], answer["target"]) == (str(matchledger.database), str(tmp_path / "second.db"))
        assert answer["tables"]["match"]["rows"] == 4
        assert {len(table["hash"]) for table in answer["tables"].values()} == {64}

    def test_two_that_both_go_on_are_clean_and_refute_each_other(
        self, matchledger: Matchledger, tmp_path: Path
    ) -> None:
        """Why only one of the two may go on, as docs/operations.md tells it."""
        target = Matchledger(tmp_path / "second.db")
        matchledger("db", "copy", str(matchledger.database), str(target.database))
        receipt = str(tmp_path / "mine.json")
        matchledger("new", "azul", "Ann", "Ben", "--quiet", "--receipt", receipt)
        target("new", "azul", "Cleo", "Dora", "--quiet")
        for program in (matchledger, target):
            assert "all clean" in program("audit", "--all", "-j", "1")
        assert "all clean" in matchledger("audit", "--all", "-j", "1", "--receipt", receipt)
        assert "not clean" in target("audit", "--all", "-j", "1", "--receipt", receipt, code=1)

    def test_with_keys_of_its_own_a_copy_signs_nothing(self, matchledger: Matchledger, tmp_path: Path) -> None:
        target = Matchledger(tmp_path / "second.db")
        matchledger("db", "copy", str(matchledger.database), str(target.database))
        (tmp_path / "others").mkdir(mode=0o700)
        target.variables["MATCHLEDGER_KEYS"] = str(tmp_path / "others")
        assert "trust/other-key" in target("new", "azul", "Ann", "Ben", code=1)
        target("key", "adopt")
        target("new", "azul", "Ann", "Ben")

    def test_a_mistyped_folder_is_not_made(self, matchledger: Matchledger, tmp_path: Path) -> None:
        before = files(tmp_path)
        target = str(tmp_path / "mistyped" / "second.db")
        assert "store/missing" in matchledger("db", "copy", str(matchledger.database), target, code=2)
        assert files(tmp_path) == before


class TestInfo:
    def test_what_is_in_the_ledger(self, matchledger: Matchledger, tmp_path: Path) -> None:
        before = files(tmp_path)
        answer = matchledger.json("db", "info")
        assert (answer["kind"], answer["revision"], answer["matches"]) == ("SQLite", REVISIONS[-1], 4)
        assert [(group["game"], group["status"], group["matches"]) for group in answer["groups"]] == [
            ("azul", "closed", 1),
            ("azul", "playing", 1),
            ("coloretto", "closed", 2),
        ]
        rows = matchledger.rows()
        assert (answer["events"], answer["entries"]) == (len(rows["event"]), len(rows["journal"]))
        assert answer["head"] == max(rows["journal"])[-1].hex()
        assert answer["bytes"] >= matchledger.database.stat().st_size
        assert answer["key"] == answer["journal_key"] == matchledger.json("key", "show")["keys"][0]["public"]
        text = matchledger("db", "info")
        assert "which signs the journal" in text
        assert answer["head"][:16] in text
        assert files(tmp_path) == before

    def test_another_key_is_told_and_none_is_made(self, matchledger: Matchledger, tmp_path: Path) -> None:
        matchledger.variables["MATCHLEDGER_KEYS"] = str(tmp_path / "others")
        assert "none here yet; the journal is signed by " in matchledger("db", "info")
        assert not (tmp_path / "others").exists()

    def test_nothing_is_made_where_nothing_is(self, tmp_path: Path) -> None:
        missing = Matchledger(tmp_path / "not" / "yet.db")
        assert "store/missing" in missing("db", "info", code=2)
        assert files(tmp_path) == []

    def test_an_empty_ledger(self, tmp_path: Path) -> None:
        text = on_empty_ledger(tmp_path)("db", "info")
        assert "0 matches, 0 events, last moved –" in text
        assert "0 entries\n" in text


class TestWhere:
    def where(self, *words: str, **variables: str) -> Any:
        """What the program says that was started with nothing but these."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MATCHLEDGER", "XDG"))}
        done = subprocess.run(
            [sys.executable, "-m", "cli", *words, "db", "where", "--json"],
            cwd=ROOT,
            env={**kept, **variables},
            capture_output=True,
            check=True,
        )
        assert done.stderr == b""
        return json.loads(done.stdout)

    def test_by_default_it_is_in_the_data_folder(self, tmp_path: Path) -> None:
        answer = self.where(XDG_DATA_HOME=str(tmp_path))
        home = tmp_path / "matchledger"
        assert answer == {
            "database": str(home / "ledger.db"),
            "why": "the default; --database or MATCHLEDGER_DATABASE name another",
            "exists": False,
            "state": "store/missing",
            "data_folder": str(home),
            "keys": str(home / "keys"),
            "tokens": str(home / "tokens" / "tokens.json"),
        }
        assert files(tmp_path) == []

    def test_what_is_typed_goes_before_what_the_environment_says(self, tmp_path: Path, played: Path) -> None:
        variables = {
            "XDG_DATA_HOME": str(tmp_path),
            "MATCHLEDGER_DATABASE": str(tmp_path / "a.db"),
            "MATCHLEDGER_KEYS": str(tmp_path / "k"),
            "MATCHLEDGER_TOKENS": str(tmp_path / "t.json"),
        }
        answer = self.where(**variables)
        assert (answer["database"], answer["why"]) == (str(tmp_path / "a.db"), "named by MATCHLEDGER_DATABASE")
        assert (answer["keys"], answer["tokens"]) == (str(tmp_path / "k"), str(tmp_path / "t.json"))
        answer = self.where("--database", str(played), **variables)
        assert (answer["database"], answer["why"], answer["state"]) == (str(played), "named by --database", "ready")
        assert files(tmp_path) == []

    def test_a_server_is_named_without_its_password_though_nobody_answers(self, tmp_path: Path) -> None:
        address = "postgresql://ann:hunter2@127.0.0.1:1/ledger"
        matchledger = Matchledger(tmp_path / "unused.db")
        matchledger.where = ["--database", address]
        text = matchledger("db", "where")
        assert text.startswith("postgresql://***@127.0.0.1:1/ledger\n")
        assert "cannot be reached" in text
        assert "hunter2" not in text

    def test_a_file_that_is_no_ledger_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("Dear diary, " * 200)
        text = Matchledger(tmp_path / "notes.txt")("db", "where")
        assert "it is a file of another kind" in text


class TestSealing:
    def test_what_was_sealed_is_told_and_the_file_is_smaller(self, matchledger: Matchledger) -> None:
        before = matchledger.json("db", "info")
        text = matchledger("db", "seal", "--all")
        assert text.startswith("Sealed 3 matches with ")
        assert " became " in text
        after = matchledger.json("db", "info")
        assert after["bytes"] < before["bytes"]
        assert [group["sealed"] for group in after["groups"]] == [1, 0, 2]
        assert (after["events"], after["head"]) == (before["events"], before["head"])
        assert "There is nothing to seal" in matchledger("db", "seal", "--all")
        assert "sound" in matchledger("db", "check", "--everything")

    def test_only_what_rests_long_enough(self, matchledger: Matchledger) -> None:
        assert matchledger.json("db", "seal", "--older-than", "1")["matches"] == 0
        assert matchledger.json("db", "seal", "--older-than", "0")["matches"] == 3

    def test_which_ones_has_to_be_said(self, matchledger: Matchledger) -> None:
        for words in ((), ("--all", "--older-than", "3")):
            assert "seal/which" in matchledger("db", "seal", *words, code=2)

    def test_unsealing_brings_one_back(self, matchledger: Matchledger) -> None:
        rows = matchledger.rows()
        matchledger("db", "seal", "--all")
        closed = [match["id"] for match in matchledger.json("list", "--status", "closed")]
        for match in closed:
            assert f"Match {match} is unsealed: " in matchledger("db", "unseal", match)
        assert matchledger.rows() == rows
        assert "seal/none" in matchledger("db", "unseal", closed[0], code=1)
        assert "match/unknown" in matchledger("db", "unseal", "nowhere", code=1)

    def test_what_is_damaged_is_left_and_told(self, matchledger: Matchledger) -> None:
        with matchledger.tampering(guards=False) as file:
            victim = file.execute("SELECT id FROM match WHERE status = 'closed' ORDER BY id LIMIT 1").fetchone()[0]
            file.execute("UPDATE event SET hash = zeroblob(32) WHERE match_id = ? AND seq = 3", (victim,))
        text = matchledger("db", "seal", "--all", code=3)
        assert "Sealed 2 matches" in text
        assert f"Match {victim}: event 3 does not match its hash; it is left as it is." in plain(text).replace(
            "\n", " "
        )

    def test_a_file_that_is_read_meanwhile_is_sealed_all_the_same(self, matchledger: Matchledger) -> None:
        with closing(sqlite3.connect(matchledger.database, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM event").fetchone()
            text = matchledger("--timeout", "0", "db", "seal", "--all")
        assert "Sealed 3 matches" in text
