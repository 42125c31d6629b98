/* Sanitize the HTML of a run. Our code writes it, but in a worker in which the reader's program can change everything, including the
   messages. Therefore the page builds each element again, and only elements and attributes that outputs, plots and step viewers need:
   no links, forms, styles or scripts, and no images except the pixels in a plot. */
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

  /* Return the nodes of `markup`. Ids that do not begin with `prefix` are dropped, since they could be those of other elements. */
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

  /* Return a text with `code` as nodes. The text may come from a program, so nothing in it is treated as HTML. */
  gradnotes.prose = (text) => text.split(/`([^`]+)`/).map((part, index) => index % 2 ? gradnotes.make("code", {}, part) : part);

  /* Return the JSON script of a step viewer without its addresses, which steps.js would turn into links. */
  function data(text) {
    const script = document.createElement("script");
    script.type = "application/json";
    script.textContent = JSON.stringify(JSON.parse(text, (key, value) => key === "href" ? undefined : value));
    return script;
  }
})();
