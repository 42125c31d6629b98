/* What a run shows, as elements of the page. The markup is our own code's, but that code ran beside a program which can change
   anything in its worker, also what the worker sends. So the page believes none of it: it makes every element anew, and only those
   that an output, a plot or a step viewer consists of. No link, form, style or script is among them, and no picture but the pixels in a plot. */
"use strict";
(() => {
  const ELEMENTS = new Set(("pre code span i p br small figure figcaption div details summary "
    + "table thead tbody tr th td svg title desc g rect circle text path image").split(" "));
  const ATTRIBUTES = ("aria-label role tabindex hidden open scope viewBox width height x y rx cx cy r d font-size text-anchor preserveAspectRatio "
    + "data-node data-waits data-from data-to data-port data-word data-head").split(" ");
  const CLASS = /^(x|graph|steps|stacking|snippet-title|table-frame|drawn|f-c-[a-z\d]+|(x|g|f|steps)-[a-z]+)$/;
  const VALUES = { // attributes that could load or cover something: on these elements only, with these values
    href: ["image", /^data:image\/png;base64,[A-Za-z\d+/=]+$/],
    fill: ["circle", /^#[\da-f]{6}$/],
    style: ["svg", /^width:[\d.]+em$/],
  };

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
      for (const [name, [element, pattern]] of Object.entries(VALUES)) {
        const value = node.getAttribute(name);
        if (node.localName === element && pattern.test(value)) twin.setAttribute(name, value);
      }
      if (twin.localName === "image" && !twin.hasAttribute("href")) return [];
      for (const name of ["id", "aria-labelledby"]) {
        if (node.getAttribute(name)?.split(" ").every((id) => id.startsWith(prefix))) twin.setAttribute(name, node.getAttribute(name));
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
