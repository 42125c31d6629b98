/* A field above what has [data-filter]: only the rows with all of its words are shown. With [data-choices], also a choice among the values of
   the first column. Without script, folds and the page's own search do. */
"use strict";
(() => {
  const { make } = gradnotes;

  for (const [number, container] of [...document.querySelectorAll("[data-filter]")].entries()) {
    const rows = [...container.querySelectorAll("tbody tr")].map((row) => ({ row, text: row.textContent.toLowerCase(), first: row.cells[0].textContent }));
    const folds = [...container.querySelectorAll("details")];
    const id = `filter-${number}`;
    const field = make("input", { type: "search", id, autocomplete: "off", spellcheck: "false" });
    const status = make("p", { role: "status", class: "filter-count" });
    const bar = make("div", { class: "filter" }, make("label", { for: id }, container.dataset.filter), field);
    const choice = make("select", { "aria-label": "Which of them" }, make("option", { value: "" }, "all of them"));
    if (container.hasAttribute("data-choices")) {
      choice.append(...[...new Set(rows.map(({ first }) => first))].map((value) => make("option", { value }, value)));
      bar.append(choice);
    }
    bar.append(status);
    container.prepend(bar);

    const apply = () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const isFiltering = words.length > 0 || choice.value !== "";
      let visibleCount = 0;
      for (const { row, text, first } of rows) {
        row.hidden = !(words.every((word) => text.includes(word)) && (choice.value === "" || first === choice.value));
        visibleCount += !row.hidden;
      }
      for (const fold of folds) {
        const hasRows = fold.querySelector("tbody tr:not([hidden])") !== null;
        fold.hidden = !hasRows;
        fold.open = isFiltering && hasRows;
      }
      status.textContent = isFiltering ? `${visibleCount} of ${rows.length}` : "";
    };
    field.addEventListener("input", apply);
    choice.addEventListener("change", apply);
  }
})();
