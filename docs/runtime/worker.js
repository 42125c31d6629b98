/* Runs programs, in the frame of frame.html: without an origin, a network or storage. Its files come with the first message. */
"use strict";
const NOWHERE = "https://runtime.invalid/"; // Pyodide wants addresses for its files; this host cannot exist
const PAGE = "gradnotes.steps.page";

async function start(files) {
  postMessage({ stage: "Starting Python" });
  const module = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  self.fetch = async (address) => {
    const name = String(address).replace(NOWHERE, "");
    if (!Object.hasOwn(files, name)) throw new TypeError(`Run has no network, not even for ${address}`);
    return new Response(files[name], { headers: { "Content-Type": "application/wasm" } }); // compiled as it is read
  };
  const { loadPyodide } = await module("pyodide.mjs");
  const { default: createPyodideModule } = await module("pyodide.asm.mjs");
  const python = await loadPyodide({ indexURL: NOWHERE, createPyodideModule, stdin: () => null }); // input() finds nothing more to read
  postMessage({ stage: "Loading NumPy" });
  await python.loadPackage("numpy", { messageCallback() {} });
  postMessage({ stage: "Loading the engine" });
  python.unpackArchive(await files["engine.zip"].arrayBuffer(), "zip");
  // Bytecode is kept in memory: the engine is imported anew for each program, and most of that would be to compile it again.
  python.runPython("import sys, os; sys.path.insert(0, os.getcwd()); sys.dont_write_bytecode = False");
  python.pyimport(PAGE).prepare();
  postMessage({ ready: true });
  return python;
}

let started;
onmessage = async ({ data: { files, source, identifier, page, exercise } }) => {
  if (files) {
    started = start(files);
    started.catch(() => {}); // told with the first program
    return;
  }
  try {
    const python = await started;
    postMessage({ stage: "Running" });
    const done = exercise ? python.pyimport("gradnotes.exercises.page").judge(source, exercise)
      : python.pyimport(PAGE).answer(source, identifier, page, (json) => postMessage({ progress: JSON.parse(json) }));
    postMessage({ result: JSON.parse(done) });
    python.pyimport(PAGE).prepare(); // for the next, while nobody waits
    postMessage({ ready: true });
  } catch (error) {
    postMessage({ error: `The runtime failed: ${String(error.message ?? error).split("\n").filter(Boolean).at(-1)}` });
  }
};
