/* Guide readers along a note. The links on a note's page carry the id of their idea. A page opened by such a link shows a bar with that
   idea and a link to the next one; gradnotes/site/note_navigation.py writes their order. */
"use strict";
(() => {
  const { make, say } = gradnotes;
  const from = (address, note, idea) => {
    const url = new URL(address);
    url.search = new URLSearchParams({ note, idea });
    return url.href;
  };

  const [, ownNote] = /^notes\/(?!index\.html)([a-z-]+)\.html$/.exec(gradnotes.pageOf(location.href)) ?? [];
  for (const link of ownNote ? document.querySelectorAll(".ideas > li > .idea-links a") : []) link.href = from(link.href, ownNote, link.closest("li").id);

  /* Open the fold below the heading that the address names. */
  const unfold = () => {
    const below = document.querySelector(":target")?.nextElementSibling;
    if (below?.matches(".idea-fold")) below.open = true;
  };
  if (ownNote) {
    addEventListener("hashchange", unfold);
    unfold();
  }

  const parameters = new URLSearchParams(location.search);
  const note = parameters.get("note");
  if (ownNote || !/^[a-z-]+$/.test(note)) return;
  gradnotes.load(`notes/${note}.js`).then(() => {
    const { number, ideas } = gradnotes.notes[note];
    const at = ideas.findIndex(([id]) => id === parameters.get("idea"));
    if (at < 0) return;
    const [id, chinese, english, ideaAddress] = ideas[at];
    const next = ideas.slice(at + 1).find(([, , , target]) => target !== ideaAddress && !target.startsWith("notes/"));
    const mirror = new URL(`notes/${note}.html#${id}`, gradnotes.root);
    const heading = make("strong", {}, ...(chinese ? [make("span", { lang: "zh-Hans" }, chinese), " "] : []), english);
    document.querySelector(".md-header").after(make("nav", { class: "note-bar", "aria-label": say("Note {number}", { number }) }, make("div", { class: "md-grid" },
      make("span", {}, say("Note {number}: ", { number }), heading),
      next ? make("span", {}, say("Next in the note: "), make("a", { href: from(new URL(next[3], gradnotes.root), note, next[0]) }, next[4])) : make("span", {}, say("The note ends here.")),
      make("a", { href: mirror.href }, say("Back to the mirror")))));
    for (const fold of document.querySelectorAll("details.corrections")) fold.open = true; // the reader has just read the sentence that is corrected
    document.querySelector(":target")?.scrollIntoView(); // the bar has moved it
  }).catch(() => {}); // the address names an unknown note
})();
