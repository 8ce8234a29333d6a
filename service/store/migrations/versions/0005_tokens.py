"""Who may do what in a match that is reached over a network: tokens, kept as hashes."""

import sqlalchemy as sa
from alembic import op

revision: str = "0005_tokens"
down_revision: str | None = "0004_journal"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    identifier = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "token",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "role", "seat", name="pk_token"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_token_match_id_match"),
        sa.CheckConstraint("role IN ('host', 'seat', 'arbiter', 'spectator')", name=op.f("ck_token_role")),
        sa.CheckConstraint("length(hash) IN (0, 32)", name=op.f("ck_token_hash")),
        sqlite_with_rowid=False,
    )
