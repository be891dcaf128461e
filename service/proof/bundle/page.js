"use strict";
// The page of a bundle: runs the verifier over the bundle in it, and turns the replay's frames into boards.
(() => {
  const byId = (id) => document.getElementById(id);
  const words = JSON.parse(byId("st-language").textContent);
  const bundle = byId("bundle").textContent.slice(1), replay = JSON.parse(byId("st-replay").textContent);
  const lines = bundle.split("\n"), last = replay.frames.length;
  let at = last;

  // ==== the proof =================================================================================
  const SAID = {
    right: N_("It matches."),
    wrong: N_("Wrong."),
    open: N_("The game has not begun."),
    running: N_("The game is running."),
    over: N_("The game is over."),
    cancelled: N_("The table was closed, without a result."),
    status: N_("The page describes the game as “{shown}”, but the log says something else."),
    result: N_("The page shows the result {shown}; the log says {logged} (seat: total, ★ winner)."),
    nowhere: N_("no result"),
    found: N_("Ply {ply} has your fingerprint {digits}."),
    chosen: N_("Nobody added words of luck that can be checked. The operator could have chosen these draws."),
    brought: N_("Players added words of luck at these seats: {seats}. After that, the operator could choose these draws only by playing and sitting down last."),
    sealed: N_("These seats sealed their words before any were opened: {seats}. Nobody could have chosen these draws, not even an operator who played. Failed attempts before that: {failed}."),
    went: N_("These words were used at seat {seats}."),
    lost: N_("These words were not used at any seat."),
    none: N_("This text contains no fingerprint. A fingerprint has twelve characters from 0 to 9 and a to f."),
    own: N_("Visible only to this reader"),
    table: N_("At the table"),
    nothing: N_("The table is still empty."),
    ply: N_("after ply {ply} of {last}"),
    fingerprint: N_("Fingerprint"),
    seen: N_("Public part"),
    shut: N_("Sealed for seat {seat}"),
    nobody: N_("Sealed until the end of the game"),
    commitment: N_("Sealed for another seat, so only the commitment is shown"),
  };
  const sentence = (name, facts = {}) => inWords(SAID[name], words, facts);

  function tell(place, strong, text, kind) {
    place.replaceChildren(Object.assign(document.createElement("strong"), { textContent: strong }), ` ${text}`);
    place.className = `verdict ${kind}`;
  }

  function prove(pasted, place) {
    const proof = verifyBundle(bundle, pasted, replay.rules);
    document.querySelectorAll("#st-story .fault").forEach((line) => line.classList.remove("fault"));
    if (proof.fault) {
      const { head, said } = sayVerdict(proof, words);
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
    if (said !== sentence(proof.header.status)) return sentence("status", { shown: said });
    const shown = [...document.querySelectorAll("#st-result tbody tr")].map((row) => {
      const [seat, total, won] = [...row.cells].map((cell) => cell.textContent.trim());
      return `${seat}: ${total}${won ? " ★" : ""}`;
    }).join(", ");
    if (replay.ending === null || shown === (told || "")) return "";
    return sentence("result", { shown: shown || sentence("nowhere"), logged: told || sentence("nowhere") });
  }

  /** Whether the draws could have been chosen, once there were some. */
  function tellLuck({ choosable, brought, sealed, failed }) {
    byId("st-luck").hidden = choosable === null;
    byId("st-luck").textContent = sentence(choosable ? "chosen" : sealed ? "sealed" : "brought", {
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
      tell(verdict, sentence("wrong"), wrong, "wrong");
      return;
    }
    const { head, said } = sayVerdict(proof, words);
    tell(verdict, head, said, "right");
  }

  byId("st-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const place = byId("st-found"), proof = prove(byId("st-mails").value, place);
    if (proof.fault) return;
    if (!proof.found.length) tell(place, "", sentence("none"), "");
    else tell(place, sentence("right"), proof.found.map(([digits, ply]) => sentence("found", { digits, ply })).join(" "), "right");
  });

  byId("st-words-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const place = byId("st-words-found"), proof = prove("", place);
    if (proof.fault) return;
    const seats = seatsOfWords(byId("st-words").value, proof.brought);
    if (seats.length) tell(place, sentence("right"), sentence("went", { seats: seats.join(", ") }), "right");
    else tell(place, sentence("wrong"), sentence("lost"), "wrong");
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
    if (ground < 0) return figure.replaceChildren(sentence("nothing"));
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
    const rows = [[sentence("fingerprint"), `${line.link.slice(0, 12)} ${line.link.slice(12)}`], [sentence("seen"), line.open]];
    for (const part of line.sealed) {
      if (part.body === undefined) rows.push([sentence("commitment"), part.commitment]);
      else rows.push([sentence(part.seat ? "shut" : "nobody", part), part.body]);
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
    byId("st-texts").replaceChildren(...paragraphs(sentence("own"), texts.slice(0, hand)), ...paragraphs(sentence("table"), texts.slice(hand)));
    byId("st-at").textContent = sentence("ply", { ply: at, last });
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
