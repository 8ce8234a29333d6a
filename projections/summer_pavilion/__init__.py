"""The projection of Summer Pavilion: how its events fold, look and read."""

from typing import Final

from projections.core import Projection
from projections.summer_pavilion import board, pavilion, picture, state, sums, words

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
    colour_key=pavilion.colour_key,
)
