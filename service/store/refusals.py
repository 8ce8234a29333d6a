"""The store's refusals, worded the same for every database."""

from collections.abc import Sequence

from service.errors import Conflict, NotFound, Refused, Unavailable, UsageError
from service.files import is_path
from service.store.columns import COMMAND
from service.store.shapes import Append, Appended, CommandKey

REVISIONS = (
    "0001_ledger",
    "0002_signatures",
    "0003_remarks",
    "0004_journal",
    "0005_tokens",
    "0006_seals",
    "0007_filters",
)
"""Every schema revision this program knows, oldest first. Opening a store compares with these words alone, so that the
migration machinery is loaded only by those who migrate; a test holds them against the migration scripts."""


def check_dense(append: Append) -> None:
    """Events that do not follow one another from the expected head to the new one are a mistake of the program."""
    rows, before, last = append.rows, append.expected, append.head.seq
    if not rows or rows[0].seq != before + 1 or rows[-1].seq != last or last - before != len(rows):
        seqs = [row.seq for row in rows]
        raise ValueError(f"rows {seqs} do not lead from {before} to {last} in {append.match!r}")


def stale_head(append: Append, actual: int | None) -> Refused:
    """Why an append found nothing to move: the match moved on, was opened by somebody else, or does not exist."""
    if append.new is not None:
        return Conflict(
            "store/stale-head", f"Match {append.match!r} exists already; a new match needs an id of its own."
        )
    return moved_on(append.match, append.expected, actual)


def moved_on(match: str, expected: int, actual: int | None) -> Refused:
    """The match is not where the caller saw it, or not there at all."""
    if actual is None:
        return unknown_match(match)
    return Conflict(
        "store/stale-head",
        f"Match {match!r} moved on: its head is {actual}, not {expected} as expected. Look again, then decide again.",
    )


def unknown_match(text: str) -> NotFound:
    """Nothing in the store goes by that id; a file may have been meant."""
    refusal = NotFound("match/unknown", f"No match {text!r} is in this ledger.")
    if is_path(text):
        refusal.hint = f"A record file can be looked at as it is; to do more with it: matchledger import {text}"
    return refusal


def ambiguous_match(text: str, candidates: Sequence[str], *, are_all: bool) -> Refused:
    """A prefix that fits several matches, with some of them."""
    listed = ", ".join(candidates) + ("" if are_all else ", …")
    return Refused("match/ambiguous", f"{text!r} fits several matches: {listed}. Give more of the id.")


def repeated_append(match: str, command: CommandKey, *record: object) -> Appended:
    """The first outcome of a command, of which this is stored; refuses another request under the same id."""
    fingerprint, first_seq, last_seq = COMMAND.read(match, record)
    for column, seq in (("first_seq", first_seq), ("last_seq", last_seq)):
        if not 1 <= first_seq <= seq:
            raise COMMAND.damage(match, column, seq, wanted="an event of the step it led to")
    if fingerprint != command.fingerprint:
        raise Refused(
            "store/command-reused",
            f"Command id {command.id!r} was used in match {match!r} for another request"
            f" (events {first_seq} to {last_seq}); use a fresh id for a new request.",
        )
    return Appended(match, first_seq, last_seq, repeated=True)


def check_revision(stored: str | None, where: str) -> None:
    """Refuse a store whose schema is not the one this program reads and writes."""
    if stored is None:
        raise Unavailable(
            "store/unmigrated", f"{where} has no ledger tables yet; run `matchledger db upgrade` on it first."
        )
    if stored not in REVISIONS:
        raise Unavailable(
            "store/newer",
            f"{where} has schema revision {stored!r}, which this program does not know"
            f" (known: {', '.join(REVISIONS)}); use a newer matchledger.",
        )
    if stored != REVISIONS[-1]:
        raise Unavailable(
            "store/unmigrated",
            f"{where} has schema revision {stored!r} and this program needs {REVISIONS[-1]!r};"
            " run `matchledger db upgrade` on it first.",
        )


def not_a_ledger(where: str, why: str) -> Unavailable:
    """It holds something else, and is left as it is."""
    return Unavailable("store/not-a-ledger", f"{where} is not a ledger: {why}. It was left as it is.")


def forbidden(where: str, why: str) -> Unavailable:
    """Not even reading works."""
    return Unavailable("store/forbidden", f"{where} cannot be opened by this user: {why}.")


def not_writable(where: str) -> Unavailable:
    """Reading works, writing does not."""
    return Unavailable(
        "store/read-only", f"{where} cannot be written to: the file, its folder or the database is read-only."
    )


def full(where: str) -> Unavailable:
    """Reading works, and writing would work with free disk space."""
    return Unavailable("store/full", f"There is no room left on the disk for {where}; nothing was stored.")


def locked(where: str) -> Unavailable:
    """Another process locks the database for longer than we wait."""
    return Unavailable("store/locked", f"{where} is locked by another process; try again when it has finished.")


def unstorable(why: str) -> UsageError:
    """Text that a database cannot hold, such as half a character."""
    return UsageError("store/unstorable", f"That text cannot be stored: {why}.")


def constraint(where: str, why: str) -> Refused:
    """The database itself said no: a trigger or a constraint that guards the ledger."""
    return Refused("store/constraint", f"{where} refused the change, and nothing was stored: {why}.")
