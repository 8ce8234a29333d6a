"""The projections of the Azul and Master Chocolatier score pads: how their events fold, look and read."""

from typing import Final

from projections.azul.board import SCORED_PARTS
from projections.azul.picture import colour_key_of
from projections.azul.state import EDITION, Edition
from projections.azul.sums import SUMS
from projections.azul.words import subjects_of
from projections.azul_pad import board, picture, state, sums, words
from projections.core import Projection
from projections.master_chocolatier.state import EDITION as CHOCOLATIER
from projections.pads import to_enter


def _projection(edition: Edition) -> Projection:
    return Projection(
        initial=state.initial_of(edition),
        apply=state.APPLY,
        to_act=to_enter,
        invariants=state.invariants,
        view=picture.view,
        draw=picture.draw,
        situation=picture.situation,
        board=board.board,
        story=words.story_of(edition),
        imperatives=words.imperatives_of(edition),
        reasons=words.reasons_of(edition),
        subjects=subjects_of(edition),
        scored_parts=SCORED_PARTS,
        sums=SUMS,
        slips=sums.SLIPS,
        cites=sums.CITES,
        colour_key=colour_key_of(edition),
    )


PROJECTION: Final = _projection(EDITION)
CHOCOLATIER_PROJECTION: Final = _projection(CHOCOLATIER)
