"""The client: typed answers, the refusals of the use cases, one step for a request sent twice, streams that resume."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import httpx
import pytest

from events.chain import Row, link, origin
from service.errors import (
    Conflict,
    Forbidden,
    IllegalAction,
    LedgerError,
    NotFound,
    Unavailable,
    Unidentified,
    UsageError,
)
from service.play.commands import (
    Abandon,
    Act,
    Deal,
    Fork,
    Join,
    OpenDispute,
    OpenMatch,
    Redo,
    Rename,
    Resign,
    Undo,
    Withdraw,
)
from service.play.evidence import Evidence
from service.records import write_jsonl
from service.shell.backend.http_reader import HttpReader
from service.shell.backend.token_file import TokenFile
from service.shell.client import ROUTES, Client
from service.shell.http.app import PAGES
from service.shell.requests import Claims, TokenWish
from tests.http.losing import losing
from tests.http.serving import Service, free_port, serving
from tests.shell.terminal import on_empty_ledger

OLD = '"1-0000000000000000"'
AZUL = OpenMatch(game="azul", players=["Ann", "Ben"], seed=3, options={"firstPlayer": "seat:1"})


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("server")
    with serving(str(on_empty_ledger(folder).database), folder) as found:
        yield found


@pytest.fixture
def client(service: Service) -> Iterator[Client]:
    with Client(service.url) as found:
        yield found


def test_legal_moves_come_with_their_points(client: Client, service: Service) -> None:
    wish = OpenMatch(game="summer-pavilion", players=["Ann", "Ben"], seed=4, options={"firstPlayer": "seat:1"})
    opened = client.open_match(wish)
    match, ann = opened.match.match, client.bearing(opened.tokens.seats[1])
    ann.carry_out(match, Act(move=client.legal(match).moves[-1].move))
    moves = client.legal(match).moves
    assert {move.points < 0 for move in moves if move.move.startswith("C")} == {True}  # the marker lies there
    assert {move.points for move in moves if not move.move.startswith("C")} == {0}
    schemas = httpx.get(f"{service.url}/api/openapi.json").json()["components"]["schemas"]
    assert "score at once" in schemas["Move"]["properties"]["points"]["description"]


def test_a_match_from_its_opening_to_its_end(client: Client) -> None:
    opened = client.open_match(AZUL)
    match, seats = opened.match.match, opened.tokens.seats
    ann, ben, host = (client.bearing(token) for token in (seats[1], seats[2], opened.tokens.host))
    assert [grant.role for grant in host.access(match)] == ["host"]
    legal = client.legal(match)
    done = ann.carry_out(match, Act(action=legal.moves[0].action), if_match=client.etag(match))
    assert (done.turn, done.head, client.match(match).head) == ([2], done.last, done.last)
    assert ann.carry_out(match, Undo()).told[0].startswith("Step 5 was undone")
    assert ann.carry_out(match, Redo()).head == client.events(match).head
    assert len(client.story(match)) == len(client.events(match, after=2).hashes) + 2
    assert client.explained(match, 5).match == match
    assert client.scores(match).scores == [0, 0]
    assert host.rename(match, Rename(seat=1, name="Anna")).players[0].name == "Anna"
    assert [given.role for given in host.list_tokens(match)].count("seat") == 2
    renewed = host.give_token(match, TokenWish(role="seat", seat=2))
    host.revoke_token(match, "arbiter")
    with pytest.raises(Unidentified, match="may have been renewed"):
        ben.carry_out(match, Resign())
    ben = client.bearing(renewed.token)
    told = ben.carry_out(match, OpenDispute(words="Too few", claim=5)).told
    assert told == ["Dispute 1: Ben disputed their own total, claiming 5: “Too few”."]
    assert client.disputes(match).pending == [1]
    ben.carry_out(match, Withdraw(number=1))
    assert ben.carry_out(match, Resign()).status == "closed"
    assert client.audit(match).clean
    assert "<html" in client.audit_page(match)
    assert client.record(match).startswith(b"[Matchledger")
    assert client.import_record(client.record(match, "jsonl"))[0].outcome == "present"
    assert not client.check_claims(match, Claims(totals={1: 54})).agrees
    assert client.check_paper(match, b"round,Anna,Ben\n1,0,0\n").match == match
    assert host.give_receipt(match).statement.match == match
    fork = client.fork(match, Fork(step=4))
    assert fork.match.parent is not None
    assert fork.match.match in [row.id for row in client.list_matches(parent=match).matches]
    assert client.bearing(fork.tokens.host).carry_out(fork.match.match, Abandon()).status == "closed"


def test_games_and_rules(client: Client) -> None:
    assert "azul" in [game.key for game in client.games()]
    assert client.game("azul").title == "Azul"
    assert client.find_rule("AZ-46") in client.rules_of("azul")
    assert client.find_rules("floor")
    assert client.rulebook("azul").startswith("#")


def test_every_route_has_its_method(client: Client, service: Service) -> None:
    """Held against the OpenAPI document: the paths in the client's source and in the table of commands.

    But for pieces of pages, which only pages ask for.
    """
    shell = Path(__file__).parents[2] / "service" / "shell"
    source = (shell / "client.py").read_text() + (shell / "command_routes.py").read_text()
    paths = httpx.get(f"{service.url}/api/openapi.json").json()["paths"]
    ends = {path.rsplit("/", 1)[-1] for path in paths if path.startswith(ROUTES)}
    pieces = {path.rsplit("/", 1)[-1] for room in PAGES for piece in room.PIECES for path in piece.paths}
    missing = [end for end in ends - pieces if not end.startswith("{") and end not in source]
    assert missing == []


@pytest.mark.parametrize(
    "kind, code, ask",
    [
        (NotFound, "match/unknown", lambda client, match: client.bearing("").match("nosuch")),
        (UsageError, "game/unknown", lambda client, match: client.open_match(OpenMatch(game="chess"))),
        (UsageError, "move/malformed", lambda client, match: client.carry_out(match, Act(move="nonsense"))),
        (IllegalAction, "azul/colour-absent", lambda client, match: client.carry_out(match, Act(move="1B1"))),
        (Conflict, "store/stale-head", lambda client, match: client.carry_out(match, Act(move="1R1"), if_match=OLD)),
        (Forbidden, "access/role", lambda client, match: client.carry_out(match, Abandon())),
        (Unidentified, "access/unknown", lambda client, match: client.bearing("made-up").carry_out(match, Resign())),
        (UsageError, "http/400", lambda client, match: client.open_match(OpenMatch(game="azul", seats=1000))),
        (LedgerError, "match/nothing-to-deal", lambda client, match: client.carry_out(match, Deal())),
        (LedgerError, "match/full", lambda client, match: client.carry_out(match, Join(name="Cleo"))),
    ],
)  # fmt: skip
def test_problems_are_the_refusals_they_were(client: Client, kind: type[LedgerError], code: str, ask: object) -> None:
    opened = client.open_match(AZUL)
    with pytest.raises(kind) as refused:
        ask(client.bearing(opened.tokens.seats[1]), opened.match.match)  # type: ignore[operator]
    assert (type(refused.value).exit_code, refused.value.code) == (kind.exit_code, code)
    if kind is IllegalAction:
        assert (refused.value.rule, refused.value.hint[:15]) == ("AZ-21", "Legal and near:")  # type: ignore[attr-defined]


def test_a_lost_answer_makes_no_second_step(service: Service, client: Client) -> None:
    opened = client.open_match(AZUL)
    match, token = opened.match.match, opened.tokens.seats[1]
    with losing(service.url, b"/actions") as url, Client(url, token, sleep=lambda seconds: None) as unlucky:
        done = unlucky.carry_out(match, Act(move="1R1"))
    assert (done.repeated, done.head) == (True, opened.match.head + 1)
    assert client.match(match).head == done.last


def test_a_lost_opening_makes_no_second_match(service: Service, client: Client) -> None:
    with losing(service.url, b"POST ") as url, Client(url, sleep=lambda seconds: None) as unlucky:
        opened = unlucky.open_match(OpenMatch(game="azul", players=["Onlyhere", "Ben"]))
    assert [row.id for row in client.list_matches(player="Onlyhere").matches] == [opened.match.match]
    assert client.bearing(opened.tokens.host).access(opened.match.match)


def test_a_server_that_stays_away_is_given_up() -> None:
    waits: list[float] = []
    with Client(f"http://127.0.0.1:{free_port()}", attempts=4, sleep=waits.append) as client:
        with pytest.raises(Unavailable, match="does not answer") as refused:
            client.games()
        assert (refused.value.code, waits) == ("server/away", [0.25, 0.5, 1.0])
        with pytest.raises(Unavailable):
            next(client.live("nosuch"))


def test_too_many_requests_are_waited_out(tmp_path: Path) -> None:
    waits: list[float] = []
    database = str(on_empty_ledger(tmp_path).database)
    with (
        serving(database, tmp_path, "--rate", "0.01", "--burst", "1") as service,
        Client(service.url, attempts=3, sleep=waits.append) as client,
    ):
        client.games()
        with pytest.raises(LedgerError) as refused:
            client.games()
    assert (refused.value.code, waits) == ("limit/requests", [30.0, 30.0])  # it says to wait longer; nobody does


@pytest.mark.parametrize("url", ["", "nowhere", "ftp://host", "http://", "http://ann:secret@host", "http://host/?a=b"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(UsageError) as refused:
        Client(url)
    assert (refused.value.code, "secret" in refused.value.message) == ("server/url", False)


def test_a_stream_goes_on_over_a_restart_of_the_service(tmp_path: Path) -> None:
    database, port = str(on_empty_ledger(tmp_path).database), free_port()
    with serving(database, tmp_path, port=port) as service:
        client = Client(service.url, attempts=1000)
        opened = client.open_match(AZUL)
        match, seats = opened.match.match, opened.tokens.seats
        steps = client.live(match, after=0)
        before = list(islice(steps, opened.match.step))
        client.bearing(seats[1]).carry_out(match, Act(move="1R1"))
        before.append(next(steps))
        service.stop()
    with serving(database, tmp_path, port=port):
        move = client.legal(match).moves[0].move
        client.bearing(seats[2]).carry_out(match, Act(move=move))
        after = next(steps)
    seen = [*before, after]
    assert [step.step for step in seen] == list(range(1, after.step + 1))
    assert [step.first for step in seen[1:]] == [step.last + 1 for step in seen[:-1]]
    steps.close()  # type: ignore[attr-defined]
    client.close()


def test_events_of_a_retired_shape_chain_here_as_they_do_there(client: Client, tmp_path: Path) -> None:
    """Stored bytes travel: written anew, such an event would be another one."""
    log = Path(__file__).parents[1] / "logs" / "azul" / "floor-scored-shape.jsonl"
    rows, hash_ = [], origin(match := "zdxtcpy89x", "azul", "azul/1")
    for seq, data in enumerate(log.read_bytes().splitlines()[1:], start=1):
        rows.append(Row(seq, data, hash_ := link(hash_, data)))
    (imported,) = client.import_record(write_jsonl(Evidence(match, match, rows, len(rows), hash_.hex())))
    assert imported.outcome == "imported", imported
    live = HttpReader(client, TokenFile(client.url, tmp_path / "tokens" / "file.json")).read(imported.match)
    assert live.head.seq == imported.events
