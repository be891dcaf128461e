// Keeps a table fresh: asks the API now and then whether the version shown is still the newest, and loads the page
// again when it is not. If something is being filled in, or the
// page is one to be read in order (data-still), it offers a link instead. Nothing on the page needs this.
"use strict";
(() => {
  const game = document.querySelector("[data-watch]");
  if (!game || !window.fetch) return;
  const offer = document.getElementById("moved-on");
  let touched = false;
  let wait = 2000;
  document.addEventListener("input", (event) => { if (event.target.name !== "zoom") touched = true; });
  document.addEventListener("table-shown", () => { touched = false; });

  async function look() {
    if (document.hidden) return;
    try {
      const answer = await fetch(game.dataset.watch, {
        headers: { "If-None-Match": game.dataset.etag, "Accept": "application/json" }, cache: "no-store",
      });
      if (answer.status === 200 && answer.headers.get("ETag") !== game.dataset.etag) {
        if (touched || "still" in game.dataset) { offer.hidden = false; return; }
        if (!window.showTable || !await window.showTable(location.href)) { location.reload(); return; }
        wait = 2000;
      }
      wait = answer.status === 304 || answer.ok ? Math.min(wait * 1.15, 30000) : 60000;
    } catch {
      wait = 60000;
    }
  }

  async function watch() {
    await look();
    if (offer.hidden) setTimeout(watch, wait);
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) wait = 2000; });
  setTimeout(watch, wait);
})();
