// Shows the page anew when the store has changed. Without this script, the page works and stays as it is.
"use strict";
const tag = document.querySelector('meta[name="report-state"]');
const main = document.querySelector("main");
const status = document.createElement("p");
status.className = "note";
status.setAttribute("role", "status");
document.querySelector("header").append(status);

// There is one request at a time. So a late answer never replaces a newer one, and a slow server is not asked more often.
let isAsking = false;

async function refresh() {
  if (document.hidden || isAsking) return;
  isAsking = true;
  try {
    const answer = await fetch(location.href, {
      cache: "no-store",
      headers: { "If-None-Match": `"${tag.content}"` },
      signal: AbortSignal.timeout(60000),
    });
    if (answer.status === 304) {
      status.textContent = "";
      return;
    }
    const text = await answer.text();
    if (!answer.ok) {
      status.textContent = `Not up to date: ${text.split("\n")[0]}`;
      return;
    }
    const page = new DOMParser().parseFromString(text, "text/html");
    const open = [...main.querySelectorAll("details")].map((part) => part.open);
    main.replaceChildren(...page.querySelector("main").childNodes);
    // What the reader has opened stays open, where the page has the same parts.
    const parts = [...main.querySelectorAll("details")];
    if (parts.length === open.length) parts.forEach((part, index) => (part.open = open[index]));
    tag.content = page.querySelector('meta[name="report-state"]').content;
    status.textContent = "";
  } catch {
    status.textContent = "Not up to date: the server does not answer.";
  } finally {
    isAsking = false;
  }
}

setInterval(refresh, 5000);
document.addEventListener("visibilitychange", refresh);

const form = document.querySelector("form");
if (form) {
  const { last, from, to } = form.elements;
  // A number of last days and a first day exclude each other.
  form.addEventListener("change", ({ target }) => {
    if (target === last && last.value && from.value) from.value = to.value = "";
    if (target === from && from.value) last.value = "";
  });
  // The link has only what was chosen.
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (!value) formData.delete(name);
  });
}
