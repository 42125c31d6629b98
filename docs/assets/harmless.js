/* What a run shows, as elements of the page. The markup is our own code's, but that code ran beside a program which can change
   anything in its worker, also what the worker sends. So the page believes none of it: it makes every element anew, and only those
   that an output or a step viewer consists of. No link, form, picture, style or script is among them. */
"use strict";
(() => {
  const ELEMENTS = new Set(("pre code span i p br small figure figcaption div details summary "
    + "table thead tbody tr th td svg title g rect text path").split(" "));
  const ATTRIBUTES = ("aria-label role tabindex hidden open scope viewBox width height x y rx d "
    + "data-node data-waits data-from data-to data-port data-word data-head").split(" ");
  const CLASS = /^(x|graph|steps|stacking|snippet-title|table-frame|(x|g|steps)-[a-z]+)$/;

  /* The nodes in `markup`; every id there has to begin with `prefix`, so that it can be no other element's. */
  gradnotes.harmless = (markup, prefix) => {
    const rebuild = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return [node.data];
      if (node.localName === "script" && node.type === "application/json") return [data(node.textContent)];
      if (!ELEMENTS.has(node.localName)) return [];
      const twin = document.createElementNS(node.namespaceURI, node.localName);
      for (const name of ATTRIBUTES) {
        if (node.hasAttribute(name)) twin.setAttribute(name, node.getAttribute(name));
      }
      for (const name of ["id", "aria-labelledby"]) {
        if (node.getAttribute(name)?.startsWith(prefix)) twin.setAttribute(name, node.getAttribute(name));
      }
      const classes = [...node.classList].filter((name) => CLASS.test(name));
      if (classes.length) twin.setAttribute("class", classes.join(" "));
      twin.append(...[...node.childNodes].flatMap(rebuild));
      return [twin];
    };
    return [...new DOMParser().parseFromString(markup, "text/html").body.childNodes].flatMap(rebuild);
  };

  /* Text with `code` in it, as nodes. It may be the word of a program: nothing in it is markup. */
  gradnotes.prose = (text) => text.split(/`([^`]+)`/).map((part, index) => index % 2 ? gradnotes.make("code", {}, part) : part);

  /* The steps that steps.js shows, as text; it would make a link of an address. */
  function data(text) {
    const script = document.createElement("script");
    script.type = "application/json";
    script.textContent = JSON.stringify(JSON.parse(text, (key, value) => key === "href" ? undefined : value));
    return script;
  }
})();
