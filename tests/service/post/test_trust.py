"""The author of a mail: one person, vouched for by our own MTA or by a signature, whatever its headers claim."""

from collections.abc import Sequence
from pathlib import Path

import dkim
import pytest

from service.post.incoming import Question, examine
from service.post.message import parse
from service.post.trust import Author, is_aligned, is_same, mailbox, verdict

MTA = "mx.play.example"
KEY = Path(__file__).with_name("key.pem").read_bytes()  # made for these tests only
PUBLIC = (
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDQZxzKUFZAxvd3XzoP4JofO4RpNn5CT8ETgX0DQcyr+9cTB96lJRrVOFU4gX4S"
    "UXngrqJ2hPIaqGBQ1N2Fc9qaWMdfm+LPhMT5Tf/8TVQRKfOrXWr07jq/Z/+0SR/YYC3guPsm8qERqRE3WjoJzRYEFM5NZcvUHaFewKur+qHMowIDAQAB"
)
RECORDS = {"s._domainkey.home.example.": f"v=DKIM1; k=rsa; p={PUBLIC}"}
PLAIN = b"From: Anna <anna@home.example>\r\nTo: g@play.example\r\nSubject: Re: Your turn\r\n\r\nmove ottawa\r\n"


def asked(raw: bytes) -> Author:
    """Return the author, with key lookups allowed."""
    return examine(Question(raw, authserv_id=MTA, keys_for="anna@home.example"), RECORDS.get).author


def signed(raw: bytes, domain: bytes = b"home.example", **more: object) -> bytes:
    """Return the mail with a signature."""
    return dkim.sign(raw, b"s", domain, KEY, include_headers=[b"from", b"to", b"subject"], **more) + raw


def stamped(tag: bytes, value: bytes) -> bytes:
    """Return the mail with a valid signature that differs in this tag."""
    real = dkim.DKIM.gen_header

    def with_tag(self: dkim.DKIM, fields: list[tuple[bytes, bytes]], *more: object) -> object:
        others = [it for it in fields if it[0] != tag]
        return real(self, [others[0], (tag, value), *others[1:]], *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dkim.DKIM, "gen_header", with_tag)
        return signed(PLAIN)


def result(said: str, *, above: bytes = PLAIN) -> bytes:
    """Return the mail with an Authentication-Results header."""
    return f"Authentication-Results: {said}\r\n".encode() + above


@pytest.mark.parametrize(
    ("from_", "address"),
    [
        ("anna@home.example", "anna@home.example"),
        ("Anna Player <Anna@Home.example>", "anna@home.example"),
        ('"Player, Anna" <anna@home.example>', "anna@home.example"),
        ("anna@home.example (Anna (the first))", "anna@home.example"),
        ('"bert@home.example" <anna@home.example>', "anna@home.example"),
        ("=?utf-8?q?bert=40home=2Eexample=2C?= <anna@home.example>", "anna@home.example"),
        ("anna@home.example, bert@home.example", ""),
        ("Anna <anna@home.example>, Bert <bert@home.example>", ""),
        ("bert@home.example <anna@home.example>", ""),
        ("Friends: anna@home.example, bert@home.example;", ""),
        ("Friends: anna@home.example;", ""),
        ("<anna@home.example> <bert@home.example>", ""),
        ("<@relay.example:anna@home.example>", ""),
        ("undisclosed", ""),
        ("", ""),
        ("(" * 9000, ""),
        ("=?utf-8?q?anna=40home=2Eexample?=", ""),
    ],
)
def test_an_author_is_one_mailbox(from_: str, address: str) -> None:
    assert mailbox(parse(f"From: {from_}\nTo: g@play.example\n\nx".encode()))[0] == address


def test_two_froms_are_no_author() -> None:
    raw = b"From: bert@home.example\r\n" + signed(PLAIN)
    assert (asked(raw).address, asked(raw).doubt) == ("", "from")


def test_another_sender_is_doubted() -> None:
    raw = result(f"{MTA}; dmarc=pass header.from=home.example", above=b"Sender: eve@evil.example\r\n" + PLAIN)
    author = asked(raw)
    assert (author.doubt, author.is_trusted) == ("sender", False)


@pytest.mark.parametrize(
    ("said", "authentic"),
    [
        ((f"{MTA}; dmarc=pass header.from=home.example",), "by our MTA"),
        ((f"{MTA} 1; spf=fail smtp.mailfrom=x; DMARC=PASS (p=none) header.from=home.example",), "by our MTA"),
        ((f"{MTA.upper()}; dkim=pass (2048-bit key; ok) header.d=home.example header.s=s",), "by our MTA"),
        ((f"{MTA}; dkim=pass header.i=@home.example",), "by our MTA"),
        ((f'{MTA}; dkim=pass reason="good; dmarc=fail" header.d=home.example',), "by our MTA"),
        ((f"{MTA}; dkim/1=pass header.d = home.example",), "by our MTA"),
        ((f"{MTA}; dmarc=fail header.from=home.example; dkim=pass header.d=home.example",), "failed"),
        ((f"{MTA}; dmarc=none header.from=home.example",), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=evil.example",), "unknown"),
        ((f"{MTA}; dkim=pass header.d=evil.example",), "unknown"),
        ((f"{MTA}; dkim=fail header.d=home.example",), "unknown"),
        ((f"{MTA}; spf=pass smtp.mailfrom=home.example",), "unknown"),
        ((f"{MTA} (; dmarc=pass header.from=home.example)",), "unknown"),
        ((f"({MTA}) evil.example; dmarc=pass header.from=home.example",), "unknown"),
        ((f'{MTA}; none reason="; dmarc=pass header.from=home.example"',), "unknown"),
        (("evil.example; dmarc=pass header.from=home.example",), "unknown"),
        ((f"{MTA}.evil.example; dmarc=pass header.from=home.example",), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=home.example", f"{MTA}; dmarc=fail header.from=home.example"), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=home.example", "other.example; dmarc=fail"), "by our MTA"),
        ((f"{MTA}; dmarc=pass",), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=home.example; dmarc=none header.from=home.example",), "unknown"),
        ((f"{MTA}; dkim=pass header.d=evil.example header.d=home.example",), "unknown"),
        ((f'{MTA}; spf=pass smtp.mailfrom="a; dmarc=pass header.from=home.example; x"@evil.example',), "unknown"),
        ((f'{MTA}; spf=pass (of "a); dkim=pass header.d=home.example; x=("@evil.example)',), "unknown"),
        ((f"{MTA}; spf=pass smtp.mailfrom=a); dkim=pass header.d=home.example; x=(@evil.example",), "unknown"),
        ((f'{MTA}; spf=pass smtp.mailfrom="a(b"@evil.example; dkim=pass header.d=home.example',), "by our MTA"),
        ((f"{MTA}; spf=pass (a\\) smtp; dkim=pass header.d=home.example)",), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=home.example", f"{MTA} (; dkim=pass"), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=home.example", ""), "unknown"),
        ((f"{MTA}; dmarc=pass header.from=home.example", "; dmarc=pass"), "by our MTA"),
        ((f"{MTA}",), "unknown"),
        ((f"{MTA};;;=;",), "unknown"),
    ],
)
def test_only_results_of_our_mta_count(said: Sequence[str], authentic: str) -> None:
    assert verdict(tuple(said), MTA, "home.example") == authentic


@pytest.mark.parametrize(
    "name", ["=?us-ascii?q?a=3Bdkim=3Dpass_header.d=3Dhome.example=3B?=", "=?utf-8?b?OyBkbWFyYz1wYXNz?="]
)
def test_text_quoted_by_our_mta_is_never_decoded(name: str) -> None:
    raw = result(f"{MTA}; spf=pass smtp.mailfrom={name}@evil.example; dmarc=none header.from=home.example")
    assert asked(raw).authentic == "unknown"


def test_an_authors_domain_is_compared_as_servers_write_it() -> None:
    plain = "From: Anna <anna@b\u00fccher.example>\r\nTo: g@play.example\r\n\r\nmove ottawa\r\n".encode()
    raw = result(f"{MTA}; dmarc=pass header.from=xn--bcher-kva.example", above=plain)
    assert (asked(raw).address, asked(raw).authentic) == ("anna@b\u00fccher.example", "by our MTA")


@pytest.mark.parametrize(
    ("address", "other", "same"),
    [
        ("anna@b\u00fccher.example", "anna@xn--bcher-kva.example", True),
        ("anna@xn--bcher-kva.example", "anna@b\u00fccher.example", True),
        ("anna@stra\u00dfe.example", "anna@strasse.example", False),
        ("\u0430nna@home.example", "anna@home.example", False),
        ("anna@h\u043eme.example", "anna@home.example", False),
        ("anna@home.example", "anna@home.example.", False),
        ("anna@home.example", "", False),
    ],
)
def test_two_spellings_of_an_address_are_one_address(address: str, other: str, same: bool) -> None:
    assert is_same(address, other) == same


def test_without_a_result_of_our_mta_no_author_is_proved() -> None:
    raw = result("; dmarc=pass header.from=home.example")
    assert examine(Question(raw, authserv_id="")).author.authentic == "unknown"


@pytest.mark.parametrize(
    ("signed_by", "domain", "aligned"),
    [
        ("home.example", "home.example", True),
        ("Home.Example.", "home.example", True),
        ("home.example", "mail.home.example", True),
        ("mail.home.example", "home.example", False),
        ("example", "home.example", False),
        ("evilhome.example", "home.example", False),
        ("", "home.example", False),
        ("evil.example", "home.example", False),
    ],
)
def test_subdomains_align_with_their_parent_but_not_with_a_top_level_domain(
    signed_by: str, domain: str, aligned: bool
) -> None:
    assert is_aligned(signed_by, domain) == aligned


def test_a_signature_of_the_authors_domain_is_good() -> None:
    assert asked(signed(PLAIN)) == Author("anna@home.example", "", "by DKIM", ("g@play.example",))
    assert asked(signed(PLAIN)).is_trusted


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("another body", signed(PLAIN).replace(b"ottawa", b"boston")),
        ("another author", signed(PLAIN).replace(b"anna@", b"bert@")),
        ("another domain's", signed(PLAIN, b"evil.example")),
        ("half the body", signed(PLAIN, length=True) + b"move boston\r\n"),
        ("an unknown key", signed(PLAIN).replace(b"s=s;", b"s=t;")),
        ("an old algorithm", signed(PLAIN).replace(b"rsa-sha256", b"rsa-sha1")),
        ("nonsense", b"DKIM-Signature: v=1; a=rsa-sha256; d=home.example\r\n" + PLAIN),
        ("no tags", b"DKIM-Signature: x\r\n" + PLAIN),
        ("an expired one", stamped(b"x", b"1700000000")),
        ("one of the future", stamped(b"t", b"9999999999")),
        ("another version", signed(PLAIN).replace(b"v=1;", b"v=2;")),
        ("without From", stamped(b"h", b"to : subject")),
        ("an elliptic one that cannot be checked", signed(PLAIN).replace(b"rsa-sha256", b"ed25519-sha256")),
        ("two Subjects", b"Subject: another\r\n".join(signed(PLAIN).partition(b"Subject:")[::2])),
        ("the fourth", b"DKIM-Signature: v=1; d=home.example\r\n" * 3 + signed(PLAIN)),
        ("none", PLAIN),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_invalid_signature_proves_nothing(name: str, raw: bytes) -> None:
    author = asked(raw)
    assert (author.address.partition("@")[2], author.authentic) == ("home.example", "unknown"), name


def test_a_valid_signature_with_another_tag_counts() -> None:
    assert asked(stamped(b"x", b"9999999999")).authentic == "by DKIM"


OURS = b"g@play.example"
TO_EVE = b"From: Anna <anna@home.example>\r\nTo: eve@evil.example\r\nSubject: Well\r\n\r\nmove ottawa\r\n"
PASSED = f"{MTA}; dkim=pass header.d=home.example; dmarc=pass header.from=home.example"


@pytest.mark.parametrize("said", ["", PASSED, f"{PASSED}; spf=pass smtp.mailfrom=eve@evil.example"])
@pytest.mark.parametrize("added", [b"To: " + OURS, b"Cc: " + OURS, b"cc : " + OURS, b"TO: Game <" + OURS + b">"])
def test_a_signed_mail_to_another_person_proves_nothing_to_us(added: bytes, said: str) -> None:
    raw = added + b"\r\n" + signed(TO_EVE)
    author = asked(result(said, above=raw) if said else raw)
    assert OURS.decode() not in author.wrote_to


def test_an_unsigned_recipient_header_does_not_count() -> None:
    raw = dkim.sign(PLAIN, b"s", b"home.example", KEY, include_headers=[b"from", b"subject"]) + PLAIN
    assert (asked(raw).authentic, asked(raw).wrote_to) == ("by DKIM", ())
    assert asked(result(PASSED, above=raw)).wrote_to == ()
    assert asked(result(PASSED, above=signed(raw))).wrote_to == ()


@pytest.mark.parametrize(
    ("spf", "is_first_hand"),
    [
        ("spf=pass smtp.mailfrom=anna@home.example", True),
        ("spf=pass (sender is known) smtp.mailfrom=home.example", True),
        ("spf=pass smtp.mailfrom=eve@evil.example", False),
        ("spf=pass smtp.mailfrom=eve@home.example", False),
        ("spf=pass smtp.helo=home.example", False),
        ("spf=softfail smtp.mailfrom=anna@home.example", False),
        ("spf=fail smtp.mailfrom=home.example; spf=pass smtp.mailfrom=home.example", False),
        ('spf=pass smtp.mailfrom="anna@home.example"@evil.example', False),
        ('spf=pass smtp.mailfrom="x smtp.mailfrom=home.example"', False),
    ],
)
def test_mail_directly_from_the_authors_server_was_written_to_us(spf: str, is_first_hand: bool) -> None:
    raw = dkim.sign(PLAIN, b"s", b"home.example", KEY, include_headers=[b"from", b"subject"]) + PLAIN
    assert bool(asked(result(f"{PASSED}; {spf}", above=raw)).wrote_to) == is_first_hand


@pytest.mark.parametrize("said", [f"{MTA}; dkim=pass header.d=home.example", PASSED])
@pytest.mark.parametrize(
    ("spf", "authentic"),
    [
        ("", "unknown"),
        ("; spf=pass smtp.mailfrom=eve@evil.example", "unknown"),
        ("; spf=fail smtp.mailfrom=anna@home.example", "unknown"),
        ("; spf=pass smtp.mailfrom=anna@home.example", "by our MTA"),
    ],
)
def test_a_signature_of_a_part_of_the_body_vouches_for_nothing_below_it(said: str, spf: str, authentic: str) -> None:
    """Eve has a mail of Anna's with "move ottawa", and adds "resign" below it."""
    raw = signed(PLAIN, length=True) + b"resign\r\n"
    assert dkim.verify(raw, dnsfunc=lambda name, **_: RECORDS.get(name.decode(), "").encode())
    assert asked(result(said + spf, above=raw)).authentic == authentic


@pytest.mark.parametrize(
    ("signature", "authentic"),
    [
        ("v=1; d=home.example; l=10", "unknown"),
        ("v=1; l = 0; d = Home.Example ; b=x", "unknown"),
        ("v=1; d=mail.home.example;l=10", "unknown"),
        ("v=1; d=other.home.example; l=10; l=900", "unknown"),
        ("v=1; l=10", "unknown"),
        ("v=1; d=home.example; b=l=10", "by our MTA"),
        ("v=1; d=home.example; s=l", "by our MTA"),
        ("v=1; d=list.example; l=10", "by our MTA"),
        ("v=1; d=home.example; x=" + "x" * 10_000, "unknown"),
    ],
)
def test_a_signature_counts_only_for_the_part_it_covers(signature: str, authentic: str) -> None:
    raw = f"DKIM-Signature: {signature}\r\n".encode() + PLAIN
    assert asked(result(PASSED, above=raw)).authentic == authentic


def test_a_result_of_our_mta_needs_no_key_lookup() -> None:
    raw = result(f"{MTA}; dmarc=fail header.from=home.example", above=signed(PLAIN))
    assert asked(raw).authentic == "failed"


def test_keys_are_looked_up_only_if_allowed() -> None:
    def nobody(name: str) -> str | None:
        raise AssertionError(name)

    assert examine(Question(signed(PLAIN)), nobody).author.authentic == "unknown"


def test_at_most_three_keys_are_looked_up_and_only_of_the_authors_domain() -> None:
    names: list[str] = []

    def ask(name: str) -> str | None:
        names.append(name)
        return None

    other = b"".join(signed(PLAIN, b"evil.example")[: -len(PLAIN)] for _ in range(2))
    many = b"".join(signed(PLAIN)[: -len(PLAIN)] for _ in range(20))
    examine(Question(other + many + PLAIN, keys_for="anna@home.example"), ask)
    assert names == ["s._domainkey.home.example."]
    examine(Question(many + PLAIN, keys_for="anna@home.example"), ask)
    assert len(names) == 4


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a bare CR in a header", b"X-A: b\rAuthentication-Results: " + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN),
        ("a NUL in a name", b"Authentication-\0Results: " + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN),
        ("a blank before the colon", b"X Authentication-Results: " + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN),
        ("in the body", PLAIN + b"\r\nAuthentication-Results: " + MTA.encode() + b"; dmarc=pass\r\n"),
        ("folded into another", b"X-A: b\r\n Authentication-Results: " + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN),
        ("a form feed", b"X-A: b\x0cAuthentication-Results: " + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN),
        ("a vertical tab", b"X-A: b\x0b\x85Authentication-Results: " + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN),
        (
            "a line separator",
            "X-A: b\u2028Authentication-Results: ".encode() + MTA.encode() + b"; dmarc=pass\r\n" + PLAIN,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_header_is_smuggled_in(name: str, raw: bytes) -> None:
    assert "authentication-results" not in parse(raw), name
    assert asked(raw).authentic == "unknown"


def test_a_bare_cr_makes_no_second_author() -> None:
    raw = b"X-A: b\rFrom: bert@home.example\r\n" + PLAIN
    assert mailbox(parse(raw)) == ("anna@home.example", "")


@pytest.mark.parametrize("end", [b"\n.\n", b"\r\n.\r", b"\r.\r\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\n\n.\r\n"])
def test_text_that_looks_like_the_end_of_a_mail_is_text(end: bytes) -> None:
    raw = PLAIN + end + b"MAIL FROM:<bert@home.example>\r\nFrom: bert@home.example\r\n\r\nmove boston\r\n"
    incoming = examine(Question(raw))
    assert incoming.author.address == "anna@home.example"
    assert incoming.lines[0].text == "move ottawa"
