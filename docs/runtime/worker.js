/* Runs programs, in the frame of frame.html: without an origin, a network or storage. Its files come with the first message. */
"use strict";
const NOWHERE = /^https:\/\/runtime\.invalid\/+/; // Pyodide wants addresses for its files; this host cannot exist
const PAGE = "gradnotes.browser.run";

const importModule = (source) => import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));

/* Decompress an archive, unless the browser has: some servers declare the compression to it. */
async function decompress(blob) {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isCompressed = first === 0x1f && second === 0x8b;
  const stream = isCompressed ? blob.stream().pipeThrough(new DecompressionStream("gzip")) : blob.stream();
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* The sources of what is compiled in the recorded memory, where that cannot be restored. */
let receiveSources;
const askForSources = () => new Promise((resolve) => {
  receiveSources = resolve;
  postMessage({ needsSources: true });
});

async function startPython(blobs) {
  postMessage({ stage: "Starting Python" });
  const { HOME, OtherTable, start, untar, writeFiles } = await importModule(blobs["start.mjs"]);
  const [files, engine] = (await Promise.all(["python.tar.gz", "engine.tar.gz"].map((name) => decompress(blobs[name])))).map(untar);
  self.fetch = async (address) => {
    const name = String(address).replace(NOWHERE, "");
    if (!files.has(name)) throw new TypeError(`Run has no network, not even for ${address}`);
    return new Response(files.get(name), { headers: { "Content-Type": "application/wasm" } }); // compiled as it is read
  };
  const { loadPyodide } = await importModule(files.get("pyodide.mjs"));
  const { default: createPyodideModule } = await importModule(files.get("pyodide.asm.mjs"));
  const options = {
    loadPyodide, createPyodideModule, indexURL: "https://runtime.invalid/", stdin: () => null, // input() finds nothing more to read
    libraries: JSON.parse(new TextDecoder().decode(files.get("libraries.json"))),
  };
  const python = await start({ ...options, memory: engine.get("memory.bin") }).catch(async (error) => {
    if (!(error instanceof OtherTable)) throw error;
    for (const [name, bytes] of untar(await decompress(await askForSources()))) files.set(name, bytes);
    return start(options);
  });
  writeFiles(python, [...files].filter(([name]) => name.startsWith("lib/")), "");
  engine.delete("memory.bin");
  writeFiles(python, engine, HOME);
  files.clear();
  python.runPython(`import sys; sys.path.insert(0, "${HOME}"); sys.dont_write_bytecode = False`);
  postMessage({ ready: true });
  return python;
}

let python; // a promise
let heap = () => 0; // bytes

onmessage = async ({ data: { files, sources, prepare, source, identifier, page, exercise, words } }) => {
  if (files) {
    python = startPython(files);
    python.then(({ _module }) => { heap = () => _module.HEAP8.length; }, () => {}); // a failure is told with the first program
    return;
  }
  if (sources) return receiveSources(sources);
  try {
    const { pyimport } = await python;
    if (prepare) {
      pyimport(PAGE).prepare();
      return postMessage({ ready: true });
    }
    postMessage({ stage: "Running" });
    const answer = exercise ? pyimport("gradnotes.browser.check_exercise").judge(source, exercise, words)
      : pyimport(PAGE).run_program(source, identifier, page, (json) => postMessage({ progress: JSON.parse(json) }), words);
    postMessage({ result: JSON.parse(answer) });
    pyimport(PAGE).forget_engine(); // while nobody waits
    postMessage({ ready: true, memory: heap() });
  } catch (error) {
    postMessage({ error: String(error.message ?? error).split("\n").filter(Boolean).at(-1), memory: heap() });
  }
};
