"""GTJ 15: the end of the game and scoring."""

from collections.abc import Iterator

from domain.grand_trunk import commands, events
from domain.grand_trunk.board import CONSTANTS, END_SPACE, WOOD_VALUES
from domain.grand_trunk.cards import SET_GOODS
from domain.grand_trunk.now import Now
from domain.grand_trunk.state import Seat, State
from domain.refusal import Refused
from domain.rules import Action, Chapter
from domain.words import Sentence


# ==== the end begins ==============================================================================
def turn_over(now: Now) -> None:
    """GTJ 15.1 The end begins when a marker stands on 36 or more as its turn ends; GTJ 15.2 that seat has finished."""
    day = now.mine.day
    finished = day >= END_SPACE
    now.happens(events.TurnEnded(now.seat, day, finished))
    if finished and not now.state.end_begun:
        now.happens(events.EndBegun(now.seat, day))
    game_over(now)


def pass_(now: Now, command: commands.Pass) -> None:
    """GTJ 15.3 Once the end has begun a seat may pass at the start of its turn; it plays no more."""
    must_be_able_to_pass(now)
    now.happens(events.SeatPassed(now.seat, now.mine.day))
    game_over(now)


def must_be_able_to_pass(now: Now) -> None:
    """GTJ 15.3 The end has begun, and the turn has not."""
    if not now.state.end_begun:
        raise Refused("GTJ 15.3", "The end of the game has not begun yet.")
    if now.state.stage != "start":
        raise Refused("GTJ 15.3", "You have begun your turn. You can pass only at the start of a turn.")


# ==== the game is over ============================================================================
def must_not_be_over(now: Now) -> None:
    """GTJ 15.4 No command of play in a game that is over."""
    if now.state.stage == "over":
        raise Refused("GTJ 15.4", "The game is over.")


def game_over(now: Now) -> None:
    """GTJ 15.4 When every seat has finished or passed (GTJ 19.7 or one alone is left) the game is over and scored."""
    state = now.state
    staying = [seat for seat in state.seats.values() if not seat.left]
    if len(staying) > 1 and any(seat.playing for seat in staying):
        return
    scores = tuple(score(state, number) for number in state.seats)
    totals = {number: (total, steel, goods) for number, _, _, _, total, steel, goods in scores}
    order = ranking(state, totals)
    best = totals[order[0]]
    winners = tuple(number for number in sorted(state.seats) if not state.seats[number].left and totals[number] == best)
    now.happens(events.GameScored(scores), events.GameOver(winners, order))


def score(state: State, number: int) -> tuple[int, int, int, int, int, int, int]:
    """GTJ 15.5 to 15.7 A seat's line of the scoring. GTJ 19.7 A seat that left scores nothing of it."""
    seat = state.seats[number]
    time, sets, improvements = (0, 0, 0) if seat.left else (time_vp(state, seat), sets_vp(seat), improvements_vp(seat))
    total = seat.vp + time + sets + improvements
    return number, time, sets, improvements, total, seat.delivered["steel"], sum(seat.delivered.values())


def time_vp(state: State, seat: Seat) -> int:
    """GTJ 15.5 1 VP for every day behind the marker that is furthest on, of the seats that stayed (GTJ 19.7)."""
    furthest = max(each.day for each in state.seats.values() if not each.left)
    return (furthest - seat.day) * CONSTANTS.vp_per_day_behind_leader


def sets_vp(seat: Seat) -> int:
    """GTJ 15.6 3 VP for every set of one coal, one iron and one wood delivered."""
    return min(seat.delivered[good] for good in SET_GOODS) * CONSTANTS.vp_per_coal_iron_wood_set


def improvements_vp(seat: Seat) -> int:
    """GTJ 15.7 For every improvement the value of the seat's space on the wood track."""
    return len(seat.improvements) * WOOD_VALUES[seat.wood]


def ranking(state: State, totals: dict[int, tuple[int, int, int]]) -> tuple[int, ...]:
    """GTJ 15.8, 15.9 Most VP, then most delivered steel, then most delivered goods; seats that left come last."""
    return tuple(
        sorted(state.seats, key=lambda number: (state.seats[number].left, *(-each for each in totals[number])))
    )


# ==== in the list of legal actions ================================================================
PASS = Action(commands.Pass(), "pass", Sentence("Pass: take no more turns"))


def candidates(now: Now) -> Iterator[Action]:
    """Return passing."""
    if now.allows(must_be_able_to_pass):
        yield PASS


CHAPTER = Chapter({commands.Pass: pass_}, candidates, sure=True)
