/* Run: turn an example into an editable program and run it. Loaded at the first click, or if an edit of an example is stored. */
"use strict";
(() => {
  const { make, say } = gradnotes;
  const NOTE = say("Runs in your browser, on the small engine of this site, which has PyTorch's API and computes with NumPy 2.4.3. PyTorch itself does not run here. A program is stopped after 60 seconds.");
  const LIMIT = 60_000; // ms that a program may run
  const CALLS = 6; // limit of the calls that an error message lists
  const LITTLE_MEMORY = 4; // GB; Python is not started in advance on a device with less. It takes 0.2 GB
  const FROM_A_FOLDER = say("Programs run only on pages from a web server, and this page was opened from a folder. Copy the program, and run it in any Python with torch.");
  let sandbox = null; // shared by all panels; runs one program at a time
  let active = null; // receives the output of the program that runs: a panel or, for an exercise, the object in `ask`; null if none runs
  let clock; // the timer that ends the program

  let isNoteShown = false; // whether the note was shown; used if sessionStorage is blocked
  /* Return [note about the engine], or [] if it was shown on this visit. */
  function engineNote() {
    try {
      if (sessionStorage.getItem("run-note")) return [];
      sessionStorage.setItem("run-note", "shown");
    } catch {
      if (isNoteShown) return [];
      isNoteShown = true;
    }
    return [make("p", { class: "run-note" }, NOTE)];
  }

  /* Act on a message from the sandbox. Its keys are described in sandbox.js. */
  function receive(data) {
    if (data.worn && !active) return endSandbox();
    if (data.stage === "Running" && active) clock ??= setTimeout(() => endProgram(say("Stopped after 60 seconds, the limit for a program here. Its output so far is shown.")), LIMIT);
    if (!active) return data.error && endProgram(data.error); // a sandbox that was started in advance
    if (data.stage) active.setStatus(say(data.stage));
    else if (data.progress) active.showOutput?.(data.progress);
    else if (data.error) endProgram(data.error);
    else if (data.result) {
      stopClock();
      active.finish(data.result);
    }
  }

  function stopClock() {
    clearTimeout(clock);
    clock = undefined;
  }

  function endSandbox() {
    sandbox?.end();
    sandbox = null;
  }

  /* End the program and the sandbox. `reason` is the text that the reader sees. */
  function endProgram(reason) {
    stopClock();
    endSandbox();
    const ended = active;
    active = null;
    ended?.handleEnd(reason);
  }

  function send(message) {
    sandbox ??= new gradnotes.Sandbox(receive);
    active.setStatus(say(sandbox.ready ? "Starting" : sandbox.stage));
    sandbox.send(message);
  }

  /* A button with a menu. Arrow keys, Home, End and first letters move the focus; Escape, Tab and a click elsewhere close the menu. */
  class Menu {
    /* `entries` is a list of [label, function to call]. */
    constructor(name, entries) {
      this.button = make("button", { type: "button", class: "run-more", "aria-haspopup": "menu", "aria-expanded": "false" }, name);
      this.items = entries.map(([label, act]) => {
        const item = make("div", { role: "menuitem", tabindex: "-1" }, label);
        item.addEventListener("click", () => {
          this.close();
          act();
        });
        return item;
      });
      this.list = make("div", { role: "menu", class: "run-menu", "aria-label": name, hidden: "" }, ...this.items);
      this.element = make("div", { class: "run-menu-place" }, this.button, this.list);
      this.button.addEventListener("mousedown", (event) => event.preventDefault()); // keep the focus, or Safari closes the menu and opens it again
      this.button.addEventListener("click", () => this.list.hidden ? this.open(0) : this.close());
      this.element.addEventListener("keydown", (event) => this.press(event));
      this.element.addEventListener("focusout", ({ relatedTarget }) => { if (!this.element.contains(relatedTarget)) this.fold(); });
    }

    open(number) {
      this.list.hidden = false;
      this.button.setAttribute("aria-expanded", "true");
      this.items.at(number).focus();
    }

    fold() {
      this.list.hidden = true;
      this.button.setAttribute("aria-expanded", "false");
    }

    close() {
      this.button.focus();
      this.fold();
    }

    press(event) {
      const { key } = event;
      const position = this.items.indexOf(document.activeElement);
      const next = this.items.findIndex((item, i) => i > position && item.textContent.toLowerCase().startsWith(key.toLowerCase()));
      if (position < 0) {
        if (key !== "ArrowDown" && key !== "ArrowUp") return;
        this.open(key === "ArrowDown" ? 0 : -1);
      } else if (key === "ArrowDown") this.items[(position + 1) % this.items.length].focus();
      else if (key === "ArrowUp") this.items.at(position - 1).focus();
      else if (key === "Home" || key === "End") this.items.at(key === "Home" ? 0 : -1).focus();
      else if (key === "Escape") this.close();
      else if (key === "Enter" || key === " ") this.items[position].click();
      else if (next >= 0) this.items[next].focus();
      else return;
      event.preventDefault();
      event.stopPropagation(); // Escape must not close anything else
    }
  }

  /* The editor of an example, with its buttons and the results of a run. */
  class Panel {
    /* `text` is the program in the page's address, by default the stored edit or the page's program. */
    constructor(figure, text) {
      this.figure = figure;
      this.isPlayground = Boolean(figure.closest("[data-playground]"));
      this.identifier = `run-${figure.id}`;
      this.start = gradnotes.programs.startText(figure);
      this.status = make("p", { class: "run-status", role: "status" });
      this.result = make("div", { class: "run-result" });
      this.buttons = { run: make("button", { type: "button" }, say("Run")), stop: make("button", { type: "button", class: "run-stop" }, say("Stop")) };
      this.buttons.run.addEventListener("click", () => this.run());
      this.buttons.stop.addEventListener("click", () => endProgram(say("Stopped. Its output so far is shown.")));
      this.menu = new Menu(say("More"), [
        [say("Reset"), () => this.reset()], ...(this.isPlayground ? [[say("Blank"), () => this.blank()]] : []),
        [say("Copy link"), () => this.copyLink()], ...(this.isPlayground ? [] : [[say("Close"), () => this.close()]]),
      ]);
      const bar = make("div", { class: "run-bar", role: "group", "aria-label": say("Run this program") },
        this.buttons.run, this.buttons.stop, this.status, this.menu.element);
      const editor = make("div", { class: "run-editor" });
      this.element = make("div", { class: "run-panel" }, ...this.partNote(), ...engineNote(), bar, editor, this.result);
      this.program = figure.querySelector("pre");
      this.program.hidden = true;
      this.program.after(this.element);
      this.editor = new gradnotes.Editor({
        parent: editor, text: text ?? gradnotes.programs.storedEdit(figure) ?? this.start, label: say("The program"), keys: say("While you edit, Tab indents; Escape, then Tab leaves the editor. Ctrl Enter runs the program."), changed: () => this.changed(), run: () => this.run(),
      });
      this.mark();
      this.setRunning(false);
      this.isUnsaved = false; // a program from a link replaces a stored edit only when the reader changes it
      this.save = () => {
        if (this.isUnsaved) gradnotes.programs.storeEdit(figure, this.isEdited ? this.editor.text : null);
        this.isUnsaved = false; // otherwise this tab, when it is closed, would overwrite later edits of another tab
      };
      addEventListener("pagehide", this.save);
    }

    /* Return [a sentence that says which lines of the program the page shows], or [] if it shows the whole program. */
    partNote() {
      const { part } = this.figure.dataset;
      if (!part) return [];
      const omitted = [...gradnotes.omittedLines(this.figure)];
      const [start, end] = part.split("-").map(Number);
      const first = start - omitted.filter((line) => line < start).length;
      const last = end - omitted.filter((line) => line <= end).length;
      const text = first === last ? say("This is the whole program. The page shows only its line {first}.", { first })
        : say("This is the whole program. The page shows its lines {first} to {last}.", { first, last });
      return [make("p", { class: "run-note" }, text)];
    }

    get isEdited() {
      return this.editor.text.trimEnd() !== this.start.trimEnd();
    }

    /* Mark the figure if the program is edited. The style then hides what the page says about its own program. */
    mark() {
      this.figure.toggleAttribute("data-edited", this.isEdited);
    }

    changed() {
      this.mark();
      gradnotes.prepare();
      this.element.dataset.stale = "";
      if (this.status.dataset.state) this.setStatus(say("Changed since it ran."));
      if (this.isPlayground && location.hash.startsWith("#program=")) history.replaceState(null, "", location.pathname + location.search); // the link no longer describes this program
      this.isUnsaved = true;
      clearTimeout(this.saveTimer);
      this.saveTimer = setTimeout(this.save, 300);
    }

    /* Put the program of a link into the editor. */
    showLinked(text) {
      if (active === this) endProgram(say("Stopped."));
      const address = location.href;
      if (this.editor.text !== text) {
        this.save(); // the previous program is the reader's work
        this.editor.text = text;
        history.replaceState(null, "", address);
      }
      this.result.replaceChildren();
      clearTimeout(this.saveTimer);
      this.isUnsaved = false;
      this.setStatus(say("This program came with the link. Read it before you run it. It is saved only if you change it."));
    }

    /* Show the Stop button instead of the Run button while the program runs. */
    setRunning(isRunning) {
      const focused = document.activeElement;
      this.buttons.run.hidden = isRunning;
      this.buttons.stop.hidden = !isRunning;
      if (focused === this.buttons.run && isRunning) this.buttons.stop.focus();
      if (focused === this.buttons.stop && !isRunning) this.buttons.run.focus();
    }

    /* Show a text beside the buttons. `state` decides its style. */
    setStatus(text, state) {
      this.status.textContent = text;
      if (state) this.status.dataset.state = state;
      else delete this.status.dataset.state;
    }

    run() {
      if (location.protocol === "file:") return this.setStatus(FROM_A_FOLDER);
      if (active) return active === this || this.setStatus(say("Another program is running. Stop it first."));
      active = this;
      this.setRunning(true);
      this.result.replaceChildren();
      this.editor.clear();
      this.hasOutput = false;
      delete this.element.dataset.stale;
      if (location.hash.startsWith(`#${this.identifier}-`)) history.replaceState(null, "", location.pathname + location.search); // the address names a step of the previous run
      send({ source: this.editor.text, page: this.figure.dataset.source, identifier: this.identifier });
    }

    /* Show the output of the statement that ends in `line`. It replaces an earlier output of this statement. */
    showOutput({ line, html }) {
      if (!this.hasOutput) this.editor.reveal(Number(line));
      this.hasOutput = true;
      this.editor.put(Number(line), gradnotes.sanitize(String(html), `${this.identifier}-`));
    }

    /* Show the result of a run: the verdict, an error, differences from the page, figures and step viewers. */
    finish(result) {
      active = null;
      this.setRunning(false);
      if (this.element.dataset.stale === undefined) {
        this.editor.clear();
        for (const output of result.shown) this.showOutput(output);
      }
      const isPart = result.state === "same" && this.figure.dataset.part; // most of the compared lines are not on the page
      if (this.element.dataset.stale === undefined) this.setStatus(isPart ? say("The output of the whole program is as expected.") : result.verdict, result.state);
      else this.setStatus(say("Changed while it ran."));
      const figures = gradnotes.sanitize(result.figures.join(""), `${this.identifier}-`);
      const list = make("ul", {}, ...result.differences.map((line) => make("li", {}, line)));
      this.result.replaceChildren(...(result.error ? [this.describeError(result.error)] : []), ...(result.differences.length ? [list] : []), ...figures);
      if (figures.length) gradnotes.load("steps.js").then(() => gradnotes.steps(this.result));
    }

    /* Return a box with links to the lines that led to an error, advice, and a link to the page that explains the error. */
    describeError({ text, line, calls, advice }) {
      const lineButton = (number, ...words) => {
        const button = make("button", { type: "button" }, ...words);
        button.addEventListener("click", () => this.editor.show(Number(number)));
        return button;
      };
      const box = make("div", { class: "run-error" });
      const frames = Array.from(calls ?? [], ([number, name]) => [number, name === "<module>" ? say("line {number}", { number: Number(number) }) : say("line {number}, in {name}", { number: Number(number), name })]).reverse();
      if (!frames.length && line) frames.push([line, say("line {number}", { number: Number(line) })]);
      const hiddenCount = frames.length - CALLS; // a recursion may be a thousand calls deep
      const shownFrames = hiddenCount > 0 ? [...frames.slice(0, CALLS - 1), say("{count} more calls", { count: hiddenCount }), frames.at(-1)] : frames;
      const words = shownFrames.flatMap((frame, i) => [i ? say(", called from ") : "", typeof frame === "string" ? frame : lineButton(...frame)]);
      if (words.length) box.append(make("p", {}, say("Raised in "), ...words));
      if (advice) box.append(make("p", { class: "run-advice" }, ...gradnotes.prose(String(advice))));
      if (line) this.editor.mark(Number(line));
      gradnotes.load("explained.js").then(() => gradnotes.findExplanation(String(text))).then((link) => link && box.append(make("p", {}, say("Explained: "), link)));
      return box;
    }

    handleEnd(reason) {
      this.setRunning(false);
      this.setStatus(reason, "ended");
    }

    /* Restore the page's program and discard the stored edit. */
    reset() {
      if (active === this) endProgram(say("Stopped."));
      this.editor.text = this.start;
      this.result.replaceChildren();
      clearTimeout(this.saveTimer);
      this.isUnsaved = false;
      gradnotes.programs.storeEdit(this.figure, null);
      this.setStatus(say("Reset to the program on the page."));
    }

    blank() {
      if (active === this) endProgram(say("Stopped."));
      this.editor.text = "import torch\n\n";
      this.result.replaceChildren();
      this.setStatus("");
      this.editor.show(3);
    }

    async copyLink() {
      try {
        await gradnotes.copy(await gradnotes.programs.link(this.editor.text), this.menu.button);
      } catch (error) {
        this.setStatus(error.message);
      }
    }

    close() {
      if (active === this) endProgram(say("Stopped."));
      this.save();
      removeEventListener("pagehide", this.save);
      this.editor.end();
      this.element.remove();
      this.program.hidden = false;
      this.figure.removeAttribute("data-edited");
      this.figure.panel = undefined;
      this.figure.querySelector("[data-run]").focus();
    }
  }

  /* Send a message to the worker and return a promise of the result. `report` is called with texts that describe the progress. The promise is
     rejected, with a text for the reader, if the program cannot start, because another runs or the page is a local file, or if it is stopped. */
  gradnotes.ask = (message, report) => new Promise((resolve, reject) => {
    if (location.protocol === "file:") throw new Error(FROM_A_FOLDER);
    if (active) throw new Error(say("Another program is running. Stop it first."));
    active = { setStatus: report, finish: (result) => { active = null; resolve(result); }, handleEnd: (reason) => reject(new Error(reason)) };
    send(message);
  });
  gradnotes.stop = () => endProgram(say("Stopped."));
  gradnotes.prepare = () => sandbox?.prepare();

  let isWarmed = false;
  /* Start Python in advance, unless the reader saves data or the device has little memory. Failures are reported when a program is run. */
  gradnotes.warm = async () => {
    if (isWarmed || location.protocol === "file:" || navigator.connection?.saveData || navigator.deviceMemory < LITTLE_MEMORY) return;
    await gradnotes.loadSandbox();
    isWarmed = true;
    sandbox ??= new gradnotes.Sandbox(receive);
  };

  const loadStyle = () => new Promise((resolve) => {
    const link = make("link", { rel: "stylesheet", href: new URL("run.css", gradnotes.base) });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  /* Load the scripts and styles of the editor, once. */
  let parts;
  const loadParts = () => {
    parts ??= Promise.all([
      loadStyle(), gradnotes.loadSandbox(), ...["harmless.js", "programs.js"].map(gradnotes.load), gradnotes.load("codemirror.js").then(() => gradnotes.load("editor.js")),
    ]);
    parts.catch(() => { parts = undefined; }); // the next click tries again
    return parts;
  };

  gradnotes.editorParts = loadParts;
  /* Open the editor of a figure, unless it is open, and return its panel. */
  gradnotes.edit = async (figure, text) => {
    await loadParts();
    figure.panel ??= new Panel(figure, text);
    return figure.panel;
  };
  /* Open the editor of a figure and run its program. */
  gradnotes.run = async (figure) => {
    gradnotes.warm().catch(() => {}); // in parallel; loading the editor reports what cannot be loaded
    const focused = document.activeElement;
    const panel = await gradnotes.edit(figure);
    if (focused === figure.querySelector("[data-run]")) panel.buttons.run.focus(); // the panel's Run button replaces it
    return panel.run();
  };

  /* Open an editor for each program with a stored edit, and for the program in the page's address. No program is run. */
  gradnotes.resume = async () => {
    await gradnotes.load("programs.js");
    const playground = await showLinkedProgram();
    for (const figure of document.querySelectorAll("figure[data-runs]")) {
      if (figure !== playground && gradnotes.programs.storedEdit(figure) !== null) await gradnotes.edit(figure);
    }
  };

  /* Show the program in the page's address in the playground. Return the playground's figure, or null if the page has no playground or the address
     no program. */
  async function showLinkedProgram() {
    const playground = document.querySelector("[data-playground] figure");
    const text = playground && await gradnotes.programs.programInAddress().catch(() => `# ${say("The link to this page contains a program that cannot be read.")}\n`);
    if (text === null) return null;
    (await gradnotes.edit(playground, text)).showLinked(text);
    return playground;
  }
  addEventListener("hashchange", () => gradnotes.programs && showLinkedProgram());
})();
