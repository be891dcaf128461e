// A page holds a board in one of two drawings, by what the server could know of the browser. Once it is here, the other
// one is put in its place if that fits better, and a cookie says so for all pages to come. Who has chosen a drawing
// keeps it. Nothing on the page needs this.
"use strict";
(() => {
  const phone = window.matchMedia("(max-width: 34rem)");
  const secure = location.protocol === "https:" ? "; secure" : "";

  function mark(page) {
    const watched = page.querySelector("[data-watch]");
    return watched ? watched.dataset.etag : "";
  }

  async function fit() {
    const board = document.querySelector(".board [data-fits]");
    if (!board || !window.fetch) return;
    const fitting = phone.matches ? "narrow" : "wide";
    document.cookie = `fits=${fitting}; path=/; max-age=31536000; samesite=lax${secure}`;
    if (board.classList.contains(fitting)) return;
    const answer = await fetch(board.dataset.fits, { headers: { "Accept": "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const other = page.querySelector(".board [data-fits]");
    if (!other || !other.classList.contains(fitting) || mark(page) !== mark(document)) return;
    if (!board.isConnected || phone.matches !== (fitting === "narrow")) return; // the window has changed meanwhile
    const figure = board.parentElement;
    figure.querySelector(".other-board").replaceWith(page.querySelector(".other-board"));
    board.replaceWith(other);
    document.dispatchEvent(new CustomEvent("board-shown"));
  }

  fit().catch(() => {});
  phone.addEventListener("change", () => fit().catch(() => {}));
})();
