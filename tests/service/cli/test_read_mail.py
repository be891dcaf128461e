"""``slowtrain read-mail``: one mail or many as JSON, whatever their content, without settings or a store."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from domain import TITLES
from domain.orders.folding import alternatives, fold
from service.cli.main import main
from service.cli.read_mail import begins_like_an_order, token_of
from service.words import languages, spoken
from tests.service.post import hostile

TOKEN = "abcdefghijklmnopqrstuvwx23"
MAIL = b"From: ann@home.example\r\nTo: g+%s@play.example\r\nSubject: Re: Your turn\r\n%s\r\n" % (TOKEN.encode(), b"")


def read_mail(given: bytes, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["read-mail", *arguments], input=given)


def test_one_mail_on_standard_input() -> None:
    result = read_mail(MAIL + "move montréal\r\nTake care,\r\nAnn\r\n\r\n> move ottawa\r\n".encode())
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"kind": "orders", "lines": ["move montréal"], "bounces": [], "token": TOKEN}


def test_many_in_their_order_and_one_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "order").write_bytes(MAIL + b"move ottawa\r\n")
    (tmp_path / "größe").write_bytes(MAIL + b"thanks\r\n")
    os.mkfifo(tmp_path / "pipe")
    paths = [tmp_path / "order", tmp_path / "nowhere", tmp_path / "größe", tmp_path, tmp_path / "pipe"]
    result = read_mail("".join(f"{it}\r\n" for it in paths).encode(), "--batch")
    assert result.exit_code == 1
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(it["kind"], it["lines"], "error" in it) for it in told] == [
        ("orders", ["move ottawa"], False),
        ("empty", [], True),
        ("empty", [], False),
        ("empty", [], True),
        ("empty", [], True),
    ]
    assert "nowhere: No such file" in result.stderr


def test_a_report_has_its_addresses_and_their_class() -> None:
    said = (
        b"From: MAILER-DAEMON@mx.example\r\nTo: b+%s@play.example\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nSorry.\r\n--b\r\n"
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
        b"Final-Recipient: rfc822; ann@home.example\r\nAction: %s\r\nStatus: %s\r\n--b--\r\n"
    )
    for action, status, kind, bounces in (
        (b"failed", b"5.1.1", "bounce", [["ann@home.example", "permanent"]]),
        (b"delayed", b"4.4.1", "bounce", [["ann@home.example", "transient"]]),
        (b"delivered", b"2.0.0", "auto", []),
    ):
        told = json.loads(read_mail(said % (TOKEN.encode(), action, status)).stdout)
        assert told == {"kind": kind, "lines": [], "bounces": bounces, "token": TOKEN}


def test_mail_by_a_machine_has_no_lines() -> None:
    told = json.loads(read_mail(b"Auto-Submitted: auto-replied\r\n" + MAIL + b"move ottawa\r\n").stdout)
    assert (told["kind"], told["lines"], told["token"]) == ("auto", [], TOKEN)


def test_refused_mail_is_empty_with_a_reason(tmp_path: Path) -> None:
    refused = list(hostile.refused())
    for number, (_, raw, _) in enumerate(refused):
        (tmp_path / str(number)).write_bytes(raw)
    result = read_mail("\n".join(str(tmp_path / str(number)) for number in range(len(refused))).encode(), "--batch")
    assert [json.loads(line)["kind"] for line in result.stdout.splitlines()] == ["empty"] * len(refused)
    assert [line.rpartition(": ")[2] for line in result.stderr.splitlines()] == [why for _, _, why in refused]
    assert result.exit_code == 0


# ==== what begins like an order ===================================================================
@pytest.mark.parametrize(
    "line",
    [
        "move watertown", "3", "3.", "[3]", "3 12", "$12", "claim duluth-omaha with 2 blue 1 locomotive",
        "bewege ottawa", "claim-route denver__kansas_city.black red,red,locomotive", "lade holz", "zug beenden",
        "take back",
        "move montréal", "keep-tickets toronto__miami", "Lade Kohle ab", "Flachwagen abkoppeln", "End turn.", "pass!",
        "draw the tickets", "bid $12 on Boston–Lowell", "pass, please", "Bitte passe", "und fahre Ottawa", "stimme zu",
        "vacation 1.12.-8.12.", "Ende", "fahre Québec langsam", "biete 12 auf Boston-Lowell", "move watertwon",
        "move Ottawa with Ottawa Flat Car and right of way Peterborough slowly", "nimm alles zurück", "PASS",
        "keep Boston–Miami, Duluth–El Paso, Kansas City–Houston, Los Angeles–New York", "join", "resign", "help",
        "note coal in Boston",
        "bewege Münster und grüße das Gleis für die Königin",
        "Nach Boston fahren", "nutze Duluth–Omaha mit 2 blau 1 Lokomotive", "ship nothing",
    ],
)  # fmt: skip
def test_orders(line: str) -> None:
    assert begins_like_an_order(line)


@pytest.mark.parametrize(
    "line",
    [
        "Take care", "Take care, Bob", "Take care of yourself!", "Keep well", "Keep in touch", "Pass it on to Anna",
        "Look forward to it", "Look forward to your move", "Leave it with me", "Move it, Bob!", "In the end", "The end",
        "Passe gut auf dich auf", "Pass auf dich auf", "Fahr vorsichtig", "Go on", "Drive safely", "Wait and see what",
        "Ich kann morgen leider nicht nach Boston fahren", "Viele Grüße", "Thanks", "Best, Ann", "mov ottawa", "Ottawa",
        "Take the red one if it is there and then let us see what becomes of all this in the end", "", "...",
        "I move to Ottawa", "[3] move Ottawa", "Holiday is what I need", "Note that I am away", "Reise gut", "1234567",
        "Gute Reise", "Bis morgen", "See you in Boston", "Tel. 030 1234567", "look at this",
    ],
)  # fmt: skip
def test_talk_is_no_order(line: str) -> None:
    assert not begins_like_an_order(line)


@pytest.mark.parametrize("title", sorted(TITLES))
def test_every_verb_of_every_title_begins_an_order(title: str) -> None:
    words = TITLES[title].face.words
    for verb in TITLES[title].face.orders.verbs:
        for tag in languages():
            text = spoken(words, tag).texts.get(verb.words.template, verb.words.template)
            for said in alternatives(text):
                line = said.replace("…", "boston") if "…" in said else f"{said} boston"
                assert begins_like_an_order(line), line
                assert begins_like_an_order(" ".join(fold(said))) or "…" in said, said


# ==== tokens ======================================================================================
@pytest.mark.parametrize(
    "address",
    [
        f"g+{TOKEN}@play.example", f"b+{TOKEN}@play.example", f"g.{TOKEN}@play.example",
        f"reply+{TOKEN}@other.example",
        f"srs0=ab12=qx=play.example=g+{TOKEN}@forward.example",
    ],
)  # fmt: skip
def test_tokens(address: str) -> None:
    assert token_of(["ann@home.example", address]) == TOKEN


def test_other_addresses_have_none() -> None:
    assert token_of(["ann+games@home.example", f"x{TOKEN}@play.example", f"ca+{TOKEN}@mail.gmail.com"]) is None


@pytest.mark.parametrize("header", ["Delivered-To", "X-Original-To", "Cc", "In-Reply-To", "References"])
def test_a_token_is_found_wherever_the_way_left_it(header: str) -> None:
    raw = f"{header}: <G+{TOKEN.upper()}@play.example>\r\nFrom: a@home.example\r\nTo: b@play.example\r\n\r\npass\r\n"
    assert json.loads(read_mail(raw.encode()).stdout)["token"] == TOKEN
