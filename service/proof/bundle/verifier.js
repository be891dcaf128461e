"use strict";
// The second verifier: proves a bundle in any browser, from a file, without network, and independently of the program
// that made it. The format stands in format.py and below where it is checked. It works out for itself: SHA-256 and HMAC,
// every line and its one way to be written, the chain of links, the sealed parts and their keys, that versions of the
// rules, times and seats can follow from one ply to the next, which cause can give which command, that everybody is asked
// before the game goes back, that deadlines and time in hand can be what they are whatever calendars say, what the seats add
// to chance, and every draw. It knows no rules of any game: it decides no ply again, so whatever it finds is not proved by
// the rules, and whom a game waits for, so whose clock has to start or stop, it cannot tell.
//
//   verifyBundle(text, pasted, newest) -> { header, links, opened, closed, draws, found, fault, fingerprints, brought,
//                                           choosable, sealed, failed, decided, replayed, back, short, deeds, timed }
//   seatsOfWords(text, brought) -> the seats that brought these words
//   sayFault(fault, words)     -> a sentence
//   sayVerdict(proof, words)   -> { head, said }: a word, and sentences; `words`: English -> another language
//
// `newest`: the highest version of the title's rules that is known here. `decided` and `replayed`: plies that were decided
// again, which are none, and plies that were only read. `back`: plies of version 1 of the rules whose time runs back.
// `short`: plies of versions 1 and 2 with a deadline below its least. `deeds`: what -> plies in which the service did it.
// `timed`: the table has a pace.
// `brought`: seat -> what its player brought, hashed. `choosable`: whether whoever knew the secret could have chosen the
// draws; null before the game has begun. `sealed`: the words were sealed before any was opened; `failed`: attempts at that
// which came to nothing.
//
// `pasted`: any text with fingerprints in it, whole mails for instance. `fault`: null, or the first thing that is
// wrong: { ply, what, facts }; ply is null when it is in no ply.

// ==== bytes =======================================================================================
function utf8(text) {
  const bytes = [];
  for (const letter of text) {
    const code = letter.codePointAt(0);
    if (code >= 0xd800 && code <= 0xdfff) throw new Fault("line", {});  // half a letter: no UTF-8 says that
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | code >> 6, 0x80 | code & 63);
    else if (code < 0x10000) bytes.push(0xe0 | code >> 12, 0x80 | code >> 6 & 63, 0x80 | code & 63);
    else bytes.push(0xf0 | code >> 18, 0x80 | code >> 12 & 63, 0x80 | code >> 6 & 63, 0x80 | code & 63);
  }
  return Uint8Array.from(bytes);
}

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function bigEndian(number, length) {
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = number; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

const behindItsLength = (bytes) => joined(bigEndian(bytes.length, 4), bytes);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (digits) => Uint8Array.from(digits.match(/../g) || [], (pair) => parseInt(pair, 16));

// ==== SHA-256 (FIPS 180-4) and HMAC (RFC 2104) ====================================================
const primes = (() => {
  const found = [];
  for (let n = 2; found.length < 64; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
})();
const fraction = (x) => (x - Math.floor(x)) * 0x100000000 | 0;
const K = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const turned = (word, by) => word >>> by | word << 32 - by;

function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  padded.set(bigEndian(message.length * 8, 8), padded.length - 8);
  const hash = START.slice(), w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let t = 0; t < 16; t += 1) {
      const at = block + 4 * t;
      w[t] = padded[at] << 24 | padded[at + 1] << 16 | padded[at + 2] << 8 | padded[at + 3];
    }
    for (let t = 16; t < 64; t += 1) {
      const a = w[t - 15], b = w[t - 2];
      const s0 = turned(a, 7) ^ turned(a, 18) ^ a >>> 3, s1 = turned(b, 17) ^ turned(b, 19) ^ b >>> 10;
      w[t] = w[t - 16] + s0 + w[t - 7] + s1 | 0;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let t = 0; t < 64; t += 1) {
      const choice = e & f ^ ~e & g, majority = a & b ^ a & c ^ b & c;
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + K[t] + w[t] | 0;
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority | 0;
      h = g; g = f; f = e; e = d + one | 0; d = c; c = b; b = a; a = one + two | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => { hash[at] = hash[at] + word | 0; });
  }
  return joined(...Array.from(hash, (word) => bigEndian(word >>> 0, 4)));
}

function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

// ==== the lines ===================================================================================
class Fault {
  constructor(what, facts = {}, ply = null) {
    this.what = what;
    this.facts = facts;
    this.ply = ply;
  }
}

const isText = (value) => typeof value === "string";
const isHash = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isNumber = (low, high) => (value) => Number.isInteger(value) && value >= low && value <= high;
const isCount = isNumber(1, 2 ** 31 - 1);
const isOneOf = (...values) => (value) => values.includes(value);
const isOpened = (part) => has(part, { commitment: isHash, seat: isNumber(0, 99), body: isText, key: isHash });
const isClosed = (part) => has(part, { commitment: isHash });

const HEADER = {
  format: isOneOf("slow train bundle"), version: isOneOf(1), game: (value) => isText(value) && /^[0-9a-z-]{1,26}$/.test(value),
  title: (value) => isText(value) && /^[0-9a-z_]{1,40}$/.test(value), seats: isNumber(1, 99), rules: isCount,
  reader: (value) => isNumber(1, 99)(value) || isOneOf("onlooker", "everything")(value),
  status: isOneOf("open", "running", "over", "cancelled"), commitment: isHash, plies: isCount, head: isHash,
};
const PLY = {
  ply: isCount, open: isText, sealed: (parts) => Array.isArray(parts) && parts.every((part) => isOpened(part) || isClosed(part)),
  link: isHash,
};
const END = { end: isCount, secret: (value) => value === null || isHash(value), digest: isHash };

/** Whether an object has exactly these members, in this order. */
function has(thing, shape) {
  return thing !== null && typeof thing === "object" && !Array.isArray(thing)
    && Object.keys(thing).join() === Object.keys(shape).join()
    && Object.entries(shape).every(([name, fits]) => fits(thing[name]));
}

/** The one way to write a line. */
const lineOf = (thing) => JSON.stringify(thing).replace(/</g, "\\u003c");

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Whether what a ply holds is JSON in the one way in which it is written. */
function isAsWritten(text) {
  try {
    return JSON.stringify(JSON.parse(text, wholeLetters)) === text;
  } catch {
    return false;
  }
}

/** Refuses half a letter, which JSON can write and UTF-8 cannot. */
function wholeLetters(name, value) {
  utf8(name);
  if (isText(value)) utf8(value);
  return value;
}

function readLine(line, shape) {
  const thing = parsed(line);
  if (!has(thing, shape) || lineOf(thing) !== line) throw new Fault("line");
  return thing;
}

function readHeader(line) {
  const known = parsed(line);
  if (known === null || known.format !== "slow train bundle" || !isCount(known.version)) throw new Fault("no bundle");
  if (known.version > 1) throw new Fault("future", { version: known.version });
  try {
    return readLine(line, HEADER);
  } catch {
    throw new Fault("header");
  }
}

function readPly(number, lines, cutOff) {
  if (number >= lines.length) throw new Fault(cutOff && number === lines.length ? "cut off" : "missing", {}, number);
  let ply;
  try {
    ply = readLine(lines[number], PLY);
  } catch {
    throw new Fault(lines[number].startsWith('{"end":') ? "missing" : "line", {}, number);
  }
  if (ply.ply !== number) throw new Fault("place", { other: ply.ply }, number);
  return ply;
}

function readEnd(header, lines, cutOff) {
  const place = header.plies + 1;
  if (place >= lines.length) throw new Fault("no end");
  let end;
  try {
    end = readLine(lines[place], END);
  } catch {
    throw lines[place].startsWith('{"ply":') ? new Fault("too many", {}, place) : new Fault("end");
  }
  if (lines.length > place + 1 || cutOff) throw new Fault("more");
  if (end.end !== header.plies) throw new Fault("end");
  return end;
}

// ==== the chain ===================================================================================
const START_OF_CHAIN = utf8("slow train 1 chain"), START_OF_PART = utf8("slow train 1 part"), DRAWS = utf8("slow train 1 draws");

const firstLink = (game) => sha256(joined(START_OF_CHAIN, behindItsLength(utf8(game))));
const nextLink = (before, open, commitments) => sha256(joined(before, sha256(open), ...commitments));
const partKey = (secret, game, ply, index) =>
  hmac(secret, joined(START_OF_PART, behindItsLength(utf8(game)), bigEndian(ply, 8), bigEndian(index, 4)));

function checkPart(header, secret, ply, part, index) {
  if (!isOpened(part)) {
    if (header.reader === "everything") throw new Fault("closed", { part: index });
    return null;
  }
  if (header.reader !== "everything" && header.reader !== part.seat) throw new Fault("foreign", { part: index, seat: part.seat });
  if (secret && hex(partKey(secret, header.game, ply, index)) !== part.key) throw new Fault("key", { part: index });
  if (hex(hmac(unhex(part.key), utf8(part.body))) !== part.commitment) throw new Fault("part", { part: index });
  const body = parsed(part.body);
  if (body === null || body.seat !== part.seat) throw new Fault("owner", { part: index });
  if (!isAsWritten(part.body)) throw new Fault("sloppy part", { part: index });
  return body;
}

const OPENED = ["TableOpened", "TableOpened.2"];

/** The header and the secret are those of the table that ply 1 opens. */
function checkFirst(header, secret, open) {
  const [event = {}] = open.events || [];
  if (!OPENED.includes(event.event) || event.title !== header.title || event.seats !== header.seats) throw new Fault("table");
  if (event.commitment !== header.commitment) throw new Fault("commitment");
  if (secret && hex(sha256(secret)) !== header.commitment) throw new Fault("secret");
}

// ==== from ply to ply (service/proof/order.py) ==========================================================
const ONE_CLOCK = 2, LATEST = 253402300799999, CAUSES = ["player", "bot", "clock", "service"];
const BY_NO_SEAT = [
  "OpenTable", "OpenTable.2", "StartGame", "CancelGame", "CloseGame", "CallWords", "MoveWords", "SetPace", "CallTime", "TakeOver",
  "StandIn", "MoveClocks", "FreeSeat",
];
const TAKES_SEAT = ["TakeSeat", "TakeSeat.2"], ABOUT_A_SEAT = ["CallTime", "TakeOver", "StandIn", "FreeSeat"];

/** What was asked for in a ply, as far as its reader may see it. */
function givenIn(open, bodies) {
  const given = { at: 0, seat: null, cause: "", command: null, ...open };
  for (const body of bodies.filter((each) => each !== null)) {
    if (body.command) Object.assign(given, { command: body.command, seat: body.seat });
    if (body.at) Object.assign(given, { at: body.at, seat: body.seat, cause: body.cause });
  }
  return given;
}

/** Versions of the rules never fall, times never run back, and the seats are those of the table. */
class Order {
  constructor(seats, newest) {
    this.seats = seats;
    this.newest = newest;
    this.rules = 1;
    this.at = 0;
    this.back = [];
  }

  follow(ply, open, bodies) {
    this.version(open.rules);
    const given = givenIn(open, bodies);
    const events = [open, ...bodies].flatMap((part) => (part && part.events) || []);
    const shown = given.at || given.cause || given.command !== null || events.length || (open.draws || []).length;
    if (bodies.includes(null) && !shown) return;  // another did something, and this reader may not see who, what and when
    if (!CAUSES.includes(given.cause) || !events.length) throw new Fault("nothing");
    this.time(ply, open.rules, given.at);
    this.who(given);
  }

  version(rules) {
    if (rules > this.newest) throw new Fault("newer", { rules, newest: this.newest });
    if (rules < 1) throw new Fault("no version", { rules });
    if (rules < this.rules) throw new Fault("falls", { rules, before: this.rules });
    this.rules = rules;
  }

  time(ply, rules, at) {
    if (!isNumber(1, LATEST)(at)) throw new Fault("time");
    if (at < this.at && rules >= ONE_CLOCK) throw new Fault("back");
    if (at < this.at) this.back.push(ply);
    this.at = at;
  }

  who({ seat, command }) {
    const sits = isNumber(1, this.seats), tag = command && command.command;
    const about = ABOUT_A_SEAT.includes(tag) ? [command.seat] : tag === "MoveClocks" ? command.clocks.map(([each]) => each)
      : tag === "ProposeRewind" ? command.people : [];
    if (!about.every(sits) || (tag === "ProposeRewind" && about.includes(seat))) throw new Fault("about", { command: tag });
    if (BY_NO_SEAT.includes(tag) ? seat !== null : !sits(seat)) throw new Fault("seat", { seat });
    if (TAKES_SEAT.includes(tag) && command.seat !== seat) throw new Fault("takes", { seat, other: command.seat });
  }
}

// ==== facts of the moment (service/proof/facts.py) =================================================
const MINUTE = 60000, DAY = 1440 * MINUTE, FAR = 1000, WAIT_FOR_WORDS = 3 * DAY, AT_LEAST = 5 * MINUTE, KEEPS_TO_THE_LEAST = 3, SETS_RIGHT = 3;
const BOTS_KEEP_THEIR_SEATS = 3;
const MOVES = "player bot";
const GIVEN_BY = {
  "OpenTable": "player service", "OpenTable.2": "player service", "SetPace": "player service", "TakeSeat": "player", "TakeSeat.2": "player",
  "GiveUpSeat": "player", "SealWords": "player", "RevealWords": "player", "CallWords": "clock", "MoveWords": "service",
  "StartGame": "player service", "CancelGame": "player service", "Resign": "player service", "TakeBack": "player", "ProposeRewind": "player",
  "AgreeToRewind": "player", "RefuseRewind": "player", "MoveClocks": "service", "CallTime": "clock", "ReturnToSeat": "player",
  "TakeOver": "player", "StandIn": "player", "CloseGame": "service", "FreeSeat": "service", "TimeOut": "",
};
const BY_VERSION_1 = { "ReturnToSeat": "player bot", "TimeOut": "player clock service" };

/** Event of the table -> the commands that can bring it, about the same seat. All others can come with any. */
const BROUGHT_BY = {
  "TableOpened": "OpenTable", "TableOpened.2": "OpenTable.2", "SeatTaken": "TakeSeat", "SeatTaken.2": "TakeSeat.2",
  "SeatGivenUp": "GiveUpSeat", "GameStarted": "StartGame RevealWords", "GameCancelled": "CancelGame", "GameClosed": "CloseGame",
  "SeatRetired": "Resign TimeOut CallTime", "TakenBack": "TakeBack", "RewindProposed": "ProposeRewind", "RewindAgreed": "AgreeToRewind",
  "RewindRefused": "RefuseRewind", "Rewound": "ProposeRewind AgreeToRewind", "PaceSet": "SetPace", "ClockMoved": "MoveClocks",
  "TimeGivenBack": "MoveClocks", "ClocksSetRight": "MoveClocks", "TimeRanOut": "CallTime", "MissExcused": "CallTime",
  "ClockPlaysOn": "CallTime", "BotPlaysOn": "CallTime StandIn", "SeatOpened": "CallTime FreeSeat", "SeatTakenOver": "TakeOver",
  "WordsCalled": "TakeSeat.2 SealWords MoveWords", "WordsSealed": "SealWords", "WordsRevealed": "RevealWords", "SeatLost": "CallWords",
  "WordsVoided": "CallWords GiveUpSeat",
};
const ABOUT_ANY_SEAT = ["CallWords", "MoveClocks"], MOVED = ["ClockMoved", "TimeGivenBack", "ClocksSetRight"];

/** An event of the table comes with a command that brings it, and is about the seat of that command. */
function isBrought(tag, { seat, command }, event) {
  if (event.event === "SeatReturned") return event.seat === seat;
  if (!(event.event in BROUGHT_BY)) return true;
  const about = command && "seat" in command ? command.seat : seat;
  return BROUGHT_BY[event.event].split(" ").includes(tag) && (ABOUT_ANY_SEAT.includes(tag) || !("seat" in event) || event.seat === about);
}

const causesOf = (tag, rules) => (rules === 1 && tag in BY_VERSION_1 ? BY_VERSION_1[tag] : tag in GIVEN_BY ? GIVEN_BY[tag] : MOVES).split(" ");

/** Whether time counts whatever a calendar says. */
const allCounts = (pace) => !pace.days_off.length && !pace.waking && !pace.absences;

/** The last moment by which so much time can have counted, for any calendar. */
function latest(pace, at, time) {
  if (allCounts(pace)) return at + time;
  if (pace.waking || pace.absences) return at + time + (FAR + 1) * DAY;
  const off = pace.days_off.length;
  return at + time + off * (Math.floor(time / ((7 - off) * DAY)) + 2) * DAY;
}

/** The last moment at which a turn can be over, for any calendar. */
function latestDeadline(pace, at, bank) {
  const last = latest(pace, at, pace.turn + bank);
  return pace.hour === null ? last : last + (pace.absences ? FAR + 3 : pace.days_off.length + 2) * DAY;
}

const waitOf = (pace) => Math.min(Math.max(Math.floor(pace.turn / 10), MINUTE), 240 * MINUTE);
const exactly = (value) => [value, value];
const isIn = ([least, most], value) => Number.isInteger(value) && least <= value && value <= most;

/** Who sits where, and whose time runs until when. Without rules nobody knows here whom the game waits for. */
class Facts {
  constructor() {
    this.chairs = new Map();  // seat -> { bot, left }
    this.older = false;
    this.time = null;
    this.past = [null];  // the clocks after each ply
    this.times = [0];  // when it was; 0 where this reader may not see it
    this.wordsDue = null;
    this.begun = false;
    this.short = [];
    this.deeds = {};
  }

  follow(ply, open, bodies) {
    const given = givenIn(open, bodies), tag = given.command ? given.command.command : "", events = open.events || [];
    if (given.at) this.given(ply, open.rules, given, tag);
    const to = events.filter(({ event }) => event === "Rewound").map((event) => event.to)[0];
    const then = to === undefined ? null : this.then(to);
    if (tag === "MoveClocks") this.movesAsAsked(given, events);
    for (const event of events) {
      if (!isBrought(tag, given, event)) throw new Fault("brought", { event: event.event });
      if (event.event === "PaceSet" && this.begun) throw new Fault("pace");
      if (this.time) this.check(ply, given, event, events, then);
      if (event.event === "WordsCalled" && tag !== "MoveWords") this.words(ply, open.rules, given, event);
      this.note(event, given.at);
    }
    const { running, banks, pace } = this.time || {};
    this.past.push(this.time && { running: new Map(running), banks: new Map(banks), pace });
    this.times.push(given.at);
  }

  then(to) {
    const early = this.times.slice(0, to + 1).filter((at) => at).pop(), late = this.times.slice(to).find((at) => at) || LATEST;
    return { time: this.past[to], early: early || 0, late };
  }

  // ---- what was asked for ----
  given(ply, rules, given, tag) {
    const { cause, seat, command } = given;
    if (tag === "OpenTable" || tag === "OpenTable.2") this.openedBy = cause;
    const notHere = tag === "SetPace" && cause === "service" && this.openedBy !== "service"; // ST 21
    if (notHere || !causesOf(tag, rules).includes(cause)) throw new Fault("cause", { cause, command: tag || "?" });
    if (cause === "player" && this.begun) this.hasTheSeat(ply, rules, seat, tag);
    if (!(tag in GIVEN_BY)) this.move(given);
    const { wordsDue } = this, inTime = tag === "CallWords" ? given.at >= wordsDue : tag !== "MoveWords" || command.due > wordsDue;
    if (["CallWords", "MoveWords"].includes(tag) && (wordsDue === null || !inTime)) throw new Fault("words cut short");
    if (tag === "ProposeRewind") this.asksAll(seat, command);
    if (tag === "MoveClocks" && this.time) this.moves(ply, rules, given);
    const deed = tag === "FreeSeat" ? "freed" : tag === "Resign" && cause === "service" ? "resigned" : tag === "CloseGame" ? "ended"
      : tag === "CancelGame" && cause === "service" ? "cancelled"
      : tag === "MoveClocks" && command.why === "set_right" ? "set right"
      : tag === "MoveWords" || (tag === "MoveClocks" && command.why === "outage") ? "gave time" : "";
    if (deed) (this.deeds[deed] ||= []).push(ply);
  }

  hasTheSeat(ply, rules, seat, tag) {
    if (this.isAway(seat) && !["ReturnToSeat", "Resign"].includes(tag)) throw new Fault("not taken back", { seat });
    const { bot } = this.chairs.get(seat) || {};
    if (bot && rules >= BOTS_KEEP_THEIR_SEATS) throw new Fault("not a player's", { seat });
    if (bot) (this.deeds["moved a bot"] ||= []).push(ply);
  }

  movesAsAsked({ command: { clocks, why, lost } }, events) {
    const made = why === "away" ? clocks.map(([seat, due]) => ["ClockMoved", seat, due])
      : [why === "outage" ? ["TimeGivenBack", lost, clocks] : ["ClocksSetRight", lost, clocks]];
    const told = events.filter(({ event }) => MOVED.includes(event)).map((it) => (
      it.event === "ClockMoved" ? [it.event, it.seat, it.due] : [it.event, it.event === "TimeGivenBack" ? it.lost : it.ahead, it.clocks]));
    if (JSON.stringify(told) !== JSON.stringify(made)) throw new Fault("moved otherwise");
  }

  move({ at, cause, seat }) {
    const { time } = this, chair = this.chairs.get(seat);
    if (time && time.paused.length && (cause !== "player" || !time.paused.includes(seat))) throw new Fault("paused");
    if (cause === "bot" && time && at < (time.waits.get(seat) || 0)) throw new Fault("too early");
    if (cause === "bot" && chair && !this.older && !chair.bot && !(time && time.bots.has(seat))) throw new Fault("bot", { seat });
  }

  people() {
    const known = ([seat, chair]) => (this.older ? this.time && this.time.last.has(seat) : !chair.bot);
    return [...this.chairs].filter(([seat, chair]) => !chair.left && known([seat, chair])).map(([seat]) => seat);
  }

  isAway(seat) {
    return Boolean(this.time && (this.time.bots.has(seat) || this.time.vacant.has(seat)));
  }

  asksAll(proposer, { people }) {
    const missing = this.people().filter((seat) => !this.isAway(seat) && seat !== proposer && !people.includes(seat));
    if (missing.length) throw new Fault("not asked", { seat: Math.min(...missing) });
  }

  moves(ply, rules, { at, command: { clocks, why, lost } }) {
    const { pace, running, overdue } = this.time, away = why === "away";
    const inOrder = clocks.every(([seat], place) => place === 0 || clocks[place - 1][0] < seat);
    if (!clocks.length || !inOrder || !clocks.every(([seat]) => running.has(seat))) throw new Fault("no clock");
    if (why === "set_right") {
      const least = at - lost + Math.floor(pace.turn / 4);
      const isFair = ([seat, due]) => isIn([Math.max(running.get(seat).due - running.get(seat).given, least), running.get(seat).due - 1], due);
      if (rules < SETS_RIGHT || lost < 0 || !clocks.every(isFair)) throw new Fault("comes back");
      return;
    }
    if (away && (!pace.absences || lost)) throw new Fault("away");
    const isGiven = ([seat, due]) => due >= running.get(seat).due;
    if (why === "outage" && !(lost > 0 && clocks.every(isGiven))) throw new Fault("taken");
    const far = (it) => (away ? Math.max(latest(pace, at, Math.max(0, it.due - it.since)), it.least)
      : Math.max(latest(pace, it.due, lost), at + MINUTE));
    const soonest = (it) => at + 1 - it.ahead;
    if (!clocks.every(([seat, due]) => isIn([soonest(running.get(seat)), far(running.get(seat))], due))) throw new Fault("far");
    const all = away || [...running.keys()].every((seat) => overdue.has(seat) || clocks.some(([each]) => each === seat));
    const least = (it) => (away ? it.least : it.due + lost);
    if (!all || clocks.some(([seat, due]) => due < least(running.get(seat)))) this.isShort(ply, rules, new Fault("least"));
  }

  isShort(ply, rules, fault) {
    if (rules >= KEEPS_TO_THE_LEAST) throw fault;
    this.short.push(ply);
  }

  // ---- what came of it ----
  words(ply, rules, { at }, { due }) {
    const pace = this.time ? this.time.pace : { turn: WAIT_FOR_WORDS, hour: null, days_off: [], waking: false, absences: true };
    if (!isIn([at + 1, latestDeadline(pace, at, 0)], due)) throw new Fault("long wait");
    if (due < at + pace.turn) this.isShort(ply, rules, new Fault("short wait"));
  }

  check(ply, given, event, events, then) {
    const { time } = this, { seat } = event, clock = time.running.get(seat);
    if (event.event === "ClockStarted") {
      const chair = this.chairs.get(seat);
      if (!chair || chair.left || chair.bot || this.isAway(seat) || time.paused.length) throw new Fault("no player", { seat });
      const [banks, dues] = this.started(given, event, events, then);
      if (!isIn(banks, event.bank)) throw new Fault("in hand", { seat });
      if (!isIn(dues, event.due)) throw new Fault("due", { seat });
    }
    if (event.event === "ClockStopped" && !isIn(this.stopped(given, seat, events, then), event.bank)) throw new Fault("in hand", { seat });
    if (event.event === "ClocksSetRight") this.comesBack(given, event);
    if (event.event === "StandInWaits" && event.until !== given.at + waitOf(time.pace)) throw new Fault("waits", { seat });
    if (event.event === "TimeRanOut" && !(clock && clock.due === event.due && event.due <= given.at)) throw new Fault("not over", { seat });
    if (event.event === "SeatTakenOver" && !time.vacant.has(seat)) throw new Fault("not open", { seat });
    if (event.event === "GamePaused" && !this.older && [...event.seats].sort().join() !== this.people().sort().join()) throw new Fault("waits for");
  }

  /** A log that is ahead of the clock stands still (ST 13). */
  comesBack({ at }, { ahead }) {
    const last = this.times[this.times.length - 1];
    if (ahead !== 0 && last !== 0 && last !== at) throw new Fault("comes back otherwise");
  }

  started({ at, seat: mover }, { seat, bank }, events, then) {
    const { time } = this, { pace } = time, quarter = Math.floor(pace.turn / 4);
    const fresh = (banks) => [banks, [at + pace.turn + bank, latestDeadline(pace, at, bank)]];
    if (then) {
      const had = then.time && then.time.running.get(seat);
      if (!had) return fresh(exactly(bankThen(then.time, seat)));
      const least = allCounts(pace) ? Math.max(had.due + had.ahead - then.late, quarter) : quarter;
      const most = Math.max(had.due + had.ahead - then.early, quarter);
      return [exactly(had.bank), [at + Math.max(least, AT_LEAST), Math.max(latest(pace, at, most), at + AT_LEAST)]];
    }
    const last = time.last.get(seat), running = time.running.get(seat);
    if (events.some(({ event }) => event === "TakenBack") && mover === seat && last && !running) {
      return [exactly(last.bank), exactly(Math.max(last.due, at + AT_LEAST))];
    }
    if (events.some((it) => it.event === "TimeRanOut" && it.seat === seat)) return fresh(exactly(0));
    return fresh(running ? left(pace, at, running) : exactly(bankOf(time, seat)));
  }

  stopped({ at, seat: mover, cause }, seat, events, then) {
    const { time } = this, { pace } = time, running = time.running.get(seat);
    if (then) return exactly(bankThen(then.time, seat));
    if (!running) throw new Fault("stopped", { seat });
    if (!pace.cap) return exactly(bankOf(time, seat));
    if (events.some(({ event }) => event === "TakenBack")) return exactly(running.bank);
    const gain = mover === seat && cause !== "clock" ? pace.gain : 0;
    return left(pace, at, running).map((each) => Math.min(pace.cap, each + gain));
  }

  /** The table after an event (domain/lifecycle.py, domain/clock.py). */
  note(event, at) {
    const { time } = this, { seat } = event;
    if (event.event === "TableOpened") this.older = true;
    if (event.event === "SeatTaken" || event.event === "SeatTaken.2") this.chairs.set(seat, { bot: event.bot === true, left: false });
    if (event.event === "SeatGivenUp" || event.event === "SeatLost") this.chairs.delete(seat);
    if (event.event === "SeatRetired") this.chairs.set(seat, { ...this.chairs.get(seat), left: true });
    if (event.event === "GameStarted") this.begun = true;
    if (event.event === "WordsCalled") this.wordsDue = event.due;
    if (["SeatGivenUp", "SeatLost", "WordsVoided"].includes(event.event)) this.wordsDue = null;
    if (event.event === "PaceSet") this.time = event.pace && newTime(event.pace);
    if (time) (OF_TIME[event.event] || (() => {}))(time, event, at);
  }
}

const newTime = (pace) => ({
  pace, running: new Map(), last: new Map(), banks: new Map(), overdue: new Set(), bots: new Set(), vacant: new Set(), waits: new Map(), paused: [],
});
const bankOf = (time, seat) => (time.banks.has(seat) ? time.banks.get(seat) : time.pace.bank);
const bankThen = (time, seat) => (!time ? 0 : time.running.has(seat) ? time.running.get(seat).bank : bankOf(time, seat));

/** What of the time in hand is not used up: from, to. */
function left(pace, at, { due, bank, ahead }) {
  const most = Math.max(0, Math.min(bank, due + ahead - at));
  return [allCounts(pace) ? most : 0, most];
}

function moveClock(time, seat, due, isGiven = false, ahead = null) {
  const clock = time.running.get(seat);
  if (!clock) return;
  const more = isGiven ? due - clock.due : 0;
  const moved = { ...clock, due, least: Math.min(due, clock.least + more), given: clock.given + more };
  if (ahead !== null) moved.ahead = ahead;
  time.running.set(seat, moved);
  time.last.set(seat, moved);
}

const OF_TIME = {
  ClockStarted(time, { seat, due, bank }, at) {
    const clock = { due, bank, since: at, least: Math.min(due, at + time.pace.turn + bank), given: 0, ahead: 0 };
    time.running.set(seat, clock);
    time.last.set(seat, clock);
    time.overdue.delete(seat);
  },
  ClockStopped(time, { seat, bank }) {
    time.running.delete(seat);
    time.banks.set(seat, bank);
    time.overdue.delete(seat);
  },
  ClockMoved: (time, { seat, due }) => moveClock(time, seat, due),
  TimeGivenBack: (time, { clocks }) => clocks.forEach(([seat, due]) => moveClock(time, seat, due, true)),
  ClocksSetRight: (time, { ahead, clocks }) => clocks.forEach(([seat, due]) => moveClock(time, seat, due, true, ahead)),
  TimeRanOut: (time, { seat }) => time.overdue.add(seat),
  BotPlaysOn(time, { seat }) {
    time.bots.add(seat);
    time.vacant.delete(seat);
    time.waits.delete(seat);
  },
  SeatOpened: (time, { seat }) => time.vacant.add(seat),
  StandInWaits: (time, { seat, until }) => time.waits.set(seat, until),
  SeatReturned(time, { seat }) {
    time.waits.delete(seat);
    time.bots.delete(seat);
    time.vacant.delete(seat);
  },
  SeatTakenOver(time, { seat }) {
    time.banks.delete(seat);
    time.vacant.delete(seat);
  },
  GamePaused(time, { seats }) {
    time.paused = seats;
    seats.forEach((seat) => time.last.delete(seat));
  },
  GameResumed(time) {
    time.paused = [];
  },
};

// ==== the draws ===================================================================================
const START_OF_SEAT = utf8("slow train 2 seat");

/** What is ours at a seat: nothing but the secret, the game and the seat has a part in it. */
const oursAt = (secret, game, seat) => hmac(secret, joined(START_OF_SEAT, behindItsLength(utf8(game)), bigEndian(seat, 4)));

/** What a seat adds to every draw: by what its player brought (perhaps nothing) and by what is ours. */
const entropyOf = (brought, ours) => sha256(joined(behindItsLength(unhex(brought || "")), behindItsLength(unhex(ours))));

/** Who brought words, by what all may see: in a game that runs it can be said without the secret. */
class Bringers {
  constructor() {
    this.brought = {};
    this.older = this.begun = this.sealed = false;
    this.failed = 0;
  }

  note(event) {
    if (event.event === "TableOpened" || event.event === "SeatTaken") this.older = true;
    if (event.event === "SeatTaken.2" && event.brought !== null) this.brought[event.seat] = event.brought;
    if (event.event === "WordsSealed") this.brought[event.seat] = event.brought;
    if (event.event === "SeatGivenUp" || event.event === "SeatLost") delete this.brought[event.seat];
    if (event.event === "TableOpened.2") this.sealed = event.sealed === true;
    if (event.event === "WordsVoided") this.failed += 1;
    if (event.event === "GameStarted") this.begun = true;
  }

  get choosable() {
    return this.begun ? this.older || !Object.keys(this.brought).length : null;
  }
}

/** Salt and words as the page of the game shows them, one behind the other; or words that needed no salt. */
function seatsOfWords(text, brought) {
  const given = text.trim(), [, salt, words] = /^([0-9a-f]{64})\s(.*)$/s.exec(given) || [];
  const digests = [given, ...salt ? [salt + words] : []].map((each) => hex(sha256(utf8(each))));
  return Object.keys(brought).filter((seat) => digests.includes(brought[seat])).map(Number);
}

/** What the table knows that draws depend on: the seats' entropies, and how often each name was drawn so far. */
class Luck {
  constructor(secret, game) {
    this.secret = secret;
    this.game = game;
    this.key = hmac(secret, DRAWS);
    this.entropies = new Map();
    this.seals = new Map();
    this.ours = new Map();
    this.sealed = false;
    this.drawn = [];  // [ply, name] of the effective history
    this.past = [[]];  // the same as it was after each ply
    this.made = 0;
  }

  check(ply, open, bodies) {
    for (const event of open.events || []) if (event.event === "WordsRevealed") this.open(event);  // they enter its draws
    const draws = (open.draws || []).map((draw) => draw);
    for (const body of bodies) for (const [at, draw] of body.draws || []) draws[at] = draw;
    const entropies = joined(...[...this.entropies.keys()].sort((a, b) => a - b).map((seat) => behindItsLength(this.entropies.get(seat))));
    for (const { name, size, picks } of draws) {
      const ordinal = this.drawn.filter(([, earlier]) => earlier === name).length;
      const made = Array.isArray(picks) && picks.length <= size && this.picks(entropies, name, ordinal, size, picks.length);
      if (!made || made.join() !== picks.join()) throw new Fault("draw", { name });
      this.drawn.push([ply, name]);
      this.made += 1;
    }
    for (const event of (open.events || []).filter(({ event }) => event !== "WordsRevealed")) this.note(event);
    this.past[ply] = this.drawn.slice();
  }

  /** Indices without putting back: each word of the stream is used or, where it would favour an item, thrown away. */
  picks(entropies, name, ordinal, size, count) {
    const message = joined(behindItsLength(utf8(name)), bigEndian(ordinal, 8)), picks = [];
    let words = [];
    for (let block = 0; picks.length < count;) {
      if (!words.length) {
        const digest = hex(hmac(this.key, joined(message, bigEndian(block, 4), entropies)));
        words = digest.match(/.{16}/g).map((digits) => BigInt(`0x${digits}`));
        block += 1;
      }
      const word = words.shift(), left = BigInt(size - picks.length), all = 1n << 64n;
      if (word < all - all % left) picks.push(Number(word % left));
    }
    return picks;
  }

  /** A player who sits down adds entropy, one who stands up takes it along; what was taken back or rewound counts no more. */
  note(event) {
    if (event.event === "SeatTaken") this.entropies.set(event.seat, unhex(event.entropy));
    if (event.event === "SeatTaken.2") this.sit(event);
    if (event.event === "TableOpened.2") this.sealed = event.sealed;
    if (event.event === "WordsSealed") this.seals.set(event.seat, event.brought);
    if (event.event === "SeatGivenUp" || event.event === "SeatLost") this.entropies.delete(event.seat);
    if (event.event === "TakenBack") this.drawn = this.drawn.filter(([ply]) => !event.plies.includes(ply));
    if (event.event === "Rewound") this.drawn = this.past[event.to].slice();
  }

  sit({ seat, brought, ours }) {
    if (hex(oursAt(this.secret, this.game, seat)) !== ours) throw new Fault("ours", { seat });
    this.seals.set(seat, brought);
    this.ours.set(seat, ours);
    this.entropies.set(seat, entropyOf(brought, ours));
  }

  /** Sealed words are those that were committed to, and take the place of the commitment. */
  open({ seat, words }) {
    if (!this.sealed || hex(sha256(utf8(words))) !== this.seals.get(seat)) throw new Fault("words", { seat });
    this.entropies.set(seat, entropyOf(words, this.ours.get(seat)));
  }
}

// ==== the whole ===================================================================================
function verifyBundle(text, pasted = "", newest = Infinity) {
  const proof = {
    header: null, links: 0, opened: 0, closed: 0, draws: 0, found: [], fault: null, fingerprints: [], brought: {}, choosable: null,
    sealed: false, failed: 0, decided: 0, replayed: 0, back: [], short: [], deeds: {}, timed: false,
  };
  try {
    verifyLines(text, pasted, newest, proof);
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault("unreadable");  // made up by somebody, and past reading
    proof.fault = { ply: fault.ply, what: fault.what, facts: fault.facts };
  }
  return proof;
}

function verifyLines(text, pasted, newest, proof) {
  const lines = text.split("\n"), cutOff = lines.pop();
  const header = readHeader(lines.length ? lines[0] : cutOff), plies = [];
  proof.header = header;
  let end = null, wrong = null;
  try {
    for (let number = 1; number <= header.plies; number += 1) plies.push(readPly(number, lines, cutOff));
    end = readEnd(header, lines, cutOff);
  } catch (fault) {
    wrong = fault;  // told only if nothing before it is wrong
  }
  const rules = verifyPlies(header, plies, end && end.secret ? unhex(end.secret) : null, newest, proof);
  if (wrong) throw wrong;
  if (hex(sha256(utf8(lines.slice(0, -1).map((line) => `${line}\n`).join("")))) !== end.digest) throw new Fault("digest");
  verifyHeader(header, plies, rules, end);
  proof.found = findFingerprints(pasted, plies);
}

function verifyPlies(header, plies, secret, newest, proof) {
  const luck = secret && new Luck(secret, header.game), bringers = new Bringers(), order = new Order(header.seats, newest);
  const facts = new Facts();
  let link = firstLink(header.game);
  for (const ply of plies) {
    try {
      const open = readOpen(ply);
      if (ply.ply === 1) checkFirst(header, secret, open);
      const bodies = ply.sealed.map((part, index) => checkPart(header, secret, ply.ply, part, index));
      link = nextLink(link, utf8(ply.open), ply.sealed.map((part) => unhex(part.commitment)));
      if (hex(link) !== ply.link) throw new Fault("link");
      order.follow(ply.ply, open, bodies);
      facts.follow(ply.ply, open, bodies);
      if (luck) luck.check(ply.ply, open, bodies);
      for (const event of open.events || []) bringers.note(event);
      const opened = bodies.filter((body) => body !== null).length;
      proof.opened += opened;
      proof.closed += bodies.length - opened;
    } catch (error) {
      throw new Fault(error instanceof Fault ? error.what : "unreadable", error.facts || {}, ply.ply);
    }
    proof.links += 1;
    proof.replayed += 1;
    proof.back = order.back;
    proof.short = facts.short;
    proof.deeds = facts.deeds;
    proof.timed = facts.time !== null;
    proof.fingerprints.push(ply.link.slice(0, 12));
    proof.draws = luck ? luck.made : 0;
    proof.brought = bringers.brought;
    proof.choosable = bringers.choosable;
    proof.sealed = bringers.sealed;
    proof.failed = bringers.failed;
  }
  return order.rules;
}

function readOpen(ply) {
  const open = parsed(ply.open);
  if (open === null || !Number.isInteger(open.rules)) throw new Fault("unreadable");
  if (open.ply !== ply.ply) throw new Fault("number", { other: open.ply });
  if (!isAsWritten(ply.open)) throw new Fault("sloppy");
  return open;
}

function verifyHeader(header, plies, rules, end) {
  const ended = ["over", "cancelled"].includes(header.status);
  if (header.head !== plies[plies.length - 1].link) throw new Fault("head");
  if (header.rules !== rules) throw new Fault("rules");
  if (ended !== (header.reader === "everything") || ended !== (end.secret !== null)) throw new Fault("whole");
  if (Number.isInteger(header.reader) && header.reader > header.seats) throw new Fault("reader");
  if (!statuses(plies).includes(header.status)) throw new Fault("status");
}

/** How far the game can be by the plies; whether a started one is over is for the rules to say. */
function statuses(plies) {
  const events = plies.flatMap((ply) => parsed(ply.open).events || []).map((event) => event.event);
  if (events.includes("GameClosed")) return ["cancelled"];
  if (events.includes("GameStarted")) return ["running", "over"];
  return events.includes("GameCancelled") ? ["cancelled"] : ["open"];
}

/** How the game ended, as the log says: "1: 98, 2: 120 ★"; null where it does not. `ending`: where a log says it. */
function endingIn(text, ending) {
  if (!ending) return null;
  const events = text.split("\n").slice(1, -2).flatMap((line) => parsed(parsed(line).open).events || []);
  const last = ([tag, field]) => events.filter((event) => event.event === tag).map((event) => event[field]).pop();
  const winners = last(ending.winners), rows = last(ending.totals);
  if (!winners || !rows) return null;
  return [...rows].sort((a, b) => a[0] - b[0]).map((row) => {
    const total = ending.columns.reduce((sum, column) => sum + row[column], 0);
    return `${row[0]}: ${total}${winners.includes(row[0]) ? " ★" : ""}`;
  }).join(", ");
}

// ==== fingerprints ================================================================================
// "move 17, fingerprint 0123456789ab" as mails say it, "17:0123456789ab", or the digits alone
const FINGERPRINT = /(?:(\d{1,9})\s*[:,]?\s*(?:fingerprint|Fingerabdruck)?\s*:?\s*)?(?<![0-9a-z])([0-9a-f]{64}|[0-9a-f]{12})(?![0-9a-z])/gi;

function findFingerprints(pasted, plies) {
  const found = [];
  for (const [, number, given] of pasted.matchAll(FINGERPRINT)) {
    const digits = given.toLowerCase();
    if (number === undefined) {
      const ply = plies.find((each) => each.link.startsWith(digits));
      if (!ply) throw new Fault("nowhere", { digits });
      found.push([digits, ply.ply]);
      continue;
    }
    const ply = plies[Number(number) - 1];
    if (!ply) throw new Fault("no such ply", { digits }, Number(number));
    if (!ply.link.startsWith(digits)) throw new Fault("fingerprint", { digits, here: ply.link.slice(0, 12) }, ply.ply);
    found.push([digits, ply.ply]);
  }
  return found;
}

// ==== in words ====================================================================================
/** Marks a text that is said in the language of the page, whose words stand in it. */
function N_(text) {
  return text;
}

const FAULTS = {
  "no bundle": N_("This is not a Slow Train bundle."),
  "future": N_("The bundle uses version {version} of the format, which is newer than this page."),
  "header": N_("The first line is malformed."),
  "line": N_("its line is malformed."),
  "cut off": N_("its line is cut off."),
  "missing": N_("it is missing: the file ends before it."),
  "place": N_("it is missing: ply {other} is in its place."),
  "too many": N_("this ply comes after the last one that the header counts."),
  "no end": N_("The last line is missing or cut off."),
  "end": N_("The last line is malformed."),
  "more": N_("There is extra text after the last line."),
  "digest": N_("The digest in the last line does not match the lines before it."),
  "unreadable": N_("its content cannot be read."),
  "sloppy": N_("its content is not in canonical form."),
  "number": N_("its content has the number {other}."),
  "table": N_("it does not open the table that the header names."),
  "commitment": N_("it publishes a different commitment than the header."),
  "secret": N_("the secret in the last line does not match the hash published here."),
  "closed": N_("its sealed part {part} is closed, although the game has ended."),
  "foreign": N_("its sealed part {part} was for seat {seat}, not for this reader."),
  "key": N_("the key of its sealed part {part} does not follow from the secret."),
  "part": N_("its sealed part {part} does not match its commitment."),
  "sloppy part": N_("its sealed part {part} is not in canonical form."),
  "owner": N_("its sealed part {part} is assigned to the wrong seat."),
  "link": N_("its link does not match its content and the previous link: something was changed."),
  "newer": N_("it was decided under version {rules} of the rules; this page knows versions up to {newest}."),
  "no version": N_("it was decided under version {rules} of the rules; the first version is 1."),
  "falls": N_("it was decided under version {rules} of the rules, but an earlier ply under version {before}. A game never returns to older rules."),
  "nothing": N_("it has no known cause, or no events."),
  "time": N_("its time is missing or impossible."),
  "back": N_("its time is earlier than that of the previous ply."),
  "seat": N_("its command cannot come from seat {seat}."),
  "takes": N_("seat {seat} sits down at seat {other}."),
  "about": N_("its command {command} names seats that it cannot apply to."),
  "cause": N_("a ply with the cause “{cause}” cannot contain the command {command}."),
  "paused": N_("a move in a paused game does not come from one of its human players."),
  "bot": N_("a bot moves for seat {seat}, although a person plays there."),
  "not asked": N_("seat {seat} is not asked to agree to the rewind."),
  "no clock": N_("a clock is moved although it is not running."),
  "away": N_("a clock waits for an absent player, although absences do not count here."),
  "far": N_("a deadline is moved further than any calendar allows."),
  "comes back": N_("a deadline is shortened by more than it was extended."),
  "least": N_("a moved deadline is earlier than allowed."),
  "long wait": N_("players get more time to open their words than any calendar allows."),
  "short wait": N_("players get less time to open their words than for a turn."),
  "no player": N_("a clock starts for seat {seat}, although no person plays there now."),
  "in hand": N_("the time in hand of seat {seat} is impossible."),
  "due": N_("the clock of seat {seat} has an impossible deadline."),
  "comes back otherwise": N_("deadlines are shortened to correct a clock that ran fast, but moves were logged before the correction."),
  "moved otherwise": N_("deadlines are not moved as the command says."),
  "brought": N_("{event} does not follow from the command."),
  "pace": N_("the pace changes although the game has begun."),
  "not taken back": N_("a person moves for seat {seat} without taking it back first."),
  "not a player's": N_("a person moves for seat {seat}, although that seat belongs to a bot."),
  "too early": N_("a stand-in bot moves before it has waited long enough."),
  "taken": N_("time is taken away, although lost time should be given back."),
  "words cut short": N_("players get less time to open their words than they should."),
  "not open": N_("seat {seat} is taken over, although it is not open to a substitute."),
  "stopped": N_("seat {seat} has no running clock that could stop."),
  "waits": N_("the bot at seat {seat} does not wait as long as it has to."),
  "not over": N_("the time of seat {seat} has not run out."),
  "waits for": N_("the game is waiting for somebody other than its human players."),
  "ours": N_("the service's contribution for seat {seat} does not follow from the game's secret."),
  "words": N_("the words that seat {seat} opened are not the ones it sealed."),
  "draw": N_("the draw “{name}” does not follow from the game's secret."),
  "head": N_("The last link in the header differs from that of the plies."),
  "rules": N_("The header and the plies name different versions of the rules."),
  "whole": N_("A finished game is shown in full with its secret, but a running game is not."),
  "reader": N_("The header names a reader who has no seat at the table."),
  "status": N_("The header and the plies disagree about how far the game has got."),
  "nowhere": N_("No ply has the fingerprint {digits}, so it belongs to a different game."),
  "no such ply": N_("it is missing, although you have its fingerprint {digits}."),
  "fingerprint": N_("its fingerprint is {here}, but yours is {digits}, so by this point the log already differs from the game you were shown."),
};

const IN_A_PLY = N_("Ply {ply}: {fault}");

/** A text in the words of a language (English -> its own), with its facts. */
function inWords(text, words, facts) {
  return (words[text] || text).replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

function sayFault(fault, words = {}) {
  const said = inWords(FAULTS[fault.what], words, fault.facts);
  return fault.ply === null ? said : inWords(IN_A_PLY, words, { ply: fault.ply, fault: said });
}

const VERDICTS = {
  wrong: N_("Wrong."),
  replayed: N_("Unchanged."),
  plies: N_("{links} plies form an unbroken chain"),
  opened: N_("{opened} sealed parts match their commitments"),
  closed: N_("{closed} are hidden from this reader"),
  draws: N_("{draws} draws follow from the secret"),
  head: N_("The last fingerprint is {head}."),
  rules: N_("Not checked against the rules: 0 plies were rechecked and {replayed} only read, because a page does not know the rules. Anyone with the game's secret could have rewritten these plies; slowtrain verify FILE checks them against the rules."),
  short: N_("Plies under versions 1 and 2 of the rules have a deadline that is earlier than version 3 allows ({numbers}). This also happens in honest logs of those versions."),
  freed: N_("An operator freed a seat at ply {numbers}."),
  resigned: N_("A seat left the game at ply {numbers}. An operator removed the seat, or its player's account was erased."),
  ended: N_("An operator closed the game at ply {numbers}."),
  cancelled: N_("The table was closed at ply {numbers}. An operator closed the table, or its host's account was erased."),
  "set right": N_("At ply {numbers}, deadlines were moved earlier because the service's clock was corrected."),
  "moved a bot": N_("At ply {numbers}, a person moved for a seat that belongs to a bot. This was possible before version 3 of the rules."),
  "gave time": N_("At ply {numbers}, an operator gave back time, or the service did so after an outage."),
  timed: N_("These deadlines and this time in hand are possible: at least one calendar would produce them. This page does not check whom the game waited for, so it cannot tell whose clock had to start or stop. A log cannot show whose calendar applied or who sat at which seat."),
  back: N_("Time runs backwards at plies under version 1 of the rules ({numbers}). This also happens in honest logs of that version, because several clocks wrote them."),
};

/** The verdict: a word, and sentences. It is never that a game is proved. */
function sayVerdict(proof, words = {}) {
  const facts = { ...proof, head: proof.header && proof.header.head.slice(0, 12) };
  const sentence = (name, plies = []) => inWords(VERDICTS[name], words, { ...facts, numbers: plies.join(", ") });
  if (proof.fault) return { head: sentence("wrong"), said: sayFault(proof.fault, words) };
  const parts = ["plies", ...["opened", "closed", "draws"].filter((name) => proof[name])].map((name) => sentence(name));
  const named = Object.entries({ back: proof.back, short: proof.short, ...proof.deeds }).filter(([, plies]) => plies.length);
  const notes = [sentence("head"), sentence("rules"), ...named.map(([name, plies]) => sentence(name, plies))];
  if (proof.timed) notes.push(sentence("timed"));
  return { head: sentence("replayed"), said: `${parts.join("; ")}. ${notes.join(" ")}` };
}
