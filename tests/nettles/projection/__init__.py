"""Nettles, projected: how its events fold, look and read."""

from typing import Final

from projections.core import Projection
from tests.nettles.projection import board, picture, state, words

PROJECTION: Final = Projection(
    initial=state.initial,
    apply=state.APPLY,
    to_act=state.to_act,
    invariants=state.invariants,
    view=picture.view,
    draw=picture.draw,
    situation=picture.situation,
    board=board.board,
    story=words.STORY,
    imperatives=words.IMPERATIVES,
    reasons=words.REASONS,
    scored_parts=board.SCORED_PARTS,
    cites=words.CITES,
)
