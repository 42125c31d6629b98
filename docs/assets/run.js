/* Run: an example as a program that the reader can change. Loaded with the first click. */
"use strict";
(() => {
  const NOTE = "Runs in your browser on reference_impl under the name torch, with NumPy 2.4.3. PyTorch itself does not run here.";
  let sandbox = null; // one for the page: a program at a time
  let busy = null; // the panel whose program runs

  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  function receive(data) {
    if (!busy) return;
    if (data.stage) busy.say(data.stage);
    else if (data.error) lose(data.error);
    else busy.finish(data.result);
  }

  function lose(why) {
    sandbox?.end();
    sandbox = null;
    const panel = busy;
    busy = null;
    panel?.stopped(why);
  }

  class Panel {
    constructor(figure) {
      this.figure = figure;
      this.identifier = `run-${figure.id}`;
      this.area = make("textarea", { spellcheck: "false", autocapitalize: "off", "aria-label": "The program", rows: "4" });
      this.area.value = figure.dataset.source;
      this.status = make("p", { class: "run-status", role: "status" });
      this.result = make("div", { class: "run-result" });
      this.buttons = {};
      const bar = make("div", { class: "run-bar", role: "group", "aria-label": "Run this program" });
      for (const [name, label, act] of [
        ["run", "Run", () => this.run()], ["stop", "Stop", () => lose("Stopped.")],
        ["reset", "Reset", () => this.reset()], ["close", "Close", () => this.close()],
      ]) {
        this.buttons[name] = make("button", { type: "button" }, label);
        this.buttons[name].addEventListener("click", act);
        bar.append(this.buttons[name]);
      }
      this.element = make("div", { class: "run-panel" }, make("p", { class: "run-note" }, NOTE), this.area, bar, this.status, this.result);
      figure.querySelector("pre").hidden = true;
      figure.querySelector(".ran").before(this.element);
      this.area.addEventListener("input", () => this.fit());
      this.area.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          this.run();
        }
      });
      this.fit();
      this.enable(false);
    }

    fit() {
      this.area.rows = Math.min(32, this.area.value.split("\n").length + 1);
    }

    enable(running) {
      this.buttons.run.disabled = running;
      this.buttons.stop.disabled = !running;
    }

    say(text) {
      this.status.textContent = text;
    }

    run() {
      if (busy) return busy === this || this.say("Another example is running. Stop it first.");
      busy = this;
      this.enable(true);
      this.result.replaceChildren();
      this.say(sandbox ? "Starting" : "Loading Python (about 9 MB, once)");
      sandbox ??= new gradnotes.Sandbox(receive);
      sandbox.send({ source: this.area.value, identifier: this.identifier });
    }

    finish(result) {
      busy = null;
      this.enable(false);
      this.say(result.verdict);
      this.status.dataset.state = result.failed || result.differences.length ? "differs" : "same";
      const markup = result.html + result.figures.join("");
      const shown = make("div", { class: "run-output" }, ...gradnotes.harmless(markup, `${this.identifier}-`));
      const list = make("ul", {}, ...result.differences.map((line) => make("li", {}, line)));
      this.result.replaceChildren(...(result.differences.length ? [list] : []), shown);
      if (result.figures.length) gradnotes.load("steps.js").then(() => gradnotes.steps(this.result));
    }

    stopped(why) {
      this.enable(false);
      this.say(why);
      this.status.dataset.state = "differs";
    }

    reset() {
      if (busy === this) lose("Stopped.");
      this.area.value = this.figure.dataset.source;
      this.result.replaceChildren();
      this.say("As on the page.");
      delete this.status.dataset.state;
      this.fit();
    }

    close() {
      if (busy === this) lose("Stopped.");
      this.element.remove();
      this.figure.querySelector("pre").hidden = false;
      this.figure.panel = undefined;
      this.figure.querySelector("[data-run]").focus();
    }
  }

  /* A message to the worker from elsewhere; `say` hears how far it is. Resolves to its result. */
  gradnotes.ask = (message, say) => new Promise((done, failed) => {
    if (location.protocol === "file:") throw new Error("This needs a server: `make serve`, or any other.");
    if (busy) throw new Error("Another program is running. Stop it first.");
    busy = { say, finish: (result) => { busy = null; done(result); }, stopped: (why) => failed(new Error(why)) };
    say(sandbox ? "Starting" : "Loading Python (about 9 MB, once)");
    sandbox ??= new gradnotes.Sandbox(receive);
    sandbox.send(message);
  });
  gradnotes.stop = () => lose("Stopped.");

  gradnotes.run = (figure) => {
    figure.panel ??= new Panel(figure);
    if (location.protocol === "file:") figure.panel.say("Run needs a server: `make serve`, or any other.");
    else figure.panel.run();
  };
})();
