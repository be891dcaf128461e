"""Opening a table, taking and giving up seats, sealed words, starting and cancelling (ST 1 to ST 5, ST 20)."""

from domain import luck
from domain.at_table import AtTable, keeps_to_the_least
from domain.game import choice_of, options_of
from domain.lifecycle import (
    CancelGame,
    GameCancelled,
    GameStarted,
    GiveUpSeat,
    OpenTable,
    OpenTable1,
    SeatGivenUp,
    SeatTaken,
    SeatTaken1,
    StartGame,
    Table,
    TableOpened,
    TableOpened1,
    TakeSeat,
    TakeSeat1,
)
from domain.messages import Event
from domain.refusal import Refused
from domain.sealed import (
    WAIT,
    CallWords,
    MoveWords,
    RevealWords,
    SealWords,
    SeatLost,
    WordsCalled,
    WordsRevealed,
    WordsSealed,
    WordsVoided,
)


# ==== ST 1: opening ===============================================================================
def open_table(now: AtTable, command: OpenTable1 | OpenTable) -> None:
    """ST 1 Open a table once, for a number of seats and with options that the title allows."""
    must_not_be_opened(now)
    now.game.title.seating.check_table(options_of(now.game.title, command.options), command.seats)
    facts = command.title, command.seats, command.options, command.commitment, command.settle
    if isinstance(command, OpenTable1):
        now.happens(TableOpened1(*facts))
    else:
        now.happens(TableOpened(*facts, command.sealed))


def must_not_be_opened(now: AtTable) -> None:
    """ST 1 The table must not have been opened before."""
    if now.state is not None:
        raise Refused("ST 1", "This table is already open.")


# ==== ST 2, ST 3: seats ===========================================================================
def take_older_seat(now: AtTable, command: TakeSeat1) -> None:
    """ST 2 Take a free seat, at a table that was opened before words could be checked."""
    must_be_free(now, command.seat)
    must_be_in_its_shape(now, older=True)
    must_be_choosable(now, command)
    now.happens(SeatTaken1(command.seat, command.choice, command.entropy))


def take_seat(now: AtTable, command: TakeSeat) -> None:
    """ST 2 Take a free seat of a table that has not started."""
    must_be_free(now, command.seat)
    must_be_in_its_shape(now, older=False)
    must_bring_what_one_does(now, command)
    ours = luck.ours(now.secret, now.game.id, command.seat)
    taken = SeatTaken(command.seat, command.choice, command.brought, ours, command.bot)
    called = must_set_a_deadline(now, taken, command.due)
    must_be_choosable(now, command)
    now.chance.uncover("what a seat adds to chance")
    now.happens(taken, *called)


def must_be_free(now: AtTable, seat: int) -> None:
    """ST 2 The table must have this seat, it must be free, and the game must not have started."""
    if now.table.status != "open":
        raise Refused("ST 2", "The game has already started; no seat can be taken.")
    if not 1 <= seat <= now.table.seats:
        raise Refused("ST 2", "This table has {seats} seats.", seats=now.table.seats)
    if seat in now.table.chairs:
        raise Refused("ST 2", "Seat {number} is taken.", number=seat)


def must_be_in_its_shape(now: AtTable, *, older: bool) -> None:
    """ST 2 A table that was opened in the older shape must continue in it."""
    if older != now.table.older:
        raise Refused("ST 2", "A table keeps the format in which it was opened.")


def must_bring_what_one_does(now: AtTable, command: TakeSeat) -> None:
    """ST 2 A bot brings no words; ST 20 a person must bring some if words are sealed."""
    if command.bot and command.brought is not None:
        raise Refused("ST 2", "A bot cannot add words of luck.")
    if now.table.sealed and not command.bot and command.brought is None:
        raise Refused("ST 20", "To sit down at this table, seal your words of luck.")


def must_be_choosable(now: AtTable, command: TakeSeat1 | TakeSeat) -> None:
    """ST 2 The title must allow the choice beside those of the others."""
    title, table = now.game.title, now.table
    taken = [choice_of(title, chair.choice) for chair in table.chairs.values()]
    title.seating.check_choice(options_of(title, table.options), choice_of(title, command.choice), taken)


def give_up_seat(now: AtTable, command: GiveUpSeat) -> None:
    """ST 3 Give up a seat before the game starts; after that one resigns."""
    must_sit_there(now)
    void = _voided(now)
    now.happens(SeatGivenUp(now.seat), *void)


def must_sit_there(now: AtTable) -> None:
    """ST 3 The seat must be taken, in a game that has not started."""
    if now.table.status != "open":
        raise Refused("ST 3", "The game has already started; a seat can only be resigned.")
    if now.seat not in now.table.chairs:
        raise Refused("ST 3", "Nobody sits there.")


# ==== ST 20: sealed words =========================================================================
def must_set_a_deadline(now: AtTable, event: Event, due: int | None) -> list[Event]:
    """ST 20 Return the event that sets a deadline once all seats are taken: first for the seals, then for the sealed
    words.

    It judges by the table after ``event``, and returns nothing if nothing is owed, or if the others have a deadline
    already.
    """
    after = now.foreseen(event)
    if not (after.full and after.owing):
        return []
    if due is None or due <= now.at:
        raise Refused("ST 20", "The deadline for words must lie in the future.")
    if isinstance(event, WordsSealed) and any(after.chairs[seat].brought is None for seat in after.owing):
        return []
    if keeps_to_the_least(now.game) and due < now.at + wait_for_words(after):
        raise Refused("ST 20", "Players must get at least the time for a turn to open their words.")
    return [WordsCalled(due)]


def wait_for_words(table: Table) -> int:
    """ST 20 Return the minimum wait for words: a turn's time, or three days without a pace."""
    return table.pace.turn if table.pace else WAIT


def seal_words(now: AtTable, command: SealWords) -> None:
    """ST 20 Let a seat whose seal is void commit to new words."""
    must_owe_a_seal(now)
    sealed = WordsSealed(now.seat, command.brought)
    called = must_set_a_deadline(now, sealed, command.due)
    now.happens(sealed, *called)


def must_owe_a_seal(now: AtTable) -> None:
    """ST 20 The seat's seal must be void."""
    if now.seat not in now.table.owing or now.table.chairs[now.seat].brought is not None:
        raise Refused("ST 20", "There is nothing to seal.")


def reveal_words(now: AtTable, command: RevealWords) -> None:
    """ST 20 Open the seat's sealed words. The last words to be opened start the game, and enter its draws."""
    must_owe_words(now)
    must_be_what_was_sealed(now, command.words)
    now.happens(WordsRevealed(now.seat, command.words))
    if not now.table.owing:
        begin(now)


def must_owe_words(now: AtTable) -> None:
    """ST 20 All seats must be taken and sealed, and the seat must not have opened its words yet."""
    table, seat = now.table, now.seat
    if table.sealed is None or table.status != "open" or seat not in table.chairs or table.chairs[seat].bot:
        raise Refused("ST 20", "There is nothing to open.")
    if seat in table.sealed.opened:
        raise Refused("ST 20", "Your words are already open.")
    if seat not in table.owing or table.chairs[seat].brought is None:
        raise Refused("ST 20", "Players open their words once everybody has sat down and sealed theirs.")


def must_be_what_was_sealed(now: AtTable, words: str) -> None:
    """ST 20 The words must match the seal."""
    if luck.brought("", words) != now.table.chairs[now.seat].brought:
        raise Refused("ST 20", "These are not the words that were sealed.")


def call_words(now: AtTable, command: CallWords) -> None:
    """ST 20 When time is up, free each seat that owes something; words opened until then no longer count."""
    must_be_late_with_words(now)
    lost, void = [SeatLost(seat) for seat in now.table.owing], _voided(now)
    now.happens(*lost, *void)


def must_be_late_with_words(now: AtTable) -> None:
    """ST 20 Somebody must owe words, and the time for them must be over."""
    due = now.table.sealed.due if now.table.sealed else None
    if due is None or not now.table.owing:
        raise Refused("ST 20", "No deadline for opening sealed words is running at the moment.")
    if now.at < due:
        raise Refused("ST 20", "The deadline for words has not passed yet.")


def move_words(now: AtTable, command: MoveWords) -> None:
    """ST 20 Give back the time that the service stood still."""
    must_give_time_for_words(now, command.due)
    now.happens(WordsCalled(command.due))


def must_give_time_for_words(now: AtTable, due: int) -> None:
    """ST 20 Somebody must owe words, and must get more time than before."""
    before = now.table.sealed.due if now.table.sealed else None
    if before is None or due <= before or not now.table.owing:
        raise Refused("ST 20", "Lost time can be given back, but not taken away.")


def _voided(now: AtTable) -> list[Event]:
    return [WordsVoided()] if now.table.sealed and now.table.sealed.opened else []


# ==== ST 4, ST 5: starting and cancelling =========================================================
def start_game(now: AtTable, command: StartGame) -> None:
    """ST 4 Start the game once, when every seat is taken; the title sets it up."""
    must_be_ready(now)
    begin(now)


def must_be_ready(now: AtTable) -> None:
    """ST 4 Every seat must be taken, and ST 20 no words may be owed."""
    table = now.table
    if table.status != "open":
        raise Refused("ST 4", "This game has already started or was cancelled.")
    missing = table.seats - len(table.chairs)
    if missing == 1:
        raise Refused("ST 4", "1 of {seats} seats is still free.", seats=table.seats)
    if missing:
        raise Refused("ST 4", "{missing} of {seats} seats are still free.", missing=missing, seats=table.seats)
    if table.owing:
        raise Refused("ST 20", "The game begins when all words are open.")


def begin(now: AtTable) -> None:
    """Start the game with the opening position of its title, whose draws use the entropies of all seats."""
    title, table = now.game.title, now.table
    now.happens(GameStarted())
    choices = {seat: choice_of(title, table.chairs[seat].choice) for seat in sorted(table.chairs)}
    opening = title.rules.setup(options_of(title, table.options), choices, now.chance)
    now.happens(*opening.events)


def cancel_game(now: AtTable, command: CancelGame) -> None:
    """ST 5 Close a table before the game starts."""
    must_not_have_started(now)
    now.happens(GameCancelled())


def must_not_have_started(now: AtTable) -> None:
    """ST 5 The game must not have started, nor the table been cancelled."""
    if now.table.status != "open":
        raise Refused("ST 5", "Only a game that has not started can be cancelled.")
