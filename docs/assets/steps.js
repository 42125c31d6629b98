/* Moves through a recorded backward pass. The figure already holds the graph and the table of steps;
   this adds the buttons, marks the nodes, and tells one step at a time. */
"use strict";
(() => {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const code = (text) => make("code", {}, text);
  const title = (node) => node.leaf ? node.leaf.name ?? "a leaf" : node.result ?? node.name;
  const BUTTONS = [["first", "|◀", "First step"], ["back", "◀", "Step back"], ["play", "Play", "Play"], ["forward", "▶", "Step forward"], ["last", "▶|", "Last step"]];

  class Steps {
    constructor(figure) {
      this.figure = figure;
      this.trace = JSON.parse(figure.querySelector("script").textContent);
      this.nodes = new Map(this.trace.nodes.map((node) => [node.id, node]));
      this.groups = new Map([...figure.querySelectorAll("[data-node]")].map((g) => [g.dataset.node, g]));
      this.edges = [...figure.querySelectorAll(".g-edge")];
      this.last = this.trace.steps.length;
      this.build();
      this.show(this.fromAddress() ?? 0, false);
    }

    build() {
      const side = this.figure.querySelector(".steps-side");
      side.hidden = false;
      this.buttons = new Map();
      const bar = make("div", { class: "steps-bar", role: "group", "aria-label": "Steps of the backward pass" });
      for (const [name, sign, label] of BUTTONS) {
        const button = make("button", { type: "button", "aria-label": label, title: label }, sign);
        button.addEventListener("click", () => this.press(name));
        this.buttons.set(name, button);
        bar.append(button);
      }
      this.count = make("span", { class: "steps-count" });
      bar.append(this.count);
      this.told = make("p", { class: "visually-hidden", role: "status" });
      this.panel = make("div", { class: "steps-panel" });
      this.about = make("div", { class: "steps-about", hidden: "" });
      side.append(bar, this.told, this.panel, this.about);
      this.figure.querySelector("details").open = false;
      for (const [id, group] of this.groups) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.addEventListener("click", () => this.tell(id));
        group.addEventListener("keydown", (event) => {
          if (event.key === "Enter") this.tell(id);
        });
      }
      this.figure.querySelector("svg").setAttribute("role", "group");
      this.figure.querySelector(".steps-graph").removeAttribute("tabindex");
      this.figure.addEventListener("keydown", (event) => {
        const name = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last", " ": "play" }[event.key];
        const wants = event.target.closest("button, summary, a, .table-frame");
        if (!name || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(".table-frame") || event.key === " " && wants) return;
        event.preventDefault();
        this.press(name);
      });
    }

    press(name) {
      if (name === "play" && !this.timer) {
        if (this.step === this.last) this.show(0);
        this.timer = setInterval(() => this.step < this.last ? this.show(this.step + 1) : this.stop(), 1400);
        this.buttons.get("play").setAttribute("aria-label", "Pause");
        this.buttons.get("play").textContent = "Pause";
        this.show(Math.min(this.step + 1, this.last));
        return;
      }
      this.stop();
      const target = { first: 0, back: this.step - 1, forward: this.step + 1, last: this.last }[name];
      if (target !== undefined) this.show(Math.max(0, Math.min(this.last, target)));
    }

    stop() {
      clearInterval(this.timer);
      this.timer = undefined;
      this.buttons.get("play").setAttribute("aria-label", "Play");
      this.buttons.get("play").textContent = "Play";
    }

    /* Where things stand when `step` steps have run. */
    state(step) {
      const remaining = new Map(Object.entries(this.trace.dependencies));
      const grads = new Map();
      const done = new Set();
      for (const past of this.trace.steps.slice(0, step)) {
        done.add(past.node);
        for (const sent of past.sent) remaining.set(sent.target, sent.remaining);
        if (past.accumulated !== null) grads.set(past.node, past.accumulated);
      }
      const next = this.trace.steps[step];
      const queue = next ? [next.node, ...next.queue] : [];
      return { remaining, grads, done, queue, running: step ? this.trace.steps[step - 1] : null };
    }

    show(step, remember = true) {
      this.step = step;
      const { remaining, grads, done, queue, running } = this.state(step);
      for (const [id, group] of this.groups) {
        const kind = running?.node === id ? "runs" : done.has(id) ? "done" : queue.includes(id) ? "ready" : "waits";
        group.dataset.state = kind;
        const waits = remaining.get(id);
        group.querySelector(".g-badge").textContent = { runs: "runs", done: "✓", ready: "ready", waits: waits ? `waits ${waits}` : "" }[kind];
      }
      for (const edge of this.edges) {
        edge.dataset.state = running?.node === edge.dataset.from ? "sends" : done.has(edge.dataset.from) ? "done" : "waits";
      }
      this.count.textContent = `${step} of ${this.last}`;
      for (const [name, off] of [["first", !step], ["back", !step], ["forward", step === this.last], ["last", step === this.last]]) {
        this.buttons.get(name).setAttribute("aria-disabled", String(off));
      }
      this.panel.replaceChildren(...this.describe(running, queue, grads));
      if (remember) {
        this.told.textContent = this.inWords(running, queue);
        history.replaceState(null, "", `#${this.figure.id}.${step}`);
        this.keepInView(running?.node);
      }
    }

    describe(running, queue, grads) {
      const rows = [];
      const row = (head, ...body) => rows.push(make("div", {}, make("dt", {}, head), make("dd", {}, ...body)));
      const names = (ids) => ids.flatMap((id, i) => [i ? ", " : "", code(title(this.nodes.get(id)))]);
      let head;
      if (!running) {
        head = make("p", { class: "steps-head" }, "Before the first step");
        row("Counted", "Each node waits for as many gradients as edges lead to it. The figure stands above the node.");
      } else {
        const node = this.nodes.get(running.node);
        head = make("p", { class: "steps-head" }, code(title(node)), title(node) === node.name ? " runs" : ` runs (${node.name})`);
        row("Receives", ...running.received.flatMap((value, i) => [i ? make("br") : "", code(value)]));
        if (node.leaf) {
          row("Accumulates", code(`${title(node)}.grad`), " becomes ", code(running.accumulated ?? "None"));
        } else {
          const sent = running.sent.map((one) => make("li", {},
            one.gradient === null ? "nothing" : code(one.gradient), " to ", code(title(this.nodes.get(one.target))),
            one.ready ? ", now ready" : `, still waits for ${one.remaining}`));
          row("Sends", sent.length ? make("ul", {}, ...sent) : "nothing");
          if (node.formula) row("Rule", node.formula.split("\n\n")[0]);
        }
        row("Source", node.href ? make("a", { href: node.href }, code(node.symbol.replace("reference_impl.", ""))) : code(node.symbol));
      }
      row("Ready queue", ...(queue.length ? names(queue) : ["empty: the pass is over"]));
      if (grads.size) row("In .grad", ...[...grads].flatMap(([id, value], i) => [i ? make("br") : "", code(`${title(this.nodes.get(id))}.grad = ${value}`)]));
      return [head, make("dl", {}, ...rows)];
    }

    inWords(running, queue) {
      const where = `Step ${this.step} of ${this.last}.`;
      const next = queue.length ? ` Next: ${title(this.nodes.get(queue[0]))}.` : " The pass is over.";
      if (!running) return `${where} Nothing has run.${next}`;
      const node = this.nodes.get(running.node);
      const does = node.leaf ? `its grad becomes ${running.accumulated}`
        : `sends ${running.sent.map((s) => `${s.gradient ?? "nothing"} to ${title(this.nodes.get(s.target))}`).join(", ") || "nothing"}`;
      return `${where} ${title(node)} receives ${running.received.join(", ")} and ${does}.${next}`;
    }

    /* What a node holds: its saved tensors and its term of the chain rule. */
    tell(id) {
      const node = this.nodes.get(id);
      const saved = Object.entries(node.saved).map(([name, value]) => make("li", {}, code(`${name} = ${value}`)));
      const close = make("button", { type: "button" }, "Close");
      close.addEventListener("click", () => {
        this.about.hidden = true;
        this.groups.get(id).focus();
      });
      this.about.replaceChildren(
        make("p", { class: "steps-head" }, code(title(node)), title(node) === node.name ? "" : ` (${node.name})`),
        make("p", {}, (node.formula || "No rule is written down for it.").split("\n\n")[0]),
        node.leaf ? make("p", {}, "The leaf: ", code(node.leaf.value))
          : saved.length ? make("ul", {}, ...saved) : make("p", {}, "It saved no tensor."),
        close);
      this.about.hidden = false;
      close.focus({ preventScroll: true });
    }

    keepInView(id) {
      const frame = this.figure.querySelector(".steps-graph");
      const box = this.groups.get(id)?.getBoundingClientRect();
      if (!box) return;
      const around = frame.getBoundingClientRect();
      if (box.left < around.left) frame.scrollLeft += box.left - around.left - 20;
      if (box.right > around.right) frame.scrollLeft += box.right - around.right + 20;
      if (box.top < around.top) frame.scrollTop += box.top - around.top - 20;
      if (box.bottom > around.bottom) frame.scrollTop += box.bottom - around.bottom + 20;
    }

    fromAddress() {
      const [id, step] = decodeURIComponent(location.hash.slice(1)).split(/\.(?=\d+$)/);
      if (id !== this.figure.id || step === undefined) return null;
      this.figure.scrollIntoView();
      return Math.min(this.last, Number(step));
    }
  }

  const start = (root) => {
    for (const figure of root.querySelectorAll("figure.steps:not([data-live])")) {
      figure.dataset.live = "";
      figure.steps = new Steps(figure);
    }
  };
  gradnotes.steps = start;
  start(document);
})();
