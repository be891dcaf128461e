"""Why a mail or a call was not made: a sentence of ours has facts, which tell it from the words of other servers."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

ADDS_ONLY = True

REWORDED = {
    "a later mail tells of it": "a later email says the same",
    "a later mail tells of the proposal": "a later email covers the proposal",
    "a later mail tells of this turn": "a later email covers this turn",
    "mail to your address comes back": "email to your address bounces",
    "the claim has run out": "the attempt took too long",
    "the deadline has moved": "the deadline has changed",
    "the game cannot be seen any more": "you can no longer see the game",
    "the mail server cannot carry this address": "the mail server does not support this address",
    "the proposal no longer stands": "the proposal no longer applies",
    "the service was stopped meanwhile": "the service was stopped in the meantime",
    "the time is over": "time is up",
    "what it had to say is forgotten": "its content is no longer available",
    "you have a seat again, or it has begun": "you have a seat again, or the game has begun",
    "you have agreed already": "you have already agreed",
    "you have done it": "you have already done it",
    "you have stopped all mail": "you have stopped all email",
}
KEPT = (
    "somebody has left since", "the game goes on", "the game has started or was called off", "the game is over",
    "the game is paused again", "the link has expired or was used", "the seat is taken", "the seat is taken again",
    "the mail server does not answer",
    "the turn is over", "you are blocked", "you have acted since", "you have confirmed it", "you have left the table",
    "you have moved since", "you want no invitations",
)  # fmt: skip
TABLES = ("outbox_history", "webhook_call")


def upgrade() -> None:
    """Texts that are in neither list were said by other servers, or by releases before these, and stay as they are."""
    for name in TABLES:
        op.add_column(name, sa.Column("facts", sa.JSON(none_as_null=True), nullable=True))
        table = sa.table(name, sa.column("detail", sa.String), sa.column("facts", sa.JSON))
        for before, now in (REWORDED | {text: text for text in KEPT}).items():
            op.execute(table.update().where(table.c.detail == before).values(detail=now, facts={}))


def downgrade() -> None:
    for name in TABLES:
        op.drop_column(name, "facts")
