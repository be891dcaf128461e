// Offers the time zone of the browser where a form asks for one and nothing is filled in. Nothing on the page needs this.
"use strict";
(() => {
  let zone;
  try {
    zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  } catch {
    return;
  }
  if (!zone || zone === "UTC") return;  // what a browser says that will not tell
  document.querySelectorAll("input[data-zone]").forEach((field) => {
    const known = !field.list || Array.from(field.list.options, (each) => each.value).includes(zone);
    if (field.value || !known) return;
    field.value = zone;
    field.form.querySelectorAll("[data-zone-offered]").forEach((note) => { note.hidden = false; });
  });
})();
