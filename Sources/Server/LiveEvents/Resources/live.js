// Shows events as they come. Without this script, the page shows the newest and loads itself again.
"use strict";
const list = document.querySelector("#events");
const state = document.querySelector("#state");
const steps = document.querySelector("#steps");
const pause = document.querySelector("#pause");
let last = list.dataset.last;
let source;

function listen() {
  const url = new URL("live/events", location.href);
  url.search = location.search;
  url.searchParams.set("after", last);
  source = new EventSource(url);
  source.addEventListener("rows", (message) => {
    last = message.lastEventId;
    document.querySelector("#waiting")?.remove();
    list.insertAdjacentHTML("afterbegin", message.data);
    while (list.children.length > list.dataset.limit) list.lastElementChild.remove();
  });
  source.addEventListener("state", (message) => (state.textContent = message.data));
  source.addEventListener("steps", (message) => (steps.innerHTML = message.data));
  source.addEventListener("error", () => (state.textContent = "Not connected; trying again."));
}

pause.hidden = false;
pause.addEventListener("click", () => {
  const isPaused = source.readyState === EventSource.CLOSED;
  if (isPaused) listen();
  else source.close();
  pause.textContent = isPaused ? "Pause" : "Go on";
});
listen();

// The link has only what was chosen.
document.querySelector("form").addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});
