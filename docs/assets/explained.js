/* Link an error of a reader's program to the section that explains it. Loaded at the first error.

   The section is that of the error card with this message or, without a card, the best section that contains the message as the search ranks
   them. Otherwise errors.html, which lists the messages of all examples, names an example. */
"use strict";
(() => {
  let table; // promise of the rows of errors.html, [{text, title, href}]

  async function load() {
    const address = gradnotes.inEdition("errors.html").href;
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    return [...page.querySelectorAll("article tbody tr")].map((row) => {
      const [message, example] = row.cells;
      const link = example?.querySelector("a");
      return link && { text: message.textContent, title: link.textContent, href: new URL(link.getAttribute("href"), address).href };
    }).filter(Boolean);
  }

  /* Return [address, title] of the example with the message `text`, or undefined. A copy of the site in a folder cannot load errors.html. */
  async function findExample(text) {
    const { isSame, typeOf, withoutType } = gradnotes.messages;
    const rows = await (table ??= load().catch(() => []));
    const example = rows.find((row) => typeOf(row.text) === typeOf(text) && isSame(withoutType(row.text), withoutType(text)));
    if (!example) return undefined;
    const [address, anchor] = example.href.split("#");
    const { href, title } = gradnotes.inEdition(gradnotes.pageOf(address), example.title);
    return [anchor ? `${href}#${anchor}` : href, title];
  }

  /* Return a link to the section that explains the message `text`, or null. */
  gradnotes.findExplanation = async (text) => {
    await gradnotes.loadSearch();
    const section = await gradnotes.search.explain(text);
    const [href, title] = section ? [gradnotes.root + section[0], section[1] === section[2] ? section[1] : `${section[1]} › ${section[2]}`] : await findExample(text) ?? [];
    const language = gradnotes.isChinese && !href?.startsWith(`${gradnotes.root}zh/`) ? { hreflang: "en" } : {};
    return href ? Object.assign(document.createElement("a"), { href, textContent: title, ...language }) : null;
  };
})();
