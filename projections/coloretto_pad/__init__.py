"""The projection of a Coloretto score pad: how its events fold, look and read."""

from typing import Final

from projections.coloretto import state as coloretto
from projections.coloretto.board import SCORED_PARTS
from projections.coloretto.picture import colour_key
from projections.coloretto.sums import SLIPS, SUMS
from projections.coloretto.words import REASONS
from projections.coloretto_pad import board, picture, state, words
from projections.core import Projection

PROJECTION: Final = Projection(
    initial=state.initial,
    apply=state.APPLY,
    to_act=state.to_act,
    invariants=coloretto.invariants,
    view=picture.view,
    draw=picture.draw,
    situation=picture.situation,
    board=board.board,
    story=words.STORY,
    imperatives=words.IMPERATIVES,
    reasons=REASONS,
    scored_parts=SCORED_PARTS,
    sums=SUMS,
    slips=SLIPS,
    cites=words.CITES,
    colour_key=colour_key,
)
