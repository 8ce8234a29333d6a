"""The projection of Azul: how its events fold, look and read."""

from typing import Final

from projections.azul import board, picture, state, sums, words
from projections.core import Projection

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
    subjects=words.SUBJECTS,
    scored_parts=board.SCORED_PARTS,
    sums=sums.SUMS,
    slips=sums.SLIPS,
    cites=sums.CITES,
    colour_key=picture.colour_key_of(state.EDITION),
)
