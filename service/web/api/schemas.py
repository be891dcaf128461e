"""Schemas of the API, except for those of titles (see `shapes`)."""

from typing import Any, get_args

import msgspec
from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates, validates_schema

from domain import lifecycle
from domain.lifecycle import Status
from domain.pace import MOST_REMINDERS, Then
from domain.rules import Span, Standing
from service.base import names
from service.base.described import MOMENT, doc
from service.database import tables
from service.games import absences, finding, lookback, offers, orders, queries
from service.games.play import Answer
from service.games.players import PERSON
from service.people.accounts import SCOPES, Confirm, OpenAs, Talk, is_zone
from service.proof.checks import Run
from service.web.api.derived import MomentField, derived
from service.web.shared.shapes import LARGEST, MOST_COMMANDS, Name, Text, Truth, Whole, is_title
from service.words import N_, known


class Reference(fields.Raw):
    """Plain data whose schema stands elsewhere in the document, under ``name``."""

    def __init__(self, name: str, **more: Any) -> None:
        super().__init__(**more)
        self.name_of_schema = name


class Input(Schema):
    """The base of requests: an unknown field is an error."""

    class Meta:
        unknown = RAISE


DATE = {"format": "date"}


def _said(text: str, **more: Any) -> dict[str, Any]:
    return {"description": text, **more}


def _time(text: str) -> fields.String:
    return fields.String(required=True, metadata=_said(text, format="date-time"))


# ==== problems ====================================================================================
class Problem(Schema):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True, metadata=_said("The kind of problem, as a link into the page of this API."))
    title = fields.String(required=True, metadata=_said("The kind of problem in words."))
    status = fields.Integer(required=True, metadata=_said("The HTTP status."))
    detail = fields.String(required=True, metadata=_said("Advice on what to do."))
    instance = fields.String(required=True, metadata=_said("The path of the request."))
    rule = fields.String(metadata=_said("refused: the number of the rule.", example="GTJ 5.3"))
    sentence = fields.String(metadata=_said("refused: the reason, in the caller's language."))
    facts = fields.Dict(metadata=_said("refused: the ids and numbers in the sentence."))
    version = fields.Integer(metadata=_said("stale: the version now shown to the seat."))
    errors = fields.Dict(metadata=_said("shape: the errors of each field."))
    scope = fields.String(metadata=_said("scope: the permission that a token needs."))
    why = fields.String(metadata=_said("no_talk: the reason as a word."))
    lines = fields.List(fields.Dict(), metadata=_said("line: the reading of each line; the last one has the problem."))


class PlainField(fields.Dict):
    """A struct of a title, as plain data."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **more: Any) -> Any:
        return msgspec.to_builtins(value)


class Refusal(Schema):
    """The refusal of a command."""

    rule = fields.String(required=True, metadata=_said("The number of the rule.", example="GTJ 5.3"))
    sentence = fields.String(required=True, metadata=_said("The reason, in the caller's language."))
    facts = fields.Dict(required=True, metadata=_said("The ids and numbers in the sentence."))


# ==== people ======================================================================================
class Zone(Text):
    """The IANA name of a time zone."""

    def __init__(self, **more: Any) -> None:
        super().__init__(low=1, high=64, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        zone = str(super()._deserialize(value, attr, data, **more))
        if not is_zone(zone):
            raise ValidationError(N_("This is not the name of a time zone."))
        return zone


LONGEST_TAG = 35
"""The least length that programs must support (RFC 5646, 4.4.1)."""


class LanguageTag(fields.String):
    """A language tag (BCP 47). The field returns the language of ours that it names."""

    def __init__(self, **more: Any) -> None:
        said = "A language tag (BCP 47) such as `de` or `de-AT`. Only a language available here is kept."
        super().__init__(metadata={"minLength": 1, "maxLength": LONGEST_TAG, **_said(said)}, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> str:
        tag = str(super()._deserialize(value, attr, data, **more))
        ours = known(tag) if len(tag) <= LONGEST_TAG else None
        if ours is None:
            raise ValidationError(N_("This language is not available here."))
        return ours


def _own_name() -> Name:
    return Name(
        high=names.LONGEST_OF_PERSON,
        mailed=True,
        load_default="",
        metadata=_said("Your name, if you have not chosen one yet (`named` of `/me`). Otherwise it is ignored."),
    )


class SignInAsked(Input):
    """A request for a sign-in link."""

    email = fields.String(required=True, validate=validate.Length(3, 254))
    next = Text(
        load_default="/",
        high=500,
        pattern=r"^/(?![/\\\\]|play(?:[?#]|$))",
        metadata=_said("The page to open afterwards."),
    )
    zone = Zone(
        load_default="",
        metadata=_said("The IANA name of the caller's time zone. It is used if their account has none yet."),
    )


class SignInSent(Schema):
    """The answer is the same for every address."""

    code = fields.String(required=True, metadata=_said("Six digits to type if the link is opened in another browser."))
    expires_in = fields.Integer(required=True, metadata=_said("Number of seconds for which the link works."))


class SignInConfirmed(Input):
    """The token of a mailed link and, from another browser, the six digits."""

    token = Text(required=True, low=1)
    code = fields.String(load_default=None, allow_none=True, validate=validate.Regexp(r"\A[0-9]{6}\Z"))
    name = _own_name()
    zone = Zone(
        load_default=None,
        allow_none=True,
        metadata=_said(
            "Used if you have not chosen a time zone. By default, the one given when the link was requested."
        ),
    )


@derived(
    tables.Person,
    email="Nobody else can see it.",
    name="The name that other players see.",
    named="Did you choose it? Otherwise the service gave it to you.",
    lang='The language of your mails: a BCP 47 tag such as "de".',
    zone="IANA name of a time zone.",
    zone_known="Did you choose it? Otherwise it is UTC.",
    confirm=(
        "When pages play your choices in a slow game: after you confirm the whole `turn`, after you confirm `each` "
        "step, or `at_once`."
    ),
    confirm_live="The same for games with at most an hour per turn.",
    open_as="How pages open a game: `board`, or `text` for the table in words.",
    tips="Do you get a tip for each turn of your first game of a title?",
    talk="Talk at tables: `hidden`, or shown with mails about `mentions` of you, or about `all` lines.",
    next_game="Do tables link to the next game that waits for you?",
)
class Me(Schema):
    """The person who asks."""

    id = fields.Integer(required=True)
    wakes_at = fields.Integer(
        required=True, metadata=_said("Start of the waking hours, in minutes after local midnight.")
    )
    sleeps_at = fields.Integer(
        required=True, metadata=_said("End of the waking hours. Equal to `wakes_at`: they never end.")
    )
    scopes = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata=_said("The scopes of the calling token; null for a signed-in browser."),
    )


class MeChanged(Input):
    """Changes of the caller's own account; fields that are left out stay."""

    name = Name(high=names.LONGEST_OF_PERSON, mailed=True)
    lang = LanguageTag()
    zone = Zone()
    wakes_at = Whole(low=0, high=1439)
    sleeps_at = Whole(low=0, high=1439)
    confirm = fields.String(validate=validate.OneOf(get_args(Confirm)))
    confirm_live = fields.String(validate=validate.OneOf(get_args(Confirm)))
    open_as = fields.String(validate=validate.OneOf(get_args(OpenAs)))
    tips = Truth()
    talk = fields.String(validate=validate.OneOf(get_args(Talk)))
    next_game = Truth()


class Erasing(Input):
    """The person's own mail address, so that nobody is erased by a slip."""

    email = fields.String(required=True, validate=validate.Length(3, 254))


class SignedIn(Schema):
    """A session that was opened."""

    me = fields.Nested(Me, required=True)
    next = fields.String(required=True)
    new = fields.Boolean(required=True, metadata=_said("Is this the person's first sign-in?"))


@derived(
    tables.Session,
    created_at=doc("Time of the sign-in.", MOMENT),
    seen_at=doc("Hour of the last visit.", MOMENT),
    expires_at=doc("Time by which it must sign in again.", MOMENT),
)
class SessionLine(Schema):
    """A browser that is signed in."""

    id = fields.String(required=True)
    current = fields.Boolean(required=True, metadata=_said("Is it the calling browser?"))


class Sessions(Schema):
    sessions = fields.List(fields.Nested(SessionLine), required=True)


class TokenAsked(Input):
    """A token to be made."""

    name = Name(required=True, high=names.LONGEST_OF_TOKEN, metadata=_said("Its purpose."))
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)),
        required=True,
        validate=validate.Length(1, 10),
        metadata=_said("`read`: look. `play`: take seats and move. `host`: open and run games."),
    )


@derived(tables.ApiToken, name="", created_at=doc("Time of creation.", MOMENT), used_at="Hour of the last use.")
class TokenLine(Schema):
    """A personal token, without the token itself."""

    id = fields.Integer(required=True)
    scopes = fields.List(fields.String(), required=True)


class TokenMade(TokenLine):
    token = fields.String(required=True, metadata=_said("Shown only once."))


class Tokens(Schema):
    tokens = fields.List(fields.Nested(TokenLine), required=True)


# ==== titles ======================================================================================
class TitleLine(Schema):
    """A game in its box."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    rules = fields.Integer(required=True, metadata=_said("The version of the rules."))
    seats = fields.List(fields.Integer(), required=True, metadata=_said("Minimum and maximum number of players."))
    bots = fields.List(fields.String(), required=True)


class Titles(Schema):
    titles = fields.List(fields.Nested(TitleLine), required=True)


class TitleWhole(TitleLine):
    options = fields.Dict(required=True, metadata=_said("JSON schema of the host's options."))
    choice = fields.Dict(required=True, metadata=_said("JSON schema of each seat's choices."))
    commands = fields.Dict(required=True, metadata=_said("Name -> JSON schema of a command."))
    names = fields.Dict(required=True, metadata=_said("Id -> name in the caller's language."))
    notes = fields.List(fields.String(), required=True, metadata=_said("The reconstructed parts of the material."))


# ==== time ========================================================================================
def _span(text: str, **more: Any) -> Whole:
    return Whole(low=0, metadata=_said(f"{text} In milliseconds."), **more)


class PaceGiven(Input):
    """The pace of a table (house rules ST 11 to ST 16). `/paces` has some to begin from."""

    turn = _span("The time of a turn.", required=True)
    bank = _span("Reserve time at the start.", load_default=0)
    gain = _span("Time that each turn adds to the reserve.", load_default=0)
    cap = _span("Maximum reserve time.", load_default=0)
    hour = Whole(
        low=0,
        high=1439,
        load_default=None,
        allow_none=True,
        metadata=_said("Local time of day for all deadlines, in minutes after midnight; null for none."),
    )
    days_off = fields.List(
        Whole(low=1, high=7),
        load_default=list,
        validate=validate.Length(max=6),
        metadata=_said("Weekdays on which the clock stops; 1 is Monday."),
    )
    waking = Truth(load_default=False, metadata=_said("Does the clock run only in waking hours?"))
    absences = Truth(load_default=True, metadata=_said("Does the clock stop for vacations and holidays?"))
    excuse = Truth(load_default=True, metadata=_said("Is a seat's first miss excused?"))
    renew = Truth(load_default=True, metadata=_said("Does the clock restart with each move?"))
    reminders = fields.List(
        _span("Time before the deadline at which to send a reminder."),
        load_default=list,
        validate=validate.Length(max=MOST_REMINDERS),
    )
    then = fields.String(
        load_default="remind",
        validate=validate.OneOf(get_args(Then)),
        metadata=_said("What to do when time is up."),
    )


class PaceChosen(Input):
    """A new pace for a table."""

    pace = fields.Nested(PaceGiven, required=True, allow_none=True, metadata=_said("Null for no clock."))


class PaceLine(Schema):
    """A pace with a name."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    pace = fields.Dict(required=True, metadata=_said("The settings with which it opens a table."))
    said = fields.List(fields.String(), required=True, metadata=_said("The pace in words."))


class Paces(Schema):
    paces = fields.List(fields.Nested(PaceLine), required=True)


@derived(queries.RunningClock)
class ClockLine(Schema):
    """A running clock."""


class TakingOver(Input):
    """A seat that stands open."""

    seat = Whole(required=True, low=1, high=20)
    name = _own_name()
    invite = Text(load_default="", metadata=_said("The invitation, if the table is not public."))


class StandingIn(Input):
    """A seat that stands open."""

    seat = Whole(required=True, low=1, high=20)


class AbsencePlanned(Input):
    """Days off, in one's own time zone: from today on."""

    first_day = fields.Date(required=True)
    last_day = fields.Date(required=True)
    kind = fields.String(load_default="vacation", validate=validate.OneOf(absences.KINDS))


@derived(queries.WaitingStandIn)
class StandInLine(Schema):
    """A bot that plays for an absent player and lets them come back first."""


@derived(
    tables.Absence,
    first_day=doc("A date.", DATE),
    last_day=doc("The last day off.", DATE),
    kind="",
)
class AbsenceLine(Schema):
    id = fields.Integer(required=True)


class Absences(Schema):
    absences = fields.List(fields.Nested(AbsenceLine), required=True)


# ==== games: requests =============================================================================
def _by_invitation() -> Truth:
    return Truth(load_default=False, metadata=_said("Are seats for invited people only, even if the game is public?"))


class OfferGiven(Input):
    """The language of a table, and its demands on people who take a seat. Invited people need not meet them."""

    lang = LanguageTag(load_default="")
    rating_low = Whole(
        low=offers.LOWEST, high=offers.HIGHEST, load_default=None, allow_none=True,
        metadata=_said("The lowest rating that is admitted."),
    )  # fmt: skip
    rating_high = Whole(
        low=offers.LOWEST, high=offers.HIGHEST, load_default=None, allow_none=True,
        metadata=_said("The highest rating that is admitted."),
    )  # fmt: skip
    finished = Whole(
        low=0, high=100, load_default=0,
        metadata=_said("The lowest share of finished games that is admitted, in percent."),
    )  # fmt: skip
    newcomers = Truth(
        load_default=True,
        metadata=_said("Are people admitted who have fewer than five games, rated ones for a rating?"),
    )


@derived(offers.Offer)
class OfferLine(Schema):
    """The language of a table, and its demands on people who take a seat."""


class OfferChosen(OfferGiven):
    """Another offer of an open table."""

    by_invitation = _by_invitation()


class PlayerWished(Input):
    """The player of a seat."""

    player = Text(
        required=True,
        low=1,
        high=20,
        metadata=_said(
            "`person`: is invited by email. `anybody`: the seat is free. `nobody`: the game has no such seat. "
            "Otherwise the name of one of the title's bots.",
            example="person",
        ),
    )
    email = fields.String(
        load_default="", validate=validate.Length(max=254), metadata=_said("The address of a `person`.")
    )

    @validates_schema
    def either(self, given: dict[str, Any], **_: Any) -> None:
        if given["email"] and given["player"] != PERSON:
            raise ValidationError(N_("Only a person has an email address."), "email")


class Opening(Input):
    """A table to be opened, with a number of `seats`, or with `players` seat by seat."""

    title = Text(required=True, low=1, high=40, metadata=_said("Id of a title."))
    seats = Whole(low=1, high=20)
    players = fields.List(
        fields.Nested(PlayerWished),
        validate=validate.Length(1, 19),
        metadata=_said(
            "Instead of `seats`: the players of the seats from 2 on, in their order. Seat 1 stays free for you; take "
            "it with `join`. Seats of `nobody` are left out, and the others are numbered anew.",
            example=[{"player": "person", "email": "bob@example.org"}, {"player": "sensible"}, {"player": "anybody"}],
        ),
    )
    options = Reference("Options", load_default=dict, metadata=_said("The host's options of the title."))
    name = Name(
        high=names.LONGEST_OF_TABLE,
        mailed=True,
        load_default=None,
        allow_none=True,
        metadata=_said("A name for the table."),
    )
    public = Truth(load_default=True, metadata=_said("May anybody see and join it?"))
    rated = Truth(
        load_default=False,
        metadata=_said("Does the result change the ratings of the players? Only public games without bots are rated."),
    )
    by_invitation = _by_invitation()
    sealed = Truth(
        load_default=False,
        metadata=_said(
            "Does the table use sealed words? Each seat then commits to its words of luck, and opens them when all "
            "seats are taken."
        ),
    )
    pace = fields.Nested(
        PaceGiven, load_default=None, allow_none=True, metadata=_said("The pace of the game; null for no clock.")
    )

    offer = fields.Nested(
        OfferGiven, load_default=lambda: OfferGiven().load({}), metadata=_said("Its language, and whom seats are for.")
    )

    @validates("title")
    def _is_title(self, title: str, data_key: str) -> None:
        if not is_title(title):
            raise ValidationError(N_("There is no such title here."))

    @validates_schema
    def either(self, given: dict[str, Any], **_: Any) -> None:
        if ("seats" in given) == ("players" in given):
            raise ValidationError(N_("Send either seats or players."), "seats")


class Joining(Input):
    """A seat to be taken."""

    name = _own_name()
    seat = Whole(
        low=1, high=20, load_default=None, allow_none=True, metadata=_said("By default, the lowest free seat.")
    )
    choice = Reference("Choice", load_default=dict, metadata=_said("The seat's choices of the title."))
    words = Text(
        load_default="",
        metadata=_said(
            "Your words of luck: 32 random bytes of your own in hexadecimal digits, or any text that nobody can guess. "
            "Every draw of the game depends on them, so not even the operator can choose the draws. The log holds only "
            "their hash. Draw them after you have seen the game's `commitment`, and send the same ones if you repeat "
            "the request. The proof names seats that bring none."
        ),
    )
    salt = fields.String(
        load_default="",
        validate=validate.Regexp(r"\A([0-9a-f]{64})?\Z"),
        metadata=_said(
            "64 hexadecimal digits of your own. They are hashed in front of your words, to protect words that could be "
            "guessed."
        ),
    )
    sealed = fields.String(
        load_default="",
        validate=validate.Regexp(r"\A([0-9a-f]{64})?\Z"),
        metadata=_said(
            "At a table with sealed words, send this instead of both: the SHA-256 of 64 hexadecimal digits (32 random "
            "bytes, as UTF-8). Keep the digits, and open them when all seats are taken."
        ),
    )
    entropy = Text(load_default="", metadata=_said("The old name of `words`.", deprecated=True))
    invite = Text(load_default="", metadata=_said("The invitation, if the table is not public."))


class SeatingBot(Input):
    """A bot to be seated."""

    bot = Text(load_default="sensible", low=1, high=20)
    seat = Whole(
        low=1, high=20, load_default=None, allow_none=True, metadata=_said("By default, the lowest free seat.")
    )
    choice = Reference("Choice", load_default=dict)


class Inviting(Input):
    """The addresses to invite by mail; without any, only the link is shown."""

    emails = fields.List(
        fields.String(validate=validate.Length(3, 254)), load_default=list, validate=validate.Length(max=10)
    )


class Moving(Input):
    """Commands, or lines as a player types them. Either all stand or none, unless one cannot be undone."""

    commands = fields.List(Reference("Command", required=True), validate=validate.Length(1, MOST_COMMANDS))
    lines = fields.List(
        fields.String(required=True, validate=validate.Length(max=orders.LONGEST)),
        validate=validate.Length(1, MOST_COMMANDS),
        metadata=_said(
            "Instead of `commands`: orders as a player types them, in any language of the site.",
            example=["move Ottawa with Ottawa Flat Car", "end turn"],
        ),
    )

    @validates_schema
    def either(self, given: dict[str, Any], **_: Any) -> None:
        if ("commands" in given) == ("lines" in given):
            raise ValidationError(N_("Send either commands or lines."), "commands")


class TakingBack(Input):
    """The range of plies to take back."""

    down_to = Whole(
        required=True, low=1, metadata=_said("The oldest ply to take back; see `take_back` of the actions.")
    )


class Rewinding(Input):
    """The position to go back to."""

    to = Whole(required=True, low=1, metadata=_said("The ply to go back to."))


class Nothing(Input):
    """An empty object."""


class GamesQuery(Input):
    """The filters of a list of games."""

    which = fields.String(load_default="open", validate=validate.OneOf(get_args(queries.Which)))
    title = Text(load_default=None, high=40)
    status = fields.String(load_default=None, validate=validate.OneOf(get_args(Status)))
    seats = fields.Integer(load_default=None, validate=validate.Range(1, 20))
    pace = fields.String(
        load_default=None,
        validate=validate.OneOf(finding.SPEEDS),
        metadata=_said("live: up to 15 minutes a turn; day: up to a day; days: more; none: no clock."),
    )
    language = LanguageTag(load_default=None)
    rated = fields.Boolean(load_default=None)
    finished = fields.Integer(
        load_default=None,
        validate=validate.Range(0, 100),
        metadata=_said("The share of finished games that a table asks for, at least, in percent."),
    )
    limit = fields.Integer(load_default=queries.PAGE, validate=validate.Range(1, 100))
    after = fields.String(
        load_default=None,
        validate=validate.Regexp(r"\A[0-9]{1,15}\.[0-9a-z]{1,26}\Z"),
        metadata=_said("Start of the page: `next` of the previous page."),
    )


class InviteQuery(Input):
    """The invitation, or a guest's `guest_pass`, for a game that is not public."""

    invite = fields.String(load_default="", validate=validate.Length(max=200))


class LiveQuery(InviteQuery):
    """A game to watch, beside all games in which the caller has a seat."""

    game = fields.String(
        load_default="",
        validate=validate.Regexp(r"\A[0-9a-z]{0,26}\Z"),
        metadata=_said("A game without a seat of yours that you want to watch."),
    )


class Live(Schema):
    """The address of a stream."""

    address = fields.String(required=True, metadata=_said("The address, with its tokens. Keep it secret."))
    until = fields.String(required=True, metadata=_said("The time at which the stream ends."))


class SinceQuery(InviteQuery):
    """The range of plies to show."""

    since = fields.Integer(
        load_default=0, validate=validate.Range(0, LARGEST), metadata=_said("Only plies after this one.")
    )
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 1000))


class EyesQuery(InviteQuery):
    """The seat whose view is shown."""

    seat = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 99),
        metadata=_said("A seat other than your own, when the game is over."),
    )


class ChangesQuery(EyesQuery):
    """The two versions to compare. The first may be the later one."""

    since = fields.Integer(
        data_key="from",
        load_default=None,
        validate=validate.Range(0, LARGEST),
        metadata=_said(
            "The first version. By default, the version of your own last ply; for spectators, the last but one."
        ),
    )
    to = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LARGEST),
        metadata=_said("The second version; the current one by default."),
    )


class BoardQuery(EyesQuery):
    """The board to draw as SVG."""

    version = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LARGEST),
        metadata=_said("A past version; the current one by default."),
    )
    theme = fields.String(load_default="light", validate=validate.OneOf(["light", "dark"]))


class PictureQuery(EyesQuery):
    """The board to draw as PNG."""

    version = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LARGEST),
        metadata=_said("A past version; the current one by default."),
    )
    width = fields.Integer(load_default=1200, validate=validate.OneOf([600, 1200]))


class AuditQuery(InviteQuery):
    """The format of the file."""

    format = fields.String(
        load_default=None,
        validate=validate.OneOf(["html", "jsonl"]),
        metadata=_said("By default, the format in `Accept`."),
    )
    since = fields.Integer(
        load_default=None,
        validate=validate.Range(1, 2**31 - 1),
        metadata=_said("For a page: the oldest acceptable version of the game. By default, the current one."),
    )


class BeingMade(Schema):
    """A page that is being made."""

    since = fields.Integer(metadata=_said("The oldest version of the game that the page will show."))
    again = fields.String(metadata=_said("The address to ask again."))


_KEY = fields.String(
    data_key="Idempotency-Key",
    validate=validate.Length(1, 200),
    metadata=_said(
        "A name of your choice for this submission. If you send it again, nothing changes and you get the same answer."
    ),
)


class MoveHeaders(Schema):
    """Headers of a move: its position, and a key that marks a repetition."""

    if_match = fields.String(data_key="If-Match", metadata=_said("The ETag of the position, or `*`."))
    idempotency_key = _KEY


class KeyHeaders(Schema):
    """The key that marks a repetition of a request."""

    idempotency_key = _KEY


# ==== games: answers ==============================================================================
@derived(queries.Occupant)
class PlaceLine(Schema):
    """The occupant of a seat."""


@derived(queries.Listed)
class GameLine(Schema):
    """A game in a list."""


class Games(Schema):
    games = fields.List(fields.Nested(GameLine), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=_said("`after` of the next page; null on the last page.")
    )


@derived(queries.Shown)
class Position(Schema):
    """A position as one seat sees it."""


@derived(
    lifecycle.Proposal,
    seat="The seat that proposes it.",
    to="The ply to go back to.",
    people="The seats that must agree.",
    agreed="",
    expires=doc("Time until which they can agree.", MOMENT),
)
class Rewind(Schema):
    """A proposal to go back together, which stands until the game goes on, somebody refuses, or it expires."""

    missing = fields.List(fields.Integer(), required=True, metadata=_said("The seats that have not agreed yet."))


@derived(
    tables.GameRow,
    id="",
    title="",
    name="",
    public="",
    rated="Does its result change the ratings of its players?",
    by_invitation="Are its seats for invited people only?",
    seats="",
)
class Game(Position):
    """A game as the caller sees it. A move sends its ``ETag`` as ``If-Match``."""

    options = fields.Dict(required=True)
    rules = fields.Integer(required=True, metadata=_said("The version of the rules."))
    host = fields.String(required=True, allow_none=True)
    places = fields.List(fields.Nested(PlaceLine), required=True)
    choices = fields.Dict(required=True, metadata=_said("Seat -> its choices on joining."))
    seat = fields.Integer(required=True, allow_none=True, metadata=_said("The caller's own seat."))
    may = fields.List(fields.String(), required=True, metadata=_said("The caller's rights now."))
    guest_pass = fields.String(
        required=True,
        allow_none=True,
        metadata=_said(
            "For a caller who came by the invitation before the start. Sent as `invite`, it lets them watch later."
        ),
    )
    offer = fields.Nested(OfferLine, required=True)
    rewind = fields.Nested(
        Rewind, required=True, allow_none=True, metadata=_said("The open proposal to go back, if any.")
    )
    rewind_lapsed = fields.String(
        required=True,
        allow_none=True,
        metadata=_said(
            "A note that the last proposal has expired or lapsed, until somebody moves or the caller has acted."
        ),
    )
    pace = fields.Dict(required=True, allow_none=True, metadata=_said("The pace of the game; null for no clock."))
    pace_said = fields.List(fields.String(), required=True, metadata=_said("The pace in words."))
    clocks = fields.List(fields.Nested(ClockLine), required=True)
    away = fields.List(fields.Integer(), required=True, metadata=_said("Seats that a bot plays for an absent player."))
    vacant = fields.List(fields.Integer(), required=True, metadata=_said("Seats open to a substitute."))
    stand_ins = fields.List(
        fields.Nested(StandInLine), required=True, metadata=_said("Stand-in bots whose turn it is.")
    )
    waited_for = fields.List(
        fields.Integer(),
        required=True,
        metadata=_said("For a paused game: the seats of which at least one player must come back."),
    )
    fingerprint = fields.String(required=True, metadata=_said("Fingerprint of the last link of the log, as in mails."))
    commitment = fields.String(required=True, metadata=_said("SHA-256 of the game's secret."))
    created_at = _time("Time at which the table was opened.")
    moved_at = _time("Time of the last event.")


@derived(Span)
class SpanLine(Schema):
    """The numbers a field may take."""


class ActionLine(Schema):
    """A command that would be accepted now, ready to be sent; with a span its one open number is the lowest."""

    command = fields.Dict(required=True)
    line = fields.String(required=True, metadata=_said("The command as a line, which you can send instead."))
    order = fields.String(required=True, metadata=_said("The line that a player would type, in the caller's language."))
    group = fields.String(required=True)
    group_name = fields.String(required=True)
    sentence = fields.String(required=True)
    span = fields.Nested(SpanLine, required=True, allow_none=True)


class Actions(Schema):
    version = fields.Integer(required=True)
    asked = fields.Boolean(required=True, metadata=_said("Does the game wait for this seat?"))
    actions = fields.List(fields.Nested(ActionLine), required=True)
    take_back = fields.List(
        fields.Integer(), required=True, metadata=_said("Plies that can be taken back, newest first.")
    )
    take_backs_left = fields.Integer(
        required=True,
        allow_none=True,
        metadata=_said("How often this seat can still take a move back; null if there is no limit."),
    )
    why_no_take_back = fields.String(
        required=True,
        allow_none=True,
        metadata=_said("The reason why nothing can be taken back; null if something can."),
    )


class Step(Schema):
    """The effects of a command, as far as its seat would see them."""

    events = fields.List(fields.Dict(), required=True)
    sentences = fields.List(fields.String(), required=True)


@derived(
    orders.GivenLine,
    text="The line as sent.",
    line="Its meaning, in the service's own words.",
    problem=(
        "The reason why it is not a command. It can mean several things, is not possible, has an unknown word, or is "
        "not an order at all. Or it was copied with its number, is refused, depends on the lines before it, or belongs "
        "elsewhere."
    ),
    rule="The number of the rule.",
    near="Lines to send instead.",
)
class ReadLine(Schema):
    """A line that was sent, with its reading."""

    command = PlainField(required=True, allow_none=True)
    message = fields.String(attribute="said", required=True, metadata=_said("The problem in words."))


class Preview(Schema):
    """The effects of the commands. ``foreseen``: false if it ends before a draw or a reveal."""

    foreseen = fields.Boolean(required=True)
    steps = fields.List(fields.Nested(Step), required=True)
    lines = fields.List(
        fields.Nested(ReadLine),
        required=True,
        metadata=_said("The result of each line sent, up to the first with a problem; empty if commands were sent."),
    )
    position = fields.Nested(Position, required=True)


@derived(Answer, version="The version now shown to the seat.", plies="The plies that count.")
class Moved(Schema):
    """The result of a submission."""

    refused_at = fields.Integer(
        required=True,
        allow_none=True,
        metadata=_said("The index (from 0) of a command that was refused when earlier ones could no longer be undone."),
    )
    refusal = fields.Nested(Refusal, required=True, allow_none=True)


class Seated(Moved):
    seat = fields.Integer(required=True)


class Sealing(Input):
    """Words to be sealed anew."""

    sealed = fields.String(
        required=True,
        validate=validate.Regexp(r"\A[0-9a-f]{64}\Z"),
        metadata=_said("SHA-256 of 64 hexadecimal digits that you keep."),
    )


class OpeningWords(Input):
    """The words that were sealed."""

    words = fields.String(
        required=True, validate=validate.Regexp(r"\A[0-9a-f]{64}\Z"), metadata=_said("64 hexadecimal digits.")
    )


class SealedWords(Schema):
    """The state of a table's sealed words."""

    owing = fields.List(fields.Integer(), required=True, metadata=_said("The seats for which the table waits."))
    opened = fields.List(fields.Integer(), required=True)
    failed = fields.Integer(required=True, metadata=_said("Number of failed attempts."))
    due = fields.String(
        required=True, allow_none=True, metadata=_said("Deadline; a seat that misses it is lost.", format="date-time")
    )


@derived(queries.Brought)
class BroughtWords(Schema):
    """The caller's own words; nobody else sees them."""


class Words(Schema):
    """The words of luck of a table."""

    commitment = fields.String(required=True, metadata=_said("SHA-256 of the game's secret."))
    brought = fields.Dict(required=True, metadata=_said("Taken seat -> the hash of its words; null for none."))
    bots = fields.List(fields.Integer(), required=True, metadata=_said("Seats taken by bots, which bring no words."))
    choosable = fields.Boolean(
        required=True,
        allow_none=True,
        metadata=_said("Could a person who knew the secret have chosen the draws? Null before the game has begun."),
    )
    sentence = fields.String(
        required=True, allow_none=True, metadata=_said("The same in words, after the game has begun.")
    )
    mine = fields.Nested(BroughtWords, required=True, allow_none=True)
    sealed = fields.Nested(
        SealedWords,
        required=True,
        allow_none=True,
        metadata=_said("For a table with sealed words (ST 20); otherwise null."),
    )


class Invitation(Schema):
    """An invitation to hand on. It works while a seat can be taken, until the host renews it."""

    invite = fields.String(required=True, metadata=_said("Anybody with this link can see and join the game."))
    invite_link = fields.String(required=True)


class Opened(Invitation):
    id = fields.String(required=True)
    invited = fields.Integer(required=True, metadata=_said("Number of people among `players` with an invitation."))
    commitment = fields.String(required=True, metadata=_said("SHA-256 of the game's secret."))


class RematchOpened(Invitation):
    id = fields.String(required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata=_said("The caller's seat; null with sealed words."))


class Invited(Invitation):
    sent = fields.Integer(required=True, metadata=_said("Number of mails on their way."))


class PlyLine(Schema):
    """An accepted command with its effects, as far as the caller may know them."""

    ply = fields.Integer(required=True)
    at = fields.String(required=True, allow_none=True, metadata=_said("Null if you may not even see that."))
    seat = fields.Integer(required=True, allow_none=True)
    cause = fields.String(required=True, allow_none=True, metadata=_said("player, bot, clock or service"))
    rules = fields.Integer(required=True)
    command = fields.Dict(required=True, allow_none=True)
    events = fields.List(fields.Dict(), required=True)
    draws = fields.List(fields.Dict(), required=True)
    withdrawn = fields.Boolean(required=True, metadata=_said("Was it taken back later?"))
    link = fields.String(required=True, metadata=_said("Its link in the chain, 64 hexadecimal digits."))


class Plies(Schema):
    version = fields.Integer(required=True)
    plies = fields.List(fields.Nested(PlyLine), required=True)
    more = fields.Boolean(required=True, metadata=_said("Are there more plies after the last one given?"))


class LogLine(Schema):
    """A ply in sentences."""

    ply = fields.Integer(attribute="ply.number", required=True)
    at = MomentField(attribute="ply.at", required=True)
    seat = fields.Integer(attribute="ply.seat", required=True, allow_none=True)
    withdrawn = fields.Boolean(required=True)
    sentences = fields.List(fields.String(), attribute="said", required=True)


class Log(Schema):
    version = fields.Integer(required=True)
    log = fields.List(fields.Nested(LogLine), required=True)
    more = fields.Boolean(required=True, metadata=_said("Are there more plies after the last one given?"))
    until = fields.Integer(required=True, metadata=_said("The last ply in this answer: `since` of the next request."))


@derived(lookback.ChangedSentence)
class DifferenceLine(Schema):
    """A sentence about a position that is another one, new (`before` is null), or gone (`after` is null)."""


class Changes(Schema):
    """The changes between two versions."""

    since = fields.Integer(data_key="from", required=True)
    to = fields.Integer(required=True)
    added = fields.List(
        fields.Nested(LogLine),
        required=True,
        metadata=_said("Plies that count now and did not before, and those taken back in between (`withdrawn`)."),
    )
    removed = fields.List(fields.Nested(LogLine), required=True, metadata=_said("Plies that no longer count."))
    differences = fields.List(fields.Nested(DifferenceLine), required=True, metadata=_said("Board, standing, hand."))


class CheckDifference(Schema):
    game = fields.String(required=True)
    ply = fields.Integer(required=True, allow_none=True, metadata=_said("Null if it is not in the log itself."))
    what = fields.String(
        required=True,
        allow_none=True,
        metadata=_said("In words; null while the game runs, because words could reveal too much."),
    )


@derived(
    Run,
    started_at=doc("Time of its beginning.", MOMENT),
    ended_at="Null while it is running.",
    games="",
    plies="",
    wrong="Games with differences.",
    titles="Title -> `games`, `plies`, `wrong` and, except in old checks, `not_proved`.",
)
class Check(Schema):
    """A night's check of every game."""

    release = fields.String(
        attribute="program", required=True, metadata=_said("The release of Slow Train that checked.")
    )
    not_proved = fields.Integer(
        required=True,
        metadata=_said(
            "Games without differences but not fully checked against the rules, because some plies were only replayed."
        ),
    )
    seconds = fields.Float(required=True, metadata=_said("Working time, without pauses."))
    differences = fields.List(fields.Nested(CheckDifference), required=True)


class Checks(Schema):
    checks = fields.List(fields.Nested(Check), required=True, metadata=_said("Newest first."))


class ScoreLine(Schema):
    id = fields.String(required=True)
    name = fields.String(required=True)
    points = fields.Integer(required=True)


@derived(Standing, seat="", place="Null for a seat that left the game.", total="")
class StandingLine(Schema):
    """One seat's line of the result."""

    name = fields.String(required=True)
    lines = fields.List(fields.Nested(ScoreLine), required=True)


class Result(Schema):
    """The result of a game, and the secret that proves every draw and opens every sealed part."""

    winners = fields.List(fields.Integer(), required=True)
    standings = fields.List(fields.Nested(StandingLine), required=True)
    commitment = fields.String(required=True)
    secret = fields.String(required=True, metadata=_said("64 hexadecimal digits."))
