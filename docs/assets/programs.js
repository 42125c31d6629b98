/* The programs in editors: the text with which an editor begins, edits stored in this browser, and programs in links and on the clipboard. */
"use strict";
(() => {
  const KEY = "programs";
  const LONGEST = 30_000; // limit of the number of characters of a program in a link
  const pageAddress = gradnotes.pageOf(location.href);

  const read = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } };
  const keyOf = (figure) => `${pageAddress}#${figure.id}`;

  /* Return the text with which the editor of a figure begins: the page's program without title, manifest, region marks and expected output. */
  function startText(figure) {
    const omitted = gradnotes.omittedLines(figure);
    return figure.dataset.source.split("\n").slice(0, -1).filter((_, i) => !omitted.has(i + 1)).join("\n");
  }

  /* Store an edited program; null removes it. */
  function storeEdit(figure, text) {
    const programs = read();
    delete programs[keyOf(figure)];
    if (text !== null) programs[keyOf(figure)] = String(text);
    try {
      if (Object.keys(programs).length) localStorage.setItem(KEY, JSON.stringify(programs));
      else localStorage.removeItem(KEY);
    } catch { /* storage is blocked: the edit lasts until the page is left */ }
  }
  /* Return the stored edit of a figure's program, or null. */
  const storedEdit = (figure) => {
    const text = read()[keyOf(figure)];
    return typeof text === "string" ? text : null;
  };

  /* Discard all edits, including those in the editors of this page. */
  function erase() {
    try { localStorage.removeItem(KEY); } catch { /* storage is blocked, so nothing is stored */ }
    for (const figure of document.querySelectorAll("figure[data-runs]")) figure.panel?.reset();
  }
  /* Return the number of stored edits. */
  const count = () => Object.keys(read()).length;

  /* Remove prompts (`>>>`, `In [1]:`) from a copied session, and the output between them. Return a text without prompts unchanged. */
  const PROMPT = /^\s*(?:>>>|\.\.\.:?|In \[\d+\]:)(?: |$)/;
  function withoutPrompts(text) {
    const lines = text.split("\n");
    if (!/^\s*(>>>|In \[\d+\]:)/.test(lines.find((line) => line.trim()) ?? "")) return text;
    return lines.filter((line) => PROMPT.test(line)).map((line) => line.replace(PROMPT, "")).join("\n");
  }

  const readBytes = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

  /* Return the address of the playground, with the compressed program in its hash. Throw an error if the program is too long. */
  async function link(text) {
    if (text.length > LONGEST) throw new Error(gradnotes.say("The program is too long for a link."));
    const bytes = await readBytes(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
    const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    return new URL(`../playground.html#program=${code}`, gradnotes.base).href;
  }

  /* Return the program in this page's address, or null if there is none. Throw an error if it cannot be decoded. */
  async function programInAddress() {
    const code = /^#program=([\w-]+)$/.exec(location.hash)?.[1];
    if (!code) return null;
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (;;) { // read in chunks, since a short link can expand to a huge program
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > LONGEST) throw new Error("too long");
    }
  }

  gradnotes.programs = { startText, storeEdit, storedEdit, link, programInAddress, erase, count, withoutPrompts };
})();
