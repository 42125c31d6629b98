/* A worker for programs, from which they reach nothing: runtime/frame.html says how. */
"use strict";
(() => {
  const runtime = new URL("../runtime/", gradnotes.base);
  const FILES = ["worker.js", "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "engine.zip"];
  const LOCK = "pyodide-lock.json"; // it names the NumPy that belongs to this Pyodide
  let files; // kept for the next worker, when one was stopped

  async function get(name) {
    const answer = await fetch(new URL(name, runtime));
    if (answer.status === 404) throw new Error("This copy of the site has no Python runtime. `make runtime` and a new build put it there.");
    if (!answer.ok) throw new Error(`${name} could not be loaded: status ${answer.status}.`);
    return answer.blob();
  }

  async function download() {
    const lock = await get(LOCK);
    const names = [...FILES, JSON.parse(await lock.text()).packages.numpy.file_name];
    const blobs = await Promise.all(names.map(get));
    return { [LOCK]: lock, ...Object.fromEntries(names.map((name, i) => [name, blobs[i]])) };
  }

  /* `receive` gets objects with one of `stage`, `result` and `error` (after which it is of no more use). They are the
     word of a program, which can send what it likes: show them as text, or as what gradnotes.harmless leaves of markup. */
  class Sandbox {
    constructor(receive) {
      this.receive = receive;
      const { port1, port2 } = new MessageChannel();
      this.port = port1;
      this.port.onmessage = ({ data }) => {
        clearTimeout(this.silence);
        this.ready = data.ready ?? (data.result ? false : this.ready); // between two programs it imports the engine anew
        if (!data.ready) {
          this.asked = false;
          receive(data);
        } else if (this.asked) this.expect(5_000); // ready is no answer to the program that was sent meanwhile
      };
      this.frame = document.createElement("iframe");
      this.frame.setAttribute("sandbox", "allow-scripts");
      this.frame.hidden = true;
      this.frame.src = new URL("frame.html", runtime);
      const opened = new Promise((done) => { this.frame.onload = done; });
      document.body.append(this.frame);
      this.start(opened, port2);
    }

    async start(opened, port) {
      try {
        files ??= download();
        const loaded = await files; // the worker has no network: the page hands it what it needs
        await opened;
        if (!this.frame.isConnected) return;
        this.frame.contentWindow.postMessage(loaded, "*", [port]);
        this.expect(30_000);
      } catch (error) {
        files = undefined;
        if (this.frame.isConnected) this.receive({ error: error.message });
      }
    }

    expect(limit) {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.receive({ error: "The runtime no longer answers. Run starts it again." }), limit);
    }

    send(message) {
      this.port.postMessage(message);
      this.asked = true;
      if (this.silence) this.expect(this.ready ? 5_000 : 30_000); // it has been started
    }

    end() {
      clearTimeout(this.silence);
      this.port.close();
      this.frame.remove(); // which ends the worker at once, whatever it does
    }
  }

  gradnotes.Sandbox = Sandbox;
})();
