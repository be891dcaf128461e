// Shows a notice that a game waits, and a page of its own while there is no network. All other requests go their usual way,
// and no other page is kept.
"use strict";
const OFFLINE = "/offline";

self.addEventListener("install", (event) => {
  const page = new Request(OFFLINE, { credentials: "omit", cache: "reload" }); // nobody's name is kept
  event.waitUntil(caches.open("offline").then((kept) => kept.add(page)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(async () => await caches.match(OFFLINE, { ignoreVary: true }) || Response.error()));
});

self.addEventListener("push", (event) => {
  const { name, link } = event.data.json();
  const options = { body: name, tag: link, data: link, icon: "/icon-192.png" };
  event.waitUntil(self.registration.showNotification("Slow Train", options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const link = event.notification.data;
    const open = await self.clients.matchAll({ type: "window" });
    const page = open.find((it) => it.url.startsWith(link));
    await (page ? page.focus() : self.clients.openWindow(link));
  })());
});
