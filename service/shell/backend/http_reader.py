"""Reading from a server: matches are found, fetched and checked here, and asked for with the token that allows it.

Events are public, so a match is fetched as the bytes of its events, its chain is checked link by link, and every
picture, sentence and sum follows from it by the same code as for a local ledger.
"""

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import asdict

from events.chain import Chain, Row
from service.errors import Damaged, NotFound, Unidentified
from service.limits import NUMBER
from service.play.appending import ANY_HEAD, Call
from service.play.evidence import Evidence
from service.play.history import Live
from service.play.listing import Listed, Outlook
from service.play.replay import live_of
from service.shell.answers.service import Done, EventPage, Opened
from service.shell.backend.reader import MatchFilter
from service.shell.backend.token_file import HOST, SPECTATOR, Right, TokenFile, rights_of
from service.shell.client import Client, RequestGuards
from service.store.refusals import ambiguous_match, unknown_match
from service.store.shapes import LAST, PERSON, Appended, Head, MatchRow, SeatRow

_PAGE: Final = 100
_LOOKED_THROUGH: Final = 1_000
"""Public matches among which the first letters of an id are looked for."""
_CANDIDATES_SHOWN: Final = 5
_SHORTEST_KEY, _LONGEST_KEY = 16, 200
"""Characters of an Idempotency-Key."""
_SHORTENED_HASH: Final = 16
"""Digits of the hash that an ETag shows."""


class HttpReader:
    """A server, and the tokens this user has for it: finds matches, fetches them and asks as whoever may."""

    def __init__(self, client: Client, tokens: TokenFile) -> None:
        self.client = client
        self.tokens = tokens
        self._rows: dict[str, list[Row]] = {}
        """Events that were fetched already: they never change."""
        self._openers: dict[str, Client] = {}
        """With which token each match was opened."""

    # ------------------------------------------------------------------------------------------------------- finding

    def find(self, text: str) -> str:
        """The id of a match: as it stands, the only one that begins so, or the one touched last."""
        known = self.tokens.matches()
        if text == LAST:
            listed = [row.id for row in self.client.list_matches(limit=1).matches] if not known else []
            if not (known or listed):
                raise unknown_match(text)
            return (known or listed)[0]
        if text in known or not text:
            return text
        fitting = [match for match in known if match.startswith(text)]
        if not fitting:
            try:
                self._page(text, 0)
            except NotFound:
                fitting = self._listed_as(text)
                if not fitting:
                    raise
            else:
                return text
        if len(fitting) > 1:
            raise ambiguous_match(text, fitting[:_CANDIDATES_SHOWN], are_all=len(fitting) <= _CANDIDATES_SHOWN)
        return fitting[0]

    def find_or_trust(self, text: str) -> str:
        """The same for whoever was given a token; what cannot be found may be private, and is taken for a whole id."""
        try:
            return self.find(text)
        except NotFound:
            return text

    def _listed_as(self, text: str) -> list[str]:
        """The public matches whose ids begin so, among those that moved last."""
        return [match for match in self.ids(MatchFilter(limit=_LOOKED_THROUGH)) if match.startswith(text)]

    def read(self, text: str) -> Live:
        match = self.find(text)
        self.tokens.touch(match)
        return self._fetched(match)

    def _fetched(self, match: str, last: int = NUMBER) -> Live:
        """A match as it stands, or as it stood after an event."""
        rows = list(self._rows.get(match, ()))
        while True:
            page = self._page(match, len(rows))
            for event, hash_ in zip(page.events, page.hashes, strict=True):
                # An answer escapes what a terminal would obey; written anew, an event has its canonical bytes again.
                rows.append(Row(len(rows) + 1, msgspec.json.encode(event), bytes.fromhex(hash_)))
            if len(rows) >= page.head or not page.events:
                break
        self._rows[match] = rows
        seats = [SeatRow(seat, name, page.kinds.get(seat, PERSON)) for seat, name in sorted(page.names.items())]
        return live_of(Chain(match, rows[:last]), seats)

    def _page(self, match: str, after: int) -> EventPage:
        return self._looking(match).events(match, after)

    def evidence(self, text: str) -> Evidence:
        live = self.read(text)
        rows, seats = self._rows[live.id], live.seats.values()
        return Evidence(
            source=live.id,
            match=live.id,
            rows=rows,
            count=len(rows),
            head=rows[-1].hash.hex(),
            names={seat.seat: seat.name for seat in seats},
            kinds={seat.seat: seat.kind for seat in seats if seat.kind != PERSON},
        )

    def ids(self, wanted: MatchFilter) -> list[str]:
        return [line.match if isinstance(line, Damaged) else line.row.id for line in self.matches(wanted)]

    def count(self, wanted: MatchFilter) -> int | None:
        return self.client.list_matches(**self._filters(wanted) | {"limit": 1}).total

    def _filters(self, wanted: MatchFilter) -> dict[str, Any]:
        return {**asdict(wanted), "parent": self.find(wanted.parent) if wanted.parent is not None else None}

    def matches(self, wanted: MatchFilter) -> list[Listed | Damaged]:
        filters = self._filters(wanted)
        left, cursor = filters.pop("limit"), None
        lines: list[Listed | Damaged] = []
        while True:
            page = self.client.list_matches(limit=min(left, _PAGE), cursor=cursor, **filters)
            for row in page.matches:
                cells = {name: getattr(row, name) for name in MatchRow.__struct_fields__ if name != "head"}
                seats = [SeatRow(player.seat, player.name, player.kind) for player in row.players]
                outlook = Outlook(row.turn, row.awaits, row.ended, row.standings)
                lines.append(Listed(MatchRow(**cells, head=Head(row.head, 0, b"")), seats, outlook))
            lines += [Damaged("ledger/row", row.damaged, row.id, 0) for row in page.damaged]
            left, cursor = left - len(page.matches) - len(page.damaged), page.next
            if cursor is None or left <= 0:
                return lines

    # ------------------------------------------------------------------------------------------------ who asks, and how

    def _with(self, match: str, *rights: Right) -> Client:
        """The client with the first of these tokens that there is."""
        held = self.tokens.held(match)
        token = next((held[right] for right in rights if right in held), None)
        if token is None:
            has = ", ".join(map(str, held)) or "none"
            wanted = " or ".join(map(str, rights))
            refusal = Unidentified(
                "access/token", f"You have no token of match {match} for: {wanted}; you have: {has}."
            )
            refusal.hint = f"Whoever gave you one: matchledger tokens {match} --add TOKEN"
            raise refusal
        return self.client.bearing(token)

    def _looking(self, match: str) -> Client:
        """The client with any token of the match that still opens it, or with none."""
        if match not in self._openers:
            opening = (token for right, token in self.tokens.held(match).items() if self._opens(match, right, token))
            self._openers[match] = self.client.bearing(next(opening, ""))
        return self._openers[match]

    def _opens(self, match: str, right: Right, token: str) -> bool:
        """Whether a token still opens anything; one that was renewed or revoked is forgotten."""
        try:
            return bool(self.client.bearing(token).access(match))
        except Unidentified:
            self.tokens.forget(match, right)
        except NotFound:  # it is private, or not there any more
            pass
        return False

    def _member(self, match: str) -> Client:
        """The client with a token of somebody who takes part."""
        return self._with(match, *(right for right in self.tokens.held(match) if right != SPECTATOR), HOST)

    def _guards(self, live: Live, call: Call) -> RequestGuards:
        """The head that the caller looked at as an ETag, and a command id as a key that is long enough."""
        guards = RequestGuards(key=self._key(call))
        if call.expected is not None:
            known = live.hashes[call.expected - 1].hex() if 1 <= call.expected <= len(live.hashes) else "0" * 64
            guards["if_match"] = f'"{call.expected}-{known[:_SHORTENED_HASH]}"'
        return guards

    def _key(self, call: Call) -> str | None:
        if call.command is None:
            return None
        is_long = _SHORTEST_KEY <= len(call.command) <= _LONGEST_KEY and call.command.isascii()
        return call.command if is_long else sha256(call.command.encode()).hexdigest()

    def _done(self, live: Live, done: Done, call: Call = ANY_HEAD) -> Appended:
        """Let the match in hand move on to what a request did."""
        now = self._fetched(live.id, done.head if done.repeated else done.last)
        live.envelopes, live.hashes, live.folded, live.seats = now.envelopes, now.hashes, now.folded, now.seats
        live.stated = done.receipt.statement if done.receipt is not None else None
        # Sent again by the client itself after a lost answer, it is no repetition to whoever asked.
        return Appended(live.id, done.first, done.last, done.repeated and call.command is not None)

    def _opened(self, opened: Opened) -> Live:
        match = opened.match.match
        self.tokens.keep(match, rights_of(opened.tokens))
        self._openers.pop(match, None)  # opened before by the same command, it has new tokens
        live = self._fetched(match)
        live.stated = opened.receipt.statement if opened.receipt is not None else None
        return live
