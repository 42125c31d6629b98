/* Find the example that explains an error. errors.html lists every message that examples show. Loaded at the first error. */
"use strict";
(() => {
  const ENOUGH = .6; // least share of common words
  let table; // promise of [{type, missing, words, title, href}]

  /* Return the words of a message. Numbers and shapes are replaced, since they differ between programs. */
  const words = (text) => text.toLowerCase().replace(/\[[\d, ]*\]/g, "[]").replace(/\d+(\.\d+)?(e[+-]?\d+)?/g, "0").match(/[a-z_.]+|0|\[\]/g) ?? [];
  /* Return the missing name in a message: a different name is a different mistake, except for attributes of None. */
  const missing = (text) => /(?:No module named|(?<!'NoneType' object) has no attribute|NameError: name) '([^']+)'/.exec(text)?.[1];
  const type = (text) => text.split(":")[0].split(".").at(-1);

  async function load() {
    const address = new URL("../errors.html", gradnotes.base);
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    return [...page.querySelectorAll("article tbody tr")].map((row) => {
      const [message, example] = row.cells;
      const link = example?.querySelector("a");
      const text = message.textContent;
      return link && { type: type(text), missing: missing(text), words: words(text), title: link.textContent, href: new URL(link.getAttribute("href"), address).href };
    }).filter(Boolean);
  }

  function likeness(first, second) {
    const remaining = new Map();
    for (const word of second) remaining.set(word, (remaining.get(word) ?? 0) + 1);
    const shared = first.filter((word) => remaining.get(word) > 0 && remaining.set(word, remaining.get(word) - 1)).length;
    return 2 * shared / (first.length + second.length);
  }

  /* Return a link to the example whose message is most similar to `text`, or null. */
  gradnotes.explained = async (text) => {
    const wordsOfText = words(text);
    const same = (row) => row.type === type(text) && row.missing === missing(text);
    const [best, score] = (await (table ??= load())).filter(same)
      .map((row) => [row, likeness(wordsOfText, row.words)]).reduce((a, b) => b[1] > a[1] ? b : a, [null, ENOUGH]);
    if (!best || score < ENOUGH) return null;
    const [address, section] = best.href.split("#");
    const { href, title } = gradnotes.inEdition(gradnotes.pageOf(address), best.title);
    return Object.assign(document.createElement("a"), { href: section ? `${href}#${section}` : href, textContent: title });
  };
})();
