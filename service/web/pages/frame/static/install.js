// Registers the service worker, and offers what only scripts can do: notices on this device, and a sound in this browser.
"use strict";
(() => {
  const { worker, bell } = document.currentScript.dataset;
  const ready = "serviceWorker" in navigator && window.isSecureContext && navigator.serviceWorker.register(worker);

  const sound = document.getElementById("sound");
  if (sound) {
    sound.closest("[hidden]")?.removeAttribute("hidden");
    sound.checked = localStorage.getItem("sound") === "on";
    sound.addEventListener("change", () => {
      localStorage.setItem("sound", sound.checked ? "on" : "off");
      if (sound.checked) new Audio(bell).play().catch(() => {});
    });
  }

  const form = document.querySelector("form[data-push]");
  if (!form || !ready || !window.PushManager || !window.Notification) return;
  form.closest("[hidden]")?.removeAttribute("hidden");

  function bytes(text) {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (it) => it.charCodeAt(0));
  }

  // Browsers ask only after a tap.
  form.addEventListener("submit", async (event) => {
    if (form.elements.endpoint.value) return;
    event.preventDefault();
    const denied = form.querySelector("[role=alert]");
    denied.hidden = true;
    try {
      if (await Notification.requestPermission() !== "granted") throw new Error("denied");
      await ready;
      const its = await navigator.serviceWorker.ready;
      await (await its.pushManager.getSubscription())?.unsubscribe();
      const made = await its.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push) });
      const { endpoint, keys } = made.toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.requestSubmit(event.submitter);
    } catch {
      denied.hidden = false;
    }
  });
})();
