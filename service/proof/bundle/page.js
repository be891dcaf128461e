"use strict";
// The page of a bundle: runs the verifier over the bundle in it, and turns the replay's frames into boards.
(() => {
  const byId = (id) => document.getElementById(id);
  const lang = document.documentElement.lang, german = lang === "de";
  const bundle = byId("bundle").textContent.slice(1), replay = JSON.parse(byId("st-replay").textContent);
  const lines = bundle.split("\n"), last = replay.frames.length;
  let at = last;

  // ==== the proof =================================================================================
  const SAID = {
    right: ["It fits.", "Es passt."],
    wrong: ["Wrong.", "Falsch."],
    open: ["The game has not begun.", "Die Partie hat noch nicht begonnen."],
    running: ["The game is running.", "Die Partie läuft."],
    over: ["The game is over.", "Die Partie ist zu Ende."],
    cancelled: ["The table was closed, without a result.", "Der Tisch wurde ohne Ergebnis geschlossen."],
    status: ["The page says of the game “{shown}”; by its log it is not so.", "Die Seite sagt über die Partie „{shown}“; nach dem Protokoll ist es nicht so."],
    result: ["The page shows the result {shown}; the log says {logged} (seat: total, ★ who has won).", "Die Seite zeigt das Ergebnis {shown}; das Protokoll sagt {logged} (Platz: Gesamt, ★ wer gewonnen hat)."],
    nowhere: ["no result", "kein Ergebnis"],
    found: ["Ply {ply} had the fingerprint {digits}, as you were told.", "Zug {ply} hatte den Fingerabdruck {digits}, wie man dir gesagt hat."],
    chosen: ["Nobody brought words of luck, or none that can be checked: the operator could have chosen these draws.", "Niemand hat Glücksworte mitgebracht, oder keine, die sich prüfen lassen: Der Betreiber könnte diese Ziehungen ausgesucht haben."],
    brought: ["Words of luck were brought to these seats: {seats}. From then on nothing was left by which the operator could have chosen these draws, unless it played along and sat down last.", "An diese Plätze kamen Glücksworte: {seats}. Von da an blieb dem Betreiber nichts, womit er diese Ziehungen hätte aussuchen können, außer er spielte mit und setzte sich als Letzter."],
    sealed: ["Words were sealed before any of them was opened, at these seats: {seats}. Nobody could have chosen these draws, not even an operator who played along. Attempts before that came to nothing: {failed}.", "Worte wurden versiegelt, bevor eines geöffnet war, an diesen Plätzen: {seats}. Niemand könnte diese Ziehungen ausgesucht haben, auch kein Betreiber, der mitspielte. Versuche davor ohne Ergebnis: {failed}."],
    went: ["These words went in with seat {seats}.", "Diese Worte sind mit Platz {seats} eingegangen."],
    lost: ["These words went in with no seat.", "Diese Worte sind mit keinem Platz eingegangen."],
    none: ["There is no fingerprint in this text: twelve digits, 0 to 9 and a to f.", "In diesem Text ist kein Fingerabdruck: zwölf Stellen, 0 bis 9 und a bis f."],
    own: ["Only this reader saw", "Nur dieser Leser sah"],
    table: ["At the table", "Am Tisch"],
    nothing: ["Nothing lies on the table yet.", "Noch liegt nichts auf dem Tisch."],
    ply: ["after ply {ply} of {last}", "nach Zug {ply} von {last}"],
    fingerprint: ["Fingerprint", "Fingerabdruck"],
    seen: ["What everybody saw", "Was alle sahen"],
    shut: ["Sealed for seat {seat}", "Versiegelt für Platz {seat}"],
    nobody: ["Sealed for nobody until the end", "Bis zum Ende für alle versiegelt"],
    commitment: ["Sealed for another; the commitment to it", "Für andere versiegelt; die Festlegung darauf"],
  };
  const say = (name, facts = {}) => SAID[name][german ? 1 : 0].replace(/\{(\w+)\}/g, (_, fact) => facts[fact]);

  function tell(place, strong, text, kind) {
    place.replaceChildren(Object.assign(document.createElement("strong"), { textContent: strong }), ` ${text}`);
    place.className = `verdict ${kind}`;
  }

  function prove(pasted, place) {
    const proof = verifyBundle(bundle, pasted, replay.rules);
    document.querySelectorAll("#st-story .fault").forEach((line) => line.classList.remove("fault"));
    if (proof.fault) {
      const { head, said } = sayVerdict(proof, lang);
      tell(place, head, said, "wrong");
      const line = byId(`ply-${proof.fault.ply}`);
      if (line) line.classList.add("fault");
    }
    return proof;
  }

  function mark(name, good) {
    const place = document.querySelector(`[data-mark="${name}"]`);
    place.classList.toggle("good", good);
    place.classList.toggle("bad", !good);
  }

  /** What is wrong with the status and the result that the page shows, as the log has them; "" if nothing is. */
  function misshown(proof) {
    const told = endingIn(bundle, replay.ending), status = byId("st-status"), said = status.textContent.trim();
    if (said !== say(proof.header.status)) return say("status", { shown: said });
    const shown = [...document.querySelectorAll("#st-result tbody tr")].map((row) => {
      const [seat, total, won] = [...row.cells].map((cell) => cell.textContent.trim());
      return `${seat}: ${total}${won ? " ★" : ""}`;
    }).join(", ");
    if (replay.ending === null || shown === (told || "")) return "";
    return say("result", { shown: shown || say("nowhere"), logged: told || say("nowhere") });
  }

  /** Whether the draws could have been chosen, once there were some. */
  function tellLuck({ choosable, brought, sealed, failed }) {
    byId("st-luck").hidden = choosable === null;
    byId("st-luck").textContent = say(choosable ? "chosen" : sealed ? "sealed" : "brought", {
      seats: Object.keys(brought).join(", "), failed,
    });
  }

  function proveAll() {
    const verdict = byId("st-verdict"), proof = prove("", verdict);
    if (!proof.fault) tellLuck(proof);
    byId("st-marks").hidden = false;
    mark("chain", !proof.fault);
    if (proof.fault) return;
    if (proof.header.reader === "everything") mark("draws", true);
    const wrong = misshown(proof);
    mark("shown", !wrong);
    if (wrong) {
      tell(verdict, say("wrong"), wrong, "wrong");
      return;
    }
    const { head, said } = sayVerdict(proof, lang);
    tell(verdict, head, said, "right");
  }

  byId("st-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const place = byId("st-found"), proof = prove(byId("st-mails").value, place);
    if (proof.fault) return;
    if (!proof.found.length) tell(place, "", say("none"), "");
    else tell(place, say("right"), proof.found.map(([digits, ply]) => say("found", { digits, ply })).join(" "), "right");
  });

  byId("st-words-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const place = byId("st-words-found"), proof = prove("", place);
    if (proof.fault) return;
    const seats = seatsOfWords(byId("st-words").value, proof.brought);
    if (seats.length) tell(place, say("right"), say("went", { seats: seats.join(", ") }), "right");
    else tell(place, say("wrong"), say("lost"), "wrong");
  });

  // ==== the board =================================================================================
  const positions = [];  // places on the board after each ply
  replay.frames.reduce((before, [, first, end, between]) => {
    const here = [...before.slice(0, first), ...between, ...before.slice(before.length - end)];
    positions.push(here);
    return here;
  }, []);

  const boards = [];  // ground -> its SVG; that of the last position is on the page from the start

  function boardOn(ground) {
    if (!boards[ground]) {
      const [box, defs, below] = replay.grounds[ground], holder = document.createElement("div");
      holder.innerHTML = `<svg viewBox="${box}" role="img"><title></title><defs>${defs}</defs>${below}<g></g></svg>`;
      boards[ground] = holder.firstChild;
    }
    return boards[ground];
  }

  function drawBoard(ply) {
    const [ground, , , , label] = replay.frames[ply - 1], figure = byId("st-board");
    if (ground < 0) return figure.replaceChildren(say("nothing"));
    const board = boardOn(ground);
    if (figure.firstChild !== board) figure.replaceChildren(board);
    board.querySelector("title").textContent = replay.texts[label];
    board.lastChild.innerHTML = positions[ply - 1].map((place) => {
      const [piece, x, y] = replay.places[place];
      return `<g transform="translate(${x} ${y})">${replay.pieces[piece]}</g>`;
    }).join("");
    return undefined;
  }

  function paragraphs(title, texts) {
    if (!texts.length) return [];
    const head = Object.assign(document.createElement("h3"), { textContent: title });
    return [head, ...texts.map((text) => Object.assign(document.createElement("p"), { textContent: replay.texts[text] }))];
  }

  function showBytes(ply) {
    let line;
    try {
      line = JSON.parse(lines[ply]);
    } catch {
      line = null;
    }
    if (line === null) return byId("st-bytes").replaceChildren();
    const rows = [[say("fingerprint"), `${line.link.slice(0, 12)} ${line.link.slice(12)}`], [say("seen"), line.open]];
    for (const part of line.sealed) {
      if (part.body === undefined) rows.push([say("commitment"), part.commitment]);
      else rows.push([say(part.seat ? "shut" : "nobody", part), part.body]);
    }
    return byId("st-bytes").replaceChildren(...rows.flatMap(([name, value]) => [
      Object.assign(document.createElement("dt"), { textContent: name }),
      Object.assign(document.createElement("dd"), { textContent: value }),
    ]));
  }

  function show(ply, scroll = true) {
    at = Math.min(Math.max(ply, 1), last);
    drawBoard(at);
    const [, , , , , hand, texts] = replay.frames[at - 1], line = byId(`ply-${at}`);
    byId("st-texts").replaceChildren(...paragraphs(say("own"), texts.slice(0, hand)), ...paragraphs(say("table"), texts.slice(hand)));
    byId("st-at").textContent = say("ply", { ply: at, last });
    byId("st-slider").value = at;
    byId("st-said").textContent = [...line.firstChild.childNodes].slice(1).filter((node) => node.nodeName !== "TIME").map((node) => node.textContent).join("");
    document.querySelectorAll("#st-story .here").forEach((each) => each.classList.remove("here"));
    line.classList.add("here");
    const list = byId("st-story");
    if (scroll) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 3;
    showBytes(at);
  }

  const STEPS = { first: () => 1, last: () => last };
  byId("st-steps").addEventListener("click", (event) => {
    const step = event.target.closest("button")?.dataset.step;
    if (step) show(step in STEPS ? STEPS[step]() : at + Number(step));
  });
  byId("st-slider").addEventListener("input", (event) => show(Number(event.target.value)));
  byId("st-story").addEventListener("click", (event) => {
    const line = event.target.closest("li");
    if (!line) return;
    event.preventDefault();
    history.replaceState(null, "", `#${line.id}`);
    show(line.value, false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("textarea, input, #st-story") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") show(at - 1);
    if (event.key === "ArrowRight") show(at + 1);
  });
  byId("st-large").addEventListener("click", (event) => {
    event.target.setAttribute("aria-pressed", String(byId("st-board").classList.toggle("large")));
  });

  replay.grounds.forEach((ground, number) => { if (ground === null) boards[number] = byId("st-board").querySelector("svg"); });
  for (const id of ["st-form", "st-words-form", "st-steps", "st-large", "st-raw"]) byId(id).hidden = false;
  const asked = /^#ply-(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) : last);
  proveAll();
})();
