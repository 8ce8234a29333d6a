"""Every route that answers with HTML, asked with ids, names, texts, tags and options of people who mean harm.

Whatever they send is text on our pages: none of its elements, attributes, links or template expressions is there. The
routes are those of the application itself, so that a new one cannot be left out.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from service.shell.http.app import API
from tests.http.api_client import ApiClient, Table, api_client, good, open_table
from tests.shell.test_visible import FORBIDDEN

HARM = (
    "<script>hostile()</script>",
    '"><img src=x onerror=hostile()>',
    "' hostile-attribute='x",
    "javascript:hostile()",
    "{{7*7}}hostile{% hostile %}",
    "</title></style><hostile-tag>",
    "--><hostile-tag>",
    "\u202ehostile\u2066\u200b",
)
ALL_OF_IT = "".join(HARM)
QUERIES = {
    **dict.fromkeys(("game", "player", "open", "words", "opened", "level", "match", "anything"), ALL_OF_IT),
    **dict.fromkeys(("seats", "seat1", "name1", "o.firstPlayer", "o.maxRounds", "seed", "chance"), ALL_OF_IT),
    **dict.fromkeys(("claim-1", "1-1", "kind", "sheet"), ALL_OF_IT),
    "at": '"><hostile-tag a=1>',  # of twenty characters at most
}
VALUES = {"name": ("azul", "AZ-46"), "digest": ("0",), "path": ("x",)}
"""What the places of an address are besides hostile; matches are those of the ledger."""
OURS = re.compile(r"(?:/(?!/)|#|\?|replay\?)")
"""How every link and address on our pages begins."""
NO_PAGES = {"/static/{digest:str}/{name:str}", "/api", "/api/openapi.json", "/api/{path:str}"}
"""Routes in no document for programs that are no pages either: files, and that document."""
WITHOUT_WORDS = {"/read"}
"""Pages that never say what somebody else wrote."""


class Found(HTMLParser):
    """What a browser would make of an answer: refuses whatever we did not write."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__()
        self.said = ""
        self.where = f"{answer.request.method} {answer.request.url}: {answer.status_code}"
        self.open: list[str] = []
        self.feed(answer.text)
        self.close()
        hidden = FORBIDDEN.search(answer.text)
        assert hidden is None, f"{self.where}: {hidden!r}"
        assert "49hostile" not in answer.text, f"{self.where}: an expression was evaluated"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        where = f"{self.where}: <{tag} {attrs}>"
        self.open.append(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), where
        assert tag not in ("hostile-tag", "img", "iframe", "object", "base", "embed", "template"), where
        assert not any(re.match(r"on|style|srcdoc|.*hostile", name) for name in names), where
        values = {name: value or "" for name, value in attrs}
        if tag == "script":
            assert set(values) == {"type", "src"}, where
            assert re.fullmatch(r"/static/[0-9a-f]{12}/[a-z_]+\.js", values["src"]), where
        for name in ("href", "src", "action", "formaction", "xlink:href", "data-open"):
            assert name not in values or OURS.match(values[name]), where
        self.said += "".join(f" {value}" for value in values.values())

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            assert "hostile" not in data, self.where
        self.said += data

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"{self.where}: a comment, {data!r}")


class PageRoute(NamedTuple):
    """A route that may answer with HTML."""

    method: str
    path: str

    @property
    def places(self) -> list[str]:
        """The parts of its address that are filled in."""
        return re.findall(r"{(\w+):", self.path)

    def address(self, **values: str) -> str:
        """Its address with these values."""
        return re.sub(r"{(\w+):\w+}", lambda found: quote(values[found[1]], safe=""), self.path)


def page_routes(app: Litestar) -> list[PageRoute]:
    """Every route of the application that answers with HTML: it says so, or it is in no document for programs."""
    document = app.openapi_schema.to_schema()["paths"]
    found = []
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                known = document.get(route.path_format, {}).get(method.lower(), {}).get("responses", {})
                says = any("text/html" in answer.get("content", {}) for answer in known.values())
                if says or not known:
                    found.append(PageRoute(method, route.path))
    return found


class Walk:
    """Asks, and remembers which routes answered with a page and which of them said what was sent."""

    def __init__(self, api: ApiClient) -> None:
        self.client = api.client
        self.app: Litestar = api.client.app  # type: ignore[attr-defined]
        self.answered: dict[PageRoute, set[int]] = defaultdict(set)
        self.said: set[PageRoute] = set()

    def ask(self, route: PageRoute, address: str, **sent: Any) -> None:
        answer = self.client.request(
            route.method, address, headers={"Accept": "text/html", "Content-Type": "text/plain"}, **sent
        )
        if "html" not in answer.headers.get("content-type", ""):
            return
        found = Found(answer)
        self.answered[route].add(answer.status_code)
        if "hostile" in found.said:
            self.said.add(route)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Iterator[tuple[ApiClient, list[str]]]:
    """A service, and matches in which people wrote what they could."""
    folder = tmp_path_factory.mktemp("hostile")
    with api_client(folder / "ledger.db", migrated_file) as api:
        yield api, list(hostile_matches(api))


def renamed(table: Table, *names: str) -> Table:
    """The same with these names."""
    for seat, name in enumerate(names, start=1):
        good(table.seats[seat].ask("PUT", f"{table.path}/seats/{seat}/name", json={"name": name}))
    return table


def hostile_matches(api: ApiClient) -> Iterator[str]:
    """Matches that wait, go on, are over, disputed, and brought from elsewhere."""
    waiting = open_table(api, players=["Ann"], seats=2)
    yield renamed(waiting, HARM[0]).id
    asked = renamed(open_table(api, undo="consent", seed=3), HARM[1], HARM[2])
    asked.play(4, Random(1))
    good(asked.seats[1].post(f"{asked.path}/undo", {}))
    yield asked.id
    pad = renamed(open_table(api, "azul-pad"), HARM[4], HARM[0])
    pad.play(6, Random(1))
    yield pad.id
    over = renamed(open_table(api, arbiters=["house"], seed=3), HARM[5], HARM[3])
    over.play(12, Random(1))
    good(over.seats[2].post(f"{over.path}/resign"))
    words = ALL_OF_IT[: -len(HARM[-1])]
    disputes = f"{over.path}/disputes"
    good(over.seats[1].post(disputes, {"words": words, "claim": 7}))
    signed = {"arbiter": words, "rules": ["AZ-46"], "reason": words, "adjustments": [{"seat": 1, "points": 2}]}
    good(over.arbiter.post(f"{disputes}/1/ruling", signed))
    good(over.seats[2].post(f"{disputes}/1/appeal", {"words": words}))
    good(over.seats[2].post(disputes, {"words": words}))
    left = renamed(open_table(api, seed=3), HARM[0], HARM[1])
    left.play(12, Random(1))
    good(left.seats[2].post(f"{left.path}/resign"))
    yield from (left.id, over.id)
    for record in records(api, left.id, over.id):
        sent = {"content": record, "headers": {"Content-Type": "text/plain"}}
        answer = api.ask("POST", "/imports", **sent)
        yield from [one["match"] for one in answer.json() if one["outcome"] == "imported"] if answer.is_success else ()


def records(api: ApiClient, left: str, disputed: str) -> Iterator[bytes]:
    """Files of matches in which names, tags, remarks, options, rules and rulings were changed by hand."""
    text = api.get(f"/matches/{left}/record").text
    text = re.sub(r"^\[(?:Match|Head|Signature|Statement|Key)[^\n]*\n", "", text, flags=re.MULTILINE)
    one_line = ALL_OF_IT.replace('"', "")
    tagged = text.replace("[Undo ", f'[Event "{one_line}"]\n[Undo ', 1) + f"; {one_line}\n"
    yield tagged.encode()
    yield f"{tagged}\n{tagged}".encode()
    for options in ({}, {ALL_OF_IT: ALL_OF_IT}, {"maxRounds": ALL_OF_IT}):
        lines = api.get(f"/matches/{disputed}/record", params={"format": "jsonl"}).text.splitlines()
        header, *events, _ = map(json.loads, (line.replace(disputed, disputed[::-1]) for line in lines))
        opened = events[0]["envelope"]["event"]
        opened["commitment"] = ALL_OF_IT
        opened["options"] |= options
        scored = [event["envelope"]["event"] for event in events if event["envelope"]["event"].get("scores")]
        scored[0]["scores"][0]["rule"] = ALL_OF_IT
        header["seats"] = {"1": ALL_OF_IT, "2": HARM[1]}
        header["annotations"] = [{"step": 0, "kind": "tag", "name": "Event", "text": ALL_OF_IT}]
        rows = [event | {"hash": ""} for event in events]
        forged = [header, *rows, {"count": len(rows), "head": "", "signatures": []}]
        yield "\n".join(json.dumps(row, ensure_ascii=False) for row in forged).encode()
    yield ALL_OF_IT.encode()


def test_nobody_elses_markup_is_on_any_page(hostile: tuple[ApiClient, list[str]]) -> None:
    api, matches = hostile
    walk = Walk(api)
    *_, left, over = matches[:5]
    uploads = list(records(api, left, over))
    assert len(matches) > 6, "none of the records was imported"
    routes = page_routes(walk.app)
    assert len(routes) > 20
    for route in routes:
        known = {place: matches if place == "match" else VALUES[place] for place in route.places}
        addresses = [route.address(**dict.fromkeys(route.places, harm)) for harm in HARM if route.places]
        for number in range(max(map(len, known.values()), default=1)):
            values = {place: some[min(number, len(some) - 1)] for place, some in known.items()}
            addresses.append(route.address(**values))
        if route.method != "GET":
            for upload in uploads:
                for which in ("1", "2"):
                    walk.ask(route, addresses[-1], content=upload, params={"match": which})
                walk.ask(route, addresses[-1], content=upload, params={"at": QUERIES["at"]})
            continue
        for address in addresses:
            walk.ask(route, address)
        settled = route.address(**{place: over if place == "match" else some[0] for place, some in known.items()})
        for query, value in QUERIES.items():
            walk.ask(route, settled, params={"game": "azul", query: value})
    for nowhere in ("/{}", "/{}/x", "/matches/{}/nowhere", "/matches/x/{}", "/static/{}", "/api/{}", API + "/{}"):
        for harm in HARM:
            walk.ask(PageRoute("GET", nowhere), nowhere.format(quote(harm, safe="")))
    shown = [route for route in routes if 200 in walk.answered[route]]
    silent = {route.path for route in routes} - {route.path for route in shown}
    assert silent == NO_PAGES, "no page was seen: say how to ask for it"
    mute = {route.path for route in shown if route not in walk.said}
    assert mute <= WITHOUT_WORDS, "what was sent was never said there: this tested nothing"
    assert {404} <= walk.answered[PageRoute("GET", "/matches/{match:str}")]
