/* Run Pyodide in Node for python_archive.py.

     node python_archive.mjs compile FOLDER TREE OPTIONS
         Compile the modules below TREE with Python's compileall. FOLDER holds Pyodide. OPTIONS are keyword arguments as JSON.
     node python_archive.mjs record STAGE TARGET PROGRAM [PACKAGES]
         Run PROGRAM, with the files of the folder PACKAGES in HOME, write the memory of this Python to TARGET, and print as JSON
         from which files its modules were imported. STAGE holds Pyodide and NumPy.

   If FOLDER or STAGE has a recorded memory, memory.bin, Python starts from it. */

import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { HOME, encodeMemory, start, writeFiles } from "../../docs/runtime/start.mjs";

const LIBRARY = "lib/python3.14/site-packages";

const load = async (folder, name) => import(pathToFileURL(join(folder, name)));
const read = (...path) => new Uint8Array(readFileSync(join(...path)));
const filesBelow = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map(({ parentPath, path, name }) => join(parentPath ?? path, name)).map((path) => [relative(folder, path), read(path)]);

/* Start the Python of a stage: from its recorded memory or, if it has none, with the standard library in compiled.zip. */
async function startStage(folder, options = {}) {
  const { loadPyodide } = await load(folder, "pyodide.mjs");
  const { default: createPyodideModule } = await load(folder, "pyodide.asm.mjs");
  const isRecorded = existsSync(join(folder, "memory.bin"));
  const python = await start({
    loadPyodide, createPyodideModule, indexURL: `${folder}/`, libraries: JSON.parse(readFileSync(join(folder, "libraries.json"), "utf-8")),
    ...(isRecorded ? { memory: read(folder, "memory.bin") } : { stdLibURL: join(folder, "compiled.zip") }), ...options,
  });
  writeFiles(python, filesBelow(join(folder, LIBRARY)), `/${LIBRARY}`);
  return python;
}

async function compile(folder, tree, options) {
  const python = existsSync(join(folder, "memory.bin")) ? await startStage(folder)
    : await (await load(folder, "pyodide.mjs")).loadPyodide({ indexURL: `${folder}/` });
  python.mountNodeFS("/tree", resolve(tree));
  python.globals.set("options", python.toPy(JSON.parse(options)));
  python.runPython(`
    import compileall, py_compile
    compileall.compile_dir("/tree", quiet=2, stripdir="/tree", force=True,
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH, **options)
  `);
}

/* Fill freed memory with zeros, which compress well: allocate all free blocks, large ones first, and free them again. */
function clearFreeMemory(module) {
  const { _emscripten_get_sbrk_ptr, _free, _malloc } = module;
  const end = () => module.HEAPU32[_emscripten_get_sbrk_ptr() >> 2];
  const blocks = [];
  for (let size = 1 << 16; size >= 16; size = size > 256 ? size >> 1 : size - 8) {
    for (;;) {
      const before = end();
      const block = _malloc(size - 4);
      if (end() > before) { // no free block is that large
        _free(block);
        break;
      }
      module.HEAPU8.fill(0, block, block + size - 4);
      blocks.push(block);
    }
  }
  blocks.reverse().forEach((block) => _free(block));
}

async function record(stage, target, program, packages) {
  let created;
  const python = await startStage(stage, { _makeSnapshot: true, onCreated: (...state) => { created = state; } });
  if (packages) writeFiles(python, filesBelow(packages), HOME);
  python.runPython(`import sys; sys.path.insert(0, "${HOME}"); sys.dont_write_bytecode = False`);
  python.runPython(program, { globals: python.toPy({}) });
  python.globals.set("is_base", !packages);
  const origins = python.runPython(`
    import gc, importlib, json, zipimport
    sys.path = [entry for entry in sys.path if entry not in ("", "${HOME}")]  # each start of Python adds these entries
    importlib.invalidate_caches()
    zipimport._zip_directory_cache.clear()  # the archive in the browser lacks modules that this memory has
    origins = [module.__spec__.origin for module in list(sys.modules.values()) if getattr(module, "__spec__", None)]
    gc.collect()
    if is_base:
        gc.freeze()  # exempt the present objects from collections
    json.dumps([origin for origin in origins if origin])
  `);
  clearFreeMemory(python._module);
  writeFileSync(target, encodeMemory(python.makeMemorySnapshot(), ...created));
  console.log(origins);
}

const [command, folder, ...args] = process.argv.slice(2);
try {
  await { compile, record }[command](resolve(folder), ...args);
} catch (error) { // print no stack: Node would add a line of Pyodide's source, which has a million characters
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}
