"""Remarks: the tags and comments of an imported record, kept outside the chain so that an export gives them back."""

import sqlalchemy as sa
from alembic import op

revision: str = "0003_remarks"
down_revision: str | None = "0002_signatures"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    identifier = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "remark",
        sa.Column("match_id", identifier, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "position", name="pk_remark"),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name="fk_remark_match_id_match"),
        sqlite_with_rowid=False,
    )
