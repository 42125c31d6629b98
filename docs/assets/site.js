/* Small things on every page: copying a program, the search dialog on demand, keys. */
"use strict";
(() => {
  const base = new URL(".", document.currentScript.src);

  /* Copy: the whole file, so that what is pasted runs, even where only a part is shown. */
  const say = document.createElement("p");
  say.className = "visually-hidden";
  say.setAttribute("role", "status");
  document.body.append(say);

  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea"); // no clipboard from file://
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say.textContent = "Copied";
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; say.textContent = ""; }, 1600);
  }

  for (const figure of document.querySelectorAll("figure.snippet, figure.engine-source")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    const title = figure.querySelector(".snippet-title").textContent;
    button.setAttribute("aria-label", `Copy: ${title}`);
    button.title = figure.dataset.source ? "Copy the whole program" : "Copy this source";
    button.addEventListener("click", () => copy(figure.dataset.source ?? figure.querySelector("code").textContent, button));
    const tools = figure.querySelector(".snippet-tools");
    tools.prepend(button);
    if (figure.dataset.runs) {
      const run = button.cloneNode();
      run.textContent = "Run";
      run.dataset.run = "";
      run.setAttribute("aria-label", `Run: ${title}`);
      run.title = "Run and edit in this page, on reference_impl";
      run.addEventListener("click", () => load("run.js").then(() => gradnotes.run(figure)));
      tools.prepend(run);
    }
  }

  /* A script is loaded when it is first needed. */
  const loaded = new Map();
  function load(name) {
    if (!loaded.has(name)) {
      loaded.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = new URL(name, base);
        script.onload = done;
        script.onerror = () => { loaded.delete(name); failed(new Error(`${name} could not be loaded`)); };
        document.head.append(script);
      }));
    }
    return loaded.get(name);
  }
  globalThis.gradnotes = { base, load, copy };

  if (document.querySelector("figure.steps")) load("steps.js");

  /* Search */
  const openSearch = () => load("search_index.js").then(() => load("search.js"))
    .then(() => gradnotes.search.open())
    .catch((error) => { say.classList.remove("visually-hidden"); say.textContent = error.message; });
  for (const button of document.querySelectorAll("[data-search-open]")) button.addEventListener("click", openSearch);

  /* The sheet of keys */
  const KEYS = [["/", "search"], ["?", "this sheet"], ["← →", "in a step viewer: one step back, one step on"],
    ["Home End", "in a step viewer: first and last step"], ["Space", "in a step viewer: play and pause"],
    ["Ctrl Enter", "in an edited example: run it"], ["Esc", "close what is open"]];
  function openKeys() {
    const dialog = document.createElement("dialog");
    dialog.className = "keys";
    dialog.setAttribute("aria-label", "Keys");
    const list = document.createElement("dl");
    for (const [key, does] of KEYS) {
      const row = document.createElement("div");
      const term = document.createElement("dt");
      for (const one of key.split(" ")) term.append(Object.assign(document.createElement("kbd"), { textContent: one }), " ");
      row.append(term, Object.assign(document.createElement("dd"), { textContent: does }));
      list.append(row);
    }
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "Close" });
    close.addEventListener("click", () => dialog.close());
    dialog.append(list, close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
  for (const button of document.querySelectorAll("[data-keys]")) {
    button.hidden = false;
    button.addEventListener("click", openKeys);
  }

  const typing = (element) => {
    const dialog = element.closest?.("dialog");
    return dialog ? dialog.open : element.closest?.("input, textarea, select, [contenteditable]");
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey && event.key !== "k" || event.metaKey && event.key !== "k" || typing(event.target)) return;
    if (event.key === "/" || event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      openSearch();
    } else if (event.key === "?") {
      openKeys();
    }
  });
})();
