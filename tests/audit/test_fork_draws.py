"""The draws of forks: what was taken over is the parent's, what is drawn later follows from the fork's own secret."""

from collections.abc import Callable
from datetime import timedelta

import msgspec

from events.azul import DisplaysFilled
from events.core import Envelope
from events.match import MatchOpened
from service.audit import audit
from service.play.evidence import Evidence, from_store
from service.play.fork import fork
from service.play.history import Live
from service.play.ledger import LocalLedger
from service.play.matches import abandon, deal
from service.play.undo import undo
from tests.audit.matches import envelopes_of, rehashed, renumbered
from tests.audit.test_verdicts import failed, find, with_event
from tests.conftest import finish, move


def dealt_afresh(ledger: LocalLedger, parent: Live) -> Evidence:
    """A fork that took back everything it had taken over, had the table dealt anew and was given up."""
    child = fork(ledger, parent, parent.head.step)
    undo(ledger, child, 1, steps=len(child.timeline.done))
    deal(ledger, child)
    abandon(ledger, child)
    return from_store(ledger.store, child.id)


def claiming(evidence: Evidence, draws: int) -> Evidence:
    """The fork saying that it took over so many draws."""
    _, event = find(evidence, MatchOpened)
    assert isinstance(event, MatchOpened)
    assert event.parent is not None
    parent = msgspec.structs.replace(event.parent, draws=draws)
    return with_event(evidence, 1, msgspec.structs.replace(event, parent=parent))


def inherited(evidence: Evidence) -> int:
    """How many draws a fork says it took over."""
    opened = evidence.chain.opened
    assert opened is not None
    assert opened.parent is not None
    return opened.parent.draws


def without(evidence: Evidence, first: int, last: int) -> list[Envelope]:
    """The events of a match but for those from the first to the last."""
    envelopes = envelopes_of(evidence)
    return [*envelopes[: first - 1], *envelopes[last:]]


class TestDealtAfresh:
    """A draw has the number of one that was taken over, and yet is the fork's own."""

    def test_it_is_derived_again(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        parent = azul(undo="free")
        move(ledger, parent, 5)
        report = audit(dealt_afresh(ledger, parent))
        assert report.findings == []
        assert report["draws"].why.startswith("2 draws derived again from the secret, 2 inherited")

    def test_a_deal_chosen_by_somebody_is_named(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        parent = azul(undo="free")
        move(ledger, parent, 5)
        evidence = dealt_afresh(ledger, parent)
        seq, event = find(evidence, DisplaysFilled, -1)
        assert isinstance(event, DisplaysFilled)
        chosen = msgspec.structs.replace(event, displays=event.displays[::-1])
        report = audit(with_event(evidence, seq, chosen))
        assert failed(report) == {"draws": seq}
        assert "Draw 1 (deal) gives" in report["draws"].why

    def test_a_deal_that_came_a_step_late_is_missed(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        """A step of the fork's own has its answers with it, whatever the number of the draw."""
        parent = azul(undo="free")
        while parent.table.draws < 4:
            move(ledger, parent)
        child = fork(ledger, parent, parent.head.step)
        undo(ledger, child, 1, steps=1)
        assert child.table.draws < inherited(from_store(ledger.store, child.id))
        move(ledger, child)
        evidence = from_store(ledger.store, child.id)
        seq, _ = find(evidence, DisplaysFilled, -1)
        assert seq == child.head.seq
        report = audit(rehashed(evidence, renumbered(without(evidence, seq, seq)), signatures=()))
        assert (report["actions"].seq, report["actions"].why) == (seq, "The deal was due and is not there.")


class TestClaims:
    """How many draws were taken over is said by the opening, and held to what came with it."""

    def test_one_too_many_right_before_the_first_of_its_own(
        self, ledger: LocalLedger, azul: Callable[..., Live]
    ) -> None:
        """The fork stood before a deal, which was drawn by itself and a moment later."""
        parent = azul(undo="free", confirm_reveals=True)
        while parent.game.rules.request(parent.table.state) is None:
            move(ledger, parent)
        child = fork(ledger, parent, parent.head.step)
        own, draws = child.head.seq, child.table.draws
        abandon(ledger, child)
        evidence = from_store(ledger.store, child.id)
        assert audit(evidence).is_clean
        later = [
            msgspec.structs.replace(e, at=e.at + timedelta(milliseconds=1)) if e.seq == own else e
            for e in envelopes_of(evidence)
        ]
        evidence = rehashed(evidence, renumbered(later), signatures=())
        assert audit(evidence).is_clean
        report = audit(claiming(evidence, draws))
        assert failed(report) == {"draws": 1}
        assert report["draws"].why == f"{draws} draws are said to be inherited; {draws - 1} were there at the opening."

    def test_one_too_many(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        parent = azul()
        move(ledger, parent, 5)
        evidence = from_store(ledger.store, finish(ledger, fork(ledger, parent, parent.head.step)).id)
        report = audit(claiming(evidence, inherited(evidence) + 1))
        assert failed(report) == {"draws": 1}
        assert report["draws"].why == "3 draws are said to be inherited; 2 were there at the opening."

    def test_what_was_taken_over_is_gone(self, ledger: LocalLedger, azul: Callable[..., Live]) -> None:
        """The event that stands in its place is named, or the place where nothing stands."""
        parent = azul()
        child = fork(ledger, parent, parent.head.step)
        dealt = child.head.seq
        abandon(ledger, child)
        evidence = from_store(ledger.store, child.id)
        assert evidence.count == dealt + 1 == 6
        report = audit(rehashed(evidence, renumbered(without(evidence, 4, dealt)), signatures=()))
        assert failed(report)["draws"] == 4
        assert report["draws"].why == "2 draws are said to be inherited; 0 were there at the opening."
        cut = renumbered(envelopes_of(evidence)[:3])
        assert failed(audit(rehashed(evidence, cut, signatures=())))["draws"] == 4
