"""The projection of Master Chocolatier: how its events fold, look and read."""

from typing import Final

from projections.azul import state as azul
from projections.azul import sums
from projections.azul.picture import colour_key_of, situation
from projections.core import Projection
from projections.master_chocolatier import board, picture, state, words

PROJECTION: Final = Projection(
    initial=state.initial,
    apply=state.APPLY,
    to_act=azul.to_act,
    invariants=state.invariants,
    view=picture.view,
    draw=picture.draw,
    situation=situation,
    board=board.board,
    story=words.STORY,
    imperatives=words.IMPERATIVES,
    reasons=words.REASONS,
    subjects=words.SUBJECTS,
    scored_parts=board.SCORED_PARTS,
    sums=sums.SUMS,
    slips=sums.SLIPS,
    cites=sums.CITES,
    colour_key=colour_key_of(state.EDITION),
)
