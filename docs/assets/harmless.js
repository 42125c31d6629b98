/* Sanitize the HTML that a run of a program yields. The worker that writes it runs the reader's program too, which can change the HTML.
   Therefore the page copies only elements and attributes that outputs, plots and step viewers need: no links, forms, styles or scripts, and no
   images except the pixels of a plot. */
"use strict";
(() => {
  const ELEMENTS = new Set(("pre code span i p br small figure figcaption div details summary "
    + "table thead tbody tr th td svg title desc g rect circle text path image").split(" "));
  const ATTRIBUTES = ("aria-label role tabindex hidden open scope viewBox width height x y rx cx cy r d font-size text-anchor preserveAspectRatio "
    + "data-node data-waits data-from data-to data-port data-word data-head").split(" ");
  const CLASS = /^(x|graph|steps|stacking|snippet-title|table-frame|drawn|f-c-[a-z\d]+|(x|g|f|steps)-[a-z]+)$/;
  const VALUES = { // attributes that could load a file or cover the page: the only element that may have them, and the pattern of allowed values
    href: ["image", /^data:image\/png;base64,[A-Za-z\d+/=]+$/],
    fill: ["circle", /^#[\da-f]{6}$/],
    style: ["svg", /^width:[\d.]+em$/],
  };

  /* Return harmless copies of the nodes of `markup`. Ids that do not begin with `prefix` are dropped, because they could equal ids of the page. */
  gradnotes.sanitize = (markup, prefix) => {
    const copy = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return [node.data];
      if (node.localName === "script" && node.type === "application/json") return [withoutAddresses(node.textContent)];
      if (!ELEMENTS.has(node.localName)) return [];
      const element = document.createElementNS(node.namespaceURI, node.localName);
      for (const name of ATTRIBUTES) {
        if (node.hasAttribute(name)) element.setAttribute(name, node.getAttribute(name));
      }
      for (const [name, [tag, pattern]] of Object.entries(VALUES)) {
        const value = node.getAttribute(name);
        if (node.localName === tag && pattern.test(value)) element.setAttribute(name, value);
      }
      if (element.localName === "image" && !element.hasAttribute("href")) return [];
      for (const name of ["id", "aria-labelledby"]) {
        if (node.getAttribute(name)?.split(" ").every((id) => id.startsWith(prefix))) element.setAttribute(name, node.getAttribute(name));
      }
      const classes = [...node.classList].filter((name) => CLASS.test(name));
      if (classes.length) element.setAttribute("class", classes.join(" "));
      element.append(...[...node.childNodes].flatMap(copy));
      return [element];
    };
    return [...new DOMParser().parseFromString(markup, "text/html").body.childNodes].flatMap(copy);
  };

  // Between two texts, `split` returns the three groups: code, strong words and emphasized words. Two of them are undefined.
  const INLINE = /`([^`]+)`|(?<![A-Za-z0-9_*])\*\*(?=[\p{L}\p{N}_])([^*`]+)(?<=[\p{L}\p{N}_])\*\*(?![A-Za-z0-9_*])|(?<![A-Za-z0-9_*])\*(?=[\p{L}\p{N}_])([^*`]+)(?<=[\p{L}\p{N}_])\*(?![A-Za-z0-9_*])/u;
  const TAGS = [null, "code", "strong", "em"];

  /* Return the nodes of a text, with elements for `code`, **strong** and *emphasized* words. The text may come from a program: it is not parsed as HTML. */
  gradnotes.prose = (text) => text.split(INLINE)
    .map((part, index) => part && index % 4 ? gradnotes.make(TAGS[index % 4], {}, part) : part)
    .filter((part) => part !== undefined);

  /* Return the JSON script of a step viewer without addresses, which steps.js would turn into links. */
  function withoutAddresses(text) {
    const script = document.createElement("script");
    script.type = "application/json";
    script.textContent = JSON.stringify(JSON.parse(text, (key, value) => key === "href" ? undefined : value));
    return script;
  }
})();
