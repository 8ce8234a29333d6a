"""Every command by its button: the same outcome as `service.handle`, the same refusal, and its call honoured."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import httpx
import pytest
from msgspec.structs import asdict, replace
from playwright.sync_api import Locator, Page, Response, expect

from service.play import commands as c
from service.play.commands import Command
from service.shell.command_routes import route_of
from tests.disputes.people import CLEO
from tests.doors import Http, Reference, Sent, key_file, reader_of
from tests.http.serving import Service
from tests.parity import CASES, OPENING, Case, facts, prepared, refusal_of
from tests.shell.terminal import on_empty_ledger
from tests.web.conftest import Visitors
from tests.web.touching import click_move, hand_over, legal, settle

NO_BUTTON: Final[dict[type[Command], str]] = {
    c.Rename: "a page gives a name where somebody sits down, and changes none",
}
PRESSED: Final[dict[type[Command], Command]] = {
    c.Fork: c.Fork(),
    c.Undo: c.Undo(),
    c.Redo: c.Redo(),
}
"""What a button says that leaves to the service how many steps, and which."""
ABOUT_DISPUTES: Final = (c.OpenDispute, c.Withdraw, c.Appeal, c.RuleDispute, c.DecideAppeal, c.Finalise)
"""The buttons on the page of the audit; the others are at the table."""
WHATEVER_HAPPENED: Final = (c.Join, c.Fork, *ABOUT_DISPUTES)
"""What a page sends without the event it has seen: nothing that happens meanwhile makes it another wish."""
OWN: Final = ("nonce", "arbiters", "key")
"""What the page and the keyboard have each of their own: a browser draws a nonce, the service rules with its key."""


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Cleo's private key."""
    return key_file(tmp_path)


@pytest.fixture
def reference(tmp_path: Path, key: Path) -> Iterator[Reference]:
    """The handlers on a ledger of their own."""
    found = Reference(on_empty_ledger(tmp_path).database, key)
    yield found
    found.store.close()


class Buttons(Http):
    """A match prepared over HTTP, in which one command is given by pressing its button."""

    def __init__(self, service: Service, key: Path, tokens: Path, page: Page) -> None:
        super().__init__(service, key, reader_of(service, tokens))
        self.page = page

    def open(self, opening: c.OpenMatch, command_id: str | None = None) -> str:
        return super().open(replace(opening, arbiters=[CLEO.key.public, "house"]), command_id)

    def visit(self, match: str, sent: Sent) -> None:
        """Open the page that has the button, with the tokens it takes."""
        row = route_of(sent.command)
        opened = {"match": {"match": match}, "tokens": self.tokens[match]}
        seats = [] if isinstance(sent.command, c.Join) else [1, 2] if sent.seat is None else [sent.seat]
        address = hand_over(self.page, opened, *seats, is_host=not {"host", "arbiter"}.isdisjoint(row.roles))
        self.page.goto(f"{address}/case" if type(sent.command) in ABOUT_DISPUTES else address)

    def press(self, match: str, sent: Sent) -> Response:
        """Press the button of a command; what the service answers."""
        row = route_of(sent.command)
        tail = row.url(match, sent.command).removeprefix(f"/matches/{match}/")
        with self.page.expect_response(
            lambda answer: answer.url.endswith(f"/{tail}") and answer.request.method == row.method
        ) as answered:
            if isinstance(sent.command, c.Act):
                assert sent.seat is not None
                assert settle(self.page, sent.seat)
                moves = legal(self.service, match, sent.seat)
                click_move(self.page, next(move for move in moves if move["move"] == sent.command.move), moves)
            else:
                self._press(tail, sent.command)
        return answered.value

    def _press(self, tail: str, command: Command) -> None:
        where = self.page.locator(f"[data-do='{tail}'], [data-open$='/{tail}'], [data-send='{tail}']")
        assert where.count() == 1, (
            f"no page has a button for `{type(command).__name__}`: give it one, or a reason in NO_BUTTON"
        )
        if where.evaluate("part => part.tagName") == "FORM":
            fill(where, command)
            where.locator("button.main").click()
            return
        # Read before it is pressed: the page may have no such button any more as soon as the service has answered.
        words, name = where.get_attribute("data-ask"), where.inner_text()
        where.click()
        if words:
            dialog = self.page.get_by_role("dialog")
            expect(dialog).to_contain_text(words)
            dialog.get_by_role("button", name=name).click()


def fill(form: Locator, command: Command) -> None:
    """Write a command into the fields of a form."""
    form.evaluate("form => form.closest('details')?.setAttribute('open', '')")
    said = {"arbiter": "Cleo"} | asdict(command)
    for rule in said.pop("rules", []):
        form.locator("input.rule").fill(rule)
        form.get_by_role("button", name="Cite it").click()
    for one in said.pop("adjustments", []):
        form.locator(f"[name=points-{one.seat}]").fill(str(one.points))
    if "upheld" in said:
        form.locator(f"[name=upheld][value={'yes' if said.pop('upheld') else 'no'}]").check()
    for name, value in said.items():
        field = form.locator(f"input[name={name}], textarea[name={name}]")
        if field.count() and value is not None:
            field.fill(str(value))
    for sure in form.locator(".sure input").all():
        sure.check()


def code_of(answer: Response) -> str:
    """The code of a refusal."""
    assert not answer.ok
    return str(answer.json()["code"])


def opened_by(page: Page, other: str = "") -> str:
    """The match a page has opened and goes to; it comes from another one, or from the form."""
    page.wait_for_url(lambda address: "/matches/" in address and not address.endswith(other or "/new"))
    return page.url.rpartition("/")[2]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if type(case.do.command) not in NO_BUTTON],
    ids=lambda case: type(case.do.command).__name__,
)
def test_a_button_does_what_its_command_does(
    visit: Visitors, service: Service, reference: Reference, key: Path, tmp_path: Path, case: Case
) -> None:
    visit.expected = ["412 (Precondition Failed)", "409 (Conflict)"]
    buttons, kind = Buttons(service, key, tmp_path / "tokens.json", visit()), type(case.do.command)
    match, known = prepared(buttons, case), prepared(reference, case)
    sent = Sent(PRESSED.get(kind, case.do.command), case.do.seat)
    head = buttons.read(match).head.seq
    buttons.visit(match, sent)

    if kind not in WHATEVER_HAPPENED:
        buttons.page.evaluate(f"document.querySelector('.table').dataset.etag = '{head - 1}-0123456789abcdef'")
        assert code_of(buttons.press(match, sent)) == "store/stale-head"
        assert buttons.read(match).head.seq == head, "a refusal adds nothing"
        buttons.page.wait_for_function(f"document.querySelector('.table').dataset.etag.startsWith('{head}-')")
    if kind in ABOUT_DISPUTES:
        elsewhere = Buttons(service, key, tmp_path / "tokens.json", buttons.page.context.new_page())
        elsewhere.page.goto(buttons.page.url)

    answer = buttons.press(match, sent)
    assert answer.ok
    done = opened_by(buttons.page, match) if kind is c.Fork else match
    if isinstance(sent.command, c.Join):  # the draws depend on what the browser drew
        body: dict[str, str] = answer.request.post_data_json or {}
        sent = Sent(replace(sent.command, nonce=body["nonce"]))
    known = reference.send(known, sent)
    after = 1 if kind is c.Fork else head
    assert facts(buttons, done, after, OWN) == facts(reference, known, after, OWN)

    added = buttons.read(done).head.seq
    again = httpx.request(
        answer.request.method, answer.url, content=answer.request.post_data or "", headers=answer.request.headers
    )
    assert again.is_success, again.text
    assert buttons.read(done).head.seq == added, "sent again under its id, it is carried out once"
    if kind in ABOUT_DISPUTES:
        assert code_of(elsewhere.press(match, sent)) == refusal_of(reference, known, sent)


def test_the_form_opens_the_match_it_says(
    visit: Visitors, service: Service, reference: Reference, key: Path, tmp_path: Path
) -> None:
    page, reads = visit(), reader_of(service, tmp_path / "tokens.json")
    wish = {"game": OPENING.game, "seats": 2, "undo": OPENING.undo, "chance": "seeded", "seed": OPENING.seed}
    players = {f"seat{seat}": "me" for seat in (1, 2)} | {"name1": "Ann", "name2": "Ben"}
    options = {f"o.{name}": value for name, value in OPENING.options.items()}
    page.goto(f"/new?{urlencode({**wish, **players, **options, 'house': 'on'})}")
    with page.expect_response("**/api/v1/matches") as answered:
        page.get_by_role("button", name="Start the match").click()
    match = opened_by(page)
    door = Http(service, key, reads)
    assert facts(door, match, 0, OWN) == facts(reference, reference.open(OPENING), 0, OWN)
    sent = answered.value.request
    again = httpx.post(answered.value.url, content=sent.post_data or "", headers=sent.headers)
    assert again.json()["match"]["match"] == match
