"""The lines a person wrote, out of what their mail program made of them."""

import pytest

from service.post.incoming import Question, examine

from . import clients

REPLIES = list(clients.replies())


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: f"{reply.group}: {reply.name}")
def test_what_a_person_wrote_is_read_and_nothing_else(reply: clients.Reply) -> None:
    incoming = examine(Question(reply.raw))
    assert tuple(line.text for line in incoming.lines) == reply.lines
    assert tuple(line.text for line in incoming.alone) == reply.alone


def test_there_are_programs_enough() -> None:
    assert len({client.name for client in clients.CLIENTS}) > 80
