"""The filter of OpenSMTPD gives the listener's answer for each recipient."""

import pytest
from click.testing import CliRunner

from service.cli import opensmtpd
from service.cli.main import main
from service.cli.opensmtpd import Inquirer, answers
from service.database.store import Store
from tests.listening import letter, listening
from tests.servers import free_port

on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
BEGINNING = ["config|smtpd-version|6.8.0p2", "config|protocol|0.6", "config|ready"]
REGISTERED = ["register|filter|smtp-in|rcpt-to", "register|ready"]


def asked(recipient: str) -> str:
    return f"filter|0.6|1606733112.123456|smtp-in|rcpt-to|7641df9771b4ed00|1ef1c203cc576e5d|{recipient}\n"


def said(answer: str) -> str:
    return f"filter-result|7641df9771b4ed00|1ef1c203cc576e5d|{answer}"


@on_sqlite
def test_existing_recipients_are_accepted_and_no_others(store: Store) -> None:
    address = letter(store)
    with listening(store) as port:
        wanted = (address, f"<{address}>", "g+nobody@localhost", "Postmaster@localhost", "a|b@c", "\xe4@b", "\0@b", "")
        lines = "\n".join(BEGINNING) + "\n" + "".join(map(asked, wanted))
        given = ["opensmtpd-filter", "--host", "127.0.0.1", "--port", str(port)]
        answer = CliRunner().invoke(main, given, input=lines.encode("latin-1"))
    assert answer.exit_code == 0
    there, nobody = said("proceed"), said("reject|550 5.1.1 This is not a reply address of a letter")
    assert answer.output.splitlines() == [*REGISTERED, there, there, nobody, there, *[nobody] * 4]


@on_sqlite
def test_a_listener_that_was_started_again_is_asked_again_and_one_that_is_gone_makes_nobody_unknown(
    store: Store,
) -> None:
    address, port = letter(store), free_port()
    inquirer = Inquirer("127.0.0.1", port)
    for _ in range(2):
        with listening(store, port):
            assert inquirer.refusal(address) == ""
    assert inquirer.refusal(address) == opensmtpd.CANNOT_SAY
    inquirer.close()


def test_other_requests_stay_unanswered() -> None:
    lines = ["", "report|0.6|1|smtp-in|link-connect|7641", "filter|0.6|1|smtp-in|mail-from|7641|1ef1|a@b", "filter|x"]
    assert list(answers(lines, Inquirer("127.0.0.1", 1))) == []
