/* Step through a recorded backward pass. The page contains the graph and the table of steps;
   this script adds buttons, the state of each node, and a description of the current step. */
"use strict";
(() => {
  const { make, say } = gradnotes;
  const code = (text) => make("code", {}, text);
  const title = (node) => node.leaf ? node.leaf.name ?? say("a leaf") : node.result ?? node.name;
  const BUTTONS = [["first", "|◀", say("First step")], ["back", "◀", say("Step back")], ["play", say("Play"), say("Play")], ["forward", "▶", say("Step forward")], ["last", "▶|", say("Last step")]];

  /* Return the Range of the `nth` line of a listing that has this text, ignoring outputs; null if there is no such line. */
  function lineOf(listing, text, nth) {
    const walker = document.createTreeWalker(listing, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
      (node) => node.nodeType === Node.TEXT_NODE ? NodeFilter.FILTER_ACCEPT : node.matches(".x") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP);
    let start = null;
    let line = "";
    while (walker.nextNode()) {
      const node = walker.currentNode;
      for (let at = 0; at < node.data.length;) {
        start ??= [node, at];
        const end = node.data.indexOf("\n", at);
        line += node.data.slice(at, end < 0 ? undefined : end);
        if (end < 0) break;
        if (line.trim() === text && --nth === 0) {
          const range = new Range();
          range.setStart(...start);
          range.setEnd(node, end);
          return range;
        }
        [start, line, at] = [null, "", end + 1];
      }
    }
    return null;
  }

  /* Return the number of the line of a program that created a node, counted from 1; 0 if there is none. */
  function lineNumber(program, node) {
    let nth = node?.nth;
    return node?.source ? program.split("\n").findIndex((line) => line.trim() === node.source && --nth === 0) + 1 : 0;
  }

  /* The viewer of a recorded backward pass. `show` shows the state after a number of steps. */
  class Steps {
    constructor(figure) {
      this.figure = figure;
      this.trace = JSON.parse(figure.querySelector("script").textContent);
      this.nodes = new Map(this.trace.nodes.map((node) => [node.id, node]));
      this.groups = new Map([...figure.querySelectorAll("[data-node]")].map((g) => [g.dataset.node, g]));
      this.edges = [...figure.querySelectorAll(".g-edge")];
      this.last = this.trace.steps.length;
      this.build();
      this.show(0, false);
      if (this.trace.file) this.goToAddress(); // the viewer of a new run begins before the first step
    }

    build() {
      const side = this.figure.querySelector(".steps-side");
      side.hidden = false;
      this.buttons = new Map();
      const bar = make("div", { class: "steps-bar", role: "group", "aria-label": say("Steps of the backward pass") });
      for (const [name, sign, label] of BUTTONS) {
        const button = make("button", { type: "button", "aria-label": label, title: label }, sign);
        button.addEventListener("click", () => this.press(name));
        this.buttons.set(name, button);
        bar.append(button);
      }
      this.count = make("span", { class: "steps-count" });
      bar.append(this.count);
      this.announcement = make("p", { class: "visually-hidden", role: "status" });
      this.panel = make("div", { class: "steps-panel" });
      this.about = make("div", { class: "steps-about", hidden: "" });
      side.append(bar, this.announcement, this.about, this.panel);
      this.figure.querySelector("details").open = false;
      for (const [id, group] of this.groups) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        group.addEventListener("click", () => this.describeNode(id));
        group.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          this.describeNode(id);
        });
      }
      this.figure.querySelector("svg").setAttribute("role", "group");
      this.figure.querySelector(".steps-graph").removeAttribute("tabindex");
      this.figure.addEventListener("keydown", (event) => {
        const name = { ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last", " ": "play" }[event.key];
        const control = event.target.closest("button, summary, a, [data-node], .table-frame");
        if (!name || event.altKey || event.ctrlKey || event.metaKey || event.target.closest(".table-frame") || event.key === " " && control) return;
        event.preventDefault();
        this.press(name);
      });
    }

    /* Act on a button or its key. */
    press(name) {
      if (name === "play" && !this.timer) {
        if (this.step === this.last) this.show(0);
        this.timer = setInterval(() => this.step < this.last ? this.show(this.step + 1) : this.stop(), 1400);
        this.buttons.get("play").setAttribute("aria-label", say("Pause"));
        this.buttons.get("play").textContent = say("Pause");
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
      this.buttons.get("play").setAttribute("aria-label", say("Play"));
      this.buttons.get("play").textContent = say("Play");
    }

    /* Return the state after `step` steps: number of gradients that each node waits for (`remaining`), .grad of leaves, finished nodes, ready queue,
       and the step that is running. */
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

    /* Show the state after `step` steps. If `remember`, also announce the step, put it into the address, mark its line and scroll to its node. */
    show(step, remember = true) {
      this.step = step;
      const { remaining, grads, done, queue, running } = this.state(step);
      for (const [id, group] of this.groups) {
        const state = running?.node === id ? "runs" : done.has(id) ? "done" : queue.includes(id) ? "ready" : "waits";
        group.dataset.state = state;
        const waits = remaining.get(id);
        group.querySelector(".g-badge").textContent = { runs: say("runs"), done: "✓", ready: say("ready"), waits: waits ? say("waits {count}", { count: waits }) : "" }[state];
      }
      for (const edge of this.edges) {
        edge.dataset.state = running?.node === edge.dataset.from ? "sends" : done.has(edge.dataset.from) ? "done" : "waits";
      }
      this.count.textContent = say("{step} of {last}", { step, last: this.last });
      for (const [name, isDisabled] of [["first", !step], ["back", !step], ["forward", step === this.last], ["last", step === this.last]]) {
        this.buttons.get(name).setAttribute("aria-disabled", String(isDisabled));
      }
      const hadFocus = this.panel.contains(document.activeElement); // the elements of the panel are replaced
      this.panel.replaceChildren(...this.describe(running, queue, grads));
      if (hadFocus) this.buttons.get("forward").focus({ preventScroll: true });
      if (remember) {
        this.mark(running && this.nodes.get(running.node));
        this.announcement.textContent = this.inWords(running, queue);
        history.replaceState(null, "", `#${this.figure.id}.${step}`);
        this.keepInView(running?.node);
      }
    }

    /* Return the nodes that describe the step that is running, if any, the ready queue and the gradients of leaves. */
    describe(running, queue, grads) {
      const rows = [];
      const row = (head, ...body) => rows.push(make("div", {}, make("dt", {}, head), make("dd", {}, ...body)));
      const names = (ids) => ids.flatMap((id, i) => [i ? ", " : "", code(title(this.nodes.get(id)))]);
      let head;
      if (!running) {
        head = make("p", { class: "steps-head" }, say("Before the first step"));
        row(say("Counts"), say("A node runs when a gradient has arrived along each edge that leads to it. The number above the node says how many are missing."));
      } else {
        const node = this.nodes.get(running.node);
        head = make("p", { class: "steps-head" }, code(title(node)), title(node) === node.name ? say(" runs") : say(" runs ({name})", { name: node.name }));
        row(say("Receives"), ...running.received.flatMap((value, i) => [i ? make("br") : "", code(value)]));
        if (node.leaf) {
          row(say("Accumulates"), code(`${title(node)}.grad`), say(" becomes "), code(running.accumulated ?? "None"));
        } else {
          const sent = running.sent.map((message) => make("li", {},
            message.gradient === null ? say("nothing") : code(message.gradient), say(" to "), code(title(this.nodes.get(message.target))),
            message.ready ? say(", now ready") : say(", still waits for {count}", { count: message.remaining })));
          row(say("Sends"), sent.length ? make("ul", {}, ...sent) : say("nothing"));
          row(say("Rule"), ...this.rule(running.told));
        }
        if (node.source) row(node.leaf ? say("Assigned in") : say("Recorded by"), this.lineButton(node));
        row(say("Source"), node.href ? make("a", { href: node.href }, code(node.symbol.replace("reference_impl.", ""))) : code(node.symbol));
      }
      row(say("Ready queue"), ...(queue.length ? names(queue) : [say("empty: the pass is over")]));
      if (grads.size) row(say("In .grad"), ...[...grads].flatMap(([id, value], i) => [i ? make("br") : "", code(`${title(this.nodes.get(id))}.grad = ${value}`)]));
      return [head, make("dl", {}, ...rows)];
    }

    /* Return the nodes of the rule of a step: for each gradient that it sends, the formula with names, with numbers, and the result. */
    rule({ text, sent, where }) {
      const lines = sent.map(([to, ...parts]) => [code(to), say(" gets "), ...parts.filter(Boolean).flatMap((part, i) => [i ? " = " : "", code(part)])]);
      if (text) lines.push([text]);
      for (const [symbol, meaning] of where) lines.push([code(symbol), `: ${meaning}`]);
      return lines.flatMap((line, i) => [i ? make("br") : "", ...line]);
    }

    get editor() { return this.figure.closest("figure.snippet")?.panel?.editor; }

    /* Return the Range of the line that created a node, in each listing of the program on the page. */
    ranges(node) {
      const listings = document.querySelectorAll(`figure.snippet[data-file="${CSS.escape(this.trace.file)}"] pre:not([hidden]) code`);
      return node?.source ? [...listings].map((listing) => lineOf(listing, node.source, node.nth)).filter(Boolean) : [];
    }

    /* Mark the line that created a node, in the editor or, if there is none, in the listings. */
    mark(node) {
      if (this.editor) return this.editor.step(lineNumber(this.editor.text, node));
      if (globalThis.CSS?.highlights) CSS.highlights.set("step-line", new Highlight(...this.ranges(node)));
    }

    /* Return the line that created a node: as a button that opens the folds around the line and scrolls to it, or as code if the page lacks it. */
    lineButton(node) {
      const number = this.editor ? lineNumber(this.editor.text, node) : 0;
      if (!number && (this.editor || !this.ranges(node).length)) return code(node.source);
      const button = make("button", { type: "button", class: "steps-place", title: say("Show this line in the program") }, code(node.source));
      button.addEventListener("click", () => {
        if (this.editor) return this.editor.show(lineNumber(this.editor.text, node));
        const [range] = this.ranges(node);
        if (!range) return;
        const line = range.startContainer.parentElement;
        for (let fold = line.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) fold.open = true;
        scrollBy(0, range.getBoundingClientRect().top - innerHeight / 2);
      });
      return number ? make("span", {}, say("line {number}: ", { number }), button) : button;
    }

    /* Return the text that screen readers announce for a step. */
    inWords(running, queue) {
      const progress = say("Step {step} of {last}.", { step: this.step, last: this.last });
      const next = queue.length ? say(" Next: {name}.", { name: title(this.nodes.get(queue[0])) }) : say(" The pass is over.");
      if (!running) return progress + say(" Nothing has run.") + next;
      const node = this.nodes.get(running.node);
      const sent = running.sent.map((s) => say("{gradient} to {name}", { gradient: s.gradient ?? say("nothing"), name: title(this.nodes.get(s.target)) })).join(", ") || say("nothing");
      const values = { name: title(node), received: running.received.join(", "), accumulated: running.accumulated, sent };
      const action = node.leaf ? say(" {name} receives {received} and its grad becomes {accumulated}.", values) : say(" {name} receives {received} and sends {sent}.", values);
      return progress + action + next;
    }

    /* Show the details of a node: its rule, the line that created it, and its saved tensors. */
    describeNode(id) {
      const node = this.nodes.get(id);
      const nodeStep = this.trace.steps.find((step) => step.node === id);
      const saved = Object.entries(node.saved).map(([name, value]) => make("li", {}, code(`${node.names[name] ?? name} = ${value}`), say(" saved as _saved_{name}", { name })));
      const close = make("button", { type: "button" }, say("Close"));
      close.addEventListener("click", () => {
        this.about.hidden = true;
        this.groups.get(id).focus();
      });
      this.about.replaceChildren(
        make("p", { class: "steps-head" }, code(title(node)), title(node) === node.name ? "" : ` (${node.name})`),
        make("p", {}, ...(nodeStep ? this.rule(nodeStep.told) : [say("This node does not run in this pass.")])),
        node.source ? make("p", {}, node.leaf ? say("Assigned in ") : say("Recorded by "), this.lineButton(node)) : "",
        node.leaf ? make("p", {}, say("Value: "), code(node.leaf.value))
          : saved.length ? make("ul", {}, ...saved) : make("p", {}, say("This node saved no tensor.")),
        close);
      this.about.hidden = false;
      close.focus({ preventScroll: true });
      this.about.scrollIntoView({ block: "nearest" });
    }

    /* Scroll the graph so that a node is visible. */
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

    /* Go to the step in the page's address, if it belongs to this figure. */
    goToAddress() {
      const [id, step] = decodeURIComponent(location.hash.slice(1)).split(/\.(?=\d+$)/);
      if (id !== this.figure.id || step === undefined) return;
      showPass(this.figure.closest(".steps-pass"));
      this.stop();
      this.show(Math.min(this.last, Number(step)), false);
      this.mark(this.trace.steps[this.step - 1] && this.nodes.get(this.trace.steps[this.step - 1].node));
      this.figure.scrollIntoView();
    }
  }

  /* Show a pass of a loop, and hide the other passes. */
  function showPass(pass) {
    if (!pass) return;
    for (const other of pass.parentElement.querySelectorAll(":scope > .steps-pass")) {
      other.hidden = other !== pass;
      if (other.hidden) other.querySelector("figure")?.steps?.stop();
    }
    const choice = pass.parentElement.querySelector("select");
    if (choice) choice.value = pass.getAttribute("aria-label");
  }

  /* Add a list in which the reader selects the pass of a loop to show. */
  function addPassList(loop) {
    const passes = new Map([...loop.querySelectorAll(":scope > .steps-pass")].map((pass) => [pass.getAttribute("aria-label"), pass]));
    const select = make("select", {}, ...[...passes.keys()].map((number) => make("option", { value: number }, number)));
    select.value = [...passes].find(([, pass]) => !pass.hidden)[0];
    select.addEventListener("change", () => showPass(passes.get(select.value)));
    loop.querySelector(".steps-none").append(" ", make("label", {}, say("Show "), select));
  }

  addEventListener("hashchange", () => {
    for (const figure of document.querySelectorAll("figure.steps[data-live]")) figure.steps.goToAddress();
  });

  /* Activate the step viewers in an element. */
  const start = (root) => {
    for (const loop of root.querySelectorAll(".steps-loop:not(:has(select))")) addPassList(loop);
    for (const figure of root.querySelectorAll("figure.steps:not([data-live])")) {
      figure.dataset.live = "";
      figure.steps = new Steps(figure);
    }
  };
  gradnotes.steps = start;
  start(document);
})();
