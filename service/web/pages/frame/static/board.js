// A page holds a board in one of two drawings, by what the server could know of the browser (`data-drawn`). If the other
// one fits better, a cookie says so, and the page is asked for again at once, before anything of the wrong board is. If
// the window changes later, the other board is put in its place. Who has chosen a drawing keeps it. Nothing on the page
// needs this.
"use strict";
(() => {
  const phone = window.matchMedia("(max-width: 34rem)");
  const low = window.matchMedia("(min-width: 64em) and (min-height: 30em) and (max-height: 43.99em)"); // (docs/developer/layout.md)
  const secure = location.protocol === "https:" ? "; secure" : "";
  const { drawn } = document.currentScript.dataset;

  // The drawing that fits; a cookie says it for all pages to come.
  function fitting() {
    const which = phone.matches ? "narrow" : "wide";
    document.cookie = `low=${Number(low.matches)}; path=/; max-age=31536000; samesite=lax${secure}`;
    document.cookie = `fits=${which}; path=/; max-age=31536000; samesite=lax${secure}`;
    return which;
  }

  // Whether the page is asked for again: not where that has been tried, or where the cookie is not kept.
  function again() {
    const [visit] = performance.getEntriesByType("navigation");
    const which = fitting();
    if (which === drawn || !visit || visit.type === "reload" || !document.cookie.includes(`fits=${which}`)) return false;
    window.stop();
    location.reload();
    return true;
  }

  function mark(page) {
    const watched = page.querySelector("[data-watch]");
    return watched ? watched.dataset.etag : "";
  }

  async function fit() {
    const board = document.querySelector(".board [data-fits]");
    if (!board || !window.fetch) return;
    const which = fitting();
    if (board.classList.contains(which)) return;
    const answer = await fetch(board.dataset.fits, { headers: { "Accept": "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const other = page.querySelector(".board [data-fits]");
    if (!other || !other.classList.contains(which) || mark(page) !== mark(document)) return;
    if (!board.isConnected || phone.matches !== (which === "narrow")) return; // the window has changed meanwhile
    const figure = board.parentElement;
    figure.querySelector(".other-board").replaceWith(page.querySelector(".other-board"));
    board.replaceWith(other);
    document.dispatchEvent(new CustomEvent("board-shown"));
  }

  if (!drawn || again()) return;
  document.addEventListener("DOMContentLoaded", () => fit().catch(() => {}));
  phone.addEventListener("change", () => fit().catch(() => {}));
})();
