// Keeps a page live. The browser's stream (stream.js) tells that a game has changed; this page then asks for its mark, and
// shows itself anew if the mark is another one. If only the talk has changed, it replaces the lines and leaves the rest.
// Beside a stream it looks now and then, and more often without one. If something is being filled in, or the page is one
// to be read in order (data-still), it offers a link instead. A list of one's own games (data-mine) is fetched anew after
// each change of one of them, when it is looked at again, and each minute without a stream. A hidden
// page looks at no table, but its title, its icon and, if wished, a sound tell that a game waits. Nothing needs this.
"use strict";
(() => {
  const { who, stream, icon, sound } = document.currentScript.dataset;
  const SEATED = 45000, WATCHING = 180000; // ms between two looks beside a stream; players' looks keep them present
  const SPREAD = 2000; // ms over which those who watch ask after a move
  const SHORTEST = 2000, LONGEST = 30000, AFTER_ERROR = 60000;
  if (!window.fetch) return;
  let touched = false, alive = false, busy = false, again = false;
  let wait = SHORTEST, due = Infinity, timer = 0;
  const table = () => document.querySelector("[data-watch]");
  document.addEventListener("input", (event) => { if (event.target.name !== "zoom") touched = true; });
  document.addEventListener("table-shown", () => { touched = false; });

  // ---- looking ----
  async function look() {
    const game = table();
    if (!game || document.hidden) return;
    try {
      const answer = await fetch(game.dataset.watch, {
        headers: { "If-None-Match": game.dataset.etag, "Accept": "application/json" }, cache: "no-store",
      });
      const etag = answer.headers.get("ETag");
      if (answer.status === 200 && etag !== game.dataset.etag) {
        if (ofGame(etag) === ofGame(game.dataset.etag)) { await showTalk(); game.dataset.etag = etag; }
        else if (touched || "still" in game.dataset) { game.hidden = false; return; }
        else if (!window.showTable || !await window.showTable(location.href)) { location.reload(); return; }
        wait = SHORTEST;
      }
      wait = answer.status === 304 || answer.ok ? Math.min(wait * 1.15, LONGEST) : AFTER_ERROR;
    } catch {
      wait = AFTER_ERROR;
    }
  }

  const ofGame = (etag) => etag.replace(/^W\/|"/g, "").split("~")[0]; // behind the sign is the mark of the talk

  async function showTalk() {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["tab-talk", "talk-lines"]) {
      const fresh = page.getElementById(id);
      if (fresh) document.getElementById(id)?.replaceWith(fresh);
    }
  }

  // Look within so many milliseconds.
  function soon(within) {
    const then = performance.now() + within;
    if (then >= due) return;
    due = then;
    clearTimeout(timer);
    timer = setTimeout(watch, within);
  }

  async function watch() {
    due = Infinity;
    if (busy) { again = true; return; }
    busy = true;
    await look();
    busy = false;
    const game = table();
    if (!game?.hidden) return; // there is none, or the new page is offered
    soon(again ? 0 : !alive ? wait : game.dataset.live ? WATCHING : SEATED);
    again = false;
  }

  // ---- the list of one's games ----
  const REST = 2000, ALONE = 60000; // ms between two looks at the list: after ticks, and without a stream
  const list = () => document.querySelector("[data-mine]");
  let relists = 0;

  // Show the list anew within so many milliseconds. The link that has the focus keeps it.
  function relist(within) {
    if (relists || !list()) return;
    relists = setTimeout(async () => {
      if (!document.hidden) await freshList().catch(() => {});
      relists = 0;
    }, within);
  }

  async function freshList() {
    const answer = await fetch(location.href, { headers: { "Accept": "text/html" }, cache: "no-store" });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-mine]");
    const old = list();
    if (!fresh || fresh.innerHTML === old.innerHTML) return;
    const on = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    old.replaceChildren(...fresh.childNodes);
    if (on) [...old.querySelectorAll("a")].find((it) => it.getAttribute("href") === on)?.focus({ preventScroll: true });
  }

  setInterval(() => { if (!alive) relist(0); }, ALONE);

  // ---- the stream ----
  let port = null;
  const say = (more) => port?.postMessage({ who, live: table()?.dataset.live || "", shown: !document.hidden, ...more });

  function hear({ data }) {
    const game = table();
    if ("alive" in data) {
      alive = data.alive;
      wait = SHORTEST;
      soon(alive ? 0 : wait);
      if (alive) relist(Math.random() * REST); // a tick may have come before the stream had begun
    } else if ("waiting" in data) {
      if (document.hidden) call(data.waiting, data.aloud);
    } else if (list()) {
      relist(Math.random() * REST);
    } else if (game && game.dataset.game === data.tick && !document.hidden) {
      soon(game.dataset.live ? Math.random() * SPREAD : 0);
    }
  }

  function connect() {
    if (!who && !table()?.dataset.live) return;
    if (window.SharedWorker) {
      port = new SharedWorker(stream).port;
      port.onmessage = hear;
      say();
      return;
    }
    const script = document.createElement("script");
    script.src = stream;
    script.onload = () => {
      const channel = new MessageChannel();
      window.liveStream(channel.port1);
      port = channel.port2;
      port.onmessage = hear;
      say();
    };
    document.head.append(script);
  }

  // ---- a game that waits, told by a hidden page ----
  const link = document.querySelector("link[rel=icon]");
  const plain = link?.getAttribute("href");
  let called = false;

  function call(waiting, aloud) {
    navigator.setAppBadge?.(waiting).catch(() => {});
    if (called === waiting > 0) return;
    called = waiting > 0;
    document.title = (called ? "● " : "") + document.title.replace(/^● /, "");
    link?.setAttribute("href", called ? icon : plain);
    if (called && aloud && localStorage.getItem("sound") === "on") new Audio(sound).play().catch(() => {});
  }

  document.addEventListener("visibilitychange", () => {
    say();
    if (document.hidden) return;
    call(0, false);
    wait = SHORTEST;
    soon(0);
    relist(0);
  });
  window.addEventListener("pagehide", () => say({ bye: true }));
  window.addEventListener("pageshow", (event) => { if (event.persisted) { say(); soon(0); } });
  connect();
  if (table()) soon(wait);
})();
