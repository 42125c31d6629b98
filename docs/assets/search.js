/* The search dialog. search_rank.js ranks the sections. The texts of page N, search/N.js, are loaded when one of its sections is a result. */
"use strict";
(() => {
  const { say } = gradnotes;
  const { containment, isSame, missingNameOf, pairsOf, typeOf, withoutType, wordsOf } = gradnotes.messages;
  const { pages: packed, lengths, messages: cards } = globalThis.searchIndex;
  /* [address, title of the page, title] of each section, by section number. */
  const sections = packed.flatMap(([address, page, entries]) => entries.map((entry) => {
    const [anchor, title] = typeof entry === "string" ? [entry, entry] : entry;
    return [anchor ? `${address}#${anchor}` : address, page, title || say("Home")]; // the title of the home page is in its template
  }));
  const rank = gradnotesRank({ ...globalThis.searchIndex, sections, isChinese: gradnotes.isChinese });
  /* [number of the page, position on the page] of each section: search/N.js has the texts of page N in the order of the index. */
  const locations = [];
  const pages = [];
  const pageOf = (number) => sections[number][0].split("#")[0];
  for (const number of sections.keys()) {
    const page = pageOf(number);
    if (pages.at(-1)?.address !== page) pages.push({ address: page, count: 0 });
    locations.push([pages.length - 1, pages.at(-1).count++]);
  }

  const HAN = /\p{Script=Han}/u;
  /** Set the language of an element that contains Chinese, which decides its font and voice. Return the element. */
  const markChinese = (element) => {
    if (HAN.test(element.textContent)) element.lang = "zh-Hans";
    return element;
  };

  /** Return a pattern that matches the words of a query at the start of a word or after an underscore. Words under four letters match only as a whole. */
  function patternOf(queryWords) {
    const pairs = queryWords.filter((word) => word.length === 2 && HAN.test(word)); // Chinese has no spaces: its words are pairs of characters; a match joins overlapping pairs
    const words = queryWords.filter((word) => word.length > 1 && !HAN.test(word)).sort((a, b) => b.length - a.length)
      .map((word) => word + (word.length < 4 ? "(?![\\p{L}\\p{N}])" : ""));
    const run = pairs.length ? [`(?:${pairs.map(([a, b]) => `${a}(?=${b})|(?<=${a})${b}`).join("|")})+`] : [];
    return new RegExp([...run, ...(words.length ? [`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`] : [])].join("|") || "(?!)", "giu");
  }

  /** Return an element with an excerpt of about 220 characters: the one with the most different words of the query, which are marked. */
  function excerpt(text, queryWords) {
    const pattern = patternOf(queryWords);
    const matches = [...text.matchAll(pattern)].slice(0, 200).map((match) => [match.index, match[0].toLowerCase()]);
    const inWindow = (from) => new Set(matches.filter(([n]) => n >= from && n < from + 200).map(([, word]) => word)).size;
    let [start, most] = [0, 0];
    for (const [n] of matches) if (inWindow(n) > most) [start, most] = [Math.max(0, n - 20), inWindow(n)];
    const boundary = (at) => Math.max(text.lastIndexOf(" ", at) + 1, at - 20); // Chinese has few spaces
    const [from, to] = [start ? boundary(start) : 0, text.length > start + 220 ? boundary(start + 220) : text.length];
    const part = (from ? "… " : "") + text.slice(from, to).trim() + (to < text.length ? " …" : "");
    const line = document.createElement("span");
    let end = 0; // of the last match
    for (const match of part.matchAll(pattern)) {
      line.append(part.slice(end, match.index), Object.assign(document.createElement("mark"), { textContent: match[0] }));
      end = match.index + match[0].length;
    }
    line.append(part.slice(end));
    return markChinese(line);
  }

  const titles = new Map(packed); // of the pages, by address
  const partOf = (page) => {
    const [, edition, part] = /^(zh\/)?([^/]+)\/(?!index\.html)/.exec(page) ?? [];
    return part && ((edition && titles.get(`${edition}${part}/index.html`)) ?? say(titles.get(`${part}/index.html`) ?? ""));
  };

  /** Add a group for the results of a page, under the names of its part and the page; `isOwnTitle` omits the page, whose name is the first result.
      Return the list for its sections. */
  function addGroup(page, title, isOwnTitle) {
    const words = [partOf(page), isOwnTitle ? undefined : title].filter(Boolean).map((name) => markChinese(gradnotes.make("span", {}, name)));
    const heading = words.length ? [gradnotes.make("p", { class: "search__where" }, ...words)] : [];
    const sectionList = gradnotes.make("ul");
    list.append(gradnotes.make("li", {}, ...heading, sectionList));
    return sectionList;
  }

  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", say("Search"));
  dialog.innerHTML = `<div class="search__top"><textarea class="search__input" rows="1" aria-label="${say("Search")}" enterkeyhint="search"
    placeholder="${say("A name, a question, or an error message")}" autocomplete="off" autocapitalize="none" spellcheck="false"></textarea>
    <button type="button" class="search__close">${say("Close")}</button></div>
    <p class="search__status" role="status"></p><p class="search__meaning" hidden></p><ol class="search__results"></ol>`;
  document.body.append(dialog);
  const input = dialog.querySelector("textarea"); // a single-line field would join the lines of a pasted traceback
  const list = dialog.querySelector("ol");
  const [status, meaning] = dialog.querySelectorAll("p");

  /** Return a promise of the text of a section. */
  const textOf = async (number) => {
    const [file, position] = locations[number];
    await gradnotes.load(`${gradnotes.isChinese ? "search_zh" : "search"}/${file}.js`);
    return gradnotes.search.texts[file][position];
  };

  /** Map each page that an error card links to to the similarity, 0 to 1, of the text and the card's message: the fraction of common word pairs.
      The shorter of the two counts, because the text or the message may be cut off. */
  function similarityByPage(text) {
    const words = wordsOf(text);
    const similarities = new Map();
    for (const [, message, address] of cards) {
      const page = address.split("#")[0];
      const messageWords = wordsOf(message);
      const similarity = messageWords.length < words.length ? containment(messageWords, words) : containment(words, messageWords);
      similarities.set(page, Math.max(similarities.get(page) ?? 0, similarity));
    }
    return similarities;
  }

  /** Return the error card of a message, [type, message, address], or undefined. The message may lack its type. */
  function cardOf(text) {
    const message = withoutType(text);
    return cards.find(([type, cardMessage]) => (message === text || typeOf(text) === type) && isSame(message, cardMessage));
  }

  /** Return the result of `rank`. For a pasted message, prefer sections with its words in the same order, and the page of its error card. */
  async function find(query) {
    const ranked = rank(query, cardOf(query) !== undefined);
    if (!ranked.message) return ranked;
    const words = wordsOf(ranked.message.join(" "));
    const pairs = pairsOf(words);
    const similarities = similarityByPage(query);
    const matchByPage = new Map();
    const withMatch = async ([number, score]) => {
      const text = ` ${wordsOf(await textOf(number)).join(" ")} `;
      const match = pairs.filter((pair) => text.includes(` ${pair} `)).length / (pairs.length || 1);
      matchByPage.set(pageOf(number), (matchByPage.get(pageOf(number)) ?? 0) + match);
      return [number, score * (1 + 3 * match) / Math.log10(100 + lengths[number])]; // a short section is likely to be only about the message
    };
    const results = await Promise.all(ranked.results.map(withMatch));
    const withPage = ([number, score]) => {
      const card = similarities.get(pageOf(number).replace(/^zh\//, "")) ?? 0;
      return [number, score * (1 + 0.5 * matchByPage.get(pageOf(number))) * (1 + 3 * card ** 2)]; // several matching sections: the page is about the message
    };
    return { ...ranked, results: results.map(withPage).sort((a, b) => b[1] - a[1]) };
  }

  /* Pages that list messages or contain them by chance, and programs that readers repair. */
  const NOT_EXPLAINING = /^(engine|notes|labs|operations|tools|use-the-harness)\/|^(errors|error-cards|glossary|references|proof|operations|index|path-summary|what-has-changed)\.html|\/checkpoint\.html|#practice$/;
  const LEAST_CONTAINMENT = 0.6; // of the word pairs of a message in the text that explains it
  const START = 3; // words, all of which must be in the text, in order
  const FIRST_WORDS = 12; // of a message are compared: some end with long advice

  /** Return [address, title of the page, title] of the section that explains an error: the section of its error card or, without a card, the
      first result that contains the first words of the message and most others. Return undefined if there is none. The address is that of this edition. */
  async function explain(text) {
    const card = cardOf(text);
    if (card) {
      const [page, anchor] = card[2].split("#");
      const { href, title } = gradnotes.inEdition(page, titles.get(page));
      const address = href.replace(gradnotes.root, "") + (anchor ? `#${anchor}` : "");
      return sections.find((section) => section[0] === address) ?? [address, title, title];
    }
    const words = wordsOf(withoutType(text)).slice(0, FIRST_WORDS);
    const missingName = missingNameOf(text);
    for (const { 0: number } of (await find(text)).results) {
      if (NOT_EXPLAINING.test(sections[number][0].replace(/^zh\//, ""))) continue;
      const sectionText = await textOf(number);
      const sectionWords = wordsOf(sectionText);
      const hasMessage = containment(words, sectionWords) >= LEAST_CONTAINMENT && containment(words.slice(0, START), sectionWords) === 1;
      if (hasMessage && sectionText.toLowerCase().includes(missingName ?? "")) return sections[number];
    }
    return undefined;
  }

  /** Fit the height of the field to its text, up to the limit in site.css. */
  function fitHeight() {
    input.style.height = "auto";
    input.style.height = `${input.scrollHeight}px`;
  }

  let searchCount = 0;
  let listedQuery; // the query whose results are in the list
  /** Search for the text of the field and list the results. */
  async function show() {
    fitHeight();
    const query = input.value.trim();
    const searchNumber = ++searchCount;
    const { results, markedWords, definition } = query ? await find(query) : { results: [], markedWords: [] };
    if (searchNumber !== searchCount) return; // the query has changed while `find` was waiting
    listedQuery = query;
    showDefinition(definition);
    const excerpts = [];
    const groups = new Map(); // page -> list of its sections; pages are in the order of their best sections
    list.replaceChildren();
    for (const [number] of results) {
      const [address, page, title] = sections[number];
      if (!groups.has(pageOf(number))) groups.set(pageOf(number), addGroup(pageOf(number), page, page === title));
      const link = gradnotes.make("a", { href: new URL(`../${address}`, gradnotes.base) }, markChinese(gradnotes.make("b", {}, title)));
      excerpts.push(textOf(number).then((text) => link.append(excerpt(text, markedWords))));
      groups.get(pageOf(number)).append(gradnotes.make("li", {}, link));
    }
    const counts = [results.length > 1 ? say("{count} sections", { count: results.length }) : say("1 section"), groups.size > 1 ? say("{count} pages", { count: groups.size }) : say("1 page")];
    status.textContent = !query ? say("Arrow keys select, Enter opens, Escape closes.")
      : results.length ? counts.join(say(" on ")) : say("Nothing found. Try fewer words.");
    await Promise.allSettled(excerpts);
  }

  /** Open the first result. If the results belong to an earlier query, search first. */
  async function followFirst() {
    if (listedQuery !== input.value.trim()) await show();
    if (dialog.open && listedQuery === input.value.trim()) list.querySelector("a")?.click();
  }

  /* Store the search in the history entry when the reader leaves the page by a result, so that Back restores the search. */
  let isLeaving = false; // the dialog closes because a result was opened
  const remember = (search) => history.replaceState({ ...history.state, search }, "");
  function leaveBy(link) {
    isLeaving = true;
    remember({ query: input.value, scroll: list.scrollTop, result: [...list.querySelectorAll("a")].indexOf(link) });
    dialog.close();
  }
  dialog.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link && !event.defaultPrevented && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) leaveBy(link); // with a modifier key, the link opens in a new tab
    else if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => { if (!isLeaving && history.state?.search) remember(undefined); });

  /** Open the dialog with a stored search: its results, the scroll position, and the focus on the result that the reader has opened. */
  async function reopen({ query, scroll, result }) {
    isLeaving = false;
    input.value = query;
    if (!dialog.open) dialog.showModal();
    await show();
    list.scrollTop = scroll;
    (list.querySelectorAll("a")[result] ?? input).focus({ preventScroll: true });
  }

  /** Show [term, definition] above the results; hide the field if there is no definition. */
  function showDefinition(definition) {
    meaning.hidden = !definition;
    if (!definition) return;
    const link = Object.assign(document.createElement("a"), { href: gradnotes.inEdition("glossary.html").href, textContent: definition[0] });
    meaning.replaceChildren(link, HAN.test(definition[1]) ? "：" : ": ", ...definition[1].split("`").map((part, i) =>
      i % 2 ? Object.assign(document.createElement("code"), { textContent: part }) : part));
  }

  input.addEventListener("input", show);
  dialog.querySelector("button").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault(); // Escape would only empty a search field
      dialog.close();
    }
    const links = [input, ...list.querySelectorAll("a")];
    const focused = links.indexOf(document.activeElement);
    const isLastLine = !input.value.slice(input.selectionEnd).includes("\n");
    const step = { ArrowDown: focused > 0 || isLastLine ? 1 : 0, ArrowUp: focused > 0 ? -1 : 0 }[event.key]; // 0: the arrow moves between the lines of the field
    if (event.isComposing) return; // an input method uses Enter and the arrows
    if (step) {
      event.preventDefault();
      links[Math.min(links.length - 1, Math.max(0, focused + step))].focus();
    } else if (event.key === "Enter" && focused === 0 && !event.shiftKey) {
      event.preventDefault();
      followFirst();
    }
  });

  Object.assign(gradnotes.search, {
    open(text) {
      isLeaving = false;
      if (text) input.value = text;
      dialog.showModal();
      input.select();
      show();
    },
    reopen,
    explain,
    find: async (query) => (await find(query)).results.map(([number]) => sections[number]),
  });
})();
