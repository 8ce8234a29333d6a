"""Other people's text: whatever they wrote, nothing of it steers a terminal, hides or begins a line."""

import json
import re
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.audit import audit
from service.records import read_evidence
from service.shell.web.audit_file import html_report
from service.visible import visible, visible_json
from tests.shell.terminal import TO_THE_END, Matchledger, finish, on_empty_ledger
from tests.signing import KEY

ORDINARY = "Zoë 李小龙 ناهید 👩‍👩‍👧 é می‌خواهم\u00a0!"
HOSTILE = "\x1b[2J\x1b[1;32mClean.\x1b[0m\x07\x9b1m\u202egnp\u2066x\u2069\u200b\u2028Clean.\nClean.\r\x7f\U000e0041"
NAME = HOSTILE + ORDINARY
OURS = re.compile("\x1b\\[(?:[0-4](?:;[0-4])?m|\\?25[lh]|\\?2004[hl]|2K|1A|2J\x1b\\[H)|\r")
"""What rich, Typer, readline and a screen that is drawn anew send to a terminal themselves."""
FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)


def test_what_is_written_out_and_what_is_left() -> None:
    assert visible(ORDINARY) == ORDINARY
    assert visible(NAME) == (
        "\\x1b[2J\\x1b[1;32mClean.\\x1b[0m\\x07\\x9b1m\\u202egnp\\u2066x\\u2069\\u200b\\u2028Clean.\\nClean.\\r\\x7f"
        f"\\U000e0041{ORDINARY}"
    )
    assert visible("Ann\u200d\u200cBen") == "Ann\\u200d\\u200cBen"
    assert visible_json(json.dumps(NAME, ensure_ascii=False)).isprintable() is False  # the blank that does not break
    assert json.loads(visible_json(json.dumps(NAME, ensure_ascii=False))) == NAME


@given(st.text())
def test_nothing_hidden_is_left_of_any_text(text: str) -> None:
    assert not FORBIDDEN.search(visible(text))
    assert "\n" not in visible(text)
    assert visible(visible(text)) == visible(text)
    kept = {category(character) for character in text} <= {"Lu", "Ll", "Lo", "Mn", "Mc", "So", "Nd", "Po", "Zs"}
    assert visible(text) == text or not kept


# ------------------------------------------------------------------------------------------------- a ledger full of it


def _crafted(program: Matchledger) -> bytes:
    """A finished match in which everything that people may write was written by somebody who means harm."""
    match = program.new("--arbiter", KEY.public)
    program.play(match, TO_THE_END)
    program("dispute", "open", match, "WORDS", "--seat", "1")
    header, *lines, _ = program("export", match, "--format", "jsonl").splitlines()
    events = [json.loads(line)["envelope"] for line in lines]
    events[0]["event"]["commitment"] = HOSTILE
    events[1]["event"]["nonce"] = HOSTILE
    events[-1]["event"]["words"] = HOSTILE
    scored = next(event["event"] for event in events if event["event"].get("scores"))
    scored["scores"][0]["rule"] = HOSTILE
    signed = {"arbiter": HOSTILE, "key": HOSTILE, "signature": HOSTILE}
    ruled = {"type": "dispute.ruled", "number": 1, **signed, "rules": ["AZ-46", HOSTILE], "reason": HOSTILE}
    last = events[-1]
    events.append({**last, "seq": last["seq"] + 1, "step": last["step"] + 1, "actor": "arbiter", "event": ruled})
    head: dict[str, Any] = json.loads(header) | {"seats": {"1": NAME, "2": NAME + "2"}}
    remark = HOSTILE.replace("\n", "").replace("\r", "")
    head["annotations"] = [
        {"step": 0, "kind": "tag", "name": "Event", "text": HOSTILE},
        {"step": 0, "kind": "line", "name": "", "text": remark},
    ]
    rows = [{"hash": "", "envelope": event} for event in events]
    written = [head, *rows, {"count": len(rows), "head": "", "signatures": []}]
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in written).encode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with such a match and a forked one under such an id; and the match as a file under such a name."""
    place = tmp_path_factory.mktemp("hostile")
    program = on_empty_ledger(place)
    data = _crafted(on_empty_ledger(tmp_path_factory.mktemp("honest")))
    for file in ("match.jsonl", f"{HOSTILE.replace('/', '')}.jsonl"):
        (place / file).write_bytes(data)
    program("import", str(place / "match.jsonl"))
    fork = program.json("fork", "last", "--step", "8")["match"]
    with program.tampering(guards=False) as hand:
        (imported,) = hand.execute("SELECT id FROM match WHERE id <> ?", [fork]).fetchone()
        hand.execute("UPDATE seat SET name = ? WHERE match_id = ?", [NAME, fork])
        hand.execute("UPDATE match SET parent = ? WHERE id = ?", [HOSTILE, fork])
        for table, column in (("match", "id"), ("event", "match_id"), ("seat", "match_id")):
            names = [name for _, name, *_ in hand.execute(f"PRAGMA table_info({table})")]
            listed = ", ".join(name for name in names if name != column)
            hand.execute(
                f"INSERT INTO {table} ({column}, {listed}) SELECT ?, {listed} FROM {table} WHERE {column} = ?",
                [HOSTILE, imported],
            )
    (place / "imported").write_text(imported)
    (place / "fork").write_text(fork)
    return place


COMMANDS: dict[str, str] = {
    "list": "list",
    "list forks": "list --parent {imported}",
    "show": "show {imported}",
    "show fork": "show {fork}",
    "show id": "show {id}",
    "legal": "legal {fork}",
    "log": "log {imported}",
    "scores": "scores {imported}",
    "explain": "explain {imported} 2",
    "explain file": "explain {file} 1",
    "audit": "audit {imported}",
    "audit id": "audit {id}",
    "audit file": "audit {file}",
    "audit all": "audit --all",
    "audit claim": "audit {imported} --claim 1=1",
    "validate": "validate {file}",
    "import": "import {file}",
    "rescore": "rescore {imported} --ruleset azul/2",
    "bisect": "bisect {imported} {file}",
    "disputes": "dispute show {imported}",
    "dispute": "dispute show {imported} 1",
    "every dispute": "dispute list",
    "undo": "undo {fork}",
    "act": "act {fork} {hostile}",
    "claim": "audit {imported} --claim {hostile}",
    "option": "new azul -o {hostile}=1",
    "name": "new azul {hostile}",
    "join": "join {fork} {hostile}",
    "rename": "rename {imported} 1 {hostile}",
    "at": "show {imported} --at {hostile}",
    "status": "list --status {hostile}",
    "rule": "rules {hostile}",
    "no such option": "list {hostile}",
    "no number": "list --limit {hostile}",
    "no such command": "{hostile}",
}
MADE_FOR_FILES = {
    "export": "export {imported}",
    "export lines": "export {imported} --format jsonl",
    "receipt": "receipt {imported}",
}


def _words(command: str, folder: Path) -> list[str]:
    values = {
        "imported": (folder / "imported").read_text(),
        "fork": (folder / "fork").read_text(),
        "id": HOSTILE,
        "file": str(folder / f"{HOSTILE.replace('/', '')}.jsonl"),
        "hostile": HOSTILE,
    }
    return [word.format(**values) for word in command.split()]


def _check(said: str) -> None:
    assert said
    found = FORBIDDEN.search(said)
    assert found is None, (found, said)
    assert not re.search(r"^\s*Clean", said, re.MULTILINE), said


@pytest.mark.parametrize("command", COMMANDS)
def test_piped(command: str, folder: Path, tmp_path: Path) -> None:
    program = _copy(folder, tmp_path)
    done = program.process(*_words(COMMANDS[command], folder))
    assert "Traceback" not in done.stderr
    _check(done.stdout + done.stderr)


@pytest.mark.parametrize("command", [name for name in COMMANDS if not name.startswith("no such")])
def test_for_programs(command: str, folder: Path, tmp_path: Path) -> None:
    result = _copy(folder, tmp_path).process(*_words(COMMANDS[command], folder), "--json")
    _check(result.stdout)
    assert result.stderr == ""
    json.loads(result.stdout)


@pytest.mark.parametrize("command", [*COMMANDS, *MADE_FOR_FILES])
def test_at_a_terminal(command: str, folder: Path, tmp_path: Path) -> None:
    words = _words({**COMMANDS, **MADE_FOR_FILES}[command], folder)
    with _copy(folder, tmp_path).at_terminal(*words, NO_COLOR="1") as child:
        said, _ = finish(child)
    _check(OURS.sub("", said))


@pytest.mark.parametrize("command", [name for name in MADE_FOR_FILES if name != "receipt"])  # no two are the same
def test_what_is_made_for_files_is_the_same_in_a_pipe_and_in_a_file(command: str, folder: Path, tmp_path: Path) -> None:
    program, words = _copy(folder, tmp_path), _words(MADE_FOR_FILES[command], folder)
    program(*words, "-o", str(tmp_path / "file"))
    assert program.run(*words).stdout_bytes == (tmp_path / "file").read_bytes()


def test_the_prompt_of_a_game(folder: Path, tmp_path: Path) -> None:
    program, fork = _copy(folder, tmp_path), (folder / "fork").read_text()
    with program.tampering(guards=False) as hand:
        hand.execute("UPDATE match SET parent = ? WHERE id = ?", [(folder / "imported").read_text(), fork])
    with program.at_terminal("play", fork, NO_COLOR="1") as child:
        child.expect("> ")
        child.sendline("quit")
        said = str(child.before) + finish(child)[0]
    _check(OURS.sub("", said))


def test_the_page(folder: Path) -> None:
    (evidence,) = read_evidence(folder / "match.jsonl")
    page = html_report(audit(evidence), evidence)
    assert "gnp" in page
    assert FORBIDDEN.search(page) is None


def test_what_python_prints(folder: Path) -> None:
    (evidence,) = read_evidence(folder / f"{HOSTILE.replace('/', '')}.jsonl")
    _check(str(audit(evidence)))


def _copy(folder: Path, tmp_path: Path) -> Matchledger:
    database = tmp_path / "ledger.db"
    database.write_bytes((folder / "ledger.db").read_bytes())
    return Matchledger(database)
