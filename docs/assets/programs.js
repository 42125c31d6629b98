/* A reader's programs: what the editor of a page begins with, edits that are kept in this browser, programs that a link or the clipboard carries. */
"use strict";
(() => {
  const KEY = "programs";
  const LONGEST = 30_000; // characters that a link may carry
  const pageAddress = gradnotes.pageOf(location.href);

  const read = () => { try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; } };
  const name = (figure) => `${pageAddress}#${figure.id}`;

  /* The program without what the page says of it */
  function beginning(figure) {
    const without = gradnotes.omitted(figure);
    return figure.dataset.source.split("\n").slice(0, -1).filter((_, i) => !without.has(i + 1)).join("\n");
  }

  function keep(figure, text) {
    const programs = read();
    delete programs[name(figure)];
    if (text !== null) programs[name(figure)] = String(text);
    try {
      if (Object.keys(programs).length) localStorage.setItem(KEY, JSON.stringify(programs));
      else localStorage.removeItem(KEY);
    } catch { /* for this visit only */ }
  }
  const kept = (figure) => {
    const text = read()[name(figure)];
    return typeof text === "string" ? text : null;
  };

  /* Forget all edits, also in the editors of this page. */
  function erase() {
    try { localStorage.removeItem(KEY); } catch { /* it keeps nothing */ }
    for (const figure of document.querySelectorAll("figure[data-runs]")) figure.panel?.reset();
  }
  const count = () => Object.keys(read()).length;

  /* A program as it is copied from a prompt of Python or of a notebook, without the prompts and what was printed between them. */
  const PROMPT = /^\s*(?:>>>|\.\.\.:?|In \[\d+\]:)(?: |$)/;
  function withoutPrompts(text) {
    const lines = text.split("\n");
    if (!/^\s*(>>>|In \[\d+\]:)/.test(lines.find((line) => line.trim()) ?? "")) return text;
    return lines.filter((line) => PROMPT.test(line)).map((line) => line.replace(PROMPT, "")).join("\n");
  }

  const readBytes = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

  /* The address of the playground with this program. */
  async function link(text) {
    if (text.length > LONGEST) throw new Error(gradnotes.say("The program is too long for a link."));
    const bytes = await readBytes(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
    const code = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    return new URL(`../playground.html#program=${code}`, gradnotes.base).href;
  }

  /* The program that this page's address carries, or null. Rejects if it carries none that can be read. */
  async function linked() {
    const code = /^#program=([\w-]+)$/.exec(location.hash)?.[1];
    if (!code) return null;
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (;;) { // as it comes: a short link can stand for much
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
      if (text.length > LONGEST) throw new Error("too long");
    }
  }

  gradnotes.programs = { beginning, keep, kept, link, linked, erase, count, withoutPrompts };
})();
