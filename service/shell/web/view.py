"""A table at one point of its history: whose turn it is and why, what just happened, the drawing.

This is what changes with every step. The table and the replay show the same, and their modules put a new one in the
place of an old one.
"""

from projections.words import count
from service.play.history import History
from service.play.listing import outlook, stands
from service.shell.answers.match import told
from service.shell.page.escape import escape
from service.shell.page.svg import table_drawing


def view(history: History) -> str:
    """The table as it stands at the end of this history."""
    table, last = history.table, history.envelopes[-1]
    projection = history.game.projection
    on_turn = projection.to_act(table.state) if table.status == "playing" else ()
    # The last step: what one is told who was not looking for a moment.
    sentences = [f"<li>{escape(told(history, entry))}</li>" for entry in history.step_entries(last.step)]
    return (
        f'<section class="view" data-match="{escape(history.id)}" data-head="{last.seq}" data-step="{last.step}"'
        f' data-status="{escape(table.status)}" data-turn="{",".join(map(str, on_turn))}">'
        f'<p class="turn">{turn_words(history)}</p>'
        f'<ul class="told" aria-label="What just happened">{"".join(sentences)}</ul>'
        f"{table_drawing(history, table)}</section>"
    )


def turn_words(history: History) -> str:
    """Whose turn it is and why, or what is waited for, or how it ended; as markup."""
    table, game = history.table, history.game
    free = table.opened.seats - len(table.nonces)
    where = f"waits for {count(free, 'player')}" if free else stands(outlook(history), history.names)
    situation = game.projection.situation(table.state) if table.status == "playing" else ""
    return f"<strong>{escape(where[:1].upper() + where[1:])}</strong>{escape(f' · {situation}' if situation else '')}"
