// Makes a table quick and easy to point at: links that narrow the actions, and forms, are asked of the server as ever, but
// only what has changed on the page is put in its place, so that focus and what was typed stay. A tap means the nearest
// place; of several within a finger's breadth one is asked for its name. The board has one stop of the tab key, and arrows
// go on from there. Nothing on the page needs this.
"use strict";
(() => {
  const FINGER = 12; // px
  const main = document.getElementById("main");
  if (!main || !window.fetch || !window.Idiomorph) return;
  let asking = null;
  let sending = false; // a form is on its way, and nothing else is asked until it is answered
  let quiet = 0; // the end of a moment in which pointers are not heard
  let shown = location.pathname + location.search;
  let chose = ""; // what was chosen last
  let here = ""; // the place on the board where the tab key stops

  // ---- another state of this page ----
  const kept = {
    beforeNodeMorphed(old, fresh) {
      if (old.name === "zoom") return false;
      if (old.tagName === "TEXTAREA" && old.value !== old.defaultValue) return false;
      if (old.tagName === "DETAILS" && fresh.tagName === "DETAILS" && old.open) fresh.setAttribute("open", "");
      return true;
    },
  };

  async function show(address, { how = {}, push = true, mine = true, said = null } = {}) {
    if (sending) return true;
    asking?.abort();
    sending = Boolean(how.method);
    const now = asking = new AbortController();
    let answer, text;
    try {
      answer = await fetch(address, { ...how, headers: { "Accept": "text/html" }, signal: now.signal });
      text = await answer.text();
    } catch (problem) {
      return problem.name === "AbortError";
    } finally {
      if (how.method) sending = false;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const fresh = page.getElementById("main");
    if (!fresh || !(answer.headers.get("Content-Type") || "").startsWith("text/html")) return false;
    if (!how.method && page.body.className !== document.body.className) return false; // a game has begun, in a frame of its own
    if (new URL(answer.url).pathname !== location.pathname && answer.redirected) {
      location.assign(answer.url);
      return true;
    }
    if (said && answer.redirected) said.value = said.defaultValue; // a line of talk that was accepted leaves its box
    const focused = document.activeElement;
    const tried = main.querySelector("#tried");
    const inside = main.contains(focused);
    const acted = how.method && focused.closest(".actions li");
    window.Idiomorph.morph(main, fresh, { morphStyle: "outerHTML", callbacks: kept });
    document.title = page.title;
    if (push && (!how.method || answer.redirected)) {
      const to = new URL(answer.url);
      to.hash = new URL(address, location.href).hash;
      if (to.href !== location.href) history.pushState(null, "", to);
    }
    shown = location.pathname + location.search;
    rove();
    lit = null;
    if (how.method) { hush(); chose = ""; }
    const find = (it) => main.querySelector(it);
    const step = how.method ? find(".trial") || find("#actions") || find("#turn") : find(".ways.chosen") || !tried && find(".trial");
    if (mine && step) step.scrollIntoView({ block: "nearest" });
    if (inside && (mine && acted || !main.contains(document.activeElement))) settle(focused);
    document.dispatchEvent(new CustomEvent("table-shown"));
    return true;
  }

  // For a moment after a form a finger that is still down means nothing, and what it would press shows that.
  function hush() {
    quiet = performance.now() + 400;
    main.classList.add("deaf");
    setTimeout(() => performance.now() < quiet || main.classList.remove("deaf"), 410);
  }

  // Where focus goes when what had it is gone, after a step of one's own: to what was chosen, else to what comes next.
  function settle(gone) {
    const next = ["refusal", "tried", chose, "actions", "turn"].map((id) => document.getElementById(id)).find(Boolean);
    const target = gone.closest?.(".places") && current() || next;
    if (!target) return;
    if (!target.matches("a")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  window.addEventListener("popstate", () => {
    if (shown === location.pathname + location.search) return; // only to another part of the page
    show(location.href, { push: false }).then((done) => done || location.reload());
  });
  window.showTable = (address) => show(address, { push: false, mine: false });

  // ---- places ----
  const shapes = new WeakMap();

  function shape(link) {
    const hit = link.querySelector(".hit");
    const data = hit.getAttribute("d") || `${hit.getAttribute("cx")} ${hit.getAttribute("cy")}`;
    const known = shapes.get(link);
    if (known && known.data === data) return known;
    const numbers = data.match(/-?\d+/g).map(Number);
    const line = [];
    for (let i = 0; i < numbers.length; i += 2) {
      const before = line[line.length - 1] || [0, 0];
      line.push([before[0] + numbers[i], before[1] + numbers[i + 1]]);
    }
    const found = { data, line, middle: line[line.length >> 1], body: Number(link.dataset.body) };
    shapes.set(link, found);
    return found;
  }

  function away([px, py], line) {
    if (line.length === 1) return Math.hypot(px - line[0][0], py - line[0][1]);
    let least = Infinity;
    for (let i = 1; i < line.length; i += 1) {
      const [ax, ay] = line[i - 1];
      const dx = line[i][0] - ax, dy = line[i][1] - ay;
      const part = Math.min(Math.max(((px - ax) * dx + (py - ay) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      least = Math.min(least, Math.hypot(px - ax - part * dx, py - ay - part * dy));
    }
    return least;
  }

  // The places that a touch may mean, the nearest first.
  function near(svg, event) {
    const matrix = svg.getScreenCTM();
    if (!matrix) return [];
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const reach = FINGER / matrix.a;
    return links(svg).map((link) => {
      const { line, body } = shape(link);
      const far = away([x, y], line);
      return { link, far, body, past: Math.max(far - body, 0) };
    }).filter((it) => it.far <= Math.max(it.body, reach)).sort((a, b) => a.past - b.past || a.far - b.far);
  }

  function links(within = main) { return [...within.querySelectorAll(".places a")]; }

  // ---- several that were meant ----
  function close() {
    const menu = document.getElementById("which");
    if (!menu) return false;
    menu.remove();
    return true;
  }

  function ask(svg, found, event) {
    close();
    const frame = svg.closest(".board");
    const menu = document.createElement("ul");
    menu.id = "which";
    menu.className = "which";
    menu.setAttribute("aria-label", svg.querySelector(".places").dataset.which);
    for (const { link } of found.slice(0, 6)) {
      const choice = document.createElement("a");
      choice.href = link.getAttribute("href");
      choice.textContent = link.querySelector("title").textContent;
      const item = document.createElement("li");
      item.append(choice);
      menu.append(item);
    }
    frame.append(menu);
    const box = frame.getBoundingClientRect();
    menu.style.left = `${Math.max(0, Math.min(event.clientX - box.left, box.width - menu.offsetWidth))}px`;
    menu.style.top = `${event.clientY - box.top + 10}px`;
    menu.querySelector("a").focus({ preventScroll: true });
  }

  // ---- pointing ----
  function narrows(link) {
    const to = new URL(link.href.baseVal ?? link.href, location.href);
    const apart = to.origin !== location.origin || to.pathname !== location.pathname || to.search === location.search && to.hash;
    return link.closest(".game") && !link.closest(".other-board, .trial") && !apart;
  }

  function go(link) {
    const address = new URL(link.href.baseVal ?? link.href, location.href).href;
    here = link.id.startsWith("at-") ? link.id : here;
    if (link.id && !link.closest(".chosen")) chose = link.id;
    show(address).then((done) => done || location.assign(address));
  }

  const pointed = (event) => event.pointerType ?? event.detail; // for Firefox a key that clicks has a detail, too

  main.addEventListener("click", (event) => {
    if (!pointed(event) || performance.now() > quiet) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const svg = event.target.closest(".board svg");
    let link = event.target.closest("a");
    if (link?.closest("#which")) {  // focus goes on from what it names
      link = links().find((it) => it.getAttribute("href") === link.getAttribute("href")) || link;
      link.focus({ preventScroll: true });
    }
    if (svg && pointed(event) && svg.querySelector(".places")) {
      const found = near(svg, event);
      event.preventDefault();
      close();
      if (!found.length) return;
      const exact = event.pointerType === "mouse" || found.length === 1;
      if (!exact) { ask(svg, found, event); return; }
      link = found[0].link;
    }
    if (!link || !narrows(link)) { if (!event.target.closest("#which")) close(); return; }
    event.preventDefault();
    close();
    go(link);
  });

  // ---- light: a line of the list and its places, one upon the other ----
  let lit = null;

  function light(it) {
    if (it === lit) return;
    lit = it;
    for (const old of main.querySelectorAll(".near")) old.classList.remove("near");
    const line = it?.closest("[data-at]"), place = it?.closest("[data-place], [id^=at-], [id^=to-]");
    if (!line && !place) return;
    const ids = line ? line.dataset.at.split(" ") : [place.dataset.place || place.id.slice(3)];
    for (const link of main.querySelectorAll("[data-place], .places a")) {
      if (ids.includes(link.dataset.place || link.id.slice(3))) (link.closest(".thing") || link).classList.add("near");
    }
    if (line) return;
    for (const each of main.querySelectorAll("[data-at]")) each.classList.toggle("near", each.dataset.at.split(" ").includes(ids[0]));
  }

  main.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse") return;
    const svg = event.target.closest(".board svg");
    const found = svg && svg.querySelector(".places") ? near(svg, event)[0]?.link : event.target;
    svg?.classList.toggle("points", Boolean(found?.closest("a")));
    light(found);
  });

  // ---- forms ----
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches(".game form[method=post], .trial form[method=post]")) return;
    const button = event.submitter;
    const address = button?.getAttribute("formaction") ? button.formAction : form.getAttribute("action");
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "yes";
    const body = new URLSearchParams(new FormData(form, button));
    const said = form.matches(".say") ? form.querySelector("textarea") : null;
    show(address, { how: { method: "POST", body }, mine: !said, said }).then((done) => {
      delete form.dataset.sent;
      if (!done) form.submit();
    });
  });

  // ---- by keyboard ----
  function current() {
    const all = links();
    return all.find((it) => it === document.activeElement) || all.find((it) => it.id === here) || all[0];
  }

  function rove() {
    const one = current();
    for (const link of links()) link.setAttribute("tabindex", link === one ? "0" : "-1");
    main.querySelector(".places")?.classList.add("quick");
  }

  document.addEventListener("board-shown", rove);

  const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function next(from, [dx, dy]) {
    const [x, y] = shape(from).middle;
    let best = null, least = Infinity;
    for (const link of links()) {
      const [tx, ty] = shape(link).middle;
      const along = (tx - x) * dx + (ty - y) * dy;
      const aside = Math.abs((tx - x) * dy - (ty - y) * dx);
      if (link === from || along <= 0 || aside > 2 * along) continue;
      if (along + 2 * aside < least) { least = along + 2 * aside; best = link; }
    }
    return best;
  }

  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const place = event.target.closest?.(".places a");
    if (event.key === "Escape") {
      const asked = event.target.closest?.("#which");
      if (close()) { if (asked) current()?.focus({ preventScroll: true }); return; }
      const last = [...main.querySelectorAll(".ways.chosen a")].pop() || main.querySelector(".trial [data-back]");
      if (last && !event.target.matches("input, textarea, select")) { event.preventDefault(); go(last); }
      return;
    }
    if (!place || !WAYS[event.key]) return;
    event.preventDefault();
    const to = next(place, WAYS[event.key]);
    if (!to) return;
    here = to.id;
    rove();
    to.focus();
    rove();
  });
  main.addEventListener("focusin", (event) => {
    const place = event.target.closest(".places a");
    light(event.target);
    if (place) { here = place.id; rove(); }
  });

  rove();
})();
