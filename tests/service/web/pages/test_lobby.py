"""The lobby: open tables and their filter, which stands in the address; tables that ask something of their players."""

from tests.service.web.pages.tables import open_table


def test_the_filter_stands_in_the_address_and_has_a_way_out(ann, bob):
    open_table(ann, name="German table", table_lang="de")
    open_table(ann, name="English table", table_lang="en")
    page = bob.get("/games")
    assert "2 open tables" in page.text
    page = page.form("/games#open").submit("Show", lang="de")
    assert "lang=de" in page.address
    assert "1 of 2 open tables match." in page.text
    assert "German table" in page.text
    assert "English table" not in page.text
    page = bob.get("/games?seats=2&rated=yes&finished=90")
    assert "No open table matches." in page.text
    assert "English table" in page.follow("Show all").text
    assert "Open a game" in bob.get("/games?title=toy&rated=yes").follow("Open such a game yourself").text


def test_a_filter_that_means_nothing_filters_nothing(ann, bob):
    open_table(ann, name="Rails")
    page = bob.get("/games?title=chess&seats=many&pace=slow&lang=xx&rated=maybe&finished=1&page=0")
    assert page.status == 200
    assert "Rails" in page.text
    assert "open tables match" not in page.text


def test_a_table_says_what_it_asks_and_refuses_with_the_same_words(ann, bob):
    table = open_table(ann, name="Rails", rating_low="30", newcomers=[], finished="90")
    page = bob.get(table)
    assert "rating of at least 30, at least 90 % of games finished, no newcomers" in page.text
    assert "This table asks for at least 5 rated games of its title; you have 0." in page.text
    assert not page.has_form("/join")
    line = bob.get("/games").text
    assert "rating of at least 30" in line
    game_id = table.rpartition("/")[2]
    answer = bob.client.post(f"/api/v1/games/{game_id}/join", json={}, headers={"Origin": "http://localhost"})
    assert answer.status_code in (403, 409, 422), answer.text


def test_the_form_keeps_what_was_sent_and_names_a_bad_range(ann):
    page = (
        ann.get("/games/new").form("/games/new?title=toy").submit("Open the table", rating_low="40", rating_high="20")
    )
    assert page.status == 422
    assert "Its range begins with the lower end." in page.text
    assert 'value="40"' in page.response.text


def test_the_host_changes_whom_free_seats_are_for(ann, bob, shelf):
    table = open_table(ann, name="Rails", table_lang="de")
    assert not bob.get(table).has_form("/offer")
    form = ann.get(table).form("/offer")
    assert (form.filled["table_lang"], form.filled["newcomers"]) == ("de", "yes")
    page = form.submit(table_lang="en", rating_low="40", rating_high="20")
    assert page.status == 422
    assert "Its range begins with the lower end." in page.text
    page = page.form("/offer").submit(rating_low="20", rating_high="40", newcomers=None)
    assert "rating from 20 to 40, no newcomers" in page.text
    assert "Language English" in page.text
    line = bob.client.get("/api/v1/games?which=open").json["games"][0]
    assert line["offer"] == {"lang": "en", "rating_low": 20, "rating_high": 40, "finished": 0, "newcomers": False}
    address = f"/api/v1{table}/offer"
    assert ann.client.put(address, json={"by_invitation": True}).status_code == 204
    assert "Only people with the invitation can take a seat" in bob.get(table).text
    shown = bob.client.get(f"/api/v1{table}").json
    assert (shown["by_invitation"], shown["offer"]["lang"]) == (True, "")
