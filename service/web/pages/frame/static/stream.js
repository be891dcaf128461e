// The one stream of a browser, however many tabs it has open: it tells the pages which game has changed, and the hidden
// ones whether a game waits for their reader. It runs in a SharedWorker; where there is none, each shown page has its own.
"use strict";
(() => {
  const shared = typeof SharedWorkerGlobalScope !== "undefined";
  const FIRST = 5000; // ms for the first line; without it, something on the way holds answers back
  const REST = 5000, LONGEST = 600000; // ms until the next try, twice as long after each
  const ASK = 60000; // ms between two questions about waiting games without a stream
  const pages = new Map(); // port of a page -> { who, live, shown }
  let hears = { who: "", games: new Set() }; // what the stream was opened for
  let source = null, alive = false, turn = 0, rest = REST, timer = 0, fitting = 0, asking = 0;

  const tell = (message) => { for (const port of pages.keys()) port.postMessage(message); };
  const hidden = () => [...pages].filter(([, page]) => !page.shown).map(([port]) => port);
  const token = async (address) => {
    const answer = await fetch(address, { cache: "no-store", headers: { "Accept": "application/json" } });
    return answer.ok ? answer.json() : {};
  };

  // ---- the stream ----
  function wanted() {
    const all = [...pages.values()];
    const games = all.filter((it) => it.shown && it.live).map((it) => it.live);
    return { who: all.length ? all[all.length - 1].who : "", games: new Set(games) };
  }

  const needed = (want) => (want.who || want.games.size) && (shared || [...pages.values()].some((it) => it.shown));

  function fit() {
    const want = wanted();
    if (!needed(want)) { close(); return; }
    const enough = want.who === hears.who && [...want.games].every((it) => hears.games.has(it));
    if (enough && (source || timer)) return;
    rest = REST;
    close();
    hears = want;
    open();
  }

  function close() {
    turn += 1;
    clearTimeout(timer);
    timer = 0;
    source?.close();
    source = null;
    if (alive) { alive = false; tell({ alive }); }
  }

  async function open() {
    timer = 0;
    const now = turn += 1;
    const asked = [...(hears.who ? ["/live/mine"] : []), ...hears.games];
    const got = await Promise.all(asked.map((it) => token(it).catch(() => ({}))));
    if (now !== turn) return;
    const tokens = got.filter((it) => it.token).map((it) => `t=${encodeURIComponent(it.token)}`);
    if (!tokens.length) { fail(null); return; }
    const its = source = new EventSource(`/live?${tokens.join("&")}`);
    const late = setTimeout(() => fail(its), FIRST);
    its.addEventListener("here", () => {
      clearTimeout(late);
      alive = true;
      rest = REST;
      tell({ alive });
      ask();
    });
    its.addEventListener("message", ({ data }) => { tell({ tick: data }); ask(); });
    its.addEventListener("error", () => { clearTimeout(late); fail(its); });
  }

  // A stream that was there comes back soon: its half hour is over, or the server begins anew. Another waits longer.
  function fail(its) {
    if (its !== source) return;
    const was = alive;
    close();
    const pause = was ? 1000 : rest;
    rest = Math.min(rest * 2, LONGEST);
    timer = setTimeout(open, pause * (1 + Math.random()));
  }

  // ---- waiting games ----
  function ask() {
    if (!asking && hears.who && hidden().length) asking = setTimeout(waiting, 300);
  }

  async function waiting() {
    const { waiting } = await token("/live/mine").catch(() => ({}));
    asking = 0;
    if (waiting === undefined) return;
    const ports = hidden();
    ports.forEach((port, at) => port.postMessage({ waiting, aloud: at === 0 && ports.length === pages.size }));
  }
  setInterval(() => { if (!alive) ask(); }, ASK);

  // ---- pages ----
  function hello(port) {
    port.onmessage = ({ data }) => {
      const known = pages.has(port);
      pages.delete(port); // the page that spoke last is the last
      if (!data.bye) pages.set(port, data);
      if (!known && alive) port.postMessage({ alive });
      clearTimeout(fitting);
      fitting = setTimeout(fit, 50);
      if (!data.bye && !data.shown) ask();
    };
  }

  if (shared) self.onconnect = (event) => hello(event.ports[0]);
  else window.liveStream = hello;
})();
