/* The page that explains an error: errors.html lists every message that an example shows, with the example. Loaded with the first error. */
"use strict";
(() => {
  const ENOUGH = .6; // of the words of both
  let table; // promise of [{type, missing, words, title, href}]

  /* Figures, shapes and names differ from one program to the next. */
  const words = (text) => text.toLowerCase().replace(/\[[\d, ]*\]/g, "[]").replace(/\d+(\.\d+)?(e[+-]?\d+)?/g, "0").match(/[a-z_.]+|0|\[\]/g) ?? [];
  /* The name that is not there: another one is another mistake. Of None each attribute is the same one. */
  const missing = (text) => /(?:No module named|(?<!'NoneType' object) has no attribute|NameError: name) '([^']+)'/.exec(text)?.[1];
  const type = (text) => text.split(":")[0].split(".").at(-1);

  async function load() {
    const address = new URL("../errors.html", gradnotes.base);
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    return [...page.querySelectorAll("article tbody tr")].map((row) => {
      const [message, example] = row.cells;
      const link = example?.querySelector("a");
      const said = message.textContent;
      return link && { type: type(said), missing: missing(said), words: words(said), title: link.textContent, href: new URL(link.getAttribute("href"), address).href };
    }).filter(Boolean);
  }

  function likeness(one, other) {
    const left = new Map();
    for (const word of other) left.set(word, (left.get(word) ?? 0) + 1);
    const shared = one.filter((word) => left.get(word) > 0 && left.set(word, left.get(word) - 1)).length;
    return 2 * shared / (one.length + other.length);
  }

  /* A link to the example whose message is most like `text`, or null. */
  gradnotes.explained = async (text) => {
    const asked = words(text);
    const same = (one) => one.type === type(text) && one.missing === missing(text);
    const [best, score] = (await (table ??= load())).filter(same)
      .map((one) => [one, likeness(asked, one.words)]).reduce((a, b) => b[1] > a[1] ? b : a, [null, ENOUGH]);
    if (!best || score < ENOUGH) return null;
    return Object.assign(document.createElement("a"), { href: best.href, textContent: best.title });
  };
})();
