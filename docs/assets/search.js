/* Search over search_index.js. A pasted error message is a query like any other: the section that
   holds most of its words, the rare ones counting most, comes first. */
"use strict";
(() => {
  const { sections, words } = globalThis.searchIndex;
  const known = Object.keys(words);

  const split = (text) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*/gu) ?? [])];

  /** Section -> weight, for one word: itself, and what begins with it if it is the last one typed. */
  function hits(word, asPrefix) {
    const found = new Map();
    const forms = Object.hasOwn(words, word) ? [word] : [];
    if (asPrefix && word.length > 1) forms.push(...known.filter((k) => k !== word && k.startsWith(word)).slice(0, 40));
    for (const form of forms) {
      const row = words[form];
      for (let i = 0, number = 0; i < row.length; i += 2) {
        number += row[i];
        const weight = form === word ? row[i + 1] : row[i + 1] / 3;
        found.set(number, Math.max(found.get(number) ?? 0, weight));
      }
    }
    return found;
  }

  function search(query) {
    const asked = split(query);
    const scores = new Map();
    const counts = new Map();
    let known = 0;
    asked.forEach((word, index) => {
      let found = hits(word, index === asked.length - 1);
      if (!found.size && word.includes("_")) for (const part of word.split("_")) for (const [n, w] of hits(part, false)) found.set(n, w);
      if (!found.size) return;
      known += 1;
      const rarity = Math.log(1 + sections.length / found.size);
      for (const [number, weight] of found) {
        scores.set(number, (scores.get(number) ?? 0) + rarity * (1 + Math.log(1 + weight)));
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
    });
    /* Short queries want every word; a long one, pasted, most of them. */
    const needed = known <= 3 ? known : Math.ceil(known * 0.55);
    const phrase = query.trim().toLowerCase().replace(/\s+/g, " ");
    return [...scores]
      .filter(([number]) => counts.get(number) >= needed)
      .map(([number, score]) => {
        const [address, , title, content] = sections[number];
        const text = `${title} ${content}`.toLowerCase();
        /* A long list has every word somewhere; a chapter explains what the engine's source only does. */
        const place = (address.startsWith("engine/") ? 0.6 : 1) / (1 + Math.log10(1 + text.length / 3000));
        const match = (text.includes(phrase) ? 2 : 1) * (title.toLowerCase() === phrase ? 1.5 : 1);
        return [number, score * (counts.get(number) / asked.length) * match * place];
      })
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, 20)
      .map(([number]) => ({ section: sections[number], asked }));
  }

  /** The stretch of text with the most of the words asked for, those marked. */
  function excerpt(text, asked) {
    const lower = text.toLowerCase();
    const at = asked.filter((word) => word.length > 1)
      .flatMap((word) => [...lower.matchAll(new RegExp(word, "gu"))].slice(0, 50).map((match) => [match.index, word]))
      .sort((a, b) => a[0] - b[0]);
    const inWindow = (from) => new Set(at.filter(([n]) => n >= from && n < from + 200).map(([, word]) => word)).size;
    let [start, most] = [0, 0];
    for (const [n] of at) if (inWindow(n) > most) [start, most] = [Math.max(0, n - 20), inWindow(n)];
    const part = (start ? "… " : "") + text.slice(start, start + 220) + (text.length > start + 220 ? " …" : "");
    const line = document.createElement("span");
    let last = 0;
    for (const match of part.matchAll(/[\p{L}\p{N}_]+/gu)) {
      if (!asked.some((word) => match[0].toLowerCase().includes(word) && word.length > 1)) continue;
      line.append(part.slice(last, match.index), Object.assign(document.createElement("mark"), { textContent: match[0] }));
      last = match.index + match[0].length;
    }
    line.append(part.slice(last));
    return line;
  }

  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", "Search");
  dialog.innerHTML = `<div class="search__top"><input class="search__input" type="search" aria-label="Search"
    placeholder="A name, a question, or an error message" autocomplete="off" spellcheck="false">
    <button type="button" class="search__close">Close</button></div>
    <p class="search__status" role="status"></p><ol class="search__results"></ol>`;
  document.body.append(dialog);
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("ol");
  const status = dialog.querySelector("p");

  function show() {
    const query = input.value.trim();
    const found = query ? search(query) : [];
    list.replaceChildren(...found.map(({ section: [address, page, title, text], asked }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = new URL(`../${address}`, gradnotes.base);
      link.append(Object.assign(document.createElement("b"), { textContent: title }));
      if (page && page !== title) link.append(Object.assign(document.createElement("small"), { textContent: page }));
      link.append(excerpt(text, asked));
      link.addEventListener("click", () => dialog.close());
      item.append(link);
      return item;
    }));
    status.textContent = !query ? "Arrow keys move, Enter opens, Escape closes."
      : found.length ? `${found.length} section${found.length > 1 ? "s" : ""}` : "Nothing found. Fewer words find more.";
  }

  dialog.addEventListener("close", () => document.activeElement?.blur?.());
  input.addEventListener("input", show);
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault(); // a search field would only be emptied by it
      dialog.close();
    }
    const links = [input, ...list.querySelectorAll("a")];
    const now = links.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      links[Math.min(links.length - 1, Math.max(0, now + step))].focus();
    } else if (event.key === "Enter" && now === 0 && links[1]) {
      links[1].click();
    }
  });

  gradnotes.search = { open() { dialog.showModal(); input.select(); show(); }, find: search };
})();
