"""Another world behind one view: the store's contents look the same to one seat, and differ for all others."""

import random
from functools import partial

import msgspec
from msgspec.structs import replace

from domain.chance import FreeChance
from domain.messages import own_fields, owner_of
from service.database.store import Store
from tests.toy import CardDrawn, Choose, Whisper, Whispered


def imagine(patch, viewer, seed):
    """From now on the store holds a world that looks the same to ``viewer``: other states, other sealed parts."""
    load, position, plies = Store.load, Store.position, Store.plies

    def other_state(game):
        if not game.state.seats:
            return game
        chance = FreeChance(random.Random(seed))
        return replace(game, state=game.title.rules.imagine(game.title.rules.view(game.state, viewer), chance))

    def other_load(self, *given, **more):
        stored = load(self, *given, **more)
        return replace(stored, game=other_state(stored.game))

    def other_position(self, *given):
        return other_state(position(self, *given))

    def other_plies(self, conn, game_id, title, since=0, until=None):
        changed = partial(_other_ply, title=title, viewer=viewer, secret=bytes(32), game_id=game_id)
        return [changed(stored, ply) for stored, ply in plies(self, conn, game_id, title, since, until)]

    patch.setattr(Store, "load", other_load)
    patch.setattr(Store, "position", other_position)
    patch.setattr(Store, "plies", other_plies)


def _other_ply(stored, ply, *, title, viewer, secret, game_id):
    """Return the ply with other hidden values; its open part and its link stay (the chain's commitments
    are excepted).
    """
    events = tuple(_other_event(event, viewer) for event in ply.events)
    command = ply.command
    if command is not None and ply.seat != viewer and isinstance(command, Choose | Whisper):
        command = Choose(command.card % 9 + 1) if isinstance(command, Choose) else Whisper((command.number + 1) % 100)
    other = replace(ply, events=events, command=command)
    again = title.chain.store(other, stored.link, game_id, secret)
    assert len(again.sealed) == len(stored.sealed)
    return replace(stored, sealed=again.sealed), other


def _other_event(event, viewer):
    sealed = event.HIDDEN or own_fields(type(event))
    if not sealed or owner_of(event) == viewer:
        return event
    if isinstance(event, Whispered):
        return replace(event, number=(event.number + 1) % 100)
    hidden = {name: getattr(event, name) % 9 + 1 for name in own_fields(type(event))}
    assert isinstance(event, CardDrawn) or "card" in hidden
    return msgspec.structs.replace(event, **hidden)
