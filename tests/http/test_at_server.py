"""The command line at a server: every command says and ends as it does at home; and what only a server has."""

import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.trust.folder import create_arbiter_key
from tests.http.at_server import AtServer, copied
from tests.http.serving import Service, serving
from tests.shell.terminal import Matchledger, on_empty_ledger, run_process

ROOT = Path(__file__).parents[2]
FIXED = ("--seed", "3", "-o", "firstPlayer=seat:1", "--quiet")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Service]:
    with serving(str(on_empty_ledger(folder).database), folder) as found:
        yield found


@pytest.fixture
def host(service: Service, tmp_path: Path) -> AtServer:
    return AtServer(service.url, tmp_path / "host")


@pytest.fixture
def guest(service: Service, tmp_path: Path) -> AtServer:
    return AtServer(service.url, tmp_path / "guest")


def _plain(text: str) -> str:
    """What a command said, without what no two runs have in common: moments, hashes, signatures, new ids."""
    for new in re.findall(r"[Mm]atch (\w{10}) (?:continues|is open|was imported)", text):
        text = text.replace(new, "NEW")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)|\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", "MOMENT", text)
    return re.sub(r"\b[0-9a-f]{8,128}\b", "HASH", text)


def compare(host: AtServer, home: Matchledger, lines: str, **words: str) -> None:
    """Let each line be obeyed at the server and at home, one after the other; what is said and the exit code agree."""
    for line in lines.strip().splitlines():
        command = [word.format(**words) for word in line.split(" ")]
        command = [word.replace("_", " ") for word in command]
        there, here = host.run_any(*command), home.run_any(*command)
        assert (there.exit_code, _plain(there.stdout)) == (here.exit_code, _plain(here.stdout)), line
        assert _plain(there.stderr) == _plain(here.stderr), line


LOOKING = """
show {match}
show {match} --at s3
show {match} --at 999
show {match} --at x
show {match} --json
show {start}
show nosuch
show nosuch --json
legal {match}
legal {match} --seat 2 --json
legal {match} --seat ben --json
legal {match} --seat Zoe
legal {match} --seat 9
log {match}
log {match} --json
scores {match}
scores {match} --json
replay {match} --from 1 --to 3
replay {match} --from 9 --to 12 --json
list --limit 1
list --limit 1 --json
list --all
list --all --limit 2
list
list --json
list --limit 1
list --game azul --status playing --player Ann
list --status nonsense
list --game chess
list --parent {match}
games
rules AZ-46
explain {match} 5
explain {match} 999
bisect {match} {match}
hint {match} --level 1
hint {match} --level 1 --seat 2 --json
review {match} --level 1
review {match} --level 1 --json
rescore {match} --ruleset azul/1
audit {match}
audit {match} --json
audit {match} --claim 1=54
export {match}
export {match} --format jsonl
export {match} --format pdf
dispute show {match}
show docs/examples/azul.mlr --at s12
log docs/examples/coloretto-table.mlr
scores docs/examples/azul.jsonl --json
replay docs/examples/azul-pad-table.mlr --at 9
legal docs/examples/azul.mlr --at 12
show docs/examples/missing.mlr
"""
PLAYING = """
act {match} 1R1 --expect 1
act {match} 9Z9
act {match} 1R1 --seat 2
act {match} 1R1 --seat 9
act {match} 1R1 --seat 1 --command-id once-and-for-all --json
act {match} 1R1 --seat 1 --command-id once-and-for-all
act {match} 2B2 --seat 1 --command-id once-and-for-all
act {match} 2B2 --brief
undo {match} --seat 1
undo {match}
undo {match}
redo {match}
redo {match}
undo {match} --accept
undo {match} --accept --decline
deal {match}
rename {match} 1 Anna
rename {match} 1
rename {match} 1 --forget --json
join {match} Cleo
fork {match} --step 5
fork {match} --chance same-draws
fork {match} --step 999
new chess
new azul --seats 9
new azul a b c d e
resign {match} --seat 2
act {match} 1R1
resign {match} --seat 1
play {match}
audit {match}
show {match}
abandon {match}
"""
CONSENT = """
act {match} 1R1
undo {match}
undo {match} --seat Ann
undo {match} --accept --seat ann
undo {match} --accept
log {match}
act {match} 1R2
undo {match}
undo {match} --decline
abandon {match}
"""
JOINING = """
act {match} 1R1
play {match} Cleo
join {match} bot:nobody
join {match} Ben --seat 1
join {match} Ben --json
join {match} Cleo
show {match}
receipt {match}
"""
BOTS = """
act {match} 1R1
undo {match}
redo {match}
act {match} nothing
log {match}
"""
RECORDED = """
deal {match}
deal {match} BBRY
deal {match} BBRY KKWW RRYY BKWY WWBR
act {match} 1B1
undo {match}
"""
DISPUTED = """
dispute open {match} Too_few --seat 1 --claim 1=5
dispute open {match} Event --event 999 --seat 1
dispute rule {match} 1 --key {key} --rule AZ-46 --reason So --adjust 2=+3
dispute show {match}
dispute show {match} 1
dispute appeal {match} 1 No --seat Ben
dispute withdraw {match} 1 --seat 1
dispute decide {match} 1 --key {key} --overturn --rule AZ-46 --reason Well --adjust 1=+1:AZ-47
dispute final {match} --key {key}
resign {match} --seat 2
dispute final {match} --key {key} --as Dora
dispute open {match} Late --seat 1
audit {match}
show {match}
dispute show {match} --json
"""


@pytest.mark.parametrize(
    "opening, lines",
    [
        (("azul", "Ann", "Ben"), LOOKING),
        (("azul", "Ann", "Ben"), PLAYING),
        (("azul", "Ann", "Ben", "--undo", "consent"), CONSENT),
        (("azul", "Ann", "--seats", "2"), JOINING),
        (("azul", "Ann", "bot:greedy", "--undo", "free"), BOTS),
        (("azul", "Ann", "Ben", "--arbiter", "{public}"), DISPUTED),
    ],
    ids=["looking", "playing", "consent", "joining", "bots", "disputes"],
)
def test_commands_say_the_same(
    host: AtServer, service: Service, folder: Path, tmp_path: Path, opening: tuple[str, ...], lines: str
) -> None:
    key, public = create_arbiter_key("Cleo", tmp_path / "keys")
    match = host("new", *(word.format(public=public.public) for word in opening), *FIXED).strip()
    home = copied(folder / "ledger.db", tmp_path / "home.db")
    compare(host, home, lines, match=match, start=match[:6], key=str(key))


def test_recorded_chance_says_the_same(host: AtServer, folder: Path, tmp_path: Path) -> None:
    match = host("new", "azul", "Ann", "Ben", "--chance", "recorded", "--quiet").strip()
    compare(host, copied(folder / "ledger.db", tmp_path / "home.db"), RECORDED, match=match)


def test_records_are_taken_in_as_at_home(host: AtServer, folder: Path, tmp_path: Path) -> None:
    home = copied(folder / "ledger.db", tmp_path / "home.db")
    (tmp_path / "bad.mlr").write_text("nonsense\n")
    examples = sorted(str(path) for path in (ROOT / "docs" / "examples").glob("*.mlr"))
    assert examples
    files = [*examples, tmp_path / "bad.mlr", tmp_path / "none.mlr"]
    compare(host, home, "\n".join(f"import {file}" for file in files))


def test_last_is_the_match_touched_last(host: AtServer, tmp_path: Path) -> None:
    record = tmp_path / "own.mlr"
    record.write_text('[Game "azul"]\n[Seat 1 "Ann"]\n[Seat 2 "Ben"]\n[Place "where nobody else played"]\n1\n')
    one, other = host.new(), host.new()
    assert host.json("show", "last")["match"] == other
    host("show", one)
    assert host.json("show", "last")["match"] == one
    for outcome in ("imported", "present"):
        (taken,) = host.json("import", str(record))
        assert taken["outcome"] == outcome
        assert host.json("show", "last")["match"] == taken["match"]
        host("show", other)


class TestTokens:
    def test_are_kept_where_only_their_owner_reads_them(self, host: AtServer) -> None:
        match = host.new()
        assert stat.S_IMODE(host.tokens.stat().st_mode) == 0o600
        assert host("tokens", match).split("\n") == ["host", "seat 1", "seat 2", "arbiter", ""]
        secrets = [line.split()[-1] for line in host("tokens", match, "--show").splitlines()]
        assert all(len(secret) == 43 for secret in secrets)
        os.chmod(host.tokens, 0o640)
        assert "tokens/readable" in host("show", match, code=1)

    def test_whoever_has_none_may_look_and_not_act(self, host: AtServer, guest: AtServer) -> None:
        match = host.new()
        assert guest("show", match) == host("show", match)
        assert "access/token" in guest("act", match, "1R1", code=1)

    def test_a_friend_sits_down_and_has_the_seat(self, host: AtServer, guest: AtServer) -> None:
        match = host("new", "azul", "Ann", "--seats", "2", *FIXED).strip()
        assert "Ben" in guest("join", match[:7], "Ben")
        assert guest("tokens", "last").split("\n") == ["seat 2", ""]
        assert "AZ-" in guest("act", match, "1R1", code=1)
        host("act", match, host.moves(match)[0], "--seat", "1")
        assert "Ben took" in guest("act", match, guest.moves(match)[0])
        assert "access/unknown" in host("act", match, "1R1", "--seat", "2", code=1)

    def test_a_private_match_is_there_for_those_who_were_given_a_token(self, host: AtServer, guest: AtServer) -> None:
        match = host("new", "azul", "Ann", "--seats", "2", "--private", *FIXED).strip()
        assert "match/unknown" in guest("show", match, code=1)
        assert match not in guest("list")
        token = host.json("tokens", match, "2", "--give", "seat")["token"]
        assert "access/unknown" in guest("tokens", match[:7], "--add", token, code=1)  # a private one is named whole
        assert "Kept for match" in guest("tokens", match, "--add", token)
        guest("join", match, "Ben")
        assert [player["name"] for player in guest.json("show", match)["players"]] == ["Ann", "Ben"]
        host("tokens", match, "ben", "--revoke", "seat")
        assert "match/unknown" in guest("show", match, code=1)


@pytest.mark.parametrize(
    "words", ["db where", "key show", "simulate azul", "demo", "serve", "record azul", "audit --all"]
)
def test_what_is_done_where_the_ledger_is(host: AtServer, words: str) -> None:
    assert "server/local-only" in host(*words.split(), code=2)


def test_a_server_or_a_database(host: AtServer, tmp_path: Path) -> None:
    assert "server/database" in host("--database", str(tmp_path / "x.db"), "list", code=2)
    assert "server/url" in AtServer("ftp://nobody", tmp_path)("list", code=2)
    home = on_empty_ledger(tmp_path)
    home.variables = {"MATCHLEDGER_SERVER": host.where[1]}
    assert home("list") == "No matches yet. Open one with: matchledger new azul Ann Ben\n"
    assert "match/private" in home("new", "azul", "Ann", "Ben", "--private", code=2)
    assert "server/none" in home("tokens", "last", code=2)


def test_importing_the_package_loads_no_http() -> None:
    code = """
import sys, service.shell.python as m
print('httpx' in sys.modules)
m.connect('http://127.0.0.1:1', tokens=':memory:').close()
print('httpx' in sys.modules)
"""
    found = run_process([sys.executable, "-c", code])
    assert found.stdout == "False\nTrue\n", found.stderr
