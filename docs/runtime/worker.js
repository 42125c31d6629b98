/* Runs programs, in the frame of frame.html: without an origin, a network or storage. Its files come with the first message. */
"use strict";
const NOWHERE = "https://runtime.invalid/"; // Pyodide wants addresses for its files; this host cannot exist

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
  const python = await loadPyodide({ indexURL: NOWHERE, createPyodideModule });
  postMessage({ stage: "Loading NumPy" });
  await python.loadPackage("numpy", { messageCallback() {} });
  postMessage({ stage: "Loading the engine" });
  python.unpackArchive(await files["engine.zip"].arrayBuffer(), "zip");
  python.runPython("import sys, os; sys.path.insert(0, os.getcwd())");
  return python.pyimport("gradnotes.steps.page");
}

let page;
onmessage = async ({ data: { files, source, identifier } }) => {
  if (files) {
    page = start(files);
    page.catch(() => {}); // told with the first program
    return;
  }
  try {
    const ready = await page;
    postMessage({ stage: "Running" });
    postMessage({ result: JSON.parse(ready.answer(source, identifier)) });
  } catch (error) {
    postMessage({ error: `The runtime failed: ${String(error.message ?? error).split("\n").filter(Boolean).at(-1)}` });
  }
};
