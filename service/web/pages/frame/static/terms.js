// Opens the explanation of a word above the page: its entry on the page of all words, where its link leads without this.
"use strict";
(() => {
  if (!HTMLElement.prototype.showPopover) return;
  const box = document.createElement("div");
  box.className = "explained";
  box.popover = "auto";
  box.tabIndex = -1;
  box.setAttribute("role", "dialog");

  async function entry(link) {
    const answer = await fetch(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return document.importNode(page.getElementById(link.hash.slice(1)), true);
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a.term");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    try {
      const found = await entry(link);
      box.setAttribute("aria-label", link.textContent);
      box.replaceChildren(...found.childNodes);
    } catch {
      location.assign(link.href);
      return;
    }
    if (!box.isConnected) document.body.append(box);
    box.showPopover();
    box.focus();
  }, true);
})();
