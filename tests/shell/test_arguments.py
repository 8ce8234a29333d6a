"""What is typed at a command: however long or large it is, an answer or a refusal comes, and nothing else."""

import sys
from pathlib import Path

import pytest

from tests.shell.terminal import TO_THE_END, Matchledger, on_empty_ledger

DIGITS = "9" * 5_000
HUGE = "9" * 30
BLANKS = " " * 100_000 + "x"
LONG = "x" * 100_000

TYPED = {
    "a move of digits": ["act", "{open}", DIGITS],
    "a move of blanks": ["act", "{open}", BLANKS],
    "a long move": ["act", "{open}", LONG],
    "a move many times": ["act", "{open}", "2B3" * 30_000],
    "a long deal": ["deal", "{open}", "B" * 100_000],
    "an event of digits": ["show", "{open}", "--at", DIGITS],
    "a step of digits": ["show", "{open}", "--at", "s" + DIGITS],
    "a long place": ["show", "{open}", "--at", LONG],
    "a claim of digits": ["audit", "{closed}", "--claim", f"1={DIGITS}"],
    "a claim of seat digits": ["audit", "{closed}", "--claim", f"{DIGITS}=1"],
    "a claim of blanks": ["audit", "{closed}", "--claim", f"1={BLANKS}"],
    "a long claim": ["audit", "{closed}", "--claim", LONG],
    "an option of digits": ["new", "azul", "-o", f"maxRounds={DIGITS}"],
    "a seat of digits": ["new", "azul", "-o", f"firstPlayer=seat:{DIGITS}"],
    "a long option": ["new", "azul", "-o", LONG],
    "an option nobody knows": ["new", "azul", "-o", f"{LONG}=1"],
    "a long name": ["new", "azul", LONG],
    "a long name at the table": ["record", "azul", LONG, "Ben"],
    "a name that steers": ["record", "azul", "\x1b[2J", "Ben"],
    "a milliard seats": ["new", "azul", "--seats", "1000000000"],
    "a milliard seats at the table": ["record", "azul", "--seats", "1000000000"],
    "a milliard seats of bots": ["simulate", "azul", "-n", "1", "--seats", "1000000000"],
    "more seats than can be counted": ["simulate", "azul", "-n", "1", "--seats", HUGE],
    "a long game": ["new", LONG],
    "a long bot": ["new", "azul", f"Ann=bot:{LONG}"],
    "a seat to join": ["join", "{open}", "Ann", "--seat", HUGE],
    "a seat to rename": ["rename", "{open}", HUGE, "Ann"],
    "a seat to resign": ["resign", "{open}", "--seat", "9"],
    "no seat to resign": ["resign", "{open}", "--seat", "-1"],
    "a seat to act": ["act", "{open}", "2B3", "--seat", HUGE],
    "steps to undo": ["undo", "{open}", "-n", HUGE],
    "an event to explain": ["explain", "{closed}", HUGE],
    "a step to fork": ["fork", "{closed}", "--step", HUGE],
    "a step to replay": ["replay", "{closed}", "--from", HUGE],
    "a dispute by nobody": ["dispute", "open", "{closed}", "words", "--seat", HUGE],
    "a dispute about nothing": ["dispute", "open", "{closed}", "words", "--seat", "1", "--event", HUGE],
    "a long dispute": ["dispute", "open", "{closed}", LONG, "--seat", "1"],
    "a long rule": ["rules", LONG],
    "a rule of digits": ["rules", f"AZ-{DIGITS}"],
    "a long ruleset": ["rescore", "{closed}", "--ruleset", LONG],
    "a long match": ["show", LONG],
    "a long status": ["list", "--status", LONG],
    "endless papers": ["audit", "{closed}", "--paper", "/dev/zero"],
    "an endless record": ["audit", "/dev/zero"],
    "an endless receipt": ["audit", "{closed}", "--receipt", "/dev/zero"],
    "an endless key": ["audit", "{closed}", "--key", "/dev/zero"],
    "an endless import": ["import", "/dev/zero"],
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Matchledger:
    """A ledger with a match that is on, called `open`, and one that is over, called `closed`."""
    return on_empty_ledger(tmp_path_factory.mktemp("arguments"))


@pytest.fixture(scope="module")
def ids(program: Matchledger) -> dict[str, str]:
    """What the two are called."""
    closed = program.new()
    program.play(closed, TO_THE_END)
    return {"open": program.new(), "closed": closed}


@pytest.mark.skipif(sys.platform == "win32", reason="has no endless file")
@pytest.mark.parametrize("name", TYPED)
def test_it_is_refused_in_a_few_words(name: str, program: Matchledger, ids: dict[str, str]) -> None:
    words = [word.format(**ids) if word.startswith("{") else word for word in TYPED[name]]
    before = program.rows()
    for more in ([], ["--json"]) if words[0] != "record" else ([],):
        result = program.run_any(*words, *more)
        assert result.exit_code in (1, 2)
        assert len(result.output) < 6_000
    assert program.rows() == before


@pytest.mark.parametrize("limit", ["9223372036854775808", HUGE])
def test_a_list_of_more_than_there_are(limit: str, program: Matchledger, ids: dict[str, str]) -> None:
    assert len(program.json("list", "--limit", limit)) == 2


@pytest.mark.parametrize(
    "paper",
    [
        b"round,1,2\n1," + DIGITS.encode() + b",2\n",
        b"round," + DIGITS.encode() + b",2\n1,2,3\n",
        b"round,1,2\n" + DIGITS.encode() + b",2,3\n",
        b"round,1,2\n1," + b" " * 200_000 + b"x,3\n",
        b'round,1,2\n1,"' + b"x" * 200_000 + b'",3\n',
        b"round,1,2\n1,\x00,3\n",
        b"round,1,2\n" + b"1,2,3\n" * 100_000,
        b"round" + b",1" * 200_000 + b"\n1,2\n",
        b"\n" * 900_000,
        b"round,1,2\n1,\xff,2\n",
        b"round,1,2\n1,\xc2\xb2,2\n",
        b"[" * 100_000,
        b"x" * 2_000_000,
    ],
)
def test_papers(paper: bytes, program: Matchledger, ids: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "paper.csv").write_bytes(paper)
    result = program.run_any("audit", ids["closed"], "--paper", str(tmp_path / "paper.csv"))
    assert result.exit_code == 2
    assert len(result.output) < 6_000


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"matchledger":' * 50_000, b"\xff" * 99, b"", b"1" * 5_000, b"x" * 2_000_000]
)
@pytest.mark.parametrize(
    "words",
    [
        "audit {closed} --receipt {file}",
        "audit {closed} --key {file}",
        "audit {closed} --arbiter {file}",
        "dispute final {closed} --key {file}",
    ],
)
def test_receipts_and_keys(words: str, data: bytes, program: Matchledger, ids: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(data)
    (tmp_path / "file").chmod(0o600)
    result = program.run_any(*words.format(**ids, file=tmp_path / "file").split())
    assert result.exit_code in (1, 2, 3)
    assert len(result.output) < 6_000


def test_arbiters(program: Matchledger, ids: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHLEDGER_ARBITERS", str(tmp_path / "list"))
    for data in (b"[" * 99, b"\xff", b"x" * 2_000_000, b"9" * 5_000):
        (tmp_path / "list").write_bytes(data)
        result = program.run_any("audit", ids["closed"])
        assert result.exit_code == 2
        assert len(result.output) < 6_000


def test_an_id_that_climbs_stays_in_the_folder(tmp_path: Path) -> None:
    program = on_empty_ledger(tmp_path)
    first, second = program.new(), program.new()
    outside = tmp_path / "outside"
    for match, name in ((first, "../outside"), (second, str(outside))):
        with program.tampering(guards=False) as hand:
            hand.execute("PRAGMA foreign_keys = OFF")
            for table, column in (("match", "id"), ("event", "match_id"), ("seat", "match_id")):
                hand.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [name, match])
    honest = program.new()
    (tmp_path / "folder").mkdir()
    said = program("export", "--all", str(tmp_path / "folder"), code=3)
    assert [file.name for file in (tmp_path / "folder").iterdir()] == [f"{honest}.mlr"]
    assert not list(tmp_path.glob("outside*"))
    assert "1 record written" in said
    assert "Match ../outside: the cell match.id holds '../outside', which is not the id of a match." in said
    assert honest in program("list", code=3)  # and everything else goes on
