/* Find the example that explains an error. errors.html lists the messages of all examples. Loaded at the first error. */
"use strict";
(() => {
  const LEAST_SIMILARITY = .6; // messages that are less similar do not match
  let table; // promise of the rows of errors.html, [{type, missing, words, title, href}]

  /* Return the words of a message, with 0 for each number and [] for each shape, since they differ between programs. */
  const wordsOf = (text) => text.toLowerCase().replace(/\[[\d, ]*\]/g, "[]").replace(/\d+(\.\d+)?(e[+-]?\d+)?/g, "0").match(/[a-z_.]+|0|\[\]/g) ?? [];
  /* Return the name that a message says is missing. Messages with different names do not match, except for attributes of None. */
  const missingNameOf = (text) => /(?:No module named|(?<!'NoneType' object) has no attribute|NameError: name) '([^']+)'/.exec(text)?.[1];
  const typeOf = (text) => text.split(":")[0].split(".").at(-1);

  async function load() {
    const address = new URL("../errors.html", gradnotes.base);
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    return [...page.querySelectorAll("article tbody tr")].map((row) => {
      const [message, example] = row.cells;
      const link = example?.querySelector("a");
      const text = message.textContent;
      return link && { type: typeOf(text), missing: missingNameOf(text), words: wordsOf(text), title: link.textContent, href: new URL(link.getAttribute("href"), address).href };
    }).filter(Boolean);
  }

  /* Return the similarity of two lists of words, from 0 to 1: the fraction of words that they have in common. */
  function similarity(first, second) {
    const remaining = new Map();
    for (const word of second) remaining.set(word, (remaining.get(word) ?? 0) + 1);
    const shared = first.filter((word) => remaining.get(word) > 0 && remaining.set(word, remaining.get(word) - 1)).length;
    return 2 * shared / (first.length + second.length);
  }

  /* Return a link to the example whose message is most similar to `text`, or null. */
  gradnotes.findExplanation = async (text) => {
    const words = wordsOf(text);
    const isCandidate = (row) => row.type === typeOf(text) && row.missing === missingNameOf(text);
    const [best, score] = (await (table ??= load())).filter(isCandidate)
      .map((row) => [row, similarity(words, row.words)]).reduce((a, b) => b[1] > a[1] ? b : a, [null, LEAST_SIMILARITY]);
    if (!best || score < LEAST_SIMILARITY) return null;
    const [address, section] = best.href.split("#");
    const { href, title } = gradnotes.inEdition(gradnotes.pageOf(address), best.title);
    return Object.assign(document.createElement("a"), { href: section ? `${href}#${section}` : href, textContent: title });
  };
})();
