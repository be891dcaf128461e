"""The tables of the first release, and the triggers that make the log append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = None

ADDS_ONLY = True
NO_WAY_BACK = "these tables hold everything"

LOG = ("ply", "sealed_part")


def upgrade() -> None:
    make_people()
    make_games()
    make_notices()
    make_checks()
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


def make_people() -> None:
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
        sa.Column("wakes_at", sa.Integer(), nullable=False, server_default="480"),
        sa.Column("sleeps_at", sa.Integer(), nullable=False, server_default="1320"),
        sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("digest_at", sa.Integer(), nullable=True),
        sa.Column("mail_flagged_at", sa.BigInteger(), nullable=True),
        sa.Column("mail_flag", sa.String(length=300), nullable=False, server_default=""),
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
        "address_link",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_address_link_person_id_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name="pk_address_link"),
    )
    op.create_index("ix_address_link_person_id", "address_link", ["person_id"], unique=False)
    op.create_table(
        "erased_person",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_erased_person"),
    )
    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("first_day", sa.String(length=10), nullable=False),
        sa.Column("last_day", sa.String(length=10), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_absence_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_absence"),
    )
    op.create_index("ix_absence_person_id", "absence", ["person_id"], unique=False)
    op.create_table(
        "mail_switch",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_mail_switch_person_id_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "game_id", "kind", name="pk_mail_switch"),
    )
    op.create_table(
        "presence",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_presence_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "game_id", name="pk_presence"),
    )


def make_games() -> None:
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
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["person.id"], name="fk_game_host_id_person", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("invite_hash", name="uq_game_invite_hash"),
    )
    op.create_index("ix_game_bot_due", "game", ["bot_due"], unique=False)
    op.create_index("ix_game_host_id", "game", ["host_id"], unique=False)
    op.create_index("ix_game_title", "game", ["title"], unique=False)
    op.create_index("ix_game_due_at", "game", ["due_at"], unique=False)
    op.create_index("ix_game_status_created_at", "game", ["status", "created_at"], unique=False)
    op.create_table(
        "game_secret",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_game_secret_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", name="pk_game_secret"),
    )
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
        "sealed_part",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id", "ply"], ["ply.game_id", "ply.ply"], name="fk_sealed_part_game_id_ply_ply"),
        sa.PrimaryKeyConstraint("game_id", "ply", "part", name="pk_sealed_part"),
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
        "seat",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(length=20), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.Column("erased_at", sa.BigInteger(), nullable=True),
        sa.Column("vacant_since", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id_game"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_seat_person_id_person", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat"),
    )
    op.create_index("ix_seat_person_id", "seat", ["person_id"], unique=False)
    op.create_index("ix_seat_vacant_since", "seat", ["vacant_since"], unique=False)
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
        "seat_clock",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("reminders", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_clock_game_id_game"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seat_clock"),
    )
    op.create_index("ix_seat_clock_remind_at", "seat_clock", ["remind_at"], unique=False)
    op.create_table(
        "clock_to_move",
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_clock_to_move_game_id_game"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_clock_to_move_person_id_person", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("game_id", "seat", "ply", name="pk_clock_to_move"),
    )
    op.create_index("ix_clock_to_move_person_id", "clock_to_move", ["person_id"], unique=False)
    op.create_table(
        "sandbox",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("imagined", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("note", sa.String(length=2000), nullable=False),
        sa.Column("bots", sa.JSON(), nullable=False),
        sa.Column("start", sa.LargeBinary(), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_sandbox_person_id_person", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_sandbox_game_id_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_sandbox"),
    )
    op.create_index("ix_sandbox_person_id", "sandbox", ["person_id"], unique=False)
    op.create_index("ix_sandbox_game_id", "sandbox", ["game_id"], unique=False)
    op.create_table(
        "sandbox_ply",
        sa.Column("sandbox_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sandbox_id"], ["sandbox.id"], name="fk_sandbox_ply_sandbox_id_sandbox", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sandbox_id", "ply", name="pk_sandbox_ply"),
    )


def make_notices() -> None:
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
        sa.Column("held", sa.String(length=12), nullable=True),
        sa.Column("told_by", sa.String(length=200), nullable=True),
        sa.Column("resent", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
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
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(length=500), nullable=False),
        sa.Column("kinds", sa.String(length=300), nullable=False),
        sa.Column("nonce", sa.String(length=32), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.String(length=300), nullable=False),
        sa.Column("disabled_for", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_webhook_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_webhook"),
    )
    op.create_index("ix_webhook_person_id", "webhook", ["person_id"], unique=False)
    op.create_table(
        "webhook_call",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("notice_key", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("detail", sa.String(length=300), nullable=False),
        sa.ForeignKeyConstraint(
            ["webhook_id"], ["webhook.id"], name="fk_webhook_call_webhook_id_webhook", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_webhook_call"),
        sa.UniqueConstraint("key", name="uq_webhook_call_key"),
    )
    op.create_index("ix_webhook_call_webhook_id", "webhook_call", ["webhook_id"], unique=False)
    op.create_index("ix_webhook_call_state_due_at", "webhook_call", ["state", "due_at"], unique=False)
    op.create_table(
        "feed",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_feed_person_id_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "kind", name="pk_feed"),
        sa.UniqueConstraint("token_hash", name="uq_feed_token_hash"),
    )
    owe_once()


def owe_once() -> None:
    """Make notices unique, in two indexes: for a constraint all NULLs differ, and each notice has one."""
    for column, name in (("person_id", "person"), ("address", "address")):
        there = sa.text(f"{column} IS NOT NULL")
        op.create_index(
            f"ix_outbox_once_a{'n' * (name == 'address')}_{name}",
            "outbox",
            [column, "game_id", "ply", "kind", "key"],
            unique=True,
            sqlite_where=there,
            postgresql_where=there,
        )


def make_checks() -> None:
    op.create_table(
        "check_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("night", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("program", sa.String(length=40), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("plies", sa.Integer(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("spent", sa.Integer(), nullable=False),
        sa.Column("titles", sa.JSON(), nullable=False),
        sa.Column("done_created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_id", sa.String(length=26), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_check_run"),
        sa.UniqueConstraint("night", name="uq_check_run_night"),
    )
    op.create_table(
        "check_difference",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=26), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=True),
        sa.Column("what", sa.String(length=500), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["check_run.id"], name="fk_check_difference_run_id_check_run", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_check_difference"),
    )
    op.create_index("ix_check_difference_run_id", "check_difference", ["run_id"])
    op.create_table(
        "heartbeat",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeat"),
    )
    op.create_table(
        "outage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outage"),
    )
    op.create_index("ix_outage_settled_at", "outage", ["settled_at"], unique=False)
