/* Runs programs in a worker of its own, so that the page can end one at once by ending the worker. */
"use strict";
const runtime = new URL("../runtime/", self.location);

async function start() {
  postMessage({ stage: "Loading Python (about 9 MB, once)" });
  const { loadPyodide } = await import(new URL("pyodide.mjs", runtime));
  const python = await loadPyodide({ indexURL: runtime.href });
  postMessage({ stage: "Loading NumPy" });
  await python.loadPackage("numpy", { messageCallback() {} });
  postMessage({ stage: "Loading the engine" });
  const archive = await fetch(new URL("engine.zip", runtime));
  if (!archive.ok) throw new Error(`engine.zip: ${archive.status}`);
  python.unpackArchive(await archive.arrayBuffer(), "zip");
  python.runPython("import sys, os; sys.path.insert(0, os.getcwd())");
  return python.pyimport("gradnotes.steps.page");
}

const page = start();
page.catch(() => {}); // told with the first program
onmessage = async ({ data: { source, identifier } }) => {
  try {
    const ready = await page;
    postMessage({ stage: "Running" });
    postMessage({ result: JSON.parse(ready.answer(source, identifier)) });
  } catch (error) {
    postMessage({ error: String(error.message ?? error).split("\n").filter(Boolean).at(-1) });
  }
};
