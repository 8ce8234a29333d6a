"""`audit`, `receipt` and `key` as a person types them."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner, Result

from events.chain import link
from events.codec import decode
from service.audit import CHECKS
from service.audit.judge import own_notary
from service.errors import LedgerError
from service.play.evidence import from_store
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, open_match
from service.play.replay import load
from service.play.simulate import make_plan, simulate
from service.records import write_jsonl
from service.records.signatures import vouched
from service.shell.commands import audit, keys
from service.shell.commands.session import Session, open_ledger
from service.shell.terminal.paint import show_error
from service.store.connect import open_store
from service.trust.folder import KEYS_VARIABLE, key_folder, load_server_key
from tests.conftest import TWO, finish, make_ledger, move
from tests.signing import STRANGER

Run = Callable[..., Result]


class Refusing(TyperGroup):
    """Turns refusals into messages and exit codes, as the root of cli.py does."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LedgerError as error:
            show_error(error, as_json=False)
            raise typer.Exit(error.exit_code) from error


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "ledger.db")


@pytest.fixture
def run(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The commands under a root like the one of cli.py, with a key folder of their own."""
    (tmp_path / "keys").mkdir(mode=0o700)
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "keys"))
    root = typer.Typer(cls=Refusing)
    root.add_typer(audit.app)
    root.add_typer(keys.app, name="key")

    @root.callback()
    def main(context: typer.Context) -> None:
        context.obj = Session(database, is_named=True)

    @root.command()
    def close(context: typer.Context, match: str) -> None:
        """Any command that closes a match as cli.py opens its ledger."""
        with open_ledger(context) as ledger:
            abandon(ledger, load(ledger, match))

    return lambda *words: CliRunner().invoke(root, [str(word) for word in words])


@pytest.fixture
def match(run: Run, database: str) -> str:
    """A finished and signed match in the database."""
    return _played(database, lambda ledger, live: finish(ledger, live))


def _played(database: str, play: Callable[[LocalLedger, Live], object]) -> str:
    with open_store(database) as store:
        plain = make_ledger(store)
        ledger = LocalLedger(store, plain.clock, plain.new_secret, notary=own_notary())
        live = open_match(ledger, "azul", 2, players=TWO)
        play(ledger, live)
        return live.id


def _rewrite(database: str, match: str, seq: int, old: bytes, new: bytes) -> None:
    """What somebody with the database file in hand does, hashes and head included."""
    file = sqlite3.connect(database)
    for trigger in ("event_never_updated", "event_never_deleted"):
        file.execute(f"DROP TRIGGER {trigger}")
    rows = file.execute("SELECT seq, data, hash FROM event WHERE match_id = ? ORDER BY seq", (match,)).fetchall()
    hash_ = rows[seq - 2][2]
    for number, data, _ in rows[seq - 1 :]:
        changed = data.replace(old, new, 1) if number == seq else data
        hash_ = link(hash_, changed)
        file.execute(
            "UPDATE event SET data = ?, hash = ? WHERE match_id = ? AND seq = ?", (changed, hash_, match, number)
        )
    file.execute("UPDATE match SET head_hash = ? WHERE id = ?", (hash_, match))
    file.commit()
    file.close()


def _first(database: str, match: str, text: bytes) -> int:
    with open_store(database) as store:
        return next(row.seq for row in store.rows(match) if text in row.data)


class TestOneMatch:
    """A verdict on every line."""

    def test_clean(self, run: Run, match: str) -> None:
        result = run("audit", match[:6])
        assert result.exit_code == 0, result.output
        lines = result.output.splitlines()
        checks = [line.split()[1] for line in lines[1:-1]]
        assert checks == [check for check in CHECKS if check not in ("record", "receipt", "parent")]
        assert all(line.startswith("✓") for line in lines[1:-1])
        assert lines[-1] == "Clean."

    def test_rewritten_with_every_hash_in_place(self, run: Run, match: str, database: str) -> None:
        seq = _first(database, match, b'"azul.line_tiled"')
        _rewrite(database, match, seq, b'"applied":1', b'"applied":6')
        result = run("audit", match)
        assert result.exit_code == 1
        assert "✗ signature" in result.output
        assert "something was rewritten" in result.output
        assert f"✗ facts      event {seq}: The rules say scores: 1: applied: 1, the record says 6." in result.output
        assert "✓ chain" in result.output
        assert f"First bad event: {seq}." in result.output
        assert "tiled" in result.output.splitlines()[-1], "the event in words"

    def test_for_programs(self, run: Run, match: str, database: str) -> None:
        report = json.loads(run("audit", match, "--json").output)
        assert (report["clean"], report["readable"], report["first"]) == (True, True, None)
        assert {verdict["outcome"] for verdict in report["verdicts"]} == {"passed"}
        _rewrite(database, match, 4, b"drawn", b"drown")
        result = run("audit", match, "--json")
        assert result.exit_code == 1
        assert json.loads(result.output)["first"] == 4

    def test_nothing_to_read(self, run: Run, match: str, database: str) -> None:
        file = sqlite3.connect(database)
        file.execute("DROP TRIGGER event_never_updated")
        file.execute("UPDATE event SET data = 'text' WHERE seq = 1")
        file.commit()
        file.close()
        result = run("audit", match)
        assert result.exit_code == 3
        assert "✗ format     event 1" in result.output
        assert "– facts" in result.output

    @pytest.mark.parametrize("words", [[], ["x", "--all"], ["--all", "--receipt", "r.json"], ["x", "--key", "abc"]])
    def test_what_makes_no_sense(self, run: Run, match: str, words: list[str]) -> None:
        assert run("audit", *words).exit_code == 2

    def test_no_such_match(self, run: Run, match: str) -> None:
        assert run("audit", "zzz").exit_code == 1


class TestKeys:
    """Whose signature counts."""

    def test_a_key_one_trusts(self, run: Run, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        public = load_server_key().public
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "elsewhere"))
        assert run("audit", match, "--key", public).exit_code == 0
        result = run("audit", match, "--key", STRANGER.public)
        assert result.exit_code == 1
        assert "✗ signature" in result.output
        assert run("audit", match).exit_code == 0, "with no key known a signature is only held to be genuine"
        load_server_key()
        assert run("audit", match).exit_code == 1, "this ledger has keys, and none of them signed"

    def test_without_any_key_nothing_is_vouched_for(
        self, run: Run, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A stranger's journal may be genuine, and still nobody here knows whose it is."""
        public = load_server_key().public
        assert json.loads(run("audit", "--all", "--json").output)["unvouched"] is None
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "elsewhere"))
        said = run("audit", "--all")
        assert said.exit_code == 0
        assert "clean" not in said.output
        assert ": no fault was found.\nNothing vouches for these matches: no key was named" in said.output
        told = json.loads(run("audit", "--all", "--json").output)["unvouched"]
        assert told in said.output
        assert repr(str(tmp_path / "elsewhere")) in told
        trusting = run("audit", "--all", "--key", public).output
        assert "all clean." in trusting
        assert "vouches" not in trusting

    def test_what_bots_played_is_signed_as_well(self, run: Run, database: str) -> None:
        list(simulate(make_plan("azul", 2, {}, [], 0), 1, 1, database))
        assert run("audit", "last").exit_code == 0
        assert run("audit", "last", "--key", load_server_key().public).exit_code == 0

    def test_show_rotate_and_what_was_signed_before(self, run: Run, match: str) -> None:
        shown = json.loads(run("key", "show", "--json").output)
        assert [key["until"] for key in shown["keys"]] == [None]
        assert shown["keys"][0]["public"] in run("key", "show").output
        rotated = json.loads(run("key", "rotate", "--json").output)
        assert rotated["old"]["public"] == shown["keys"][0]["public"]
        assert rotated["new"]["public"] != rotated["old"]["public"]
        assert run("audit", match).exit_code == 0
        assert "until" in run("key", "rotate").output
        assert len(json.loads(run("key", "show", "--json").output)["keys"]) == 3

    def test_arbiters(self, run: Run) -> None:
        made = json.loads(run("key", "arbiter", "Ada", "--json").output)
        assert Path(made["file"]).name == "Ada.pem"
        again = run("key", "arbiter", "Ada")
        assert (again.exit_code, "keys/exists" in again.output) == (1, True)
        assert "Bea.pem" in run("key", "arbiter", "Bea").output

    def test_no_private_key_is_printed(self, run: Run, match: str) -> None:
        secret = load_server_key()._private.private_bytes_raw().hex()
        pem = (key_folder() / "server.pem").read_text(encoding="utf-8")
        lines = [line for line in pem.splitlines() if len(line) > 40 and " " not in line and "-" not in line]
        shown = "".join(
            run(*words).output
            for words in (["key", "show"], ["key", "show", "--json"], ["receipt", match], ["audit", match])
        )
        assert lines
        assert not any(line in shown for line in [*lines, secret])


class TestReceipts:
    """Proof to take home."""

    def test_kept_and_shown_later(self, run: Run, database: str, tmp_path: Path) -> None:
        match = _played(database, lambda ledger, live: move(ledger, live, 6))
        receipt = tmp_path / "receipt.json"
        assert run("receipt", match, "-o", receipt).exit_code == 0
        later, kept = (json.loads(text)["statement"] for text in (run("receipt", match).output, receipt.read_text()))
        assert (later["head"], later["place"]) == (kept["head"], kept["place"] + 1), "every receipt is in the journal"
        assert run("close", match).exit_code == 0
        result = run("audit", match, "--receipt", receipt)
        assert result.exit_code == 0, result.output
        assert "✓ receipt" in result.output
        _rewrite(database, match, 6, b'"line":', b'"line":1')
        result = run("audit", match, "--receipt", receipt)
        assert result.exit_code == 1
        assert "✗ receipt" in result.output

    def test_of_a_match_cut_off_since(self, run: Run, database: str, tmp_path: Path) -> None:
        match = _played(database, lambda ledger, live: move(ledger, live, 6))
        receipt = tmp_path / "receipt.json"
        run("receipt", match, "-o", receipt)
        file = sqlite3.connect(database)
        file.execute("DROP TRIGGER event_never_deleted")
        file.execute("DELETE FROM event WHERE seq > 7")
        (data, head) = file.execute("SELECT data, hash FROM event WHERE seq = 7").fetchone()
        last = decode(data)
        told = (last.seq, last.step, head, last.at.isoformat(" ", "microseconds"))
        file.execute("UPDATE match SET head_seq = ?, head_step = ?, head_hash = ?, moved_at = ?", told)
        file.commit()
        file.close()
        assert run("audit", match).exit_code == 1, "the journal remembers the receipt"
        result = run("audit", match, "--receipt", receipt)
        assert result.exit_code == 1
        assert "event 8: It was cut off" in result.output

    @pytest.mark.parametrize("text, code", [("junk", 3), ("{}", 3), ('{"matchledger": 1}', 3)])
    def test_what_is_no_receipt(self, run: Run, match: str, tmp_path: Path, text: str, code: int) -> None:
        (tmp_path / "receipt.json").write_text(text, encoding="utf-8")
        assert run("audit", match, "--receipt", tmp_path / "receipt.json").exit_code == code
        assert run("audit", match, "--receipt", tmp_path / "none.json").exit_code == 2


class TestAll:
    """A whole ledger at once."""

    def test_every_match_and_a_summary(self, run: Run, match: str, database: str) -> None:
        list(simulate(make_plan("azul", 2, {}, [], 0), 60, 1, database))
        result = run("audit", "--all", "--jobs", "1")
        assert result.exit_code == 0, result.output
        assert "61 matches: all clean." in result.output
        seq = _first(database, match, b'"azul.line_tiled"')
        _rewrite(database, match, seq, b'"applied":1', b'"applied":6')
        outputs = []
        for jobs in ("1", "2"):
            result = run("audit", "--all", "--json", "--jobs", jobs)
            assert result.exit_code == 1
            outputs.append(json.loads(result.output))
            outputs[-1].pop("seconds")
        assert outputs[0] == outputs[1], "however many processes, the same answer"
        summary = outputs[0]
        assert (summary["matches"], summary["clean"]) == (61, 60)
        assert [(found["match"], found["first"]) for found in summary["findings"]] == [(match, seq)]
        assert summary["checks"]["facts"] == {"failed": 1, "passed": 60}
        text = run("audit", "--all").output
        assert f"✗ {match}  facts: event {seq}" in text
        assert "61 matches: 1 not clean." in text

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_a_key_asks_for_its_signatures(self, run: Run, match: str, database: str, jobs: str) -> None:
        list(simulate(make_plan("azul", 2, {}, [], 0), 60, 1, database))
        assert run("audit", "--all", "--jobs", jobs, "--key", load_server_key().public).exit_code == 0
        result = run("audit", "--all", "--jobs", jobs, "--key", STRANGER.public, "--json")
        assert result.exit_code == 1
        summary = json.loads(result.output)
        assert (summary["matches"], summary["clean"]) == (61, 0)
        assert summary["checks"]["signature"] == {"failed": 61}
        assert summary["checks"]["journal"] == {"skipped": 61}, "it is kept by a key that is not to be trusted"

    def test_an_empty_ledger(self, run: Run, database: str) -> None:
        open_store(database).close()
        assert "0 matches: all clean." in run("audit", "--all").output


def test_closing_signs_and_a_key_that_cannot_be_used_refuses_the_closing(
    run: Run, database: str, tmp_path: Path
) -> None:
    match = _played(database, lambda ledger, live: move(ledger, live, 2))
    load_server_key()
    (tmp_path / "keys").chmod(0o755)
    result = run("close", match)
    assert (result.exit_code, "keys/readable" in result.output) == (1, True)
    with open_store(database) as store:
        assert store.find(match).status == "playing"
    (tmp_path / "keys").chmod(0o700)
    assert run("close", match).exit_code == 0
    with open_store(database) as store:
        assert [entry.data.split(b"\n")[1] for entry in store.entries(match)] == [b"kind opened", b"kind closed"]


def test_files_are_read_by_the_records(run: Run, match: str, database: str, tmp_path: Path) -> None:
    """Given only the file and the public key."""
    path = tmp_path / "match.jsonl"
    with open_store(database) as store:
        ledger = LocalLedger(store, notary=own_notary())
        path.write_bytes(write_jsonl(vouched(ledger, from_store(store, match)).evidence))
    assert run("audit", path, "--key", load_server_key().public).exit_code == 0
    assert run("audit", path, "--key", STRANGER.public).exit_code == 1
