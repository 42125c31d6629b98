/* Guide readers along a note. Each link on the page about a note contains the id of an idea. The page that it opens shows a bar with this idea
   and a link to the next idea of the note. gradnotes/site/note_navigation.py writes the order of the ideas. */
"use strict";
(() => {
  const { make, say } = gradnotes;
  /* Return an address with the parameters that make the page show the bar. */
  const withIdea = (address, note, idea) => {
    const url = new URL(address);
    url.search = new URLSearchParams({ note, idea });
    return url.href;
  };

  const [, noteOfPage] = /^notes\/(?!index\.html)([a-z-]+)\.html$/.exec(gradnotes.pageOf(location.href)) ?? [];
  for (const link of noteOfPage ? document.querySelectorAll(".ideas > li > .idea-links a") : []) link.href = withIdea(link.href, noteOfPage, link.closest("li").id);

  /* Open the fold below the heading that the address names. */
  const unfold = () => {
    const fold = document.querySelector(":target")?.nextElementSibling;
    if (fold?.matches(".idea-fold")) fold.open = true;
  };
  if (noteOfPage) {
    addEventListener("hashchange", unfold);
    unfold();
  }

  const parameters = new URLSearchParams(location.search);
  const note = parameters.get("note");
  if (noteOfPage || !/^[a-z-]+$/.test(note)) return;
  gradnotes.load(`notes/${note}.js`).then(() => {
    const { number, ideas } = gradnotes.notes[note];
    const position = ideas.findIndex(([id]) => id === parameters.get("idea"));
    if (position < 0) return;
    const [id, chinese, english, ideaAddress] = ideas[position];
    const [nextId, , , nextAddress, nextTitle] = ideas.slice(position + 1).find(([, , , target]) => target !== ideaAddress && !target.startsWith("notes/")) ?? [];
    const mirror = new URL(`notes/${note}.html#${id}`, gradnotes.root);
    const heading = make("strong", {}, ...(chinese ? [make("span", { lang: "zh-Hans" }, chinese), " "] : []), english);
    document.querySelector(".md-header").after(make("nav", { class: "note-bar", "aria-label": say("Note {number}", { number }) }, make("div", { class: "md-grid" },
      make("span", {}, say("Note {number}: ", { number }), heading),
      nextId ? make("span", {}, say("Next in the note: "), make("a", { href: withIdea(new URL(nextAddress, gradnotes.root), note, nextId) }, nextTitle)) : make("span", {}, say("The note ends here.")),
      make("a", { href: mirror.href }, say("Back to the note's contents")))));
    for (const fold of document.querySelectorAll("details.corrections")) fold.open = true; // the reader has just read the sentence that is corrected in them
    document.querySelector(":target")?.scrollIntoView(); // the bar has moved the target
  }).catch(() => {}); // the address names an unknown note
})();
