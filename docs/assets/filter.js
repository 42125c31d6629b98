/* Add a filter above the tables in an element with [data-filter]. A row is shown if it contains all typed words, or if the typed text is its error
   message, perhaps with other numbers. If the typed text is the name of a row, this row comes first. [data-choices] lists columns to filter by value;
   "Family" stands for the title of the fold around a table, and "NAME?" filters by whether a row has a value in the column NAME. Without JavaScript,
   readers have the folds and the browser's search. */
"use strict";
(() => {
  const { make, say } = gradnotes;

  /** Return the text of a row in the column `name`, or "no" if there is none. If `isYesOrNo`, return "yes" instead of a text. */
  function valueOf(row, name, isYesOrNo) {
    if (name === "Family") return row.closest("details").querySelector("summary").textContent.replace(/: \d+$/, "");
    const value = row.querySelector(`[data-head="${name}"]`)?.textContent;
    return isYesOrNo && value ? "yes" : value || "no";
  }

  /** Return the names of a row in lower case: of its operation, or of its term in the glossary, in each language. */
  const namesOf = (row) => (row.dataset.title ?? [...row.querySelectorAll("dt")].map((term) => term.textContent).join(", ")).toLowerCase().split(", ");

  const LEAST_WORDS = 4; // a text with fewer words is not compared with messages
  /** Return a function that tells whether the text of a row contains all words of `typed`, or begins with the message `typed`, which may have a
      type, a traceback and other numbers. */
  async function matcherOf(typed) {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length < LEAST_WORDS) return (text) => words.every((word) => text.includes(word));
    await gradnotes.load("messages.js");
    const { isSame, withoutType } = gradnotes.messages;
    const message = withoutType(typed);
    return (text) => words.every((word) => text.includes(word)) || isSame(withoutType(text), message);
  }

  /** Return the elements, those for which `isFirst` is true first. */
  const moveToFront = (elements, isFirst) => [...elements.filter(isFirst), ...elements.filter((element) => !isFirst(element))];

  for (const [number, container] of [...document.querySelectorAll("[data-filter]")].entries()) {
    const rows = [...container.querySelectorAll("tbody tr, dl > div")].map((row) => ({ row, text: row.textContent.toLowerCase(), names: namesOf(row) }));
    const folds = [...container.querySelectorAll("details")];
    const titles = new Map(folds.map((fold) => [fold, fold.querySelector("summary").textContent])); // such as "Activation functions: 24"
    const rowsByList = new Map();
    for (const { row } of rows) rowsByList.set(row.parentElement, [...rowsByList.get(row.parentElement) ?? [], row]);
    const id = `filter-${number}`;
    const field = make("input", { type: "search", id, autocomplete: "off", spellcheck: "false" });
    const status = make("p", { role: "status", class: "filter-count" });
    const bar = make("div", { class: "filter" }, make("label", { for: id }, container.dataset.filter), field);
    const choices = (container.dataset.choices?.split(", ") ?? []).map((label) => {
      const name = label.replace("?", "");
      const values = rows.map(({ row }) => valueOf(row, name, label.endsWith("?")));
      const select = make("select", { "aria-label": name }, make("option", { value: "" }, `${name}: any`));
      select.append(...[...new Set(values)].map((value) => make("option", { value }, label.endsWith("?") ? `${name}: ${value}` : value)));
      bar.append(select);
      return { select, values };
    });
    bar.append(status);
    /* Return a button for the case that no row matches. */
    const button = (label, act) => {
      const element = make("button", { type: "button" }, label);
      element.addEventListener("click", act);
      return element;
    };
    const clear = () => {
      field.value = "";
      for (const { select } of choices) select.value = "";
      apply();
      field.focus();
    };
    const remedies = [button(say("Clear the filter"), clear), " ", button(say("Search the site"), () => gradnotes.loadSearch().then(() => gradnotes.search.open(field.value)))];
    container.prepend(bar);

    const apply = async () => {
      const typed = field.value;
      const matches = await matcherOf(typed);
      if (typed !== field.value) return; // the field has changed while messages.js was loading
      const chosen = choices.filter(({ select }) => select.value !== "");
      const isFiltering = typed.trim() !== "" || chosen.length > 0;
      let visibleCount = 0;
      for (const [index, { row, text }] of rows.entries()) {
        row.hidden = !(matches(text) && chosen.every(({ select, values }) => values[index] === select.value));
        visibleCount += !row.hidden;
      }
      const namedRows = rows.filter(({ names }) => names.includes(field.value.trim().toLowerCase())).map(({ row }) => row);
      for (const [list, listRows] of rowsByList) list.append(...moveToFront(listRows, (row) => namedRows.includes(row)));
      bar.after(...moveToFront(folds, (fold) => namedRows.some((row) => fold.contains(row))));
      for (const fold of folds) {
        const { length } = fold.querySelectorAll("tbody tr:not([hidden])");
        fold.hidden = !length;
        fold.open = isFiltering && length > 0;
        fold.querySelector("summary").textContent = isFiltering ? titles.get(fold).replace(/\d+$/, (total) => say("{count} of {total}", { count: length, total })) : titles.get(fold);
      }
      status.textContent = isFiltering ? say("{count} of {total}", { count: visibleCount, total: rows.length }) : "";
      if (isFiltering && !visibleCount) status.append(say(". Nothing in this list matches. "), ...remedies);
    };
    field.addEventListener("input", apply);
    for (const { select } of choices) select.addEventListener("change", apply);
  }
})();
