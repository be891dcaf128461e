"""The tables of the first release, and the triggers that make the log append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ADDS_ONLY = True
NO_WAY_BACK = "these tables hold everything"

LOG = ("ply", "sealed_part")


def upgrade() -> None:
    make_tables()
    if op.get_bind().dialect.name == "sqlite":
        guard_log_on_sqlite()
    else:
        guard_log_on_postgresql()


def guard_log_on_sqlite() -> None:
    """Add the triggers. They need ``PRAGMA recursive_triggers = ON``, or INSERT OR REPLACE bypasses the second one."""
    for table in LOG:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END"
            )


def guard_log_on_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION the_log_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the log is never changed' USING ERRCODE = 'restrict_violation'; END $$"
    )
    for table in LOG:
        op.execute(
            f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION the_log_is_never_changed()"
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION the_log_is_never_changed()"
        )


def make_tables() -> None:
    op.create_table(
        "mailbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("sender", sa.String(length=254), nullable=False),
        sa.Column("recipient", sa.String(length=254), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("message_id", sa.String(length=300), nullable=False),
        sa.Column("source", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_mailbox"),
    )
    op.create_index("ix_mailbox_recipient", "mailbox", ["recipient"], unique=False)
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("mail_stopped_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("email", name="uq_person_email"),
    )
    op.create_table(
        "sign_in_link",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("browser_hash", sa.String(length=64), nullable=False),
        sa.Column("next", sa.String(length=500), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sign_in_link"),
    )
    op.create_index("ix_sign_in_link_email", "sign_in_link", ["email"], unique=False)
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("scopes", sa.String(length=60), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_api_token_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_api_token"),
        sa.UniqueConstraint("token_hash", name="uq_api_token_token_hash"),
    )
    op.create_index("ix_api_token_person_id", "api_token", ["person_id"], unique=False)
    op.create_table(
        "game",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("host_id", sa.Integer(), nullable=True),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("invite_hash", sa.String(length=64), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.Column("asked", sa.JSON(), nullable=False),
        sa.Column("bot_due", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["person.id"], name="fk_game_host_id_person", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("invite_hash", name="uq_game_invite_hash"),
    )
    op.create_index("ix_game_bot_due", "game", ["bot_due"], unique=False)
    op.create_index("ix_game_host_id", "game", ["host_id"], unique=False)
    op.create_index("ix_game_moved_at", "game", ["moved_at"], unique=False)
    op.create_index("ix_game_status", "game", ["status"], unique=False)
    op.create_index("ix_game_status_moved_at", "game", ["status", "moved_at"], unique=False)
    op.create_index("ix_game_title", "game", ["title"], unique=False)
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("address", sa.String(length=254), nullable=True),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("message_id", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_outbox_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("message_id", name="uq_outbox_message_id"),
        sa.UniqueConstraint(
            "person_id",
            "address",
            "game_id",
            "ply",
            "kind",
            "key",
            name="uq_outbox_person_id_address_game_id_ply_kind_key",
        ),
    )
    op.create_index("ix_outbox_game_id", "outbox", ["game_id"], unique=False)
    op.create_index("ix_outbox_person_id", "outbox", ["person_id"], unique=False)
    op.create_index("ix_outbox_state_due_at", "outbox", ["state", "due_at"], unique=False)
    op.create_table(
        "session",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_session_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_session"),
    )
    op.create_index("ix_session_person_id", "session", ["person_id"], unique=False)
    op.create_table(
        "game_secret",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_game_secret_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", name="pk_game_secret"),
    )
    op.create_table(
        "outbox_history",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("notice_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("detail", sa.String(length=500), nullable=False),
        sa.ForeignKeyConstraint(
            ["notice_id"], ["outbox.id"], name="fk_outbox_history_notice_id_outbox", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_outbox_history"),
    )
    op.create_index("ix_outbox_history_notice_id", "outbox_history", ["notice_id"], unique=False)
    op.create_table(
        "ply",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("link", sa.LargeBinary(), nullable=False),
        sa.Column("submission_id", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_ply_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_ply"),
    )
    op.create_table(
        "seat",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(length=20), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id_game"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_seat_person_id_person", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat"),
    )
    op.create_index("ix_seat_person_id", "seat", ["person_id"], unique=False)
    op.create_table(
        "seat_result",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_result_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat_result"),
    )
    op.create_table(
        "submission",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("submission_id", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_submission_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "submission_id", name="pk_submission"),
    )
    op.create_table(
        "sealed_part",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id", "ply"], ["ply.game_id", "ply.ply"], name="fk_sealed_part_game_id_ply_ply"),
        sa.PrimaryKeyConstraint("game_id", "ply", "part", name="pk_sealed_part"),
    )
