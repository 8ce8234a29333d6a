"""Hints and reviews as people read them in a terminal."""

from collections.abc import Sequence

from events.core import Seat
from projections.words import count, tenths
from service.play.hints import WeighedChoice
from service.play.history import History
from service.shell.answers.advice import DecisionAnswer, ReviewAnswer
from service.shell.terminal.choices import brings
from service.shell.terminal.paint import console, grid, say


def show_hints(live: History, seat: Seat, level: int, hints: Sequence[WeighedChoice]) -> None:
    """The best moves found, each with the lead that is expected from it, and in words."""
    say(f"{live.names[seat]} (seat {seat}), the best moves found at level {level}:", "bold")
    table = grid("move", "lead", "meaning", right=["lead"])
    for choice, expected in hints:
        table.add_row(choice.move, tenths(expected), f"{choice.words}{brings(choice)}")
    console().print(table)
    say("The lead is by how many points the search expects this player to be ahead of the best other one.", "dim")


def show_review(history: History, review: ReviewAnswer) -> None:
    """The worst mistakes, the turning point, what everybody gave away; then every decision."""
    names = history.names
    decided = count(len(review.decisions), "decision")
    say(f"{history.game.title}, match {review.match}: {decided} at level {review.level}", "bold")
    say("")
    _show_worst(history, review.worst)
    say("")
    say(review.course)
    for player in review.players:
        mean = player.lost / player.decisions if player.decisions else 0.0
        told = f"{player.lost:.1f} points in {count(player.decisions, 'decision')}, {mean:.1f} in each"
        say(f"{player.name} gave away {told}.")
    say("")
    table = grid("event", "step", "who", "played", "best", "lost", "lead", right=["event", "step", "lost", "lead"])
    for one in review.decisions:
        best, lost = ("", "") if not one.lost else (one.best, f"{one.lost:.1f}")
        table.add_row(str(one.seq), str(one.step), names[one.seat], one.move, best, lost, tenths(one.expected))
    console().print(table)
    say("")
    say("The lead is by how many points the search expected whoever moved to be ahead of the best other player.", "dim")


def _show_worst(history: History, worst: Sequence[DecisionAnswer]) -> None:
    if not worst:
        say("No mistakes were found.", "bold")
        return
    say("The worst mistakes" if len(worst) > 1 else "The only mistake", "bold")
    for number, one in enumerate(worst, start=1):
        say(f"{number}. step {one.step}, {history.names[one.seat]} {one.move}: {one.lost:.1f} points", indent=3)
        say(f"   played  {one.words}", "dim", indent=11)
        say(f"   better  {one.best}: {one.best_words}", "dim", indent=11)
