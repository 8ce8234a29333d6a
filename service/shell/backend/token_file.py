"""The tokens a user has, by server and match, in a file only that user can read."""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from service.errors import Unavailable
from service.files import data_folder, make_data_folder, naming, private_draft, read_file, refuse_readable
from service.shell.answers.service import Tokens

if sys.platform != "win32":
    from fcntl import LOCK_EX, flock

TOKENS_VARIABLE: Final = "MATCHLEDGER_TOKENS"
_WHAT: Final = "token file"


class Right(NamedTuple):
    """What a token is for."""

    role: str
    seat: int = 0
    """Which seat; 0 for every other role."""

    def __str__(self) -> str:
        return f"{self.role} {self.seat}" if self.seat else self.role

    @classmethod
    def read(cls, text: str) -> "Right":
        """What was written."""
        role, _, seat = text.partition(" ")
        return cls(role, int(seat or 0))


HOST, ARBITER, SPECTATOR = Right("host"), Right("arbiter"), Right("spectator")
_Held = dict[str, dict[str, dict[str, str]]]
"""Server, match, right, token; the match touched last comes last."""


def rights_of(tokens: Tokens) -> dict[Right, str]:
    """The tokens of a new match by what they are for."""
    seats = {Right("seat", seat): token for seat, token in tokens.seats.items()}
    spectator = {SPECTATOR: tokens.spectator} if tokens.spectator is not None else {}
    return {HOST: tokens.host, **seats, ARBITER: tokens.arbiter, **spectator}


def token_file() -> Path:
    """Where the tokens are: where the environment says, or in the user's data folder."""
    named = os.environ.get(TOKENS_VARIABLE)
    if named:
        return Path(named).expanduser()
    return data_folder() / "tokens" / "tokens.json"


class TokenFile:
    """The tokens for one server."""

    def __init__(self, server: str, path: Path | None = None) -> None:
        self._server = server
        self._path = path or token_file()

    def matches(self) -> list[str]:
        """The matches one has a token of, the one touched last in front."""
        return list(self._read().get(self._server, {}))[::-1]

    def held(self, match: str) -> dict[Right, str]:
        """The tokens of one match."""
        held = self._read().get(self._server, {}).get(match, {})
        return {Right.read(right): token for right, token in held.items()}

    def keep(self, match: str, tokens: Mapping[Right, str]) -> None:
        """Keep these, in place of others for the same; the match is the one touched last."""
        with self._changing() as held:
            matches = held.setdefault(self._server, {})
            before = matches.pop(match, {})
            matches[match] = before | {str(right): token for right, token in tokens.items()}

    def touch(self, match: str) -> None:
        """Let a match be the one touched last, if there is anything kept of it."""
        known = self.matches()
        if match in known[1:]:
            self.keep(match, {})

    def forget(self, match: str, right: Right) -> None:
        """Keep this one no longer."""
        with self._changing() as held:
            held.get(self._server, {}).get(match, {}).pop(str(right), None)

    def _read(self) -> _Held:
        if not self._path.exists():
            return {}
        with naming(self._path, _WHAT, "tokens/unreadable", "read"):
            refuse_readable(self._path, "tokens", "tokens/readable")
        text = read_file(self._path, _WHAT, "tokens/unreadable")
        try:
            return msgspec.json.decode(text, type=_Held)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Unavailable("tokens/damaged", f"The token file {str(self._path)!r} does not read.") from error

    @contextmanager
    def _changing(self) -> Iterator[_Held]:
        """What is kept, to be changed while nobody else can; it is written whole or not at all."""
        folder = self._path.parent
        with naming(self._path, _WHAT, "tokens/unwritable", "written"):
            make_data_folder(folder)
            lock = os.open(self._path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR, stat.S_IRUSR | stat.S_IWUSR)
            try:
                _wait_for(lock)
                held = self._read()
                yield held
                text = msgspec.json.format(msgspec.json.encode(held), indent=2) + b"\n"
                os.replace(private_draft(folder, text), self._path)
            finally:
                os.close(lock)


def _wait_for(lock: int) -> None:
    """Wait until nobody else changes the file; where the platform has no such lock, the last one to write wins."""
    if sys.platform != "win32":
        flock(lock, LOCK_EX)
