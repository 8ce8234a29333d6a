"""Matches to go on with, to join and to watch; and the forms that open one."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final

from litestar import Response, get
from litestar.params import QueryParameter

from service.games.shelf import find_game, known_games
from service.play.listing import listing
from service.shell.http.bounded_requests import BoundedRequest, giving
from service.shell.http.problems import refusals, wants_page
from service.shell.http.routes.health import WELCOME
from service.shell.http.routes.matches import listed
from service.shell.http.routes.responses import MatchId, access_to, ledger_of
from service.shell.web.routes.responses import page
from service.shell.web.views.lobby import (
    PADS,
    SECTIONS,
    LobbyFilter,
    LobbyView,
    game_cards,
    match_line,
    match_list,
    pad_cards,
)
from service.shell.web.views.new_match import new_match_view
from service.store.filters import Filters

_LINES: Final = 10
"""Matches in one list of the lobby."""
_LONGEST: Final = 2_000
"""Characters of an address that fills in a form."""

Player = Annotated[str, QueryParameter(name="player", max_length=200)]


@get("/", responses=refusals(), operation_class=giving("text/html", "text/plain"), summary="Where to begin")
async def get_lobby(
    request: BoundedRequest, game: Annotated[str, QueryParameter(name="game", max_length=64)] = "", player: Player = ""
) -> Response[Any]:
    """For a browser the lobby: public matches by how they stand, the one moved last first, pads apart."""
    if not wants_page(request):
        return Response(WELCOME, media_type="text/plain")
    chosen = find_game(game) if game else None
    played = [known.key for known in known_games() if not known.pad_of]
    pads = [known.key for known in known_games() if known.pad_of]
    names = [section.name for section in (*SECTIONS, PADS)]
    cursors = {name: request.query_params[name] for name in names if request.query_params.get(name)}
    wanted = LobbyFilter(chosen.key if chosen is not None else "", player.strip(), cursors)
    lists = []
    for section in (*SECTIONS, PADS):
        keys = pads if section is PADS else played
        if chosen is not None and chosen.key not in keys:
            continue
        games = keys if chosen is None else chosen.key
        filters = Filters(game=games, status=section.status, player=wanted.player or None, is_public=True)
        lines, older = await listed(ledger_of(request), _LINES, cursors.get(section.name), filters)
        lists.append(match_list(wanted, section, lines, older, datetime.now(UTC)))
    known = [(game.key, game.title) for game in known_games()]
    return page(request, "lobby.html", page=LobbyView(wanted, lists, game_cards(), known))


@get("/new", include_in_schema=False)
async def get_new(request: BoundedRequest) -> Response[Any]:
    """Which game, then everything its table agrees on; then the links for those who are invited."""
    given = _given(request)
    if opened := given.get("opened"):
        return page(request, "invitation.html", match=opened)
    return _form(request, given, "/new") if given.get("game") else page(request, "games.html", games=game_cards())


@get("/pads", include_in_schema=False)
async def get_pads(request: BoundedRequest) -> Response[Any]:
    """What a score pad is, and which one to begin or to go on with."""
    given = _given(request)
    return _form(request, given, "/pads") if given.get("game") else page(request, "pads.html", pads=pad_cards())


def _form(request: BoundedRequest, given: dict[str, str], room: str) -> Response[Any]:
    return page(request, "new_match.html", page=new_match_view(find_game(given["game"]), given), room=room)


def _given(request: BoundedRequest) -> dict[str, str]:
    return {name: value[:_LONGEST] for name, value in request.query_params.items()}


@get(
    "/matches/{match:str}/line.html",
    responses=refusals(401, 404),
    media_type="text/html",
    summary="A match as a line of a list",
)
async def get_line(request: BoundedRequest, match: MatchId) -> Response[Any]:
    """Game, players, how it stands and when it was moved last; of a private match to those who may look at it."""
    await access_to(request, match)
    served = ledger_of(request)
    cached = await served.look(match)  # which takes no beginning of an id: it might be that of a private match
    served.wake_bots(cached)
    row = await served.in_thread(served.store.find, cached.live.id)
    (line,) = await served.in_thread(listing, served.store, [row])
    return page(request, "match_line.html", line=match_line(line, datetime.now(UTC)))


HANDLERS = [get_lobby, get_new, get_pads]
PIECES = [get_line]
