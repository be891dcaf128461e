"""Findings of the nightly check are stored as template and facts, no longer as English sentences."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

ADDS_ONLY = True

ROWS = sa.table(
    "check_difference", sa.column("id", sa.Integer), sa.column("what", sa.String), sa.column("facts", sa.JSON)
)
TEMPLATES = (
    "The log is empty.",
    "decided again it gives other bytes.",
    "decided again it gives other bytes than the log has.",
    "it, or a sealed part of it, is stored as something else than bytes.",
    "it is missing; the next one that is there is ply {next}.",
    "its sealed part {place} is missing.",
    "its link does not follow from the link before it and what it holds: its bytes or its link were changed.",
    "its link does not follow from the link before it and what it holds: its bytes, a sealed part of it, its "
    "link or the game's secret were changed.",
    "its bytes cannot be read as a ply of this title: {error}",
    "it calls itself ply {number}.",
    "it has no known cause, or no events.",
    "a sealed part lies with another seat than it was made for.",
    "it does not open a table of this title.",
    "the game's secret is not the one whose hash was published here.",
    "the rules refuse its command: {why}",
    "its command cannot be decided: {error}",
    "by the code of release {release}: {fault}",
    "the draw “{name}” does not follow from the game's secret.",
    "its events cannot be applied: {error}",
    "the rules make event {place} of its command {now}, where the log has {then}.",
    "the rules make {made} events of its command, where the log has {there}.",
    "the rules ask other draws of its command than the log has.",
    "it was decided by version {rules} of the rules; this program knows version {newest}.",
    "it was decided by version {rules} of the rules; they begin with version 1.",
    "it was decided by version {rules} of the rules, and a ply before it by version {before}: no game goes back "
    "to older rules.",
    "it has no time, or none that there is.",
    "its time lies before that of the ply before it.",
    "its command is about a seat that the table does not have.",
    "its command comes from no seat, but it says seat {seat}.",
    "seat {seat} takes seat {other}.",
    "seat {seat} asks itself whether to go back.",
    "the table has no seat {seat}.",
    "“{given}” is no fingerprint: {least} or more of the digits 0 to 9 and a to f.",
    "The fingerprint {given} belongs to no ply: what was shown with it is not what stands here now.",
    "What is stored of it cannot be read ({error}).",
    "It could not be checked: {error}.",
    "This program does not know the title {title}.",
    "The log ends with ply {last}, but the game's row says {said}: plies are missing.",
    "The link of the last ply is not the one in the game's row.",
    "The game's row says something else than the log of how far the game is or whom it waits for.",
    "The game's row says something else than the log of when the next clock runs out.",
    "The result that is kept is not the one that follows from the log.",
)
"""The sentences of all findings of earlier releases."""


def upgrade() -> None:
    op.add_column("check_difference", sa.Column("facts", sa.JSON(), nullable=False, server_default="{}"))
    for row in op.get_bind().execute(sa.select(ROWS.c.id, ROWS.c.what)).all():
        what, facts = _taken_apart(row.what)
        op.execute(sa.update(ROWS).where(ROWS.c.id == row.id).values(what=what, facts=facts))


def downgrade() -> None:
    for row in op.get_bind().execute(sa.select(ROWS)).all():
        op.execute(sa.update(ROWS).where(ROWS.c.id == row.id).values(what=_whole(row.what, row.facts)[:500]))
    op.drop_column("check_difference", "facts")


def _taken_apart(sentence: str) -> tuple[str, dict[str, object]]:
    """Return the template of a sentence and its facts. An unknown sentence becomes a fact itself."""
    for template, pattern in _PATTERNS:
        if found := pattern.fullmatch(sentence):
            facts: dict[str, object] = dict(found.groupdict())
            if "fault" in facts:
                what, inner = _taken_apart(found["fault"])
                facts["fault"] = {"what": what, "facts": inner}
            return template, facts
    return "{fault}", {"fault": sentence}


def _whole(what: str, facts: dict[str, object]) -> str:
    said = {name: _whole(**it) if isinstance(it, dict) else it for name, it in facts.items()}
    return re.sub(r"\{(\w+)\}", lambda field: str(said.get(field[1], field[0])), what)


_BY_WORDS = sorted(TEMPLATES, key=lambda template: -len(re.sub(r"\{\w+\}", "", template)))
"""Those with the most fixed words come first: a field matches anything."""
_PATTERNS = [
    (template, re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(template)), re.DOTALL))
    for template in _BY_WORDS
]
