// Beside an open part of an action: − and + for a number, and a button that says the whole deed ("Borrow $20"). Without it
// the button has a blank there ("Borrow $…").
"use strict";
(() => {
  function name(form) {
    const deed = form?.querySelector("[data-says]");
    if (!deed) return;
    const field = form.querySelector("input[type=number], select");
    const chosen = field.selectedOptions ? field.selectedOptions[0].text : field.value;
    deed.textContent = deed.dataset.says.replace("…", (blank) => chosen || blank);
  }

  function all() {
    for (const deed of document.querySelectorAll("[data-says]")) name(deed.closest("form"));
    for (const step of document.querySelectorAll("button[data-step]")) step.hidden = false;
  }

  document.addEventListener("input", (event) => name(event.target.form));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-step]");
    const field = button?.parentElement.querySelector("input[type=number]");
    if (!field) return;
    if (button.dataset.step === "-1") field.stepDown(); else field.stepUp();
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("table-shown", all);
  all();
})();
