/* Start Python from the memory of a Python that had started before. Used by the worker of a page, and by Node, which records that memory. */

export const HOME = "/home/pyodide"; // where our packages are

/* Return the files of a tar archive by name, as views of `bytes`. */
export function untar(bytes) {
  const decoder = new TextDecoder();
  const field = (from, length) => decoder.decode(bytes.subarray(from, from + length)).split("\0")[0];
  const files = new Map();
  for (let at = 0; bytes[at];) {
    const folder = field(at + 345, 155);
    const size = parseInt(field(at + 124, 12), 8);
    files.set((folder && `${folder}/`) + field(at, 100), bytes.subarray(at + 512, at + 512 + size));
    at += 512 * (1 + Math.ceil(size / 512));
  }
  return files;
}

/* A recorded memory is kept as its difference from the memory in which WebAssembly starts: half the bytes. Only pages that differ are kept:

     size of the memory, number of pages, size of Pyodide's header in bytes and length of the table of functions, as 32-bit integers;
     the header; the numbers of the pages; the pages

   Memory points to functions by their place in that table. Chromium, Firefox and Node fill it alike; WebKit gives a thousand functions a
   second place (21,526 instead of 20,553, in WebKitGTK 2.50.6). */
const PAGE = 4096; // bytes
const WORDS = PAGE / 4;
const HEAD = 4 * 4; // bytes
const TRAMPOLINES = 1; // function that Python adds last, where WebAssembly has garbage collection: before or after it, all have their places

/* A browser in which a recorded memory cannot be restored. */
export class OtherTable extends Error {}

/* Encode what Pyodide's makeMemorySnapshot has returned. */
export function encodeMemory(snapshot, initial, tableLength) {
  const headerSize = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1];
  const memory = new Uint32Array(snapshot.buffer, snapshot.byteOffset + headerSize, (snapshot.length - headerSize) >> 2);
  applyDifference(memory, new Uint32Array(initial.buffer, initial.byteOffset, initial.length >> 2));
  const numbers = [];
  for (let page = 0; page < memory.length / WORDS; page++) {
    if (memory.subarray(page * WORDS, (page + 1) * WORDS).some(Boolean)) numbers.push(page);
  }
  const parts = [
    Uint32Array.of(memory.length * 4, numbers.length, headerSize, tableLength), snapshot.subarray(0, headerSize), Uint32Array.from(numbers),
    ...numbers.map((page) => memory.subarray(page * WORDS, (page + 1) * WORDS)),
  ];
  const encoded = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    encoded.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return encoded;
}

function applyDifference(words, difference) {
  for (let i = 0; i < difference.length; i++) words[i] ^= difference[i];
}

/* Put a recorded memory in the place of a module's. `initial` is a copy of the memory in which the module started. */
function restoreMemory(module, encoded, initial) {
  const view = (at, length) => new Uint32Array(encoded.buffer, encoded.byteOffset + at, length);
  const [size, count, headerSize] = view(0, 3);
  const numbers = view(HEAD + headerSize, count);
  const pages = view(HEAD + headerSize + 4 * count, count * WORDS);
  module.growMemory(size);
  module.HEAPU8.set(initial);
  module.HEAPU8.fill(0, initial.length);
  numbers.forEach((number, i) => {
    applyDifference(module.HEAPU32.subarray(number * WORDS, (number + 1) * WORDS), pages.subarray(i * WORDS, (i + 1) * WORDS));
  });
}

/* Load Pyodide with `libraries`, the paths of its compiled modules. They are loaded before Python starts, always in the same order: so they
   lie where a recorded `memory` expects them; rejects with OtherTable if the browser has put their functions elsewhere. Without a memory
   Python starts anew. `onCreated` is called with the memory and the length of the table with which a recorded one is encoded. */
export async function start({ loadPyodide, createPyodideModule, libraries, memory, onCreated, ...options }) {
  const [, , headerSize, recordedLength] = memory ? new Uint32Array(memory.buffer, memory.byteOffset, HEAD / 4) : [];
  const create = async (settings) => {
    let initial;
    settings.dynamicLibraries = [...libraries].sort();
    settings.preRun.push(({ HEAPU8 }) => { initial = HEAPU8.slice(); });
    const module = await createPyodideModule(settings);
    const { length } = module.wasmTable;
    onCreated?.(initial, length);
    if (memory && Math.abs(length - recordedLength) > TRAMPOLINES) throw new OtherTable(`${length} functions, expected ${recordedLength}`);
    if (memory) restoreMemory(module, memory, initial);
    return module;
  };
  const snapshot = memory && { _loadSnapshot: memory.slice(HEAD, HEAD + headerSize) }; // Pyodide reads the header; no memory follows
  const python = await loadPyodide({ ...options, createPyodideModule: create, ...snapshot });
  delete python._api.config.createPyodideModule; // it holds `memory`
  return python;
}

/* Write files where Python finds them. */
export function writeFiles(python, files, folder) {
  for (const [name, bytes] of files) {
    const path = `${folder}/${name}`;
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, bytes);
  }
}
