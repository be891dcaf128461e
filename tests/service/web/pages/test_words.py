"""Words of luck on the pages: fields, the secret's hash that is shown before, what shows that they went in."""

import json

import pytest
from py_mini_racer import MiniRacer
from sqlalchemy import select

from domain import luck
from service.base import links
from service.base.clock import now
from service.database.store import SEATS
from service.notices.owing import OUTBOX
from service.web.pages.frame import style
from tests.service.web.pages.browser import Browser
from tests.service.web.pages.tables import game_id, open_table, players, start

DRAWN, SALT = "12" * 32, "ab" * 32


def table_of(shelf, address):
    with shelf.read() as conn:
        return shelf.load(conn, game_id(address)).game.table


def seat_rows(shelf, address):
    with shelf.read() as conn:
        rows = conn.execute(select(SEATS).where(SEATS.c.game_id == game_id(address)).order_by(SEATS.c.seat)).all()
    return [(row.salt, row.words) for row in rows]


# ==== bringing ====================================================================================
def test_drawn_and_typed_words_are_brought_together(ann, bob, shelf):
    address = open_table(ann, drawn=DRAWN, salt=SALT)
    page = bob.get(address).form("/join").submit("Take seat 2", drawn="34" * 32, salt="cd" * 32, words=" 7 geese ")
    brought = [luck.brought(SALT, DRAWN), luck.brought("cd" * 32, "34" * 32 + " 7 geese")]
    assert [chair.brought for chair in table_of(shelf, address).chairs.values()] == brought
    assert seat_rows(shelf, address) == [(SALT, DRAWN), ("cd" * 32, "34" * 32 + " 7 geese")]
    assert "Your words were used: ply 3 of the log" in page.text
    assert "7 geese" in page.text
    assert "7 geese" not in ann.get(address).html
    assert "7 geese" not in ann.get(f"{address}/audit").html
    assert brought[1] in ann.get(f"{address}/audit").html
    assert "Your words were used: ply 3" in bob.get(f"{address}/audit").text


def test_without_a_script_the_salt_comes_with_the_page_before_the_words(ann, bob, shelf):
    address = open_table(ann)
    form = bob.get(address).form("/join")
    salt = form.filled["salt"]
    assert len(salt) == 64
    assert salt != bob.get(address).form("/join").filled["salt"]
    form.submit("Take seat 2", words="seven geese")
    assert table_of(shelf, address).chairs[2].brought == luck.brought(salt, "seven geese")


def test_an_empty_field_without_a_script_brings_no_words_and_the_page_says_so(ann, bob, shelf):
    address = start(ann, bob)
    assert table_of(shelf, address).brought == ()
    page = ann.get(f"{address}/audit")
    assert "You added no words." in page.text
    assert "Nobody added words of luck, so the operator could have chosen these draws." in page.text


def test_the_list_of_words_marks_bots(ann):
    address = open_table(ann, words="hello", **players("anybody", "random"))
    page = ann.get(address)
    assert "Seat 1, Ann: added words" in page.text
    assert "a bot, which adds no words" in page.text


@pytest.mark.parametrize(
    "entries", [{"drawn": "xyz"}, {"drawn": "AB" * 32}, {"salt": "1"}, {"words": "x" * 131}, {"words": "a\u202eb"}]
)
def test_foreign_forms_are_refused(ann, bob, entries):
    address = open_table(ann)
    assert bob.get(address).form("/join").submit("Take seat 2", **entries).status == 400
    assert ann.get("/games/new").form("/games/new?title=toy").submit(**entries).status == 400


def test_typed_words_stay_in_the_form_when_a_seat_is_refused(ann, bob):
    address = open_table(ann, colour="red")
    refused = bob.get(address).form("/join").submit("Take seat 2", colour="red", words="<geese>")
    assert refused.form("/join").filled["words"] == "<geese>"


# ==== the secret of the host's own table ==========================================================
def test_the_hash_of_the_secret_is_shown_with_the_form_that_opens_the_table(ann, shelf):
    form = ann.get("/games/new").form("/games/new?title=toy")
    commitment = form.filled["commitment"]
    assert ann.get("/games/new").form("/games/new?title=toy").filled["commitment"] == commitment
    page = form.submit("Open the table", words="hello")
    assert table_of(shelf, page.address.partition("?")[0]).commitment == commitment
    assert ann.get("/games/new").form("/games/new?title=toy").filled["commitment"] != commitment


def test_the_fields_of_the_form_name_the_future_table(ann):
    form = ann.get("/games/new").form("/games/new?title=toy")
    (fields,) = [it for it in form.element.walk() if "data-bring" in it.attrs]
    assert fields.attrs["data-commitment"] == form.filled["commitment"]
    page = form.submit("Open the table")
    assert game_id(page.address.partition("?")[0]) == fields.attrs["data-game"]


def test_a_form_with_a_used_secret_comes_back_without_the_words(ann):
    one, other = (ann.get("/games/new").form("/games/new?title=toy") for _ in range(2))
    one.submit("Open the table")
    again = other.submit("Open the table", words="known by now", name="Kept")
    assert again.status == 422
    assert "Please send the form again" in again.text
    form = again.form("title=toy")
    assert (form.filled["name"], form.filled["words"]) == ("Kept", "")
    assert form.submit("Open the table", words="others").status == 200


def test_a_refused_form_keeps_its_secret(ann):
    form = ann.get("/games/new").form("/games/new?title=toy")
    refused = form.submit("Open the table", name="", words="hello")
    assert refused.status == 422
    assert refused.form("title=toy").filled["commitment"] == form.filled["commitment"]


# ==== the script ==================================================================================
SCRIPT = (style.STATIC / "words.js").read_text()
BROWSER = """
const shelf = {};
const localStorage = {
  getItem: (name) => name in shelf ? shelf[name] : null, setItem: (name, value) => { shelf[name] = value; },
};
let drawn = 0;
const crypto = { getRandomValues: (bytes) => { drawn += 1; return bytes.fill(drawn); } };
const form = { addEventListener: (_, then) => { sent = then; } };
const inputs = () => ({ drawn: { value: "" }, salt: { value: "from the page" }, words: { value: "", form } });
let sent = null, page = { bring: [], brought: [] };
function fields(dataset) {
  const named = inputs(), marked = { "without-script": { hidden: false }, "with-script": { hidden: true } };
  const part = (which, pattern) => (pattern.exec(which) || [])[1];
  const querySelector = (which) => named[part(which, /name=(\\w+)/)] || marked[part(which, /data-([\\w-]+)/)];
  return { dataset, named, marked, querySelector };
}
function shown(dataset) {
  const said = ["same", "unknown", "other"].map((word) => ({ hidden: true, dataset: { said: word } }));
  return { dataset, said, querySelectorAll: () => said };
}
const document = { querySelectorAll: (which) => which === "[data-bring]" ? page.bring : page.brought };
function visit(bring, brought) {
  page = { bring: bring ? [fields(bring)] : [], brought: brought ? [shown(brought)] : [] };
  script();
  return page;
}
"""


@pytest.fixture
def browser():
    engine = MiniRacer()
    engine.eval(f"{BROWSER}\nfunction script() {{\n{SCRIPT}\n}}")
    yield lambda source: json.loads(engine.eval(f"JSON.stringify((() => {{ {source} }})())"))
    engine.close()


TABLE = '{ game: "g1", commitment: "c1" }'
BRING = f"const [form] = visit({TABLE}).bring; "


def test_the_script_draws_once_for_each_secret(browser):
    """Else a form could be made to fail until the words suit whoever reads them."""
    first = browser(BRING + "return [form.named.drawn.value, form.named.salt.value];")
    assert first == ["01" * 32, "02" * 32]
    assert browser(BRING + "return [form.named.drawn.value, form.named.salt.value];") == first
    other = browser('const [form] = visit({ game: "g1", commitment: "c2" }).bring; return form.named.drawn.value;')
    assert other == "03" * 32


def test_the_script_replaces_the_fields_for_browsers_without_scripts(browser):
    assert browser(BRING + 'return [form.marked["without-script"].hidden, form.marked["with-script"].hidden];') == [
        True,
        False,
    ]


def said(browser, **changed):
    seated = {"game": "g1", "commitment": "c1", "salt": "02" * 32, "words": "01" * 32 + " geese", "brought": "77" * 32}
    browser(f"return visit(null, {json.dumps({**seated, **changed})}).brought.length;")
    return browser("return page.brought[0].said.filter((each) => !each.hidden).map((each) => each.dataset.said);")


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({}, ["same"]),
        ({"words": "01" * 32}, ["other"]),
        ({"salt": "00" * 32}, ["other"]),
        ({"commitment": "c2"}, ["other"]),
        ({"words": "", "salt": "", "brought": ""}, ["other"]),
        ({"game": "g2"}, ["unknown"]),
        ({"game": "g2", "brought": ""}, []),
    ],
)
def test_the_script_compares_kept_and_shown_words(browser, changed, word):
    browser(BRING + 'form.named.words.value = " geese "; sent(); return 0;')
    assert said(browser, **changed) == word


def test_unsent_words_do_not_count_as_brought(browser):
    browser(BRING + "return 0;")
    assert said(browser) == ["unknown"]


# ==== sealed words ================================================================================
def sealed_table(ann):
    form = ann.get("/games/new").form("/games/new?title=toy")
    page = form.submit("Open the table", sealed_words="yes", seal=luck.brought("", "11" * 32))
    assert page.status == 200, page.text
    return page.address.partition("?")[0]


def test_sealed_words_are_opened_on_the_page_and_the_last_begin_the_game(ann, bob, shelf):
    address = sealed_table(ann)
    assert "words sealed" in ann.get(address).text
    page = bob.get(address).form("/join").submit("Take seat 2", seal=luck.brought("", "22" * 32))
    assert "All seats are taken. The game begins when all sealed words have been opened." in page.text
    assert not ann.get(address).has_form("/start")
    wrong = page.form("/words/open").submit("Open my words", words="11" * 32)
    assert (wrong.status, "#ST-20" in wrong.html) == (422, True)
    assert "data-auto" not in wrong.html, "a script must not try the same again and again"
    assert "data-auto" in bob.get(address).html
    assert wrong.form("/words/open").submit("Open my words", words="nonsense").status == 422
    page.form("/words/open").submit("Open my words", words="22" * 32)
    assert not bob.get(address).has_form("/words/open")
    ann.get(address).form("/words/open").submit("Open my words", words="11" * 32)
    assert table_of(shelf, address).status == "running"
    assert "not even an operator who played." in ann.get(f"{address}/audit").text


def test_the_page_asks_a_player_to_seal_new_words(ann, bob, shelf):
    address = sealed_table(ann)
    bob.get(address).form("/join").submit("Take seat 2", seal=luck.brought("", "22" * 32))
    ann.get(address).form("/words/open").submit("Open my words", words="11" * 32)
    bob.get(address).form("/leave").submit()
    page = ann.get(address).form("/words/seal").submit("Seal my words", seal=luck.brought("", "33" * 32))
    assert not page.has_form("/words/seal")
    assert table_of(shelf, address).chairs[1].brought == luck.brought("", "33" * 32)


def test_sealed_words_need_a_seal(ann, bob):
    form = ann.get("/games/new").form("/games/new?title=toy")
    assert form.submit("Open the table", sealed_words="yes").status == 422
    refused = bob.get(sealed_table(ann)).form("/join").submit("Take seat 2")
    assert (refused.status, "#ST-20" in refused.html) == (422, True)


def test_the_form_of_a_seat_explains_sealed_words(ann, bob):
    assert "you commit to your words now" in bob.get(sealed_table(ann)).text


def test_a_player_with_lost_words_leaves_and_joins_with_new_ones(ann, bob, shelf):
    address = sealed_table(ann)
    page = bob.get(address).form("/join").submit("Take seat 2", seal=luck.brought("", "22" * 32))
    assert "Lost your words?" in page.text
    ann.get(address).form("/words/open").submit("Open my words", words="11" * 32)
    page = page.form("/leave").submit("Leave this seat")
    page.form("/join").submit("Take seat 2", seal=luck.brought("", "44" * 32))
    ann.get(address).form("/words/seal").submit("Seal my words", seal=luck.brought("", "55" * 32))
    bob.get(address).form("/words/open").submit("Open my words", words="44" * 32)
    ann.get(address).form("/words/open").submit("Open my words", words="55" * 32)
    assert table_of(shelf, address).status == "running"


def test_an_emailed_link_opens_words_in_the_readers_zone_without_rights_of_the_host(app, ann, bob, shelf, settings):
    address = sealed_table(ann)
    bob.get(address).form("/join").submit("Take seat 2", seal=luck.brought("", "22" * 32))
    with shelf.read() as conn:
        row = conn.execute(select(OUTBOX).where(OUTBOX.c.kind == "words", OUTBOX.c.seat == 1)).one()
    link = links.turn_address(settings, game_id(address), 1, 3, row.person_id, now(), since=0)
    page = Browser(app).get(link.removeprefix(settings.site))
    assert "The link in the email that brought you here" in page.text
    assert "CET" in page.text or "CEST" in page.text
    assert "UTC" not in page.text
    assert not any(page.has_form(form) for form in ("/leave", "/invite/renew", "/cancel", "/bots/remove"))
    assert "Sign in first" in page.text
    assert "/join/" not in page.html
    page.form("/words/open").submit("Open my words", words="11" * 32)
    assert table_of(shelf, address).sealed.opened == (1,)


SEALED = """
var TextEncoder = class { encode(text) { return text; } };
crypto.subtle = { digest: async (_, text) => Uint8Array.from(text.slice(0, 32), (digit) => 255 - parseInt(digit, 16)) };
var sentBy = 0, asked = [];
function sealing(dataset, box) {
  const note = { hidden: true, code: { textContent: "" }, querySelector() { return this.code; } };
  const byHand = { hidden: false }, parts = ["sealed", "unsealed"].map((of) => ({ hidden: false, dataset: { of } }));
  const seal = { value: "", form }, found = { "[name=seal]": seal, "[data-by-hand]": byHand, "[data-to-note]": note };
  if (box) Object.assign(found, { "[name=sealed_words]": box, "[name=words]": { value: "", form },
    "[name=drawn]": {}, "[name=salt]": {}, "[data-without-script]": {}, "[data-with-script]": {} });
  const querySelector = (which) => found[which] || null;
  return { dataset, seal, note, byHand, parts, querySelector, querySelectorAll: () => parts };
}
document.querySelectorAll = (which) => which === "[data-asked]" ? asked : which === "[data-bring]" ? page.bring : [];
function askFor(dataset) {
  const answer = { elements: { words: { value: "" }, seal: { value: "" } }, submit: () => { sentBy += 1; } };
  asked = [{ dataset, querySelector: () => answer }];
  page = { bring: [], brought: [] };
  script();
  asked = [];
  return answer;
}
function sitDown(box) {
  page = { bring: [sealing(box ? { game: "g1", commitment: "c1" } : { game: "g1", commitment: "c1", sealed: "" }, box)],
           brought: [] };
  script();
  return page.bring[0];
}
"""


@pytest.fixture
def sealer(browser):
    browser(f"(0, eval)({json.dumps(SEALED)}); return 0;")
    return browser


def keep(browser, expression):
    """Let the script run to its end, promises included, before it is looked at."""
    browser(f"globalThis.there = {expression}; return 0;")
    return lambda value: browser(f"return {value};")


SIT = "sitDown()"
ASKED = '{ game: "g1", commitment: "c1", asked: "open", hash: there.seal.value, auto: "" }'


def test_the_script_seals_words_and_shows_them_for_noting(sealer):
    there = keep(sealer, SIT)
    assert there("there.note.code.textContent") == "03" * 32
    assert len(there("there.seal.value")) == 64
    assert there("[there.byHand.hidden, there.note.hidden]") == [True, False]


def test_the_script_opens_its_sealed_words_by_itself(sealer):
    keep(sealer, SIT)
    there = keep(sealer, f"askFor({ASKED})")
    assert there("[there.elements.words.value, sentBy]") == ["03" * 32, 1]


def test_after_a_refusal_the_script_fills_in_the_words_and_sends_nothing(sealer):
    keep(sealer, SIT)
    there = keep(sealer, f"askFor({ASKED.replace(', auto: ' + chr(34) * 2, '')})")
    assert there("[there.elements.words.value, sentBy]") == ["03" * 32, 0]


def test_the_script_ignores_words_that_it_has_not_kept(sealer):
    keep(sealer, SIT)
    there = keep(sealer, 'askFor({ game: "g1", commitment: "c1", asked: "open", hash: "ab", auto: "" })')
    assert there("[there.elements.words.value, sentBy]") == ["", 0]


def test_the_script_seals_new_words_on_request_and_opens_them_later(sealer):
    keep(sealer, SIT)
    again = '{ game: "g1", commitment: "c1", asked: "seal", auto: "" }'
    there = keep(sealer, f"askFor({again})")
    first = there("there.elements.seal.value")
    assert (len(first), there("sentBy")) == (64, 1)
    asks = f'{{ game: "g1", commitment: "c1", asked: "open", hash: "{first}", auto: "" }}'
    assert keep(sealer, f"askFor({asks})")("there.elements.words.value") == "04" * 32


def test_on_an_unsafe_connection_the_script_leaves_the_fields_to_the_person(sealer):
    sealer("delete crypto.subtle; return 0;")
    there = keep(sealer, SIT)
    assert there("[there.seal.value, there.byHand.hidden, there.note.hidden]") == ["", False, True]


def test_the_form_shows_the_chosen_way_to_bring_words(sealer):
    box = "globalThis.box = { checked: false, addEventListener: (_, then) => { globalThis.changed = then; } }"
    there = keep(sealer, f"sitDown({box})")
    assert there("there.parts.map((each) => each.hidden)") == [True, False]
    sealer("box.checked = true; changed(); return 0;")
    assert there("there.parts.map((each) => each.hidden)") == [False, True]
