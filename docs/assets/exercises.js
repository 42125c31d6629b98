/* Exercises: check answers, show hints one by one, and unlock the solution after an attempt. */
"use strict";
(() => {
  const { make, practice, say } = gradnotes;
  /* Return the nodes of the site's own markup. Markup that a program wrote must be sanitized by harmless.js instead. */
  const nodes = (markup) => [...new DOMParser().parseFromString(markup, "text/html").body.childNodes];

  /* An exercise. Subclasses have `prepare`, which sets up the input, `check`, and `clear`, which empties the input. A click on a button calls the
     method that its [data-do] names. */
  class Exercise {
    constructor(figure) {
      this.figure = figure;
      this.id = figure.dataset.practice;
      this.data = JSON.parse(figure.querySelector("script").textContent);
      this.feedback = figure.querySelector(".exercise-said");
      this.buttons = Object.fromEntries([...figure.querySelectorAll("[data-do]")].map((button) => [button.dataset.do, button]));
      for (const [name, button] of Object.entries(this.buttons)) button.addEventListener("click", () => this[name]());
      this.hints = [...figure.querySelectorAll(".exercise-hints li")];
      this.shownHints = make("ol", { class: "exercise-hints-shown", "aria-live": "polite", "aria-label": say("Hints") });
      this.feedback.after(this.shownHints);
      this.solutionBox = figure.querySelector(".exercise-solution");
      this.prepare();
      const restore = () => this.setAttempted(Boolean(practice.state(this.id)));
      restore();
      practice.onChange(restore);
      practice.onErase(() => this.reset());
    }

    /* Unlock the solution after an attempt, or lock it. */
    setAttempted(isAttempted) {
      this.buttons.solution.setAttribute("aria-disabled", String(!isAttempted));
      this.solutionBox.toggleAttribute("data-unlocked", isAttempted);
    }

    showFeedback(state, ...children) {
      this.feedback.dataset.state = state;
      this.feedback.replaceChildren(...children);
    }

    /* Store the result of a check and show it, followed by `words`. */
    showVerdict(passed, ...words) {
      practice.record(this.id, passed ? "passed" : "tried");
      this.setAttempted(true);
      const sign = make("b", {}, passed ? say("✓ Correct.") : say("✗ Not yet."));
      this.showFeedback(passed ? "right" : "wrong", make("p", {}, sign, " ", ...words));
    }

    /* Show the next hint. */
    hint() {
      const next = this.hints[this.shownHints.children.length];
      if (next) this.shownHints.append(make("li", {}, ...[...next.childNodes].map((node) => node.cloneNode(true))));
      const shownCount = this.shownHints.children.length;
      const hasMore = shownCount < this.hints.length;
      this.buttons.hint.textContent = hasMore ? say("Hint {number} of {count}", { number: shownCount + 1, count: this.hints.length }) : say("No more hints");
      this.buttons.hint.setAttribute("aria-disabled", String(!hasMore));
    }

    /* Open or close the solution, and record that the reader has seen it. Before an attempt, show only a request to try. */
    solution() {
      if (this.buttons.solution.getAttribute("aria-disabled") === "true") {
        return this.showFeedback("open", make("p", {}, say("Try once before you look at the solution.")));
      }
      practice.record(this.id, "shown");
      this.solutionBox.open = !this.solutionBox.open;
      if (this.solutionBox.open) this.solutionBox.querySelector("summary").focus();
    }

    /* Forget the answer and the progress in this exercise. */
    reset() {
      practice.forget(this.id);
      this.showFeedback("");
      this.shownHints.replaceChildren();
      if (this.hints.length) {
        this.buttons.hint.textContent = say("Hint {number} of {count}", { number: 1, count: this.hints.length });
        this.buttons.hint.removeAttribute("aria-disabled");
      }
      this.solutionBox.open = false;
      this.clear();
    }
  }

  /* An exercise whose answer is a program, repaired or written by the reader. */
  class ProgramExercise extends Exercise {
    prepare() {
      this.area = this.figure.querySelector("textarea");
      this.colored = this.figure.querySelector(".exercise-start"); // visible through the transparent textarea above it
      this.colored.inert = true;
      this.area.addEventListener("scroll", () => this.colored.scrollTo(this.area.scrollLeft, this.area.scrollTop));
      this.start = this.area.defaultValue;
      this.area.value = practice.program(this.id) ?? this.start;
      this.area.addEventListener("input", () => {
        this.fit();
        this.changed();
      });
      this.area.addEventListener("paste", (event) => this.paste(event));
      for (const event of ["click", "input"]) this.area.addEventListener(event, () => this.open(), { once: true }); // focus alone does not load the editor
      for (const [event, isComposing] of [["compositionstart", true], ["compositionend", false]]) this.area.addEventListener(event, () => { this.isComposing = isComposing; });
      addEventListener("pagehide", () => this.save());
      this.area.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || !event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.check();
      });
      this.fit();
      this.setRunning(false);
      if (this.area.value !== this.start) this.open(); // only the editor can highlight a changed program
    }

    /* Remove the prompts from a pasted program, as editor.js does in the editor. */
    async paste(event) {
      const text = event.clipboardData.getData("text/plain");
      if (!/^\s*(>>>|In \[)/.test(text)) return;
      event.preventDefault();
      await gradnotes.load("programs.js").catch(() => {}); // without a network, the prompts stay
      this.area.setRangeText(gradnotes.programs?.withoutPrompts(text) ?? text, this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }

    /* Replace the textarea by the editor. Text and selection are copied after loading. */
    async open() {
      if (this.editor) return;
      try {
        await gradnotes.load("run.js");
        await gradnotes.editorParts();
      } catch {
        return; // the textarea remains
      }
      if (this.isComposing) await new Promise((resolve) => this.area.addEventListener("compositionend", resolve, { once: true })); // an input method is composing a word
      if (this.editor) return;
      const { value, selectionStart, selectionEnd } = this.area;
      const hadFocus = document.activeElement === this.area;
      const parent = make("div", { class: "run-editor" });
      this.area.after(parent);
      this.editor = new gradnotes.Editor({
        parent, text: value, label: this.area.getAttribute("aria-label"), keys: say("While you edit, Tab indents; Escape, then Tab leaves the editor. Ctrl Enter checks."), changed: () => this.changed(), run: () => this.check(),
      });
      this.area.hidden = true;
      this.fit();
      if (hadFocus) this.editor.select(selectionStart, selectionEnd);
    }

    get text() { return this.editor ? this.editor.text : this.area.value; }

    changed() {
      gradnotes.prepare?.(); // defined once run.js is loaded
      clearTimeout(this.saveTimer);
      this.isUnsaved = true;
      this.saveTimer = setTimeout(() => this.save(), 300);
    }

    save() {
      if (this.isUnsaved) practice.saveProgram(this.id, this.text === this.start ? null : this.text);
      this.isUnsaved = false;
    }

    /* Fit the height of the textarea to its text. Show the highlighted program behind the textarea only while its text is unchanged. */
    fit() {
      this.colored.hidden = this.area.hidden || this.area.value !== this.start;
      this.area.rows = Math.min(32, this.area.value.split("\n").length + 1);
    }

    setRunning(isRunning) {
      this.buttons.stop.hidden = !isRunning;
      if (isRunning && document.activeElement === this.buttons.check) this.buttons.stop.focus();
      this.buttons.check.disabled = isRunning;
    }

    clear() {
      this.area.value = this.start;
      if (this.editor) this.editor.text = this.start;
      clearTimeout(this.saveTimer);
      this.isUnsaved = false;
      this.fit();
    }

    stop() {
      gradnotes.stop();
    }

    /* Run the program and its check, and show the result. */
    async check() {
      if (this.buttons.check.disabled) return; // already running
      const source = this.text;
      if (!source.trim()) return this.showFeedback("open", make("p", {}, say("Write a program first.")));
      this.setRunning(true);
      this.editor?.mark(0);
      const editorOpened = this.open(); // only the editor can mark the line of an error
      try {
        await gradnotes.loadSandbox();
        for (const name of ["harmless.js", "run.js"]) await gradnotes.load(name);
        const exercise = JSON.stringify({ check: this.data.check, errors: this.data.errors.map(({ error }) => ({ error })) });
        const answer = await gradnotes.ask({ source, exercise }, (text) => this.showFeedback("open", make("p", {}, say("{stage}. A program is stopped after 60 seconds.", { stage: text }))));
        this.show(answer);
        await editorOpened;
        if (answer.line && this.text === source) this.editor?.mark(Number(answer.line));
      } catch (error) {
        this.showFeedback("open", make("p", {}, error.message));
      }
      const lostFocus = document.activeElement === document.body || document.activeElement === this.buttons.stop;
      this.setRunning(false);
      if (lostFocus) this.buttons.check.focus({ preventScroll: true });
    }

    /* Show the result of a check: the verdict with its message, a hint or advice, and the program's output. */
    show({ state, message, advice, line, known, html }) {
      this.showVerdict(state === "passed", ...(line ? [say("Line {number}: ", { number: Number(line) })] : []), ...gradnotes.prose(String(message)));
      const hint = this.data.errors[known]?.hint;
      if (hint) this.feedback.append(make("p", {}, ...nodes(hint)));
      else if (advice) this.feedback.append(make("p", {}, ...gradnotes.prose(String(advice))));
      const output = gradnotes.sanitize(String(html), `${this.id}-`);
      if (output.length) {
        const details = make("details", { class: "exercise-output" }, make("summary", {}, say("What your program printed")), make("div", { class: "run-output" }, ...output));
        details.open = state === "ended";
        this.feedback.append(details);
      }
    }
  }

  /* An exercise whose answer is a choice of lines, tensors or nodes. The page contains the answer key. */
  class ChoiceExercise extends Exercise {
    prepare() {
      this.inputs = [...this.figure.querySelectorAll("input")];
      this.choices = [...this.figure.querySelectorAll("[data-choice]")];
      this.order = [];
      for (const button of this.choices) button.addEventListener("click", () => this.toggle(button.dataset.choice));
      for (const input of this.inputs) input.addEventListener("change", () => this.mark());
      for (const node of this.figure.querySelectorAll("svg [data-node]")) {
        const choice = this.figure.querySelector(`[data-of="${CSS.escape(node.dataset.node)}"]`);
        node.addEventListener("click", () => choice?.click());
      }
      this.mark();
    }

    /* Append a choice to the reader's order, or remove it if it is there. */
    toggle(number) {
      this.order = this.order.includes(number) ? this.order.filter((chosen) => chosen !== number) : [...this.order, number];
      this.mark();
    }

    /* Mark the chosen items in the list and in the drawing. */
    mark() {
      for (const button of this.choices) {
        const position = this.order.indexOf(button.dataset.choice) + 1;
        button.querySelector("b").textContent = position || "";
        button.setAttribute("aria-pressed", String(position > 0));
      }
      for (const node of this.figure.querySelectorAll("svg [data-node]")) {
        const choice = this.figure.querySelector(`[data-of="${CSS.escape(node.dataset.node)}"]`);
        const position = choice?.querySelector("b")?.textContent ?? "";
        node.toggleAttribute("data-chosen", Boolean(choice?.checked || position));
        node.querySelector(".g-badge").textContent = choice?.checked ? "✓" : position;
      }
    }

    clear() {
      this.order = [];
      for (const input of this.inputs) input.checked = false;
      this.mark();
    }

    check() {
      const chosen = this.data.at === "order" ? this.order : this.inputs.filter((input) => input.checked).map((input) => input.value);
      if (!chosen.length) return this.showFeedback("open", make("p", {}, say("Select something first.")));
      const key = this.data.key.split(" ");
      const hint = this.data.said[chosen.join(" ")];
      if (chosen.join(" ") === this.data.key) this.showVerdict(true);
      else if (hint) this.showVerdict(false, ...nodes(hint));
      else this.showVerdict(false, this.data.at === "order" ? this.describeOrder(chosen, key) : this.describeSelection(chosen, key));
    }

    /* Return a text that says how many choices at the beginning of the reader's order are right. */
    describeOrder(chosen, key) {
      const firstWrong = chosen.findIndex((number, i) => number !== key[i]);
      if (firstWrong === -1) return say("Correct so far; {count} more to choose.", { count: key.length - chosen.length });
      if (!firstWrong) return say("The first one is wrong.");
      return firstWrong === 1 ? say("The first one is right.") : say("The first {count} are right.", { count: firstWrong });
    }

    /* Return a text that says how many choices are right, and how many are wrong. */
    describeSelection(chosen, key) {
      const rightCount = chosen.filter((number) => key.includes(number)).length;
      const wrongCount = chosen.length - rightCount;
      const counts = { right: rightCount, all: key.length, wrong: wrongCount };
      if (!wrongCount) return say("{right} of {all} found.", counts);
      return wrongCount === 1 ? say("{right} of {all} found, and 1 that does not belong.", counts) : say("{right} of {all} found, and {wrong} that do not belong.", counts);
    }
  }

  for (const figure of document.querySelectorAll("figure.exercise")) figure.dataset.kind === "point" ? new ChoiceExercise(figure) : new ProgramExercise(figure);
})();
