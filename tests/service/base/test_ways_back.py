"""Addresses for answers and reports: issued in the form of the settings, and found again in any spelling."""

from pathlib import Path

import pytest

from config.settings import Settings
from service.base import ways_back

FORMS = {
    "": "g+{}@localhost",
    "club+{}@example.org": "club+g.{}@example.org",
    "{}@club.example.org": "g+{}@club.example.org",
}


@pytest.mark.parametrize("form", FORMS)
def test_an_address_has_the_form_of_the_settings_and_is_found_again(tmp_path: Path, form: str) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, reply_addresses=form)
    token = ways_back.token_for(settings, "g", "<letter.1@localhost>")
    address = ways_back.address(settings, "g", token)
    assert address == FORMS[form].format(token)
    assert len(address.partition("@")[0]) <= 64
    assert address.startswith(ways_back.beginnings(settings)[0])
    for spelt in (address, f" {address.upper()} "):
        assert ways_back.token_in(settings, "g", spelt) == token
        assert ways_back.token_in(settings, "b", spelt) is None
    with_dot = address.replace(f"g+{token}", f"g.{token}")
    assert ways_back.token_in(settings, "g", with_dot) == token, "for servers that know no plus sign"


@pytest.mark.parametrize("form", FORMS)
def test_addresses_are_found_in_a_text_but_not_in_other_words(tmp_path: Path, form: str) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, reply_addresses=form)
    one = ways_back.address(settings, "g", "a" * 26)
    other = ways_back.address(settings, "b", "b" * 26)
    text = f"To: Slow Train <{one.upper()}>, {other};\nCc: {one}, x{one}, .{one}, {one}.example.net, {one}x, {one[1:]}"
    assert ways_back.found_in(settings, text) == (one, other)
