"""GTJ 11.2: cards are played from the hand. ``rule``: the number of the rule that asks for the card."""

from domain.grand_trunk.cards import CARDS, CARRIES
from domain.grand_trunk.now import Now
from domain.refusal import Refused


def must_be_in_hand(now: Now, card: str, rule: str = "GTJ 11.2") -> None:
    """GTJ 11.2 An action card is played from the hand. GTJ 5.4, 8.3, 13.17 to 13.19, 14.1 So are other cards."""
    if card not in now.mine.hand:
        raise Refused(rule, "{card} is not in your hand.", card=card)


def must_show(now: Now, card: str, action: str) -> None:
    """GTJ 11.2 An action card is played from the hand and carries out the action it shows."""
    must_be_in_hand(now, card)
    if CARDS[card].action != action:
        raise Refused("GTJ 11.2", "{card} does not show {action}.", card=card, action=action)


def must_be_a_railcar(card: str, rule: str) -> None:
    """GTJ 8.3, 11.8, 13.16, 13.17 Only railcars are coupled, or stand on the spur."""
    if card not in CARRIES:
        raise Refused(rule, "{card} is not a railcar.", card=card)
