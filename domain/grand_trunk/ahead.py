"""What comes of a command that no preview shows: cards drawn, contracts turned up, choices opened, a turn handed on."""

from domain.grand_trunk import commands as do
from domain.grand_trunk.board import SLOTS
from domain.grand_trunk.rules.contracts import draw_of
from domain.grand_trunk.view import GrandTrunkView
from domain.messages import Command
from domain.words import Sentence

_SLOT_OF = {draw_of(slot): slot for slot in SLOTS}


def ahead(view: GrandTrunkView, command: Command, at: str) -> list[Sentence]:
    """What happens, then what follows. ``at``: the draw or the event that nobody foresees."""
    said = []
    if at in _SLOT_OF:
        said.append(Sentence("Contract {slot} is turned up.", {"slot": _SLOT_OF[at]}))
    if count := _drawn(view, command):
        said.append(Sentence("You draw up to {count:card|cards}.", {"count": count}))
    if isinstance(command, do.ChooseFirstRailcar):
        said.append(Sentence("You choose last. All first railcars are revealed, and the game begins."))
    if isinstance(command, do.EndTurn | do.PerformMaintenance):
        said.append(Sentence("This ends your turn."))
    if isinstance(command, do.Pass):
        said.append(Sentence("You take no more turns in this game."))
    return said


def _drawn(view: GrandTrunkView, command: Command) -> int:
    """GTJ 10.1, 13.18, 14.1 How many cards the seat draws, if its deck and discard pile have so many."""
    own = view.own
    if own is None or own.hand is None:
        return 0
    if isinstance(command, do.UseRoundhouse):
        return 1
    discarded = len(command.discard) if isinstance(command, do.PerformMaintenance) else 0
    refilled = isinstance(command, do.EndTurn | do.PerformMaintenance)
    return max(own.hand_limit - len(own.hand) + discarded, 0) if refilled else 0
