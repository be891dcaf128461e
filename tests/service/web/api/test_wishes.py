"""*Find me a game* over the API."""

from service.wishes import gathering
from tests.service.web.api.world import World

WANTED = {"titles": ["toy"], "paces": ["day"], "seats": [2]}


def test_a_kept_seat_can_be_declined_and_its_wish_rests(world: World) -> None:
    alice, bob = world.person("Alice"), world.person("Bob")
    for who in (alice, bob):
        assert who.post("/me/wishes", WANTED).status_code == 201
    gathering.sweep(world.store, world.store.now())
    [wish] = alice.get("/me/wishes").json["wishes"]
    address = f"/games/{wish['offered']['game_id']}"
    assert "decline" in alice.get(address).json["may"]
    assert [alice.post(f"{address}/decline", {}).status_code for _ in range(2)] == [204, 204]
    [wish] = alice.get("/me/wishes").json["wishes"]
    assert (wish["offered"], wish["rests"], wish["searches"], wish["ended_at"]) == (None, True, False, None)
    assert "decline" not in alice.get(address).json["may"]
