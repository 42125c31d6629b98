/* Run programs in an isolated worker, without network, storage or access to the page; see runtime/frame.html. */
"use strict";
(() => {
  const runtime = new URL("../runtime/", gradnotes.base);
  const SCRIPTS = ["worker.js", "start.mjs"];
  const REPORT_INTERVAL = 1_000; // ms between two reports of the download
  const FRAME_TIMEOUT = 1_000; // ms to wait for the first message of the frame after its load event
  const MEMORY_LIMIT = 512 << 20; // bytes; a worker with more is replaced, because WebAssembly never frees memory
  const EXHAUSTED_MEMORY = 1_500 << 20; // bytes; if a worker with more fails, it has run out of memory

  const { say } = gradnotes;
  const COPY = say("Copy the program to run it in Python on your computer.");
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
    memory: say("The program needed more memory than the browser gives to a page, so Python was stopped. Use smaller or fewer tensors, then try again."),
    silence: say("Python no longer responds. Press Run to restart it."),
    failure: (message) => say("Python failed: {message} Press Run to restart it.", { message }),
  };

  /* The download of the files of the runtime. Each is downloaded once per page, even if the worker is replaced. */
  class Download {
    blobs = new Map(); // promises, by name
    received = new Map(); // bytes, by name
    sizes = null; // by name of each archive: {stored, unpacked}, its size in bytes
    failures = 0; // number of failed downloads
    report() {} // called after progress; a sandbox sets it while it waits for the files

    /* Return a text such as "3.1 of 12.4 MB"; it is empty until the sizes are known. */
    get amount() {
      if (!this.sizes) return "";
      const megabytes = (amounts) => ([...amounts].reduce((sum, bytes) => sum + bytes, 0) / 1e6).toFixed(1);
      return say("{loaded} of {all} MB", { loaded: megabytes(this.received.values()), all: megabytes(Object.values(this.sizes).map(({ stored }) => stored)) });
    }

    /* Return the files that the worker needs, as Blobs by name. Throw an error with a text for the reader if a file cannot be loaded, or if the
       browser lacks WebAssembly or DecompressionStream. */
    async files() {
      if (typeof WebAssembly === "undefined") throw new Error(PROBLEMS.noWebAssembly);
      if (typeof DecompressionStream === "undefined") throw new Error(PROBLEMS.tooOld);
      this.sizes ??= JSON.parse(await (await this.fetch("sizes.json")).text());
      const names = [...SCRIPTS, ...Object.keys(this.sizes)];
      const blobs = await Promise.all(names.map((name) => this.file(name)));
      return Object.fromEntries(names.map((name, i) => [name, blobs[i]]));
    }

    /* Return a promise of a file as a Blob. All calls share one download; after a failure, the next call tries again. */
    file(name) {
      if (!this.blobs.has(name)) {
        const blob = this.fetch(name);
        blob.catch(() => { // the next attempt downloads only what is missing
          this.blobs.delete(name);
          this.failures += 1;
        });
        this.blobs.set(name, blob);
      }
      return this.blobs.get(name);
    }

    /* Return a promise of the file as a Blob. XMLHttpRequest, unlike fetch, reports the progress without holding the bytes in memory. */
    fetch(name) {
      return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        const query = this.failures ? `?${this.failures}` : ""; // the browser may have cached an incomplete file
        request.open("GET", new URL(name + query, runtime));
        request.responseType = "blob";
        request.onprogress = ({ loaded }) => this.recordProgress(name, loaded, request.getResponseHeader("Content-Encoding"));
        request.onerror = () => reject(this.interruption());
        request.onload = () => {
          const { status, response } = request;
          if (status === 404) reject(new Error(PROBLEMS.noPython));
          else if (status !== 200) reject(new Error(PROBLEMS.status(status)));
          else if (response.size < (this.sizes?.[name]?.stored ?? 0)) reject(this.interruption()); // without Content-Length, a broken download ends without an error
          else resolve(response);
        };
        request.send();
      });
    }

    /* Return the error for a broken download. */
    interruption() {
      return new Error(navigator.onLine ? PROBLEMS.interrupted(this.amount) : PROBLEMS.offline);
    }

    /* Record the progress. If the host sets Content-Encoding (`isDeclared`), `loaded` counts decompressed bytes; scale it to received bytes. */
    recordProgress(name, loaded, isDeclared) {
      if (!this.sizes?.[name]) return;
      const { stored, unpacked } = this.sizes[name];
      this.received.set(name, isDeclared ? loaded * stored / unpacked : loaded);
      this.reportTimer ??= setTimeout(() => {
        this.reportTimer = undefined;
        this.report();
      }, REPORT_INTERVAL);
    }
  }
  const download = new Download();

  /* A frame with a worker that runs programs. `receive` is called with objects that have a key `stage`, `progress`, `result`, `worn` or `error`;
     after `worn` and `error` the sandbox must be replaced. A program can forge these objects: show them only as text, or as HTML that
     gradnotes.sanitize has sanitized. */
  class Sandbox {
    constructor(receive) {
      this.receive = receive;
      this.startLimit = 30_000; // ms
      this.stage = "Loading Python";
      const { port1, port2 } = new MessageChannel();
      this.port = port1;
      this.port.onmessage = ({ data }) => this.handleMessage(data);
      this.frame = document.createElement("iframe");
      this.frame.setAttribute("sandbox", "allow-scripts");
      this.frame.hidden = true;
      this.frame.src = new URL("frame.html", runtime);
      const opened = this.openFrame();
      opened.catch(() => {}); // `start` reports the error once the files are loaded
      this.start(opened, port2);
    }

    /* Act on a message from the worker, or pass it on to `receive`. */
    handleMessage(data) {
      clearTimeout(this.silenceTimer);
      this.ready ||= Boolean(data.ready);
      if (data.stage) this.stage = data.stage;
      if (data.needsSources) this.sendSources();
      else if (data.error) {
        const isMemory = data.memory > EXHAUSTED_MEMORY || /out of memory|MemoryError/.test(data.error);
        this.receive({ error: isMemory ? PROBLEMS.memory : PROBLEMS.failure(data.error) });
      } else if (!data.ready) {
        this.awaitsAnswer = false;
        this.receive(data);
      } else if (this.awaitsAnswer) this.startTimer(5_000); // a program was sent before the worker was ready
      else if (data.memory > MEMORY_LIMIT) this.receive({ worn: true });
    }

    /* Return a promise that resolves when the frame has run its script, and rejects if the server's headers forbid it. */
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
          reject(new Error(await this.describeFrameFailure())); // ignored if the promise is resolved
        }, FRAME_TIMEOUT);
        document.body.append(this.frame);
      });
    }

    /* Return a text that says why the frame could not be opened. */
    async describeFrameFailure() {
      const { headers } = await fetch(this.frame.src).catch(() => ({ headers: new Headers() }));
      const options = headers.get("X-Frame-Options");
      const ancestors = /frame-ancestors [^;,]*/.exec(headers.get("Content-Security-Policy"))?.[0];
      if (options) return PROBLEMS.forbidden(`X-Frame-Options: ${options}`);
      return ancestors ? PROBLEMS.forbidden(`Content-Security-Policy: ${ancestors}`) : PROBLEMS.noFrame;
    }

    /* Send the files to the frame once it is `opened`. Report an error to `receive`, unless the sandbox has been ended. */
    async start(opened, port) {
      try {
        download.report = () => this.receive({ stage: this.stage = say("Loading Python: {amount}", { amount: download.amount }) });
        const files = await download.files().finally(() => { download.report = () => {}; }); // the worker has no network
        await opened;
        if (!this.frame.isConnected) return;
        this.frame.contentWindow.postMessage(files, "*", [port]);
        this.startTimer(this.startLimit);
      } catch (error) {
        if (this.frame.isConnected) this.receive({ error: error.message });
      }
    }

    /* Send the sources of Python's modules to a browser that cannot restore the recorded memory. The start may then take a minute. */
    async sendSources() {
      try {
        const sources = await download.file("sources.tar.gz");
        if (!this.frame.isConnected) return;
        this.port.postMessage({ sources });
        this.startLimit = 180_000;
        this.startTimer(this.startLimit);
      } catch (error) {
        if (this.frame.isConnected) this.receive({ error: error.message });
      }
    }

    /* Report an error if the worker sends no message within `limit` ms. */
    startTimer(limit) {
      clearTimeout(this.silenceTimer);
      this.silenceTimer = setTimeout(() => this.receive({ error: PROBLEMS.silence }), limit);
    }

    /* Make the worker import the engine for the next program, while the reader is still writing it. Do nothing while the worker starts or runs a program. */
    prepare() {
      if (!this.ready || this.awaitsAnswer) return;
      this.port.postMessage({ prepare: true });
    }

    /* Send a program to the worker, with the words of the page's language, in which Python writes its texts. */
    send(message) {
      this.port.postMessage({ ...message, words: globalThis.gradnotesWords && JSON.stringify(globalThis.gradnotesWords) });
      this.awaitsAnswer = true;
      if (this.silenceTimer) this.startTimer(this.ready ? 5_000 : this.startLimit); // before that, the time to download would count
    }

    end() {
      clearTimeout(this.silenceTimer);
      this.port.close();
      this.frame.remove(); // this ends the worker at once, even in an endless loop
    }
  }

  gradnotes.Sandbox = Sandbox;
})();
