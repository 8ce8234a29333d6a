"""Two people at two terminals play one match over a real service."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.http.at_server import AtServer
from tests.http.serving import Service, serving
from tests.shell.glass import Glass
from tests.shell.terminal import on_empty_ledger, plain
from tests.shell.test_play import Person


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(str(on_empty_ledger(tmp_path).database), tmp_path) as found:
        yield found


def test_two_people_play_one_match_to_its_end(service: Service, tmp_path: Path) -> None:
    ann, ben = AtServer(service.url, tmp_path / "ann"), AtServer(service.url, tmp_path / "ben")
    options = ("--seed", "3", "-o", "firstPlayer=seat:1", "-o", "maxRounds=1", "--undo", "consent")
    match = ann("new", "azul", "Ann", "--seats", "2", *options, "--quiet").strip()
    with ExitStack() as stack:
        one = Person(stack.enter_context(ann.at_terminal("play", match, NO_COLOR="1")))
        one.child.expect_exact("Waiting for somebody to join… ")
        ben("join", match, "Ben")
        two = Person(stack.enter_context(ben.at_terminal("play", match, NO_COLOR="1")))
        assert "Ben" in one.asked("Ann")
        two.child.expect_exact("Waiting for Ann… ")
        two.child.sendline("1R1")  # out of turn
        two.child.expect_exact("Waiting for Ann… ")
        assert "AZ-" in plain(two.child.before)
        one.child.sendline("#1")
        assert "  Ann took " in two.asked("Ben")
        one.child.expect_exact("Waiting for Ben… ")
        one.child.sendline("undo")
        one.child.expect_exact("Waiting for Ben… ")
        assert "Ann asks to undo everything" in two.asked("Ben, accept or decline")
        two.child.sendline("accept")
        assert "was undone: Ann took" in one.asked("Ann")
        two.child.expect_exact("Waiting for Ann… ")
        acting, waiting, name = one, two, "Ann"
        for _ in range(40):
            acting.child.sendline("#1")
            if waiting.child.expect_exact(["Ann> ", "Ben> ", "Enter to leave> "]) == 2:
                break
            assert f"  {name} took " in plain(waiting.child.before)
            acting, waiting, name = waiting, acting, "Ben" if name == "Ann" else "Ann"
        assert "The game ended: the agreed last round is over." in " ".join(plain(waiting.child.before).split())
        acting.child.expect_exact("Enter to leave> ")
        for person in (one, two):
            assert "rematch" not in plain(person.child.after)  # the other would have to be asked
            assert "The match is kept; see: " in person.leaves("")
    assert ann.json("audit", match)["clean"]


def test_news_does_not_lose_what_is_being_typed(service: Service, tmp_path: Path) -> None:
    ann, ben = AtServer(service.url, tmp_path / "ann"), AtServer(service.url, tmp_path / "ben")
    match = ann("new", "azul", "Ann", "--seats", "2", "--seed", "3", "-o", "firstPlayer=seat:2", "--quiet").strip()
    ben("join", match, "Ben")
    with ann.at_terminal("play", match, NO_COLOR="1", lines=24) as child:
        glass = child.logfile_read = Glass()
        child.expect_exact("Waiting for Ben… ")
        child.send("sco")
        child.expect_exact("sco")
        ben("act", match, ben.moves(match)[0])
        child.expect_exact("Ann> sco")
        assert "\n  Ben took " in "\n".join(glass.text)
        child.send("\t\r")
        child.expect_exact("No points yet.")
        child.expect_exact("Ann> ")
        assert glass.scrolled == 0
        assert glass.text[-1] == "Ann>"


def test_somebody_who_only_looks_on(service: Service, tmp_path: Path) -> None:
    host, guest = AtServer(service.url, tmp_path / "host"), AtServer(service.url, tmp_path / "guest")
    match = host.new()
    with guest.at_terminal("play", match, NO_COLOR="1") as child:
        person = Person(child)
        person.child.expect_exact("Waiting for Ann… ")
        host("act", match, "1R1")
        person.child.expect_exact("Waiting for Ben… ")
        assert "  Ann took " in plain(person.child.before)
        assert "The match is kept. Go on with" in person.leaves()
