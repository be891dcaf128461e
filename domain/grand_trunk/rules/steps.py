"""GTJ 5.1, 5.3: the order of the steps of a turn with the train, which every chapter keeps to."""

from domain.grand_trunk.now import Now
from domain.grand_trunk.state import BEFORE_MOVE, Stage
from domain.refusal import Refused

UNLOAD: frozenset[Stage] = frozenset(("unload",))
UNCOUPLE: frozenset[Stage] = frozenset(("unload", "uncouple"))
COUPLE_AND_LOAD: frozenset[Stage] = frozenset(("unload", "uncouple", "load"))


def must_be_in_step(now: Now, stages: frozenset[Stage]) -> None:
    """GTJ 5.1 The steps come in their order, after the move, and there is no way back."""
    if now.state.stage in stages:
        return
    if now.state.stage in BEFORE_MOVE:
        raise Refused("GTJ 5.1", "You can do this only after the move.")
    raise Refused("GTJ 5.1", "You have already passed this step of your turn.")


def must_not_have_moved(now: Now, rule: str = "GTJ 5.3") -> None:
    """GTJ 5.3 The train moves once. GTJ 13.17 The crane is used before the move."""
    if now.state.stage not in BEFORE_MOVE:
        raise Refused(rule, "Your train has already moved this turn.")


def must_have_moved(now: Now) -> None:
    """GTJ 5.3 In Option 1 the train must move before the turn ends."""
    if now.state.stage in BEFORE_MOVE:
        raise Refused("GTJ 5.3", "Your train has not moved yet.")
