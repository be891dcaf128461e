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

  // ==== sealed words ==============================================================================
  // Words that are sealed never leave the browser before they are opened: `seals` of a record is hash -> words.
  const hashed = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

  function recordOf({ commitment, game }) {
    return kept().find((each) => each.commitment === commitment)
      || { commitment, game, drawn: random(), salt: random(), words: "" };
  }

  /** Draws words, keeps them, and gives them with their hash; null where this browser cannot (no safe connection). */
  async function sealed(place) {
    if (!crypto.subtle) return null;
    const record = recordOf(place), words = random(), hash = await hashed(words);
    const others = Object.entries(record.seals || {}).slice(-MOST);
    keep({ ...record, game: place.game, seals: { ...Object.fromEntries(others), [hash]: words } });
    return { hash, words };
  }

  document.querySelectorAll("[data-asked]").forEach(async (section) => {
    const { dataset } = section, form = section.querySelector("form");
    if (dataset.asked === "open") {
      const words = (recordOf(dataset).seals || {})[dataset.hash];
      if (!words) return;
      form.elements.words.value = words;
    } else {
      const made = await sealed(dataset);
      if (!made) return;
      form.elements.seal.value = made.hash;
    }
    if ("auto" in dataset) form.submit();
  });

  // ==== bringing ==================================================================================
  // What was drawn for a secret stays: whoever made a form fail until the words suit would be given the same again.
  document.querySelectorAll("[data-bring]").forEach((fields) => {
    const { commitment, game } = fields.dataset, part = (name) => fields.querySelector(`[name=${name}]`);
    const record = kept().find((each) => each.commitment === commitment)
      || { commitment, game, drawn: random(), salt: random(), words: "" };
    const typed = part("words"), seal = part("seal"), box = part("sealed_words");
    const form = (typed || seal).form, isSealed = () => "sealed" in fields.dataset || Boolean(box && box.checked);
    keep(record);
    if (typed) {
      part("drawn").value = record.drawn;
      part("salt").value = record.salt;
      fields.querySelector("[data-without-script]").hidden = true;
      fields.querySelector("[data-with-script]").hidden = false;
    }
    if (seal) prepareSeal(fields, seal);
    if (box) showHowItIsBrought(fields, box);
    form.addEventListener("submit", () => {
      const latest = recordOf(fields.dataset);
      if (!isSealed()) {
        keep({ ...latest, game, words: `${record.drawn} ${typed.value.trim()}`.trim() });
        return;
      }
      if (typed) for (const input of [typed, part("drawn")]) input.value = "";  // nothing of it is brought
      keep({ ...latest, game });
    });
  });

  /** Of sealed and of other words only what belongs to the kind that is chosen. */
  function showHowItIsBrought(fields, box) {
    const show = () => fields.querySelectorAll("[data-of]").forEach((each) => {
      each.hidden = (each.dataset.of === "sealed") !== box.checked;
    });
    box.addEventListener("change", show);
    show();
  }

  /** Other words for each form that is shown: words that were open once serve no more. */
  async function prepareSeal(fields, seal) {
    const made = await sealed(fields.dataset);
    if (!made) return;
    seal.value = made.hash;
    fields.querySelector("[data-by-hand]").hidden = true;
    const note = fields.querySelector("[data-to-note]");
    note.hidden = false;
    note.querySelector("code").textContent = made.words;
  }

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
