"""What goes in and out of the API, but for what a title declares itself (see `shapes`)."""

from typing import Any, get_args

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates, validates_schema

from domain.lifecycle import Status
from domain.pace import MOST_REMINDERS, Then
from domain.title import Span
from service.base import names
from service.games import absences, lookback, orders, queries
from service.people.accounts import SCOPES, Confirm, is_zone
from service.web.api.derived import derived
from service.web.shared.shapes import LARGEST, MOST_COMMANDS, Name, Text, Truth, Whole, is_title
from service.words import N_, known


class Reference(fields.Raw):
    """Plain data whose schema stands elsewhere in the document, under ``name``."""

    def __init__(self, name: str, **more: Any) -> None:
        super().__init__(**more)
        self.name_of_schema = name


class Given(Schema):
    """The base of what is sent in: a field nobody knows is an error."""

    class Meta:
        unknown = RAISE


def _said(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text, **more}


def _time(text: str) -> fields.String:
    return fields.String(required=True, metadata=_said(text, format="date-time"))


# ==== problems ====================================================================================
class Problem(Schema):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True, metadata=_said("The kind of problem: a place on the page of this API."))
    title = fields.String(required=True, metadata=_said("The kind of problem in words."))
    status = fields.Integer(required=True, metadata=_said("The HTTP status."))
    detail = fields.String(required=True, metadata=_said("What can be done about it."))
    instance = fields.String(required=True, metadata=_said("The address of the request."))
    rule = fields.String(metadata=_said("refused: the number of the rule.", example="GTJ 5.3"))
    sentence = fields.String(metadata=_said("refused: what the rule says to this, in the asker's language."))
    facts = fields.Dict(metadata=_said("refused: the ids and numbers in the sentence."))
    version = fields.Integer(metadata=_said("stale: the version now shown to the seat."))
    errors = fields.Dict(metadata=_said("shape: what is wrong with each field."))
    scope = fields.String(metadata=_said("scope: what a token needs."))
    lines = fields.List(fields.Dict(), metadata=_said("line: how each line was read; the last has the problem."))


class Refusal(Schema):
    """Why a command was refused."""

    rule = fields.String(required=True, metadata=_said("The number of the rule.", example="GTJ 5.3"))
    sentence = fields.String(required=True, metadata=_said("What it says to this, in the asker's language."))
    facts = fields.Dict(required=True, metadata=_said("The ids and numbers in the sentence."))


# ==== people ======================================================================================
class Zone(Text):
    """The IANA name of a time zone."""

    def __init__(self, **more: Any) -> None:
        super().__init__(low=1, high=64, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        zone = str(super()._deserialize(value, attr, data, **more))
        if not is_zone(zone):
            raise ValidationError(N_("Not the name of a time zone."))
        return zone


LONGEST_TAG = 35
"""What a program has room for at least (RFC 5646, 4.4.1)."""


class Tongue(fields.String):
    """A language by a tag of BCP 47; what is kept of it is the language of ours that it names."""

    def __init__(self, **more: Any) -> None:
        said = "A tag of BCP 47, such as `de` or `de-AT`; of it the language is kept that is spoken here."
        super().__init__(metadata={"minLength": 1, "maxLength": LONGEST_TAG, **_said(said)}, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        tag = str(super()._deserialize(value, attr, data, **more))
        ours = known(tag) if len(tag) <= LONGEST_TAG else None
        if ours is None:
            raise ValidationError(N_("Not a language that is spoken here."))
        return ours


def _own_name() -> Name:
    return Name(
        high=names.LONGEST_OF_PERSON,
        mailed=True,
        load_default="",
        metadata=_said(
            "What to call you, if you have chosen no name yet (`named` of `/me`); else it is left out of account."
        ),
    )


class SignInAsked(Given):
    """Who wants to sign in."""

    email = fields.String(required=True, validate=validate.Length(3, 254))
    next = Text(
        load_default="/", high=500, pattern=r"^/(?![/\\\\]|play(?:[?#]|$))", metadata=_said("Where to go afterwards.")
    )
    zone = Zone(
        load_default="",
        metadata=_said("The IANA name of the time zone of who asks: that of their account, if they have chosen none."),
    )


class SignInSent(Schema):
    """The answer is the same for every address."""

    code = fields.String(
        required=True, metadata=_said("Six digits, asked for if the link is opened in another browser.")
    )
    expires_in = fields.Integer(required=True, metadata=_said("For how many seconds the link works."))


class SignInConfirmed(Given):
    """The token of a mailed link and, from another browser, the six digits."""

    token = Text(required=True, low=1)
    code = fields.String(load_default=None, allow_none=True, validate=validate.Regexp(r"\A[0-9]{6}\Z"))
    name = _own_name()
    zone = Zone(
        load_default=None,
        allow_none=True,
        metadata=_said(
            "Used if you have chosen no time zone; by default the one that was given when the link was asked for."
        ),
    )


class Me(Schema):
    """The person who asks."""

    id = fields.Integer(required=True)
    email = fields.String(required=True, metadata=_said("Shown to nobody else."))
    name = fields.String(required=True, metadata=_said("What the other players see."))
    named = fields.Boolean(required=True, metadata=_said("Whether you chose it: else it is one you were given."))
    lang = fields.String(required=True, metadata=_said('The language of your mails: a tag of BCP 47, "de".'))
    zone = fields.String(required=True, metadata=_said("IANA name of a time zone."))
    zone_known = fields.Boolean(required=True, metadata=_said("Whether you chose it: else UTC stands for it."))
    wakes_at = fields.Integer(required=True, metadata=_said("When waking hours begin: minutes after local midnight."))
    sleeps_at = fields.Integer(required=True, metadata=_said("When they end; equal to `wakes_at`: never."))
    confirm = fields.String(
        required=True,
        metadata=_said(
            "When pages make what you choose in a slow game: a confirmed `turn`, `each` command, `at_once`."
        ),
    )
    confirm_live = fields.String(required=True, metadata=_said("The same where a turn has an hour at most."))
    scopes = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata=_said("What the token that asks allows; null for a browser that is signed in."),
    )


class MeChanged(Given):
    """What to change of oneself; what is left out stays."""

    name = Name(high=names.LONGEST_OF_PERSON, mailed=True)
    lang = Tongue()
    zone = Zone()
    wakes_at = Whole(low=0, high=1439)
    sleeps_at = Whole(low=0, high=1439)
    confirm = fields.String(validate=validate.OneOf(get_args(Confirm)))
    confirm_live = fields.String(validate=validate.OneOf(get_args(Confirm)))


class Erasing(Given):
    """The person's own mail address, so that nobody is erased by a slip."""

    email = fields.String(required=True, validate=validate.Length(3, 254))


class SignedIn(Schema):
    """A session that was opened."""

    me = fields.Nested(Me, required=True)
    next = fields.String(required=True)
    new = fields.Boolean(required=True, metadata=_said("Whether the person signed in for the first time."))


class SessionLine(Schema):
    """A browser that is signed in."""

    id = fields.String(required=True)
    created_at = _time("When it signed in.")
    seen_at = _time("When it was last seen, to the hour.")
    expires_at = _time("When it must sign in again at the latest.")
    current = fields.Boolean(required=True, metadata=_said("Whether it is the one that asks."))


class Sessions(Schema):
    sessions = fields.List(fields.Nested(SessionLine), required=True)


class TokenAsked(Given):
    """A token to be made."""

    name = Name(required=True, high=names.LONGEST_OF_TOKEN, metadata=_said("What it is for."))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, 10),
        metadata=_said("read: look. play: take seats and move. host: open games and run them."),
    )


class TokenLine(Schema):
    """A personal token, without the token itself."""

    id = fields.Integer(required=True)
    name = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = _time("When it was made.")
    used_at = fields.String(required=True, allow_none=True, metadata=_said("When it was last used, to the hour."))


class TokenMade(TokenLine):
    token = fields.String(required=True, metadata=_said("Shown this once."))


class Tokens(Schema):
    tokens = fields.List(fields.Nested(TokenLine), required=True)


# ==== titles ======================================================================================
class TitleLine(Schema):
    """A game in its box."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    rules = fields.Integer(required=True, metadata=_said("The version of the rules."))
    seats = fields.List(fields.Integer(), required=True, metadata=_said("Fewest and most players."))
    bots = fields.List(fields.String(), required=True)


class Titles(Schema):
    titles = fields.List(fields.Nested(TitleLine), required=True)


class TitleWhole(TitleLine):
    options = fields.Dict(required=True, metadata=_said("JSON schema of what a host chooses."))
    choice = fields.Dict(required=True, metadata=_said("JSON schema of what each seat chooses."))
    commands = fields.Dict(required=True, metadata=_said("Name -> JSON schema of a command."))
    names = fields.Dict(required=True, metadata=_said("Id -> name in the asker's language."))
    notes = fields.List(fields.String(), required=True, metadata=_said("What of the material is reconstructed."))


# ==== time ========================================================================================
def _span(text: str, **more: Any) -> Whole:
    return Whole(low=0, metadata=_said(f"{text} In milliseconds."), **more)


class PaceGiven(Given):
    """How fast a table plays (house rules ST 11 to ST 16). `/paces` has some to begin from."""

    turn = _span("The time of a turn.", required=True)
    bank = _span("Time in hand at the start.", load_default=0)
    gain = _span("What each turn adds to the time in hand.", load_default=0)
    cap = _span("The most there can be in hand.", load_default=0)
    hour = Whole(
        low=0,
        high=1439,
        load_default=None,
        allow_none=True,
        metadata=_said("The local time at which deadlines fall, in minutes after midnight; null for none."),
    )
    days_off = fields.List(
        Whole(low=1, high=7),
        load_default=list,
        validate=validate.Length(max=6),
        metadata=_said("Days of the week that do not count; 1 is Monday."),
    )
    waking = Truth(load_default=False, metadata=_said("Whether only waking hours count."))
    absences = Truth(load_default=True, metadata=_said("Whether the clock waits for vacations and holidays."))
    excuse = Truth(load_default=True, metadata=_said("Whether a seat's first miss is excused."))
    renew = Truth(load_default=True, metadata=_said("Whether each move begins the time of a turn anew."))
    reminders = fields.List(
        _span("How long before the deadline to remind."),
        load_default=list,
        validate=validate.Length(max=MOST_REMINDERS),
    )
    then = fields.String(
        load_default="remind",
        validate=validate.OneOf(get_args(Then)),
        metadata=_said("What happens when the time is over."),
    )


class PaceChosen(Given):
    """How fast a table is to play, whatever was chosen for it before."""

    pace = fields.Nested(PaceGiven, required=True, allow_none=True, metadata=_said("Null for no clock."))


class PaceLine(Schema):
    """A pace with a name."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    pace = fields.Dict(required=True, metadata=_said("As a table is opened with it."))
    said = fields.List(fields.String(), required=True, metadata=_said("The pace in words."))


class Paces(Schema):
    paces = fields.List(fields.Nested(PaceLine), required=True)


@derived(queries.RunningClock)
class ClockLine(Schema):
    """A running clock."""


class TakingOver(Given):
    """A seat that stands open."""

    seat = Whole(required=True, low=1, high=20)
    name = _own_name()
    invite = Text(load_default="", metadata=_said("The invitation, where the table is not public."))


class StandingIn(Given):
    """A seat that stands open."""

    seat = Whole(required=True, low=1, high=20)


class AbsencePlanned(Given):
    """Days off, in one's own time zone: from today on."""

    first_day = fields.Date(required=True)
    last_day = fields.Date(required=True)
    kind = fields.String(load_default="vacation", validate=validate.OneOf(absences.KINDS))


@derived(queries.WaitingStandIn)
class StandInLine(Schema):
    """A bot that plays for an absent player and lets them come back first."""


class AbsenceLine(Schema):
    id = fields.Integer(required=True)
    first_day = fields.String(required=True, metadata=_said("A date.", format="date"))
    last_day = fields.String(required=True, metadata=_said("A date, the last one off.", format="date"))
    kind = fields.String(required=True)


class Absences(Schema):
    absences = fields.List(fields.Nested(AbsenceLine), required=True)


# ==== games: what is sent =========================================================================
class Opening(Given):
    """A table to be opened."""

    title = Text(required=True, low=1, high=40, metadata=_said("Id of a title."))
    seats = Whole(required=True, low=1, high=20)
    options = Reference("Options", load_default=dict, metadata=_said("What the title lets a host choose."))
    name = Name(
        high=names.LONGEST_OF_TABLE,
        mailed=True,
        load_default=None,
        allow_none=True,
        metadata=_said("A name for the table."),
    )
    public = Truth(load_default=True, metadata=_said("Whether anybody may see and join it."))
    sealed = Truth(
        load_default=False,
        metadata=_said(
            "Whether words of luck are sealed: each seat commits itself to some, and opens them once all have sat down."
        ),
    )
    pace = fields.Nested(
        PaceGiven, load_default=None, allow_none=True, metadata=_said("How fast it is played; null for no clock.")
    )

    @validates("title")
    def _is_title(self, title: str, data_key: str) -> None:
        if not is_title(title):
            raise ValidationError(N_("There is no such title."))


class Joining(Given):
    """A seat to be taken."""

    name = _own_name()
    seat = Whole(low=1, high=20, load_default=None, allow_none=True, metadata=_said("The lowest free one by default."))
    choice = Reference("Choice", load_default=dict, metadata=_said("What the title lets a seat choose."))
    words = Text(
        load_default="",
        metadata=_said(
            "Bring words of luck: 32 random bytes of your own in hexadecimal digits, or any text nobody can guess. "
            "They enter every draw of the game, so that not even the operator can choose them; the log holds a hash of "
            "them alone. Drawn after you have seen the game's `commitment`, and kept the same when you have to ask "
            "again. Seats that bring none are named in the proof."
        ),
    )
    salt = fields.String(
        load_default="",
        validate=validate.Regexp(r"\A([0-9a-f]{64})?\Z"),
        metadata=_said(
            "64 hexadecimal digits of your own, hashed in front of the words, for words that could be guessed."
        ),
    )
    sealed = fields.String(
        load_default="",
        validate=validate.Regexp(r"\A([0-9a-f]{64})?\Z"),
        metadata=_said(
            "At a table of sealed words, in place of both: SHA-256 of 64 hexadecimal digits (32 random bytes, as "
            "UTF-8) that you keep and open when all have sat down."
        ),
    )
    entropy = Text(load_default="", metadata=_said("The older name of `words`.", deprecated=True))
    invite = Text(load_default="", metadata=_said("The invitation, where the table is not public."))


class SeatingBot(Given):
    """A bot to be seated."""

    bot = Text(load_default="sensible", low=1, high=20)
    seat = Whole(low=1, high=20, load_default=None, allow_none=True, metadata=_said("The lowest free one by default."))
    choice = Reference("Choice", load_default=dict)


class Inviting(Given):
    """Whom to invite by mail; with nobody named, only the link is shown."""

    emails = fields.List(
        fields.String(validate=validate.Length(3, 254)), load_default=list, validate=validate.Length(max=10)
    )


class Moving(Given):
    """One or several commands, or lines that a player would type. All stand or none, but for what cannot be undone."""

    commands = fields.List(Reference("Command", required=True), validate=validate.Length(1, MOST_COMMANDS))
    lines = fields.List(
        fields.String(required=True, validate=validate.Length(max=orders.LONGEST)),
        validate=validate.Length(1, MOST_COMMANDS),
        metadata=_said(
            "In place of `commands`: orders as a player would type them, in any language of the site.",
            example=["move Ottawa with Ottawa Flat Car", "end turn"],
        ),
    )

    @validates_schema
    def either(self, given: dict[str, Any], **_: Any) -> None:
        if ("commands" in given) == ("lines" in given):
            raise ValidationError(N_("Send either commands or lines."), "commands")


class TakingBack(Given):
    """How far to go back."""

    down_to = Whole(required=True, low=1, metadata=_said("The oldest ply to withdraw; see `take_back` of the actions."))


class Rewinding(Given):
    """The position to go back to."""

    to = Whole(required=True, low=1, metadata=_said("The game stands again as it did after this ply."))


class Nothing(Given):
    """An empty object."""


class GamesQuery(Given):
    """Which games to list."""

    which = fields.String(load_default="open", validate=validate.OneOf(get_args(queries.Which)))
    title = Text(load_default=None, high=40)
    status = fields.String(load_default=None, validate=validate.OneOf(get_args(Status)))
    limit = fields.Integer(load_default=queries.PAGE, validate=validate.Range(1, 100))
    after = fields.String(
        load_default=None,
        validate=validate.Regexp(r"\A[0-9]{1,15}\.[0-9a-z]{1,26}\Z"),
        metadata=_said("Where the page begins: `next` of the page before."),
    )


class InviteQuery(Given):
    """The invitation, or the `guest_pass` of who came by it, for a game that is not public."""

    invite = fields.String(load_default="", validate=validate.Length(max=200))


class SinceQuery(InviteQuery):
    """Which plies."""

    since = fields.Integer(load_default=0, validate=validate.Range(0, LARGEST), metadata=_said("After this one."))
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 1000))


class EyesQuery(InviteQuery):
    """Through whose eyes."""

    seat = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 99),
        metadata=_said("Another seat than one's own: when the game is over."),
    )


class ChangesQuery(EyesQuery):
    """Between which versions. The first may be the later one."""

    since = fields.Integer(
        data_key="from",
        load_default=None,
        validate=validate.Range(0, LARGEST),
        metadata=_said("This version; by default that of one's own last ply, for spectators the one before the last."),
    )
    to = fields.Integer(
        load_default=None, validate=validate.Range(0, LARGEST), metadata=_said("And this one; now by default.")
    )


class BoardQuery(EyesQuery):
    """Which board."""

    version = fields.Integer(
        load_default=None, validate=validate.Range(0, LARGEST), metadata=_said("A past one; now by default.")
    )
    theme = fields.String(load_default="light", validate=validate.OneOf(["light", "dark"]))


class PictureQuery(EyesQuery):
    """Which picture."""

    version = fields.Integer(
        load_default=None, validate=validate.Range(0, LARGEST), metadata=_said("A past one; now by default.")
    )
    width = fields.Integer(load_default=1200, validate=validate.OneOf([600, 1200]))


class AuditQuery(InviteQuery):
    """Which kind of file."""

    format = fields.String(
        load_default=None, validate=validate.OneOf(["html", "jsonl"]), metadata=_said("By default what `Accept` asks.")
    )
    since = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 2**31 - 1),
        metadata=_said("Of a page: a version of the game from which on it will do. By default the present one."),
    )


class BeingMade(Schema):
    """A page that is being made."""

    since = fields.Integer(metadata=_said("The version of the game from which on it will be."))
    again = fields.String(metadata=_said("Where to ask for it again."))


_KEY = fields.String(
    data_key="Idempotency-Key",
    validate=validate.Length(1, 200),
    metadata=_said("A name of your choice for this submission: sent again it changes nothing and answers the same."),
)


class MoveHeaders(Schema):
    """How a move says which position it is for, and that it is the same move again."""

    if_match = fields.String(data_key="If-Match", metadata=_said("The ETag of the position, or `*`."))
    idempotency_key = _KEY


class KeyHeaders(Schema):
    """How a request says that it is the same one again."""

    idempotency_key = _KEY


# ==== games: what is answered =====================================================================
@derived(queries.Place)
class PlaceLine(Schema):
    """Who sits at a seat."""


@derived(queries.Listed)
class GameLine(Schema):
    """A game in a list."""


class Games(Schema):
    games = fields.List(fields.Nested(GameLine), required=True)
    next = fields.String(required=True, allow_none=True, metadata=_said("`after` of the next page; null on the last."))


@derived(queries.Shown)
class Position(Schema):
    """A position as one seat sees it."""


class Rewind(Schema):
    """A proposal to go back together, which stands until the game goes on, somebody refuses, or it expires."""

    seat = fields.Integer(required=True, metadata=_said("Who proposes it."))
    to = fields.Integer(required=True, metadata=_said("The game would stand again as it did after this ply."))
    people = fields.List(fields.Integer(), required=True, metadata=_said("The seats that must agree."))
    agreed = fields.List(fields.Integer(), required=True)
    missing = fields.List(fields.Integer(), required=True, metadata=_said("Those that have not agreed yet."))
    expires = _time("Until when they may agree.")


class Game(Position):
    """A game as the asker sees it. ``ETag`` is what a move sends as ``If-Match``."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    name = fields.String(required=True)
    public = fields.Boolean(required=True)
    seats = fields.Integer(required=True)
    options = fields.Dict(required=True)
    rules = fields.Integer(required=True, metadata=_said("The version of the rules."))
    host = fields.String(required=True, allow_none=True)
    places = fields.List(fields.Nested(PlaceLine), required=True)
    choices = fields.Dict(required=True, metadata=_said("Seat -> what it chose on sitting down."))
    seat = fields.Integer(required=True, allow_none=True, metadata=_said("The asker's own."))
    may = fields.List(fields.String(), required=True, metadata=_said("What the asker could do now."))
    guest_pass = fields.String(
        required=True,
        allow_none=True,
        metadata=_said("For who came by the invitation before the start: shown as `invite`, it lets them watch later."),
    )
    rewind = fields.Nested(
        Rewind, required=True, allow_none=True, metadata=_said("The open proposal to go back together, if any.")
    )
    rewind_lapsed = fields.String(
        required=True,
        allow_none=True,
        metadata=_said("That the last proposal has expired or fallen, until the game goes on or the asker has acted."),
    )
    pace = fields.Dict(required=True, allow_none=True, metadata=_said("How fast it is played; null for no clock."))
    pace_said = fields.List(fields.String(), required=True, metadata=_said("The pace in words."))
    clocks = fields.List(fields.Nested(ClockLine), required=True)
    away = fields.List(fields.Integer(), required=True, metadata=_said("Seats a bot plays for an absent player."))
    vacant = fields.List(fields.Integer(), required=True, metadata=_said("Seats that look for a substitute."))
    stand_ins = fields.List(
        fields.Nested(StandInLine), required=True, metadata=_said("Bots that stand in and are asked to move.")
    )
    waited_for = fields.List(
        fields.Integer(),
        required=True,
        metadata=_said("Seats of whose players one must be back before the paused game goes on; else none."),
    )
    fingerprint = fields.String(required=True, metadata=_said("Of the last link of the log, as mails carry it."))
    commitment = fields.String(required=True, metadata=_said("SHA-256 of the game's secret."))
    created_at = _time("When the table was opened.")
    moved_at = _time("When something last happened.")


@derived(Span)
class SpanLine(Schema):
    """The numbers a field may take."""


class ActionLine(Schema):
    """A command that would be accepted now, ready to be sent; with a span its one open number is the lowest."""

    command = fields.Dict(required=True)
    line = fields.String(required=True, metadata=_said("The command as a line, to be sent in its place."))
    order = fields.String(required=True, metadata=_said("The line that a player would type, in the asker's language."))
    group = fields.String(required=True)
    group_name = fields.String(required=True)
    sentence = fields.String(required=True)
    span = fields.Nested(SpanLine, required=True, allow_none=True)


class Actions(Schema):
    version = fields.Integer(required=True)
    asked = fields.Boolean(required=True, metadata=_said("Whether the game waits for this seat."))
    actions = fields.List(fields.Nested(ActionLine), required=True)
    take_back = fields.List(
        fields.Integer(), required=True, metadata=_said("Plies that can be withdrawn, newest first.")
    )
    take_backs_left = fields.Integer(
        required=True,
        allow_none=True,
        metadata=_said(
            "How often this seat can take back before a move stands for good; null where it is not counted."
        ),
    )
    why_no_take_back = fields.String(
        required=True, allow_none=True, metadata=_said("Why nothing can be taken back, in words; null where it can.")
    )


class Step(Schema):
    """What a command would do, as far as its seat would see it."""

    events = fields.List(fields.Dict(), required=True)
    sentences = fields.List(fields.String(), required=True)


class ReadLine(Schema):
    """A line that was sent, and how it was read."""

    text = fields.String(required=True, metadata=_said("As it was sent."))
    line = fields.String(required=True, metadata=_said("What it means, as the service writes it."))
    command = fields.Dict(required=True, allow_none=True)
    problem = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf(get_args(orders.Problem)),
        metadata=_said(
            "Why it is no command: it may mean several things, it cannot be done, a word is unknown, it is "
            "no order at all, it was copied with its number, it is refused, it can only be read once those "
            "before it are done, or it has a place of its own."
        ),
    )
    message = fields.String(required=True, metadata=_said("The problem in words."))
    rule = fields.String(required=True, allow_none=True, metadata=_said("The number of the rule about it."))
    near = fields.List(fields.String(), required=True, metadata=_said("Lines to send instead."))


class Preview(Schema):
    """What the commands would do. ``foreseen``: false when it ends where chance would be asked or cards be shown."""

    foreseen = fields.Boolean(required=True)
    steps = fields.List(fields.Nested(Step), required=True)
    lines = fields.List(
        fields.Nested(ReadLine),
        required=True,
        metadata=_said(
            "What became of each line that was sent, up to the first with a problem; none where commands were."
        ),
    )
    position = fields.Nested(Position, required=True)


class Moved(Schema):
    """What became of a submission."""

    version = fields.Integer(required=True, metadata=_said("The version now shown to the seat."))
    plies = fields.List(fields.Integer(), required=True, metadata=_said("The plies that stand."))
    refused_at = fields.Integer(
        required=True,
        allow_none=True,
        metadata=_said("The place (from 0) of a command that was refused after others could not be undone."),
    )
    refusal = fields.Nested(Refusal, required=True, allow_none=True)


class Seated(Moved):
    seat = fields.Integer(required=True)


class Sealing(Given):
    """Words to be sealed anew."""

    sealed = fields.String(
        required=True,
        validate=validate.Regexp(r"\A[0-9a-f]{64}\Z"),
        metadata=_said("SHA-256 of 64 hexadecimal digits that you keep."),
    )


class OpeningWords(Given):
    """The words that were sealed."""

    words = fields.String(
        required=True, validate=validate.Regexp(r"\A[0-9a-f]{64}\Z"), metadata=_said("64 hexadecimal digits.")
    )


class SealedWords(Schema):
    """How far the sealed words of a table are."""

    owing = fields.List(fields.Integer(), required=True, metadata=_said("The seats that the table waits for."))
    opened = fields.List(fields.Integer(), required=True)
    failed = fields.Integer(required=True, metadata=_said("Attempts that came to nothing."))
    due = fields.String(
        required=True, allow_none=True, metadata=_said("Until when, or the seat is lost.", format="date-time")
    )


@derived(queries.Brought)
class BroughtWords(Schema):
    """What the asker brought, for nobody else's eyes."""


class Words(Schema):
    """Who brought words of luck."""

    commitment = fields.String(required=True, metadata=_said("SHA-256 of the game's secret."))
    brought = fields.Dict(required=True, metadata=_said("Taken seat -> the hash of what was brought; null for none."))
    bots = fields.List(fields.Integer(), required=True, metadata=_said("Seats where bots sat down; they bring none."))
    choosable = fields.Boolean(
        required=True,
        allow_none=True,
        metadata=_said("Whether whoever knew the secret could have chosen the draws; null before the game has begun."),
    )
    sentence = fields.String(required=True, allow_none=True, metadata=_said("The same in words, once it has begun."))
    mine = fields.Nested(BroughtWords, required=True, allow_none=True)
    sealed = fields.Nested(
        SealedWords, required=True, allow_none=True, metadata=_said("At a table of sealed words (ST 20), else null.")
    )


class Invitation(Schema):
    """What is handed to who is invited. It seats while a seat can be taken, and is good until the host renews it."""

    invite = fields.String(required=True, metadata=_said("Who has it may see and join the game."))
    invite_link = fields.String(required=True)


class Opened(Invitation):
    id = fields.String(required=True)
    commitment = fields.String(required=True, metadata=_said("SHA-256 of the game's secret."))


class Invited(Invitation):
    sent = fields.Integer(required=True, metadata=_said("How many mails are on their way."))


class PlyLine(Schema):
    """An accepted command with what it caused, as far as the asker may know."""

    ply = fields.Integer(required=True)
    at = fields.String(required=True, allow_none=True, metadata=_said("Null where even that is not for you."))
    seat = fields.Integer(required=True, allow_none=True)
    cause = fields.String(required=True, allow_none=True, metadata=_said("player, bot, clock or service"))
    rules = fields.Integer(required=True)
    command = fields.Dict(required=True, allow_none=True)
    events = fields.List(fields.Dict(), required=True)
    draws = fields.List(fields.Dict(), required=True)
    withdrawn = fields.Boolean(required=True, metadata=_said("Whether it was taken back later."))
    link = fields.String(required=True, metadata=_said("Its link in the chain, 64 hexadecimal digits."))


class Plies(Schema):
    version = fields.Integer(required=True)
    plies = fields.List(fields.Nested(PlyLine), required=True)
    more = fields.Boolean(required=True, metadata=_said("Whether there are plies after the last one given."))


class LogLine(Schema):
    """A ply in sentences."""

    ply = fields.Integer(required=True)
    at = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True)
    withdrawn = fields.Boolean(required=True)
    sentences = fields.List(fields.String(), required=True)


class Log(Schema):
    version = fields.Integer(required=True)
    log = fields.List(fields.Nested(LogLine), required=True)
    more = fields.Boolean(required=True, metadata=_said("Whether there are plies after the last one given."))
    until = fields.Integer(required=True, metadata=_said("The last ply looked at: `since` of the next request."))


@derived(lookback.ChangedSentence)
class DifferenceLine(Schema):
    """A sentence about a position that is another one, new (`before` is null), or gone (`after` is null)."""


class Changes(Schema):
    """What changed from one version to another."""

    since = fields.Integer(data_key="from", required=True)
    to = fields.Integer(required=True)
    added = fields.List(
        fields.Nested(LogLine),
        required=True,
        metadata=_said("Plies that count now and did not, and those taken back in between (`withdrawn`)."),
    )
    removed = fields.List(fields.Nested(LogLine), required=True, metadata=_said("Plies that counted and do no more."))
    differences = fields.List(fields.Nested(DifferenceLine), required=True, metadata=_said("Board, standing, hand."))


class CheckDifference(Schema):
    game = fields.String(required=True)
    ply = fields.Integer(required=True, allow_none=True, metadata=_said("Null when it is not in the log itself."))
    what = fields.String(
        required=True, allow_none=True, metadata=_said("In words; null while the game runs, since they may tell much.")
    )


class Check(Schema):
    """A night's check of every game."""

    started_at = _time("When it began.")
    ended_at = fields.String(required=True, allow_none=True, metadata=_said("Null while it is under way."))
    release = fields.String(required=True, metadata=_said("The release of Slow Train that checked."))
    games = fields.Integer(required=True)
    plies = fields.Integer(required=True)
    wrong = fields.Integer(required=True, metadata=_said("Games that are not what they should be."))
    not_proved = fields.Integer(
        required=True,
        metadata=_said("Games that are what they were, but not proved by the rules: plies of them were only replayed."),
    )
    seconds = fields.Float(required=True, metadata=_said("At work, without pauses."))
    titles = fields.Dict(
        required=True, metadata=_said("Title -> `games`, `plies`, `wrong` and, but for runs of old, `not_proved`.")
    )
    differences = fields.List(fields.Nested(CheckDifference), required=True)


class Checks(Schema):
    checks = fields.List(fields.Nested(Check), required=True, metadata=_said("The newest first."))


class ScoreLine(Schema):
    id = fields.String(required=True)
    name = fields.String(required=True)
    points = fields.Integer(required=True)


class StandingLine(Schema):
    """One seat's line of the result."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    place = fields.Integer(required=True, allow_none=True, metadata=_said("Null for a seat that left."))
    total = fields.Integer(required=True)
    lines = fields.List(fields.Nested(ScoreLine), required=True)


class Result(Schema):
    """How a game ended, and the secret that proves every draw and opens every sealed part."""

    winners = fields.List(fields.Integer(), required=True)
    standings = fields.List(fields.Nested(StandingLine), required=True)
    commitment = fields.String(required=True)
    secret = fields.String(required=True, metadata=_said("64 hexadecimal digits."))
