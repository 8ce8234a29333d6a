"""Commands for records: export, import and validate."""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer

from projections.words import count
from service.errors import Damaged, FileTrouble, LedgerError, NotFound, UsageError
from service.files import write_file
from service.play.evidence import Evidence
from service.play.ledger import LocalLedger
from service.records.files import STDIN, each_evidence
from service.records.validate import validate as validated
from service.shell.backend.backend import Backend
from service.shell.backend.local import exported
from service.shell.commands.crash_diagnosis import diagnosing, stored_evidence
from service.shell.commands.session import RECORDS, Json, match_argument, open_backend, open_ledger
from service.shell.terminal.paint import say, show_error, show_file, show_json
from service.shell.terminal.progress import tracked

app = typer.Typer()

Format = Literal["text", "jsonl"]
SUFFIXES: Final = {"text": ".mlr", "jsonl": ".jsonl"}
_ALL_AT_ONCE: Final = 20
"""Fewer matches than these are written before a progress bar could be read."""

_CANNOT_GO_ON: Final = (
    "It is not finished and cannot be continued here: the secret of its draws stays in the ledger that opened it."
)

Files = Annotated[
    list[str], typer.Argument(metavar="FILE…", help="Text records or JSON lines; - reads standard input.")
]
FormatOption = Annotated[str, typer.Option("--format", help="text for people, jsonl for programs.")]


@app.command(rich_help_panel=RECORDS)
def export(
    context: typer.Context,
    match: Annotated[str | None, match_argument("MATCH", "A match id, the first letters of one, or `last`.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to this file.")] = None,
    folder: Annotated[
        Path | None, typer.Option("--all", metavar="DIR", help="Write every match to a file of its own in this folder.")
    ] = None,
    format_: FormatOption = "text",
) -> None:
    """Write a match as a record: its whole history in readable notation, with hashes and a signature."""
    kind = _read_format(format_)
    if (match is None) == (folder is None) or (folder and output):
        raise UsageError("export/what", "Name one match (with -o FILE or without), or --all DIR for every match.")
    unwritten: list[str] = []
    if folder is None:
        assert match is not None
        with open_backend(context) as backend:
            broken = _export(backend, match, kind, output)
    else:
        with open_ledger(context) as ledger:
            broken, unwritten = _export_all(ledger, folder, kind)
    if broken:
        say("Written as it is, but not signed:", "bad", stderr=True)
        for why in broken[:_ALL_AT_ONCE]:
            say(f"  {why}", indent=2, stderr=True)
        if len(broken) > _ALL_AT_ONCE:
            say(f"  … and {len(broken) - _ALL_AT_ONCE} more; see: matchledger audit --all", stderr=True)
    if broken or unwritten:
        raise typer.Exit(Damaged.exit_code)


def _read_format(word: str) -> Format:
    for kind in SUFFIXES:
        if kind == word:
            return kind  # type: ignore[return-value]
    raise UsageError("export/format", f"{word!r} is not a format of records; choose from: {', '.join(SUFFIXES)}.")


def _export(backend: Backend, match: str, kind: Format, output: Path | None) -> list[str]:
    one = backend.export(match, kind)
    if output is None or str(output) == STDIN:
        show_file(one.data)
    else:
        write_file(output, one.data, "record", "export/file")
        what = f"{count(one.count, 'event')}, head {one.head[:8]}"
        say(f"Match {one.match} is written to {output}: {what}.")
    return [one.unsigned] if one.unsigned else []


def _export_all(ledger: LocalLedger, folder: Path, kind: Format) -> tuple[list[str], list[str]]:
    if not folder.is_dir():
        why = "it is no folder" if folder.exists() else "it is not there; if its name is right, make it first"
        raise FileTrouble("export/folder", f"The folder {str(folder)!r} cannot be written to: {why}.")
    total = ledger.store.count()
    broken: list[str] = []
    unwritten: list[str] = []
    written = 0
    ids = chain.from_iterable(ledger.store.ids())
    for match in tracked(ids, total, "exporting", is_quiet=total < _ALL_AT_ONCE):
        try:
            with diagnosing(stored_evidence, ledger, match):
                one = exported(ledger, match, kind)
        except (Damaged, NotFound) as damage:  # its id may be what does not read
            show_error(damage, as_json=False)
            unwritten.append(match)
            continue
        write_file(folder / f"{one.match}{SUFFIXES[kind]}", one.data, "record", "export/file")
        written += 1
        broken += [one.unsigned] if one.unsigned else []
    say(f"{count(written, 'record')} written to {folder}.")
    return broken, unwritten


@app.command("import", rich_help_panel=RECORDS)
def import_files(context: typer.Context, files: Files, as_json: Json = False) -> None:
    """Import matches from records, hashes included; each match is imported whole or not at all.

    A record without hashes is a table record: every move is checked by the rules; a refusal names the first wrong line.
    """
    outcomes: list[dict[str, Any]] = []
    worst = 0
    with open_backend(context, creates=True) as backend:
        for file in tracked(files, len(files), "importing", is_quiet=as_json or len(files) < _ALL_AT_ONCE):
            worst = max(worst, _import_file(backend, file, outcomes, as_json))
    if as_json:
        show_json(outcomes)
    else:
        _say_what_next([outcome["match"] for outcome in outcomes if outcome["outcome"] != "refused"])
    if worst:
        raise typer.Exit(worst)


def _say_what_next(matches: Sequence[str]) -> None:
    """The commands that look at what was imported."""
    if len(matches) == 1:
        say(f"Look at it: matchledger show {matches[0]} (or replay, scores, log, audit)", "dim")
    elif matches:
        say("Look at each by its id: matchledger show MATCH (or replay, scores, log, audit)", "dim")


def _import_file(backend: Backend, file: str, outcomes: list[dict[str, Any]], as_json: bool) -> int:
    worst = 0
    try:
        for evidence in each_evidence(file):
            try:
                outcomes.append(_import_match(backend, evidence, as_json))
            except LedgerError as refusal:
                worst = max(worst, _refused(refusal, file, evidence.match, outcomes, as_json))
    except LedgerError as refusal:
        worst = max(worst, _refused(refusal, file, None, outcomes, as_json))
    return worst


def _import_match(backend: Backend, evidence: Evidence, as_json: bool) -> dict[str, Any]:
    live, was_there = backend.import_record(evidence)
    stays_behind = not was_there and live.table.closed is None and live.opened.chance != "recorded"
    if not as_json:
        game = f"{live.game.title}, {count(live.head.seq, 'event')}, {live.table.status}"
        done = "is in the ledger already, with the same history" if was_there else f"was imported ({game})"
        say(f"{evidence.source}: match {live.id} {done}.")
        for remark in evidence.remarks:
            say(f"{evidence.source}, {remark}", "bad")
        if stays_behind:
            say(f"{_CANNOT_GO_ON} To play on from where it stands: matchledger fork {live.id}", "bad")
    return {
        "file": evidence.source,
        "match": live.id,
        "outcome": "present" if was_there else "imported",
        "events": live.head.seq,
        "remarks": list(evidence.remarks),
        "can_go_on": live.table.closed is None and not stays_behind,
    }


def _refused(refusal: LedgerError, file: str, match: str | None, outcomes: list[dict[str, Any]], as_json: bool) -> int:
    if as_json:
        outcomes.append(
            {
                "file": file,
                "match": match,
                "outcome": "refused",
                "code": refusal.code,
                "message": refusal.message,
                "hint": refusal.hint,
            }
        )
    else:
        show_error(refusal, as_json=False)
    return refusal.exit_code


@app.command(rich_help_panel=RECORDS)
def validate(context: typer.Context, files: Files, as_json: Json = False) -> None:
    """Check records against the grammar, their own hashes and the rules, without any ledger."""
    outcomes: list[dict[str, Any]] = []
    worst = 0
    for file in tracked(files, len(files), "validating", is_quiet=as_json or len(files) < _ALL_AT_ONCE):
        try:
            for evidence in each_evidence(file):
                valid = validated(evidence)
                outcomes.append({"file": file, "outcome": "valid", "content": valid})
                if not as_json:
                    kind = "record" if valid.has_hashes else "table record"
                    what = f"{valid.ruleset}, {count(valid.steps, 'step')}, {count(valid.events, 'event')}"
                    named = f" of match {valid.match}" if valid.has_hashes else ""
                    say(f"{file}: valid {kind}{named} ({what}), result {valid.result}")
        except LedgerError as refusal:
            worst = max(worst, _refused(refusal, file, None, outcomes, as_json))
    if as_json:
        show_json(outcomes)
    if worst:
        raise typer.Exit(worst)
