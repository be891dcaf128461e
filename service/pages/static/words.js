// Words of luck: draws 32 bytes for a seat, keeps a copy of what was brought and of the hash of the secret that the page
// showed before, and compares both with what later pages show. Nothing on the page needs this.
"use strict";
(() => {
  const SHELF = "slowtrain words", MOST = 100;

  /** What was brought, the latest first: { commitment, game, drawn, salt, words }; `words` once a form was sent. */
  function kept() {
    try {
      return JSON.parse(localStorage.getItem(SHELF)) || [];
    } catch {
      return [];
    }
  }

  function keep(record) {
    const others = kept().filter((each) => each.commitment !== record.commitment);
    try {
      localStorage.setItem(SHELF, JSON.stringify([record, ...others].slice(0, MOST)));
    } catch {
      // a browser that keeps nothing brings words all the same, and cannot compare later
    }
  }

  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const random = () => hex(crypto.getRandomValues(new Uint8Array(32)));

  // ==== bringing ==================================================================================
  // What was drawn for a secret stays: whoever made a form fail until the words suit would be given the same again.
  document.querySelectorAll("[data-bring]").forEach((fields) => {
    const { commitment, game } = fields.dataset, typed = fields.querySelector("[name=words]");
    const record = kept().find((each) => each.commitment === commitment)
      || { commitment, game, drawn: random(), salt: random(), words: "" };
    keep(record);
    fields.querySelector("[name=drawn]").value = record.drawn;
    fields.querySelector("[name=salt]").value = record.salt;
    fields.querySelector("[data-without-script]").hidden = true;
    fields.querySelector("[data-with-script]").hidden = false;
    typed.form.addEventListener("submit", () => {
      keep({ ...record, game, words: `${record.drawn} ${typed.value.trim()}`.trim() });
    });
  });

  // ==== comparing =================================================================================
  async function compare(shown) {
    const { brought, salt, words, game, commitment } = shown.dataset;
    const record = kept().find((each) => each.game === game && each.words);
    if (!record) return brought ? "unknown" : "";
    if (record.commitment !== commitment || record.salt !== salt || record.words !== words) return "other";
    if (!crypto.subtle) return "same";  // only where the connection is safe; the page has worked it out, too
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(salt + words));
    return hex(digest) === brought ? "same" : "other";
  }

  document.querySelectorAll("[data-brought]").forEach(async (shown) => {
    const said = await compare(shown);
    shown.querySelectorAll("[data-said]").forEach((each) => { each.hidden = each.dataset.said !== said; });
  });
})();
