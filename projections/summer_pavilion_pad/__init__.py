"""The projection of a Summer Pavilion score pad: how its events fold, look and read."""

from typing import Final

from projections.core import Projection
from projections.pads import to_enter
from projections.summer_pavilion.pavilion import colour_key
from projections.summer_pavilion.sums import SLIPS, SUMS
from projections.summer_pavilion.words import REASONS
from projections.summer_pavilion_pad import board, picture, state, words

PROJECTION: Final = Projection(
    initial=state.initial,
    apply=state.APPLY,
    to_act=to_enter,
    invariants=state.invariants,
    view=picture.view,
    draw=picture.draw,
    situation=picture.situation,
    board=board.board,
    story=words.STORY,
    imperatives=words.IMPERATIVES,
    reasons=REASONS,
    subjects=words.SUBJECTS,
    scored_parts=board.SCORED_PARTS,
    sums=SUMS,
    slips=SLIPS,
    cites=words.CITES,
    colour_key=colour_key,
)
