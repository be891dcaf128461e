// Brings the story to the board. A place with the focus, under the mouse or under a finger says what last happened there;
// a replay plays the last moves; the slider goes through the game as it is moved. Without it places are links, the story
// is a list with links to positions, and the slider has a button.
"use strict";
(() => {
  const LONGEST = 5000, STEP = 900; // ms
  const SVG = "http://www.w3.org/2000/svg";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  // ---- a line of text on the board ----
  function tell(text) {
    const figure = document.querySelector(".board");
    let line = document.getElementById("there");
    if (!text) { line?.remove(); return; }
    if (!line) {
      line = document.createElement("p");
      line.id = "there";
      line.className = "there";
      line.setAttribute("aria-hidden", "true"); // the link itself has these words
      figure.append(line);
    }
    line.textContent = text;
  }

  // ---- places ----
  let named = null;

  function words(mark) {
    const title = mark.querySelector("title");
    if (title) { mark.setAttribute("aria-label", title.textContent); title.remove(); } // else the browser says it, too
    return mark.getAttribute("aria-label");
  }

  // The place of the story that an element means: a place of the board, a choice, or a name in a sentence.
  function place(element) {
    const link = element.closest?.(".happened a, .places a, a.place, a[data-place]");
    const id = link && (link.dataset.place || (link.getAttribute("href").startsWith("#on-") ? link.getAttribute("href").slice(4) : link.id.slice(3)));
    return id ? document.getElementById(`on-${id}`) : null;
  }

  function name(mark) {
    if (mark === named || playing) return;
    for (const old of document.querySelectorAll(".named")) old.classList.remove("named");
    named = mark;
    tell(mark && words(mark));
    if (!mark) return;
    mark.classList.add("named");
    const ply = new URL(mark.href.baseVal, location.href).pathname.split("/").pop();
    for (const line of document.querySelectorAll(`[data-ply="${ply}"]`)) line.classList.add("named");
  }

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") name(place(event.target) || place(document.activeElement));
  });
  document.addEventListener("focusin", (event) => name(place(event.target)));
  document.addEventListener("click", (event) => {
    const mark = event.target.closest(".happened a");
    if (mark) event.preventDefault();
    if (mark || !place(event.target)) name(mark);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") { stop(); name(null); } });

  // ---- the replay ----
  let playing = null; // the pieces as they were

  function drawn(svg) {
    const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}"><g>${svg}</g></svg>`, "image/svg+xml");
    const piece = document.importNode(parsed.documentElement.firstElementChild, true);
    piece.setAttribute("class", "moved");
    return piece;
  }

  const pause = (long) => new Promise((done) => setTimeout(done, long));

  async function play(button) {
    const board = document.querySelector(".board"), pieces = board.querySelector(".pieces");
    const answer = await fetch(button.dataset.replay, { headers: { "Accept": "application/json" } });
    if (!answer.ok || playing) return;
    const { drawing, frames } = await answer.json();
    if (!frames.length || !board.querySelector(`.${drawing}`)) return;
    const mine = playing = { pieces, before: [...pieces.children], button, text: button.textContent };
    const slots = [...mine.before];
    button.textContent = button.dataset.stop;
    board.classList.add("replayed");
    for (const frame of frames) {
      for (const [number, svg] of Object.entries(frame.pieces)) {
        const piece = drawn(svg);
        if (slots[number]) slots[number].replaceWith(piece); else pieces.append(piece);
        slots[number] = piece;
      }
      tell(Object.values(frame.said).join(" "));
      for (const line of document.querySelectorAll("[data-ply]")) line.classList.toggle("named", line.dataset.ply in frame.said);
      await pause(Math.min(STEP, LONGEST / frames.length));
      if (playing !== mine) return;
    }
    stop();
  }

  function stop(restored = false) {
    if (!playing) return;
    const { pieces, before, button, text } = playing;
    playing = null;
    if (!restored) pieces.replaceChildren(...before);
    button.textContent = text;
    document.querySelector(".board").classList.remove("replayed");
    for (const line of document.querySelectorAll(".named")) line.classList.remove("named");
    tell("");
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-replay]");
    if (!button) return;
    if (playing) stop(); else play(button).catch(() => stop());
  });

  // ---- the slider ----
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form.slider");
    if (!form || !window.showTable) return;
    const address = new URL(`${form.getAttribute("action")}/${form.elements.move.value}`, location.href);
    if (form.elements.seat) address.searchParams.set("seat", form.elements.seat.value);
    window.showTable(address.href).then(() => history.replaceState(null, "", address));
  });

  function ready() {
    stop(true);
    named = null;
    for (const button of document.querySelectorAll("[data-replay]")) button.hidden = still.matches;
  }
  document.addEventListener("table-shown", ready);
  still.addEventListener("change", ready);
  ready();
})();
