"""The service over its wire: commands go by the table of routes, questions by a method each, with typed answers.

Refusals are raised as the same LedgerErrors that the ledger raises at home. A request whose answer was lost is sent
again, a write under the same Idempotency-Key, so that it is carried out once.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from typing import Any, Final, Self, TypedDict, TypeVar, Unpack
from urllib.parse import quote, urlsplit
from uuid import uuid4

import httpx
import msgspec

from events.core import Seat
from service.errors import Unavailable, UsageError
from service.limits import quoted
from service.play.commands import Command, Fork, OpenMatch, Rename
from service.questions.rulebook import Rule
from service.shell import requests
from service.shell.answers.advice import HintAnswer, ReviewAnswer
from service.shell.answers.disputes import DocketAnswer
from service.shell.answers.games import GameAnswer
from service.shell.answers.match import LegalAnswer, MatchAnswer, ScoresAnswer, Told
from service.shell.answers.questions import AuditAnswer, ComparisonAnswer, ExplainedAnswer
from service.shell.answers.refusals import Problem, refusal_of
from service.shell.answers.service import Done, EventPage, GivenToken, Imported, MatchPage, Opened, StepMessage
from service.shell.command_routes import route_of
from service.trust.receipts import Receipt

Answer = TypeVar("Answer")

ROUTES: Final = "/api/v1"
ATTEMPTS: Final = 8
"""How often a request is sent before the server counts as away; the waits in between add up to half a minute."""
TIMEOUT: Final = 60.0
"""Seconds without a byte after which an answer counts as lost; a silent stream gives signs of life more often."""
_FIRST_WAIT: Final = 0.25
_LONGEST_WAIT: Final = 30.0
_BUSY: Final = (429, 502, 503, 504)
"""Worth trying again: too many requests, the database away, or nobody behind a proxy."""
_UNDER_WAY: Final = 202
_JSON: Final = {"Content-Type": "application/json"}


def server_url(text: str) -> str:
    """The address of a server as it is known by, or a refusal of what is none."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise UsageError(
            "server/url", f"{quoted(text)} is not the address of a server; write https://HOST or http://HOST."
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError("server/url", "The address of a server holds no name and no password; tokens say who you are.")
    return text.rstrip("/")


class RequestGuards(TypedDict, total=False):
    """How a write is guarded."""

    if_match: str | None
    """An ETag: refused as a Conflict when the match has moved on since."""
    key: str | None
    """An Idempotency-Key: what was carried out under it is not carried out again. One is made where none is given."""


class Client:
    """A server, and one token to ask it with, or none.

    >>> with Client("http://127.0.0.1:8080") as client:  # doctest: +SKIP
    ...     opened = client.open_match(OpenMatch(game="azul", players=["Ann", "Ben"]))
    ...     ann = client.bearing(opened.tokens.seats[1])
    ...     ann.carry_out(opened.match.match, Act(move="2B3"))
    """

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        attempts: int = ATTEMPTS,
        timeout: float = TIMEOUT,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = server_url(url)
        self._http = httpx.Client(base_url=self.url + ROUTES, timeout=timeout)
        self._attempts, self._sleep = attempts, sleep
        self._etags: dict[str, str] = {}
        self._bear(token)

    def _bear(self, token: str) -> None:
        if not token.isascii() or not token.isprintable():
            raise UsageError("access/token", "A token is made of letters, digits, '-' and '_'.")
        self._headers: dict[str, str] = {"Authorization": f"Bearer {token}"} if token else {}

    def bearing(self, token: str) -> "Client":
        """The same server, asked with another token; both share their connections."""
        other = copy(self)
        other._bear(token)
        return other

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._http.close()

    def etag(self, match: str) -> str:
        """The ETag of a match as this client saw it last, for `if_match`; empty where it has not."""
        return self._etags.get(match, "")

    def carry_out(
        self, match: str, command: Command, signed_by: Mapping[str, str] | None = None, **guards: Unpack[RequestGuards]
    ) -> Done:
        """Send a command that changes a match, with the signature of an arbiter where it takes one."""
        return self._command(match, command, Done, signed_by, **guards)

    def open_match(self, command: OpenMatch, **guards: Unpack[RequestGuards]) -> Opened:
        """Open a match and get its tokens."""
        return self._command("", command, Opened, **guards)

    def fork(self, match: str, command: Fork, **guards: Unpack[RequestGuards]) -> Opened:
        """Go on from a step of another match."""
        return self._command(match, command, Opened, **guards)

    def rename(self, match: str, command: Rename, **guards: Unpack[RequestGuards]) -> MatchAnswer:
        """Rename a seat; an empty name is forgotten."""
        return self._command(match, command, MatchAnswer, **guards)

    def list_matches(self, *, limit: int = 20, cursor: str | None = None, **filters: str | None) -> MatchPage:
        """Public matches by `game`, `status`, `player` and `parent`, the one moved last first."""
        return self._read("/matches", MatchPage, limit=limit, cursor=cursor, **filters)

    def access(self, match: str) -> list[GivenToken]:
        """What the token of this client allows."""
        return self._read(_at(match, "access"), list[GivenToken])

    def list_tokens(self, match: str) -> list[GivenToken]:
        """Which tokens a match has; for its host."""
        return self._read(_at(match, "tokens"), list[GivenToken])

    def give_token(self, match: str, wish: requests.TokenWish) -> GivenToken:
        """Give or renew a token; for the host."""
        return self._write(_at(match, "tokens"), wish, GivenToken)

    def revoke_token(self, match: str, role: str, seat: Seat = 0) -> None:
        """Let a token open nothing any more; for the host."""
        self._send("DELETE", _at(match, f"tokens/{quote(role, safe='')}/{seat}"))

    def match(self, match: str, at: str | None = None) -> MatchAnswer:
        """A match as it stands, or as it stood after event 57 or step s12."""
        return self._read(_at(match), MatchAnswer, at=at)

    def legal(self, match: str, seat: Seat | None = None) -> LegalAnswer:
        """Every legal action of a seat."""
        return self._read(_at(match, "legal"), LegalAnswer, seat=seat)

    def hint(self, match: str, level: int | None = None) -> HintAnswer:
        """The best moves found for the seat whose token this client has, if it is to move."""
        return self._read(_at(match, "hint"), HintAnswer, level=level)

    def review(self, match: str, level: int | None = None) -> ReviewAnswer:
        """Every decision of a match that is over, and what it lost; waits until it is there."""
        while True:
            response = self._send("GET", _at(match, "review"), params={"level": level})
            if response.status_code != _UNDER_WAY:
                return _decoded(response, ReviewAnswer)
            self._wait(1, response.headers.get("Retry-After"))

    def story(self, match: str) -> list[Told]:
        """What happened, one sentence for each event."""
        return self._read(_at(match, "story"), list[Told])

    def scores(self, match: str, at: str | None = None) -> ScoresAnswer:
        """The score sheet."""
        return self._read(_at(match, "scores"), ScoresAnswer, at=at)

    def events(self, match: str, after: int = 0) -> EventPage:
        """Events behind a number, as many as one page holds."""
        return self._read(_at(match, "events"), EventPage, after=after)

    def explained(self, match: str, seq: int) -> ExplainedAnswer:
        """One event explained."""
        return self._read(_at(match, f"events/{seq}"), ExplainedAnswer)

    def disputes(self, match: str) -> DocketAnswer:
        """The disputes of a match and both results."""
        return self._read(_at(match, "disputes"), DocketAnswer)

    def live(self, match: str, after: int | None = None) -> Iterator[StepMessage]:
        """Every step behind an event, or from now on, as it happens: each once, in order, over lost connections.

        It goes on until the caller has had enough, or until the server stays away.
        """
        failures = 0
        while True:
            headers = {**self._headers, **({} if after is None else {"Last-Event-ID": str(after)})}
            waits = None
            try:
                with self._http.stream("GET", _at(match, "live"), headers=headers) as response:
                    if response.status_code in _BUSY and failures < self._attempts:
                        waits = response.headers.get("Retry-After")
                    else:
                        if not response.is_success:
                            response.read()
                        _check(response)
                        if after is None:  # lost before the first step, the stream goes on from where it began
                            after = int(response.headers["ETag"].strip('"').partition("-")[0])
                        for message in _messages(response.iter_lines()):
                            failures = 0
                            if message.last > after:
                                after = message.last
                                yield message
            except httpx.TransportError as error:
                if failures >= self._attempts:
                    raise self._away(error) from error
            failures += 1
            self._wait(failures, waits)

    def record(self, match: str, form: str = "text") -> bytes:
        """The whole match as a record: `text` or `jsonl`."""
        return self._send("GET", _at(match, "record"), params={"format": form}).content

    def import_record(self, record: bytes) -> list[Imported]:
        """Take matches from a record into the ledger. Sent once: the answer has tokens that nobody gives twice."""
        headers = {"Content-Type": "text/plain"}
        response = self._send("POST", "/imports", content=record, headers=headers, is_repeatable=False)
        return _decoded(response, list[Imported])

    def audit(self, match: str) -> AuditAnswer:
        """Every check on the match as it is stored."""
        return self._read(_at(match, "audit"), AuditAnswer)

    def audit_page(self, match: str) -> str:
        """The audit as one page."""
        return self._send("GET", _at(match, "audit.html")).text

    def check_claims(self, match: str, claims: requests.Claims) -> ComparisonAnswer:
        """Where claimed totals part from the ledger."""
        return self._write(_at(match, "claims"), claims, ComparisonAnswer)

    def check_paper(self, match: str, paper: bytes) -> ComparisonAnswer:
        """Where totals per round, as CSV, part from the ledger."""
        headers = {"Content-Type": "text/csv"}
        return _decoded(self._send("POST", _at(match, "paper"), content=paper, headers=headers), ComparisonAnswer)

    def give_receipt(self, match: str) -> Receipt:
        """A signed receipt of the match as it stands."""
        return self._write(_at(match, "receipts"), None, Receipt)

    def games(self) -> list[GameAnswer]:
        """Every game with its options and how its moves are written."""
        return self._read("/games", list[GameAnswer])

    def game(self, key: str) -> GameAnswer:
        """One game."""
        return self._read(f"/games/{quote(key, safe='')}", GameAnswer)

    def rules_of(self, key: str) -> list[Rule]:
        """The rules of a game."""
        return self._read(f"/games/{quote(key, safe='')}/rules", list[Rule])

    def rulebook(self, key: str) -> str:
        """The rules of a game as one document."""
        return self._send("GET", f"/games/{quote(key, safe='')}/rulebook").text

    def find_rule(self, rule: str) -> Rule:
        """One rule by its id."""
        return self._read(f"/rules/{quote(rule, safe='')}", Rule)

    def find_rules(self, words: str) -> list[Rule]:
        """Every rule that has all of these words."""
        return self._read("/rules", list[Rule], words=words)

    def _command(
        self,
        match: str,
        command: Command,
        kind: type[Answer],
        signed_by: Mapping[str, str] | None = None,
        **guards: Unpack[RequestGuards],
    ) -> Answer:
        row = route_of(command)
        body = row.body
        content = None
        if body is not None:
            names = [name for name in command.__struct_fields__ if name in body.__struct_fields__]
            content = body(**{name: getattr(command, name) for name in names}, **(signed_by or {}))
        return self._write(row.url(quote(match, safe=""), command), content, kind, row.method, **guards)

    def _read(self, path: str, kind: type[Answer], **params: object) -> Answer:
        return _decoded(self._send("GET", path, params=params), kind)

    def _write(
        self,
        path: str,
        body: requests.Body | None,
        kind: type[Answer],
        method: str = "POST",
        **guards: Unpack[RequestGuards],
    ) -> Answer:
        named = {"Idempotency-Key": guards.get("key") or str(uuid4()), "If-Match": guards.get("if_match") or ""}
        headers = {name: value for name, value in named.items() if value} | ({} if body is None else _JSON)
        content = b"" if body is None else msgspec.json.encode(body)
        return _decoded(self._send(method, path, content=content, headers=headers), kind)

    def _send(
        self,
        method: str,
        path: str,
        *,
        params: dict[str, Any] | None = None,
        content: bytes = b"",
        headers: dict[str, str] | None = None,
        is_repeatable: bool = True,
    ) -> httpx.Response:
        """The answer to a request, sent again while the server is away or busy; a refusal is raised."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        request = self._http.build_request(
            method, path, params=given, content=content, headers={**self._headers, **(headers or {})}
        )
        for attempt in range(1, self._attempts + 1):
            is_last, waits = attempt == self._attempts, None
            try:
                response = self._http.send(request)
            except httpx.TransportError as error:
                if is_last or not (is_repeatable or isinstance(error, httpx.ConnectError)):
                    raise self._away(error) from error
            else:
                if response.status_code not in _BUSY or is_last:
                    self._remember(path, response)
                    return _check(response)
                waits = response.headers.get("Retry-After")
            self._wait(attempt, waits)
        raise AssertionError("the last attempt answers or raises")

    def _wait(self, attempt: int, told: str | None) -> None:
        seconds = float(told) if told and told.isdigit() else _FIRST_WAIT * 2 ** (attempt - 1)
        self._sleep(min(seconds, _LONGEST_WAIT))

    def _away(self, error: httpx.TransportError) -> Unavailable:
        why = str(error) or type(error).__name__
        return Unavailable("server/away", f"The server {self.url} does not answer: {why}.")

    def _remember(self, path: str, response: httpx.Response) -> None:
        parts = path.split("/")
        if parts[1:2] == ["matches"] and len(parts) > 2 and (etag := response.headers.get("ETag")):
            self._etags[parts[2]] = etag


def _at(match: str, place: str = "") -> str:
    return f"/matches/{quote(match, safe='')}" + (f"/{place}" if place else "")


def _check(response: httpx.Response) -> httpx.Response:
    """The answer, if it is none of the refusals."""
    if response.is_success:
        return response
    raise refusal_of(_decoded(response, Problem))


def _decoded(response: httpx.Response, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(response.content, type=kind)
    except msgspec.DecodeError as error:
        where, status = response.request.url.host, response.status_code
        message = f"What {where} answers is not from a matchledger service (status {status})."
        raise Unavailable("server/strange", message) from error


def _messages(lines: Iterable[str]) -> Iterator[StepMessage]:
    """The messages of a stream of server-sent events; comments are signs of life and nothing else."""
    data: list[str] = []
    for line in lines:
        if not line and data:
            yield msgspec.json.decode("\n".join(data), type=StepMessage)
            data = []
        elif line.startswith("data:"):
            data.append(line.removeprefix("data:").removeprefix(" "))
