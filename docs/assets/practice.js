/* Store the reader's progress in this browser, mark it on pages, and let the reader export or erase it. Nothing is sent to a server. An item is
   an exercise or a prediction: an element with [data-practice]. */
"use strict";
(() => {
  const KEY = "practice";
  const DONE = new Set(["right", "later", "passed"]); // states of a solved item
  const PAGE_LINKS = ".md-sidebar--primary a.md-nav__link[href], .path-list a"; // in the order of the path
  const { make, pageOf, say } = gradnotes;
  const pageAddress = pageOf(location.href);
  const changeListeners = [];
  const eraseListeners = [];

  /* Return the stored data of a reader without progress: the state of each item, the title and items of each visited page, and written answers. */
  const empty = () => ({ version: 1, done: {}, pages: {}, programs: {} });

  let isPersistent = true; // false if the browser refuses to store data
  function read() {
    try {
      return sanitize(JSON.parse(localStorage.getItem(KEY)));
    } catch {
      return empty();
    }
  }
  /* Return the well-formed entries of stored or imported data. Data of another version count as empty. */
  function sanitize(values) {
    const checked = empty();
    if (values?.version !== 1) return checked;
    const entries = (name) => Object.entries(values[name] ?? {});
    for (const [id, entry] of entries("done")) {
      if (typeof entry?.state === "string") checked.done[id] = { state: entry.state, answer: String(entry.answer ?? ""), on: String(entry.on ?? "") };
    }
    for (const [id, text] of entries("programs")) if (typeof text === "string") checked.programs[id] = text;
    for (const [path, entry] of entries("pages")) {
      if (Array.isArray(entry?.items)) checked.pages[path] = { title: String(entry.title ?? path), items: entry.items.map(String) };
    }
    return checked;
  }
  function write() {
    try {
      localStorage.setItem(KEY, JSON.stringify(stored));
    } catch {
      isPersistent = false;
    }
  }
  let stored = read();
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) { stored = read(); show(); }
  });

  /* Store the state of an item, and the reader's first wrong answer. A solved item stays solved. */
  function record(id, state, answer = "") {
    stored = { ...read(), pages: { ...read().pages, ...thisPage() } };
    const before = stored.done[id];
    if (before && DONE.has(before.state) && !DONE.has(state)) return;
    stored.done[id] = { state, answer, on: new Date().toISOString().slice(0, 10) };
    write();
    show();
  }
  /* Remove what is stored about an item. */
  function forget(id) {
    stored = read();
    delete stored.done[id];
    delete stored.programs[id];
    write();
    show();
  }
  /* Store the program that the reader has written in an exercise; null removes it. */
  function saveProgram(id, text) {
    stored = read();
    if (text === null) delete stored.programs[id];
    else stored.programs[id] = text;
    write();
  }

  const items = [...document.querySelectorAll("[data-practice]")];
  const heading = () => document.querySelector("article h1")?.firstChild.textContent.trim() ?? pageAddress;
  /* Return the entry of this page. Its title is English, unless the reader has visited only the Chinese page. */
  const thisPage = () => items.length
    ? { [pageAddress]: { title: gradnotes.isChinese && stored.pages[pageAddress]?.title || heading(), items: items.map((item) => item.dataset.practice) } }
    : {};

  /* Names of the states of an item, shown at the item and in a checkpoint. */
  const STATE_NAMES = { right: say("✓ right at once"), later: say("✓ right in the end"), passed: say("✓ solved"), shown: say("answer shown"), tried: say("tried") };
  const isDone = (id) => DONE.has(stored.done[id]?.state);
  /* Return [number of solved items, number of items] of a page. */
  const count = (page) => [page.items.filter(isDone).length, page.items.length];

  const linkedPage = (link) => stored.pages[pageOf(link.href)];

  /* Show the progress at the items, in the navigation, in checkpoints and on the home page, and call the listeners. */
  function show() {
    for (const item of items) {
      const mark = item.querySelector(".practice-mark");
      if (mark) mark.textContent = STATE_NAMES[stored.done[item.dataset.practice]?.state] ?? "";
    }
    for (const link of document.querySelectorAll(PAGE_LINKS)) {
      link.querySelector(".nav-mark")?.remove();
      const page = linkedPage(link);
      if (!page || !page.items.some((id) => stored.done[id])) continue;
      const [doneCount, itemCount] = count(page);
      const sign = doneCount === itemCount ? "✓" : `${doneCount}/${itemCount}`;
      link.append(make("span", { class: "nav-mark" }, make("span", { "aria-hidden": "true" }, sign),
        make("span", { class: "visually-hidden" }, doneCount === itemCount ? say(", all done") : say(", {done} of {all} done", { done: doneCount, all: itemCount }))));
    }
    for (const element of document.querySelectorAll("[data-checkpoint]")) fillCheckpoint(element);
    for (const button of document.querySelectorAll("[data-continue]")) updateContinueLink(button);
    for (const listener of changeListeners) listener();
  }

  /* Link the button of the home page to the last page with a solved item, or to the next page or checkpoint if all its items are solved.
     If there is no such page, restore its first link and label. */
  function updateContinueLink(button) {
    button.dataset.label ??= button.textContent;
    button.dataset.first ??= button.href;
    const stops = [...document.querySelectorAll(".path-list li a")];
    const lastDone = stops.findLastIndex((link) => linkedPage(link)?.items.some(isDone));
    const [doneCount, itemCount] = lastDone < 0 ? [0, 0] : count(linkedPage(stops[lastDone]));
    const nextStop = lastDone < 0 ? undefined : stops[doneCount === itemCount ? lastDone + 1 : lastDone];
    button.href = nextStop?.href ?? button.dataset.first;
    const number = nextStop?.parentElement.value; // 0 at a checkpoint
    button.textContent = number ? say("Continue at page {number}", { number }) : nextStop ? say("Go to the checkpoint") : button.dataset.label;
  }

  /* List the items of this page with their states. */
  function fillCheckpoint(element) {
    const [doneCount, itemCount] = count({ items: items.map((item) => item.dataset.practice) });
    element.querySelector(".checkpoint-head").textContent = doneCount === itemCount ? say("All {all} done.", { all: itemCount }) : say("{done} of {all} done.", { done: doneCount, all: itemCount });
    element.querySelector(".checkpoint-list").replaceChildren(...items.map((item) => {
      const id = item.dataset.practice;
      const state = stored.done[id]?.state;
      const question = item.querySelector(item.matches(".exercise") ? ".exercise-question p" : "legend");
      const words = [...question.childNodes].map((node) => node.localName === "a" ? node.textContent : node.cloneNode(true));
      const line = make("li", {}, make("a", { href: `#${item.id}` }, ...words), " ", make("span", { class: "practice-mark" }, STATE_NAMES[state] ?? say("to do")));
      const about = item.querySelector(".exercise-about a");
      if (about && state && !isDone(id)) line.append(say(" Read again: "), about.cloneNode(true));
      return line;
    }));
  }

  /* Open the dialog that lists the progress on all pages and offers to export, import or erase it. */
  function openSheet() {
    const dialog = make("dialog", { class: "keys practice-sheet", "aria-labelledby": "practice-title" });
    const list = make("ul");
    const status = make("p", { role: "status" });
    function fill() {
      const order = [...document.querySelectorAll(PAGE_LINKS)].map((link) => pageOf(link.href));
      const position = (path) => order.includes(path) ? order.indexOf(path) : order.length;
      const pages = Object.entries(stored.pages).filter(([, page]) => page.items.some((id) => stored.done[id]));
      const rows = pages.sort(([one], [other]) => position(one) - position(other)).map(([path, page]) => {
        const [doneCount, itemCount] = count(page);
        const { href, title } = gradnotes.inEdition(path, page.title);
        return make("li", {}, make("a", { href }, title), say(" {done} of {all}", { done: doneCount, all: itemCount }));
      });
      const programCount = Object.keys(stored.programs).length;
      if (programCount) rows.push(make("li", {}, programCount === 1 ? say("1 unfinished answer") : say("{count} unfinished answers", { count: programCount })));
      const editCount = gradnotes.programs.count();
      if (editCount) rows.push(make("li", {}, editCount === 1 ? say("1 program that you have changed") : say("{count} programs that you have changed", { count: editCount })));
      list.replaceChildren(...(rows.length ? rows : [make("li", {}, say("Nothing yet."))]));
      dialog.querySelector("[data-erase]").disabled = !rows.length;
    }
    const button = (label, act, attributes = {}) => {
      const element = make("button", { type: "button", ...attributes }, label);
      element.addEventListener("click", () => act(element));
      return element;
    };
    const file = make("input", { type: "file", accept: "application/json,.json", class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
    file.addEventListener("change", async () => {
      try {
        const imported = sanitize(JSON.parse(await file.files[0].text()));
        stored = { version: 1, done: { ...imported.done, ...stored.done }, pages: { ...imported.pages, ...stored.pages }, programs: { ...imported.programs, ...stored.programs } };
        write();
        show();
        fill();
        const importedCount = Object.keys(imported.done).length;
        status.textContent = importedCount === 1 ? say("1 answer was imported.") : say("{count} answers were imported.", { count: importedCount });
      } catch {
        status.textContent = say("This file was not exported from gradnotes.");
      }
      file.value = "";
    });
    dialog.append(
      make("h2", { id: "practice-title" }, say("Your progress")),
      make("p", {}, isPersistent ? say("This list is stored in your browser and nowhere else.") : say("Your browser stores nothing for this site. This list is lost when you leave the page.")),
      list, status, file,
      make("p", { class: "ask-buttons" },
        button(say("Export progress"), () => {
          const link = make("a", { href: URL.createObjectURL(new Blob([JSON.stringify(stored, null, 1)], { type: "application/json" })), download: "gradnotes-practice.json" });
          link.click();
          URL.revokeObjectURL(link.href);
          status.textContent = say("Saved as gradnotes-practice.json.");
        }),
        button(say("Import progress"), () => file.click()),
        button(say("Erase"), (self) => {
          if (self.dataset.erase !== "sure") {
            self.dataset.erase = "sure";
            self.textContent = say("Erase all progress");
            return;
          }
          for (const listener of eraseListeners) listener();
          gradnotes.programs.erase();
          stored = empty();
          try { localStorage.removeItem(KEY); } catch { /* storage is blocked, so nothing is stored */ }
          self.dataset.erase = "";
          self.textContent = say("Erase");
          show();
          fill();
          status.textContent = say("Erased.");
        }, { "data-erase": "" }),
        button(say("Close"), () => dialog.close())));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    fill();
    dialog.showModal();
  }
  const opener = make("button", { type: "button", class: "foot__keys", "data-practice-open": "" }, say("Your progress"));
  opener.addEventListener("click", () => gradnotes.load("programs.js").then(openSheet));
  document.querySelector("[data-keys]")?.after(opener);

  /* On paper, the answers stand at the end of the page. */
  const answers = make("section", { class: "answers" });
  addEventListener("beforeprint", () => {
    const entries = items.map((item) => make("li", {}, ...[...item.querySelector(".ask-answer, .exercise-solution").children].slice(1).map((child) => child.cloneNode(true))));
    answers.replaceChildren(make("h2", {}, say("Answers")), make("ol", {}, ...entries));
    if (items.length) document.querySelector("article").append(answers);
  });
  addEventListener("afterprint", () => answers.remove());

  gradnotes.practice = {
    record, forget, saveProgram,
    state: (id) => stored.done[id], program: (id) => stored.programs[id],
    onChange: (listener) => changeListeners.push(listener), onErase: (listener) => eraseListeners.push(listener),
  };
  show();
})();
