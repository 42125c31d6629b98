/* What a reader has done: kept in this browser, shown on the way, to be taken along or erased. Nothing of it leaves the page. */
"use strict";
(() => {
  const KEY = "practice";
  const DONE = new Set(["right", "later", "passed"]);
  const { make, root, pageOf } = gradnotes;
  const here = pageOf(location.href);
  const listeners = [];
  const erased = [];

  const empty = () => ({ version: 1, done: {}, pages: {}, programs: {} });

  let keeps = true; // whether the browser lets us
  function read() {
    try {
      return sound(JSON.parse(localStorage.getItem(KEY)));
    } catch {
      return empty();
    }
  }
  /* What another page of ours, or a file, brings: what is not as we write it is left out. */
  function sound(values) {
    const made = empty();
    if (values?.version !== 1) return made;
    const entries = (name) => Object.entries(values[name] ?? {});
    for (const [id, one] of entries("done")) {
      if (typeof one?.state === "string") made.done[id] = { state: one.state, answer: String(one.answer ?? ""), on: String(one.on ?? "") };
    }
    for (const [id, text] of entries("programs")) if (typeof text === "string") made.programs[id] = text;
    for (const [path, one] of entries("pages")) {
      if (Array.isArray(one?.items)) made.pages[path] = { title: String(one.title ?? path), items: one.items.map(String) };
    }
    return made;
  }
  function write() {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      keeps = false;
    }
  }
  let kept = read();
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) { kept = read(); show(); }
  });

  function note(id, state, answer = "") {
    kept = { ...read(), pages: { ...read().pages, ...thisPage() } };
    const before = kept.done[id];
    if (before && DONE.has(before.state) && !DONE.has(state)) return;
    kept.done[id] = { state, answer, on: new Date().toISOString().slice(0, 10) };
    write();
    show();
  }
  function forget(id) {
    kept = read();
    delete kept.done[id];
    delete kept.programs[id];
    write();
    show();
  }
  function keepProgram(id, text) {
    kept = read();
    if (text === null) delete kept.programs[id];
    else kept.programs[id] = text;
    write();
  }

  const items = [...document.querySelectorAll("[data-practice]")];
  const thisPage = () => items.length
    ? { [here]: { title: document.querySelector("article h1")?.firstChild.textContent.trim() ?? here, items: items.map((one) => one.dataset.practice) } }
    : {};

  /* Marks: on each item, in the list of pages, in a checkpoint. */
  const WORDS = { right: "✓ right at once", later: "✓ right in the end", passed: "✓ solved", shown: "looked up", tried: "tried" };
  const done = (id) => DONE.has(kept.done[id]?.state);
  const count = (page) => [page.items.filter(done).length, page.items.length];

  const leadsTo = (link) => kept.pages[pageOf(link.href)];

  function show() {
    for (const item of items) {
      const mark = item.querySelector(".practice-mark");
      if (mark) mark.textContent = WORDS[kept.done[item.dataset.practice]?.state] ?? "";
    }
    for (const link of document.querySelectorAll(".md-sidebar--primary a.md-nav__link[href], .path-list a")) {
      link.querySelector(".nav-mark")?.remove();
      const page = leadsTo(link);
      if (!page || !page.items.some((id) => kept.done[id])) continue;
      const [have, all] = count(page);
      const sign = have === all ? "✓" : `${have}/${all}`;
      link.append(make("span", { class: "nav-mark" }, make("span", { "aria-hidden": "true" }, sign),
        make("span", { class: "visually-hidden" }, have === all ? ", all done" : `, ${have} of ${all} done`)));
    }
    for (const one of document.querySelectorAll("[data-checkpoint]")) checkpoint(one);
    for (const one of document.querySelectorAll("[data-continue]")) goOn(one);
    for (const listener of listeners) listener();
  }

  /* On the home page: behind the last page of the path on which something is done, or on it if something is left there. */
  function goOn(button) {
    button.dataset.label ??= button.textContent;
    button.dataset.first ??= button.href;
    const stops = [...document.querySelectorAll(".path-list a")];
    const at = stops.findLastIndex((link) => leadsTo(link)?.items.some(done));
    const [have, all] = at < 0 ? [0, 0] : count(leadsTo(stops[at]));
    const to = at < 0 ? undefined : stops[have === all ? at + 1 : at];
    button.href = to?.href ?? button.dataset.first;
    button.textContent = to ? `Continue at page ${to.parentElement.value}` : button.dataset.label;
  }

  function checkpoint(element) {
    const [have, all] = count({ items: items.map((one) => one.dataset.practice) });
    element.querySelector(".checkpoint-head").textContent = have === all ? `All ${all} done.` : `${have} of ${all} done.`;
    element.querySelector(".checkpoint-list").replaceChildren(...items.map((item) => {
      const id = item.dataset.practice;
      const state = kept.done[id]?.state;
      const asked = item.querySelector(item.matches(".exercise") ? ".exercise-question p" : "legend");
      const words = [...asked.childNodes].map((node) => node.localName === "a" ? node.textContent : node.cloneNode(true));
      const line = make("li", {}, make("a", { href: `#${item.id}` }, ...words), " ", make("span", { class: "practice-mark" }, WORDS[state] ?? "open"));
      const about = item.querySelector(".exercise-about a");
      if (about && state && !done(id)) line.append(" Read again: ", about.cloneNode(true));
      return line;
    }));
  }

  /* The sheet: all pages, to be taken along and erased */
  function openSheet() {
    const dialog = make("dialog", { class: "keys practice-sheet", "aria-labelledby": "practice-title" });
    const list = make("ul");
    const say = make("p", { role: "status" });
    function fill() {
      const rows = Object.entries(kept.pages).filter(([, page]) => page.items.some((id) => kept.done[id])).map(([path, page]) => {
        const [have, all] = count(page);
        return make("li", {}, make("a", { href: root + path }, page.title), ` ${have} of ${all}`);
      });
      const programs = Object.keys(kept.programs).length;
      if (programs) rows.push(make("li", {}, `${programs} ${programs === 1 ? "answer" : "answers"} being written`));
      const edits = gradnotes.programs.count();
      if (edits) rows.push(make("li", {}, `${edits} ${edits === 1 ? "program" : "programs"} that you have changed`));
      list.replaceChildren(...(rows.length ? rows : [make("li", {}, "Nothing yet.")]));
      dialog.querySelector("[data-erase]").disabled = !rows.length;
    }
    const button = (label, act, attributes = {}) => {
      const made = make("button", { type: "button", ...attributes }, label);
      made.addEventListener("click", () => act(made));
      return made;
    };
    const file = make("input", { type: "file", accept: "application/json,.json", class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
    file.addEventListener("change", async () => {
      try {
        const brought = sound(JSON.parse(await file.files[0].text()));
        kept = { version: 1, done: { ...brought.done, ...kept.done }, pages: { ...brought.pages, ...kept.pages }, programs: { ...brought.programs, ...kept.programs } };
        write();
        show();
        fill();
        say.textContent = `Brought in: ${Object.keys(brought.done).length}.`;
      } catch {
        say.textContent = "That file is not one that was taken along from here.";
      }
      file.value = "";
    });
    dialog.append(
      make("h2", { id: "practice-title" }, "What you have done"),
      make("p", {}, keeps ? "It is kept in this browser and nowhere else." : "This browser keeps nothing for us: it is forgotten with the page."),
      list, say, file,
      make("p", { class: "ask-buttons" },
        button("Take it along", () => {
          const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify(kept, null, 1)], { type: "application/json" })), download: "gradnotes-practice.json" });
          link.click();
          URL.revokeObjectURL(link.href);
          say.textContent = "Saved as gradnotes-practice.json.";
        }),
        button("Bring it in", () => file.click()),
        button("Erase", (self) => {
          if (self.dataset.erase !== "sure") {
            self.dataset.erase = "sure";
            self.textContent = "Erase all of it";
            return;
          }
          for (const listener of erased) listener();
          gradnotes.programs.erase();
          kept = empty();
          try { localStorage.removeItem(KEY); } catch { /* it kept nothing */ }
          self.dataset.erase = "";
          self.textContent = "Erase";
          show();
          fill();
          say.textContent = "Erased.";
        }, { "data-erase": "" }),
        button("Close", () => dialog.close())));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    fill();
    dialog.showModal();
  }
  const opener = make("button", { type: "button", class: "foot__keys", "data-practice-open": "" }, "What you have done");
  opener.addEventListener("click", () => gradnotes.load("programs.js").then(openSheet));
  document.querySelector("[data-keys]")?.after(opener);

  gradnotes.practice = {
    note, forget, keepProgram,
    state: (id) => kept.done[id], program: (id) => kept.programs[id], done,
    changed: (listener) => listeners.push(listener), erased: (listener) => erased.push(listener),
  };
  show();
})();
