"""Questions about recorded matches, which change nothing: `explain`, `rules`, `rescore`, `bisect`."""

from itertools import chain
from typing import Annotated, Any

import typer

from projections.words import count
from service.errors import Damaged, LedgerError, NotFound, Refused, UsageError
from service.games.shelf import by_ruleset, known_games, maybe_game
from service.play import replay
from service.questions.bisect import bisect as compare_matches
from service.questions.explain import explain as explain_event
from service.questions.rescore import rescore as rescore_match
from service.questions.rulebook import find_rule, rulebook, rules_of, search
from service.shell.answers.questions import explained_answer
from service.shell.commands.crash_diagnosis import diagnosing, stored_evidence
from service.shell.commands.session import QUESTIONS, Json, Source, load_match, named, open_ledger
from service.shell.terminal import rulings
from service.shell.terminal.games import id_ranges
from service.shell.terminal.paint import console, grid, say, say_lines, show_json
from service.shell.terminal.progress import tracked

app = typer.Typer()


@app.command(rich_help_panel=QUESTIONS)
def explain(
    context: typer.Context,
    match: Source,
    seq: Annotated[int, typer.Argument(metavar="EVENT", help="The number of an event; see `log` and `scores`.")],
    as_json: Json = False,
) -> None:
    """Explain one event: the table before and after, how its points add up, and its rules in full."""
    history = load_match(context, match)
    explained = explain_event(history, seq)
    if as_json:
        show_json(explained_answer(history, explained))
    else:
        rulings.show_explained(history, explained)


@app.command(rich_help_panel=QUESTIONS)
def rules(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]…", help="Rules such as AZ-46, or a game.")] = None,
    find: Annotated[str, typer.Option(metavar="WORDS", help="Print every rule with these words.")] = "",
    as_json: Json = False,
) -> None:
    """Print rules by id, every rule with certain words, or the whole rulebook of a game."""
    games = [maybe_game(text) for text in ids or []]
    if len(games) == 1 and games[0] is not None and not as_json:
        say_lines(rulebook(games[0].key).rstrip("\n"))
        return
    found = [
        rule
        for text, game in zip(ids or [], games, strict=True)
        for rule in ((find_rule(text),) if game is None else rules_of(game.key).values())
    ]
    if find:
        matching = search(find)
        if not matching:
            raise NotFound("rules/none", f"No rule has the words {find!r}.")
        found += matching
    if not found:
        _list_rulebooks()
    elif as_json:
        show_json(found)
    else:
        rulings.show_rules(found)


def _list_rulebooks() -> None:
    table = grid("game", "rules", "ids", right=["rules"])
    for game in known_games():
        known = rules_of(game.key)
        table.add_row(game.key, str(len(known)), id_ranges(known) or "–")
    console().print(table)
    say("")
    say(
        "`rules AZ-46` prints a rule, `rules azul` a whole rulebook, `rules --find floor` every rule with that word.",
        "dim",
    )


@app.command(rich_help_panel=QUESTIONS)
def rescore(
    context: typer.Context,
    match: Annotated[
        str | None, typer.Argument(metavar="[MATCH]", help="A match; or give --all.", callback=named)
    ] = None,
    ruleset: Annotated[str, typer.Option(help="The ruleset to score by, such as azul/2.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Every closed match of that game.")] = False,
    as_json: Json = False,
) -> None:
    """Score stored matches again under another ruleset and print the differences. Nothing is changed."""
    if (match is None) != everything:
        raise UsageError("rescore/what", "Name one match, or give --all.")
    game = by_ruleset(ruleset)
    if match is not None:
        history = load_match(context, match)
        rescored = rescore_match(history, ruleset)
        if as_json:
            show_json(rulings.rescored_view(rescored))
        else:
            rulings.show_rescored(history, rescored)
        return
    with open_ledger(context) as ledger:
        matches = ledger.store.count(closed_of=game.key)
        changed, others = 0, 0
        views: list[dict[str, Any]] = []
        unsound: list[LedgerError] = []
        ids = chain.from_iterable(ledger.store.ids(closed_of=game.key))
        for match in tracked(ids, matches, f"deciding by {ruleset}", is_quiet=as_json):
            try:
                with diagnosing(stored_evidence, ledger, match):
                    history = replay.load(ledger, match)
                    rescored = rescore_match(history, ruleset)
            except (Damaged, Refused) as refusal:
                unsound.append(refusal)
                continue
            if not rescored.is_changed:
                continue
            changed += 1
            others += rescored.is_other_result
            if as_json:
                views.append(rulings.rescored_view(rescored))
            else:  # told at once and not kept: a ledger may have a million of them
                rulings.show_rescored(history, rescored)
                say("")
    if as_json:
        show_json({"ruleset": ruleset, "matches": matches, "changed": views, "refused": [str(r) for r in unsound]})
    else:
        for refused in unsound:
            say(f"{refused.code}: {refused.message}", "bad")
        summary = f"{changed} of {count(matches, 'match', 'matches')} would change, {others} of them in the result"
        say(f"{summary}; nothing was changed.", "bold")
    if any(isinstance(refusal, Damaged) for refusal in unsound):
        raise typer.Exit(Damaged.exit_code)


@app.command(rich_help_panel=QUESTIONS)
def bisect(
    context: typer.Context,
    a: Source,
    b: Source,
    in_effect: Annotated[
        bool, typer.Option("--in-effect", help="Compare only play that was not undone, not the whole history.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find the first event and the first score line in which two matches differ. Exit code 1 if they differ."""
    one, other = load_match(context, a), load_match(context, b)
    divergence = compare_matches(one, other, in_effect=in_effect)
    if as_json:
        show_json(rulings.divergence_view(one, other, divergence))
    else:
        rulings.show_divergence(one, other, divergence)
    if not divergence.is_same:
        raise typer.Exit(1)
