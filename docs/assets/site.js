/* Code for every page: the Copy button, keyboard shortcuts, color scheme and language, and loading of the other scripts on demand. */
"use strict";
(() => {
  const base = new URL(".", document.currentScript.src);

  /** `say` translates an English text into the language of the page and fills in `values` for fields in braces. */
  const table = globalThis.gradnotesWords ?? {};
  const say = (text, values = {}) => (table[text] ?? text).replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field);
  const isChinese = document.documentElement.lang === "zh-Hans";

  /* Return a new element. */
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  /* The Copy button copies the whole program, so that the copy runs even if the page shows only an excerpt. */
  const statusLine = make("p", { class: "visually-hidden", role: "status" });
  document.body.append(statusLine);

  /* Put a text on the clipboard and show "Copied" on the button. */
  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea"); // file:// pages have no clipboard API
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    statusLine.textContent = say("Copied");
    button.dataset.label ??= button.textContent;
    button.textContent = say("Copied");
    setTimeout(() => { button.textContent = button.dataset.label; statusLine.textContent = ""; }, 1600);
  }

  /* Return the set of line numbers in [data-omitted], such as "1-4 7". Editors omit these lines: title, manifest, region marks, expected output. */
  const omittedLines = (figure) => new Set((figure.dataset.omitted ?? "").split(" ").filter(Boolean).flatMap((part) => {
    const [first, last = first] = part.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }));
  /* Return the program to copy: the edited program, or else the page's without manifest and region marks, which only the build needs. */
  function programToCopy(figure) {
    if (figure.hasAttribute("data-edited")) return figure.panel.editor.text;
    if (figure.dataset.source === undefined) return figure.querySelector("code").textContent;
    const omitted = omittedLines(figure);
    return figure.dataset.source.split("\n").filter((line, i) => !(line.startsWith("# ") && omitted.has(i + 1))).join("\n");
  }

  document.addEventListener("click", ({ target }) => {
    const figure = target.closest?.("figure");
    if (target.closest?.("[data-copy]")) copy(programToCopy(figure), target);
    const open = (act) => {
      figure.querySelector("[data-report]")?.remove();
      load("run.js").then(act).catch((error) => report(figure, error));
    };
    if (target.closest?.("[data-playground] pre")) open(() => gradnotes.edit(figure).then(({ editor }) => editor.focus()));
    if (target.closest?.("[data-run]")) open(() => gradnotes.run(figure));
  });

  /* Show a loading error in the figure that the reader has clicked. */
  function report(figure, { message }) {
    figure.append(make("p", { class: "ran ran-missing", role: "status", "data-report": "" }, message));
  }

  /* Start Python in advance when the pointer rests on a button that runs a program, or when an editor gets the focus. */
  const RUN_CONTROLS = "[data-run], .run-panel .run-bar button, .exercise:not([data-kind=point]) [data-do=check]";
  let warmTimer;
  const warm = () => load("run.js").then(() => gradnotes.warm()).catch(() => {}); // an error is reported at the first Run
  document.addEventListener("pointerover", ({ target }) => {
    clearTimeout(warmTimer);
    if (target.closest?.(RUN_CONTROLS)) warmTimer = setTimeout(warm, 150); // ms; scrolling may move a button under the pointer
  });
  document.addEventListener("focusin", ({ target }) => { if (target.closest?.(".cm-content")) warm(); });

  /* Load a script of docs/assets, and return a promise. Each script is loaded once; after a failure, the next call tries again. */
  const loaded = new Map();
  const NOT_LOADED = () => navigator.onLine ? say("A part of this page could not be loaded. Check your connection, then try again.")
    : say("You are offline, and a part of this page is not loaded yet. Connect to the internet, then try again.");
  function load(name) {
    if (!loaded.has(name)) {
      loaded.set(name, new Promise((resolve, reject) => {
        const script = make("script", { src: new URL(name, base) });
        script.onload = resolve;
        script.onerror = () => { loaded.delete(name); reject(new Error(NOT_LOADED())); };
        document.head.append(script);
      }));
    }
    return loaded.get(name);
  }
  /* Load sandbox.js and, on a Chinese page, the words that only Python uses. */
  const loadSandbox = () => Promise.all(["sandbox.js", ...(globalThis.gradnotesWords ? ["words_run_zh.js"] : [])].map(load));
  /* Return the path of the page at an address. Both editions of a page have the path of the English page, so that they share the progress. */
  const root = new URL("..", base).href;
  const pageOf = (address) => address.split(/[?#]/)[0].replace(root, "").replace(/^zh\//, "") || "index.html";
  /* Return address and title of the page at `path` in the language of this page, or in English if there is no translation. */
  const inEdition = (path, title) => {
    const chineseTitle = globalThis.gradnotesPages?.[path];
    return { href: root + (chineseTitle ? "zh/" : "") + path, title: chineseTitle ?? title };
  };
  globalThis.gradnotes = { base, say, isChinese, inEdition, load, loadSandbox, copy, omittedLines, make, root, pageOf };

  if (document.querySelector("figure.steps")) load("steps.js");
  if (document.querySelector("[data-filter]")) load("filter.js");
  if (document.querySelector(".ideas") || location.search.includes("note=")) load("note.js");
  const readStorage = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const writeStorage = (key, value) => { try { localStorage.setItem(key, value); } catch { /* storage is blocked: only this page changes */ } };
  if (document.querySelector("[data-runs]")) {
    if (document.querySelector("[data-playground]") && location.hash || readStorage("programs")) load("run.js").then(() => gradnotes.resume());
  }
  if (document.querySelector("figure.drawn[data-moves]")) load("figures.js");
  const practices = document.querySelector("[data-practice], [data-checkpoint]");
  if (practices || readStorage("practice") || readStorage("programs")) {
    load("practice.js").then(() => Promise.all([["figure.predict", "predict.js"], ["figure.exercise", "exercises.js"]]
      .map(([selector, name]) => document.querySelector(selector) && load(name)))).then(() => { gradnotes.ready = true; });
  }

  /* Open the folds around the element that the address names. */
  const openFolds = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const folds = [];
    for (let fold = target && target.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) folds.push(fold);
    for (const fold of folds) fold.open = true;
    if (folds.length) target.scrollIntoView();
  };
  addEventListener("hashchange", openFolds);
  openFolds();

  /* The switch between light and dark colors. */
  const scheme = document.querySelector("[data-scheme-switch]");
  const isDark = () => document.body.dataset.mdColorScheme === "slate";
  /* Update the label of the switch, which names the other scheme. */
  function nameScheme() {
    scheme.title = isDark() ? say("Switch to light") : say("Switch to dark");
    scheme.setAttribute("aria-label", scheme.title);
  }
  function setScheme(shouldBeDark) {
    document.body.dataset.mdColorScheme = shouldBeDark ? "slate" : "default";
    nameScheme();
  }
  nameScheme();
  let isChosen = readStorage("scheme") !== null;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { if (!isChosen) setScheme(event.matches); });
  scheme.addEventListener("click", () => {
    setScheme(!isDark());
    isChosen = true;
    writeStorage("scheme", document.body.dataset.mdColorScheme);
  });

  /* The drawer with the list of pages, on narrow screens. */
  const drawer = document.getElementById("__drawer");
  const opener = document.querySelector("[data-drawer]");
  drawer.addEventListener("change", () => opener.setAttribute("aria-expanded", String(drawer.checked)));
  opener.addEventListener("click", () => drawer.click());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drawer.checked) drawer.click();
  });

  /* Show the reader's position: the page's title in the header once the heading has scrolled away, and the section in the table of contents. */
  const heading = document.querySelector("article h1");
  const headerTitle = document.querySelector("[data-md-component=header-title]");
  if (heading) {
    new IntersectionObserver(([entry]) => {
      headerTitle.classList.toggle("md-header__title--active", !entry.isIntersecting && entry.boundingClientRect.top < 60);
    }, { rootMargin: "-60px 0px 0px" }).observe(heading);
  }
  const entries = new Map([...document.querySelectorAll(".md-sidebar--secondary a[href^='#']")]
    .map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]).filter(([target]) => target));
  if (entries.size) {
    let current;
    const markCurrentSection = () => {
      const past = [...entries.keys()].filter((target) => target.getBoundingClientRect().top < 120);
      const link = entries.get(past.at(-1));
      if (link === current) return;
      current?.classList.remove("md-nav__link--active");
      current?.removeAttribute("aria-current");
      link?.classList.add("md-nav__link--active");
      link?.setAttribute("aria-current", "true");
      current = link;
    };
    new IntersectionObserver(markCurrentSection, { rootMargin: "-110px 0px -60% 0px" }).observe(document.body);
    const watch = new IntersectionObserver(markCurrentSection, { rootMargin: "-110px 0px 0px" });
    for (const target of entries.keys()) watch.observe(target);
  }
  const activeLink = document.querySelector(".md-sidebar--primary a.md-nav__link--active");
  if (activeLink && innerWidth > 1219) {
    const frame = activeLink.closest(".md-sidebar__scrollwrap");
    const below = activeLink.getBoundingClientRect().bottom - frame.getBoundingClientRect().bottom;
    if (below > -80) frame.scrollTop += below + frame.clientHeight / 2;
  }

  /* The language switch, which leads to the section that the reader sees. */
  const languageLink = document.querySelector("[data-language]");
  if (isChinese) writeStorage("language", "zh-Hans");
  if (languageLink) {
    languageLink.addEventListener("click", () => {
      const past = [...document.querySelectorAll("article :is(h2, h3)[id]")].filter((section) => section.getBoundingClientRect().top < 120);
      languageLink.hash = scrollY > 0 && past.length ? past.at(-1).id : scrollY > 0 ? location.hash : "";
      writeStorage("language", languageLink.dataset.language);
    });
  }

  /* The search dialog, loaded on demand. */
  gradnotes.search = { texts: [] };
  gradnotes.loadSearch = () => Promise.all([isChinese ? "search_index_zh.js" : "search_index.js", "search_rank.js", "messages.js"].map(load)).then(() => load("search.js"));
  const withSearch = (act) => gradnotes.loadSearch().then(act)
    .catch((error) => { statusLine.classList.remove("visually-hidden"); statusLine.textContent = error.message; });
  const openSearch = (text) => withSearch(() => gradnotes.search.open(text));
  for (const button of document.querySelectorAll("[data-search-open]")) button.addEventListener("click", () => openSearch(button.dataset.searchAddress));
  /* Only the 404 page has [data-search-address], to offer a search for the words of the address. */
  for (const button of document.querySelectorAll("[data-search-address]")) {
    button.dataset.searchAddress = location.pathname.replace(/(\/index)?(\.\w+)?\/?$/, "").replace(/^.*\//, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    if (!/^(404)?$/.test(button.dataset.searchAddress)) button.querySelector("span").textContent = `“${button.dataset.searchAddress}”`;
  }
  /* Restore the search that search.js has stored in the history entry, when the reader goes back to it. */
  const resumeSearch = () => {
    if (history.state?.search) withSearch(() => gradnotes.search.reopen(history.state.search));
    else document.querySelector("dialog.search[open]")?.close();
  };
  resumeSearch();
  addEventListener("pageshow", (event) => { if (event.persisted) resumeSearch(); });
  addEventListener("popstate", resumeSearch);

  for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());

  /* The dialog that lists keyboard shortcuts. */
  const KEYS = [["/", say("search")], ["?", say("this list")], ["← →", say("in a step viewer: one step back or forward")],
    ["Home End", say("in a step viewer: first and last step")], ["Space", say("in a step viewer: play and pause")],
    ["Ctrl Enter", say("in an edited example: run it")], ["Esc Tab", say("leave the editor of a program")], ["Esc", say("close the open panel")]];
  function openKeys() {
    const rows = KEYS.map(([key, action]) => make("div", {},
      make("dt", {}, ...key.split(" ").flatMap((name) => [make("kbd", {}, name), " "])), make("dd", {}, action)));
    const close = make("button", { type: "button" }, say("Close"));
    const dialog = make("dialog", { class: "keys", "aria-label": say("Keys") }, make("dl", {}, ...rows), close);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
  for (const button of document.querySelectorAll("[data-keys]")) button.addEventListener("click", openKeys);

  const isTyping = (element) => {
    const dialog = element.closest?.("dialog");
    return dialog ? dialog.open : element.closest?.("input, textarea, select, [contenteditable]");
  };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey && event.key !== "k" || event.metaKey && event.key !== "k" || isTyping(event.target)) return;
    if (event.key === "/" || event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      openSearch();
    } else if (event.key === "?") {
      openKeys();
    }
  });
})();
