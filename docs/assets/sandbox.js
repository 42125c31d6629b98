/* A worker for programs, from which they reach nothing: runtime/frame.html says how. */
"use strict";
(() => {
  const runtime = new URL("../runtime/", gradnotes.base);
  const SCRIPTS = ["worker.js", "start.mjs"];
  const REPORT = 1_000; // ms between two reports of the download
  const OPENED = 1_000; // ms that the frame has for its first message once it has loaded
  const MEMORY = 512 << 20; // bytes; WebAssembly never gives any back, so a worker that has more is replaced
  const EXHAUSTED = 1_500 << 20; // bytes; a worker with more has failed because there are no more

  const { say } = gradnotes;
  const COPY = say("Copy takes the program to a Python on your computer.");
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const PROBLEMS = {
    noPython: `${say("This copy of the site was published without Python, so programs cannot run here.")} ${COPY}${isLocal ? say(" To add Python, run make runtime and build the site again.") : ""}`,
    noWebAssembly: say("Python needs WebAssembly here, and this browser has it switched off. Strict security settings and Lockdown Mode do that. Allow it for this site, or use another browser."),
    tooOld: say("This browser is too old to run Python. Update it, or use another one."),
    offline: say("You are offline, and Python is not loaded yet. Connect to the internet, then try again."),
    noFrame: say("The frame in which programs run could not be opened. Reload the page, then try again."),
    forbidden: (header) => `${say("Programs run in a frame of this site, and its server forbids frames ({header}). Only the owner of the site can change that.", { header })} ${COPY}`,
    interrupted: (amount) => amount ? say("The download of Python stopped at {amount}. Check your connection, then try again.", { amount }) : say("The download of Python failed. Check your connection, then try again."),
    status: (status) => say("The server did not send Python: it answered with status {status}. Try again in a few minutes.", { status }),
    memory: say("The program needed more memory than the browser gives to a page, so Python was ended. Use smaller tensors, or keep fewer of them, then try again."),
    silence: say("The runtime no longer answers. Run starts it again."),
    failure: (message) => say("The runtime failed: {message} Run starts it again.", { message }),
  };

  /* The files of the runtime. Each is downloaded once for a page, whatever becomes of its workers. */
  class Download {
    blobs = new Map(); // promises, by name
    received = new Map(); // bytes, by name
    sizes = null; // bytes of the large files, by name: `stored`, and `unpacked`
    failures = 0;
    report() {}

    get amount() {
      if (!this.sizes) return "";
      const megabytes = (amounts) => ([...amounts].reduce((sum, bytes) => sum + bytes, 0) / 1e6).toFixed(1);
      return say("{loaded} of {all} MB", { loaded: megabytes(this.received.values()), all: megabytes(Object.values(this.sizes).map(({ stored }) => stored)) });
    }

    async files() {
      if (typeof WebAssembly === "undefined") throw new Error(PROBLEMS.noWebAssembly);
      if (typeof DecompressionStream === "undefined") throw new Error(PROBLEMS.tooOld);
      this.sizes ??= JSON.parse(await (await this.fetch("sizes.json")).text());
      const names = [...SCRIPTS, ...Object.keys(this.sizes)];
      const blobs = await Promise.all(names.map((name) => this.file(name)));
      return Object.fromEntries(names.map((name, i) => [name, blobs[i]]));
    }

    file(name) {
      if (!this.blobs.has(name)) {
        const blob = this.fetch(name);
        blob.catch(() => { // the next attempt starts with those that have arrived
          this.blobs.delete(name);
          this.failures += 1;
        });
        this.blobs.set(name, blob);
      }
      return this.blobs.get(name);
    }

    /* The file as a Blob. A request of this kind counts what arrives, and keeps it out of the page's memory. */
    fetch(name) {
      return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        const query = this.failures ? `?${this.failures}` : ""; // a browser may have kept a part as if it were the whole
        request.open("GET", new URL(name + query, runtime));
        request.responseType = "blob";
        request.onprogress = ({ loaded }) => this.count(name, loaded, request.getResponseHeader("Content-Encoding"));
        request.onerror = () => reject(this.interruption());
        request.onload = () => {
          const { status, response } = request;
          if (status === 404) reject(new Error(PROBLEMS.noPython));
          else if (status !== 200) reject(new Error(PROBLEMS.status(status)));
          else if (response.size < (this.sizes?.[name]?.stored ?? 0)) reject(this.interruption()); // without an error, as servers that tell no length end
          else resolve(response);
        };
        request.send();
      });
    }

    interruption() {
      return new Error(navigator.onLine ? PROBLEMS.interrupted(this.amount) : PROBLEMS.offline);
    }

    /* Where the host declares the compression of a file, the browser decompresses it and counts more bytes than come. */
    count(name, loaded, isDeclared) {
      if (!this.sizes?.[name]) return;
      const { stored, unpacked } = this.sizes[name];
      this.received.set(name, isDeclared ? loaded * stored / unpacked : loaded);
      this.waiting ??= setTimeout(() => {
        this.waiting = undefined;
        this.report();
      }, REPORT);
    }
  }
  const download = new Download();

  /* `receive` gets objects with one of `stage`, `progress`, `result`, `worn` and `error` (after the last two it is of no more use). They are
     the word of a program, which can send what it likes: show them as text, or as what gradnotes.harmless leaves of markup. */
  class Sandbox {
    constructor(receive) {
      this.receive = receive;
      this.startLimit = 30_000; // ms
      this.stage = "Loading Python";
      const { port1, port2 } = new MessageChannel();
      this.port = port1;
      this.port.onmessage = ({ data }) => this.hear(data);
      this.frame = document.createElement("iframe");
      this.frame.setAttribute("sandbox", "allow-scripts");
      this.frame.hidden = true;
      this.frame.src = new URL("frame.html", runtime);
      const opened = this.openFrame();
      opened.catch(() => {}); // told when the files are there
      this.start(opened, port2);
    }

    hear(data) {
      clearTimeout(this.silence);
      this.ready ||= Boolean(data.ready);
      if (data.stage) this.stage = data.stage;
      if (data.needsSources) this.sendSources();
      else if (data.error) {
        const isMemory = data.memory > EXHAUSTED || /out of memory|MemoryError/.test(data.error);
        this.receive({ error: isMemory ? PROBLEMS.memory : PROBLEMS.failure(data.error) });
      } else if (!data.ready) {
        this.asked = false;
        this.receive(data);
      } else if (this.asked) this.expect(5_000); // ready is no answer to the program that was sent meanwhile
      else if (data.memory > MEMORY) this.receive({ worn: true });
    }

    /* Resolves when the frame has run its script, which a server's headers may forbid. */
    openFrame() {
      return new Promise((resolve, reject) => {
        const listener = ({ source }) => {
          if (source !== this.frame.contentWindow) return;
          removeEventListener("message", listener);
          resolve();
        };
        addEventListener("message", listener);
        this.frame.onload = () => setTimeout(async () => {
          removeEventListener("message", listener);
          reject(new Error(await this.describeFrameFailure())); // unless it is resolved
        }, OPENED);
        document.body.append(this.frame);
      });
    }

    async describeFrameFailure() {
      const { headers } = await fetch(this.frame.src).catch(() => ({ headers: new Headers() }));
      const options = headers.get("X-Frame-Options");
      const ancestors = /frame-ancestors [^;,]*/.exec(headers.get("Content-Security-Policy"))?.[0];
      if (options) return PROBLEMS.forbidden(`X-Frame-Options: ${options}`);
      return ancestors ? PROBLEMS.forbidden(`Content-Security-Policy: ${ancestors}`) : PROBLEMS.noFrame;
    }

    async start(opened, port) {
      try {
        download.report = () => this.receive({ stage: this.stage = say("Loading Python: {amount}", { amount: download.amount }) });
        const files = await download.files().finally(() => { download.report = () => {}; }); // the worker has no network
        await opened;
        if (!this.frame.isConnected) return;
        this.frame.contentWindow.postMessage(files, "*", [port]);
        this.expect(this.startLimit);
      } catch (error) {
        if (this.frame.isConnected) this.receive({ error: error.message });
      }
    }

    /* What a browser needs in which Python cannot start from its recorded memory. It takes a minute then, on a slow computer. */
    async sendSources() {
      try {
        const sources = await download.file("sources.tar.gz");
        if (!this.frame.isConnected) return;
        this.port.postMessage({ sources });
        this.startLimit = 180_000;
        this.expect(this.startLimit);
      } catch (error) {
        if (this.frame.isConnected) this.receive({ error: error.message });
      }
    }

    expect(limit) {
      clearTimeout(this.silence);
      this.silence = setTimeout(() => this.receive({ error: PROBLEMS.silence }), limit);
    }

    /* Let the worker import the engine for the next program, which the reader is writing. */
    prepare() {
      if (!this.ready || this.asked) return;
      this.port.postMessage({ prepare: true });
    }

    /* What Python says is in the language of the page. */
    send(message) {
      this.port.postMessage({ ...message, words: gradnotes.words });
      this.asked = true;
      if (this.silence) this.expect(this.ready ? 5_000 : this.startLimit); // it has been started
    }

    end() {
      clearTimeout(this.silence);
      this.port.close();
      this.frame.remove(); // which ends the worker at once, whatever it does
    }
  }

  gradnotes.Sandbox = Sandbox;
})();
