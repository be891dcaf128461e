"""Talk at tables: its lines, how far people have read them, reports, muted people; notes about a position."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"

ADDS_ONLY = True


def upgrade() -> None:
    op.add_column("person", sa.Column("talk", sa.String(length=10), nullable=False, server_default="mentions"))
    op.add_column("person", sa.Column("silenced_until", sa.BigInteger(), nullable=True))
    op.add_column("game", sa.Column("talk", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("note", sa.Column("version", sa.Integer(), nullable=True))
    op.create_table(
        "mute",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("muted_id", sa.Integer(), nullable=False),
        _time("since"),
        sa.PrimaryKeyConstraint("person_id", "muted_id", name="pk_mute"),
        _person("mute", "person_id"),
        _person("mute", "muted_id"),
    )
    op.create_index("ix_mute_muted_id", "mute", ["muted_id"])
    op.create_table(
        "talk_room",
        *_room("talk_room"),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "room", name="pk_talk_room"),
    )
    op.create_table(
        "talk_line",
        *_room("talk_line"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("writer_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=1000), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=True),
        _time("said_at"),
        _time("deleted_at", null=True),
        sa.PrimaryKeyConstraint("game_id", "room", "number", name="pk_talk_line"),
        sa.UniqueConstraint("key", name="uq_talk_line_key"),
        _person("talk_line", "writer_id"),
    )
    op.create_index("ix_talk_line_writer_id_said_at", "talk_line", ["writer_id", "said_at"])
    op.create_table(
        "talk_mention",
        *_room("talk_mention"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "room", "number", "place", name="pk_talk_mention"),
        _person("talk_mention", "person_id", "SET NULL"),
        sa.ForeignKeyConstraint(
            ["game_id", "room", "number"],
            ["talk_line.game_id", "talk_line.room", "talk_line.number"],
            name="fk_talk_mention_game_id_room_number_talk_line",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_talk_mention_person_id", "talk_mention", ["person_id"])
    op.create_table(
        "talk_read",
        *_room("talk_read"),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        _time("read_at"),
        sa.Column("invites", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "room", "person_id", name="pk_talk_read"),
        _person("talk_read", "person_id"),
    )
    op.create_index("ix_talk_read_person_id", "talk_read", ["person_id"])
    op.create_table(
        "talk_report",
        sa.Column("id", sa.Integer(), nullable=False),
        *_room("talk_report"),
        sa.Column("reporter_id", sa.Integer(), nullable=True),
        sa.Column("why", sa.String(length=300), nullable=False),
        _time("reported_at"),
        _time("settled_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_talk_report"),
        _person("talk_report", "reporter_id", "SET NULL"),
    )
    for column in ("game_id", "reporter_id", "settled_at"):
        op.create_index(f"ix_talk_report_{column}", "talk_report", [column])
    op.create_table(
        "reported_line",
        sa.Column("report_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("writer_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(length=1000), nullable=False),
        _time("said_at"),
        sa.PrimaryKeyConstraint("report_id", "number", name="pk_reported_line"),
        sa.ForeignKeyConstraint(
            ["report_id"], ["talk_report.id"], name="fk_reported_line_report_id_talk_report", ondelete="CASCADE"
        ),
        _person("reported_line", "writer_id"),
    )
    op.create_index("ix_reported_line_writer_id", "reported_line", ["writer_id"])


def _time(name: str, *, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def _room(table: str) -> tuple[Any, ...]:
    """Return the columns of a room at a table."""
    return (
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("room", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=f"fk_{table}_game_id_game"),
    )


def _person(table: str, column: str, on_delete: str = "CASCADE") -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["person.id"], name=f"fk_{table}_{column}_person", ondelete=on_delete)


def downgrade() -> None:
    for table in (
        "reported_line", "talk_report", "talk_read", "talk_mention", "talk_line", "talk_room", "mute",
    ):  # fmt: skip
        op.drop_table(table)
    op.drop_column("note", "version")
    op.drop_column("game", "talk")
    op.drop_column("person", "silenced_until")
    op.drop_column("person", "talk")
