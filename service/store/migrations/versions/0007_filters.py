"""Indexes by which a list is as quick among a million matches as among a hundred, whatever it is filtered by."""

import sqlalchemy as sa
from alembic import op

revision: str = "0007_filters"
down_revision: str | None = "0006_seals"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    op.create_index("ix_match_game_moved_at_id", "match", ["game", "moved_at", "id"])
    # Few matches are on at a time; the many that are closed have no place in this one.
    unfinished = sa.text("status <> 'closed'")
    op.create_index(
        "ix_match_unfinished", "match", ["moved_at", "id"], sqlite_where=unfinished, postgresql_where=unfinished
    )
