/* The editor of a program: CodeMirror, with the output of each statement under its last line. run.js loads this script. */
"use strict";
(() => {
  const cm = globalThis.codemirror;

  /* Blocks of output under lines: `put` replaces the block under a line, `clear` removes all blocks. Edits move a block with its line. */
  const put = cm.StateEffect.define();
  const clear = cm.StateEffect.define();
  class OutputWidget extends cm.WidgetType {
    constructor(nodes, key) { super(); this.nodes = nodes; this.key = key; }
    eq(other) { return other.key === this.key; }
    toDOM() {
      const box = document.createElement("div");
      box.className = "run-output";
      box.append(...this.nodes);
      return box;
    }
    ignoreEvent() { return true; }
  }
  const outputs = cm.StateField.define({
    create: () => cm.Decoration.none,
    update(previous, transaction) {
      let decorations = previous.map(transaction.changes);
      for (const effect of transaction.effects) {
        if (effect.is(clear)) decorations = cm.Decoration.none;
        if (!effect.is(put)) continue;
        const { line, nodes, key } = effect.value;
        if (line < 1 || line > transaction.state.doc.lines) continue;
        const position = transaction.state.doc.line(line).to;
        const widget = cm.Decoration.widget({ widget: new OutputWidget(nodes, key), side: 1, block: true });
        decorations = decorations.update({ filter: (from) => from !== position, add: nodes.length ? [widget.range(position)] : [] });
      }
      return decorations;
    },
    provide: (field) => cm.EditorView.decorations.from(field),
  });

  /* Return a state field that marks one line with the CSS class `name`, until the program is changed or run again. */
  const lineMark = (effectOf, name) => cm.StateField.define({
    create: () => cm.Decoration.none,
    update(decorations, transaction) {
      if (transaction.docChanged) decorations = cm.Decoration.none;
      for (const effect of transaction.effects) {
        if (!effect.is(effectOf)) continue;
        const line = effect.value;
        decorations = !line || line > transaction.state.doc.lines ? cm.Decoration.none
          : cm.Decoration.set(cm.Decoration.line({ class: name }).range(transaction.state.doc.line(line).from));
      }
      return decorations;
    },
    provide: (field) => cm.EditorView.decorations.from(field),
  });
  const [mark, step] = [cm.StateEffect.define(), cm.StateEffect.define()];
  const marks = [lineMark(mark, "run-error-line"), lineMark(step, "run-step-line")];

  let outputCount = 0;
  let editorCount = 0;

  /* Return a command that does nothing, so that Tab moves on, until the reader has used the editor since it got the focus. */
  const onceUsed = (editor, command) => (view) => editor.isUsed && command(view);

  /* An editor of a program, in the element `parent`. It calls `changed` after each edit and `run` at Ctrl Enter. `keys` is the sentence about
     its keys, which stands below it. A Tab indents after a click or another key in the editor; then Escape, then Tab leaves it. */
  class Editor {
    constructor({ parent, text, label, keys, changed, run }) {
      const hint = gradnotes.make("p", { class: "run-keys", id: `run-keys-${++editorCount}` }, keys);
      parent.after(hint);
      this.isUsed = false;
      const { run: indent, shift: dedent } = cm.indentWithTab;
      const bindings = [{ key: "Mod-Enter", run: () => { run(); return true; } }, ...cm.defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
        ...cm.historyKeymap, { key: "Tab", run: onceUsed(this, indent), shift: onceUsed(this, dedent) }];
      this.view = new cm.EditorView({
        parent,
        doc: text,
        extensions: [
          cm.lineNumbers(), cm.history(), cm.drawSelection(), cm.highlightSpecialChars(), cm.bracketMatching(), cm.indentOnInput(),
          cm.indentUnit.of("    "), new cm.LanguageSupport(cm.pythonLanguage), cm.syntaxHighlighting(cm.classHighlighter), cm.keymap.of(bindings),
          cm.EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": hint.id, tabindex: "0", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
          cm.EditorView.updateListener.of((update) => {
            if (update.docChanged) changed();
            if (update.focusChanged && !update.view.hasFocus) this.isUsed = false;
            if (update.geometryChanged) this.measure();
          }),
          cm.EditorView.domEventObservers({
            pointerdown: () => { this.isUsed = true; },
            keydown: ({ key }) => { if (!["Tab", "Shift", "Escape"].includes(key)) this.isUsed = true; },
          }),
          cm.EditorView.clipboardInputFilter.of((text) => gradnotes.programs.withoutPrompts(text)), outputs, marks,
        ],
      });
    }

    /* Set --gutter, the width of the line numbers, so that run.css can wrap outputs at the visible width. */
    measure() {
      const { dom } = this.view ?? {};
      dom?.style.setProperty("--gutter", `${dom.querySelector(".cm-gutters").offsetWidth}px`);
    }

    get text() { return this.view.state.doc.toString(); }

    set text(text) {
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, effects: [clear.of(null), mark.of(0), step.of(0)] });
    }

    /* Focus the editor after a click of the reader elsewhere. */
    focus() {
      this.view.focus();
      this.isUsed = true;
    }

    select(anchor, head) {
      this.view.dispatch({ selection: { anchor, head } });
      this.focus();
    }

    /* Show `nodes`, the output of a statement, under `line`; an empty list removes the output. */
    put(line, nodes) { this.view.dispatch({ effects: put.of({ line, nodes, key: ++outputCount }) }); }

    /* Remove all outputs and marks. */
    clear() { this.view.dispatch({ effects: [clear.of(null), mark.of(0), step.of(0)] }); }

    /* Mark the line that raised an error; 0 removes the mark. */
    mark(line) { this.view.dispatch({ effects: mark.of(line) }); }

    /* Focus the editor, with the cursor in `line`, and scroll the line to the middle of the window. */
    show(line) {
      const { from } = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines));
      this.view.dispatch({ selection: { anchor: from }, effects: cm.EditorView.scrollIntoView(from, { y: "center" }) }); // at the top, the page's header would hide it
      this.focus();
    }

    /* Scroll inside the editor, not the page, so that the output under `line` is visible. */
    reveal(line) {
      const { scrollDOM, state } = this.view;
      const block = this.view.lineBlockAt(state.doc.line(Math.min(line, state.doc.lines)).to);
      if (block.bottom > scrollDOM.scrollTop + scrollDOM.clientHeight - 60) scrollDOM.scrollTop = block.bottom - scrollDOM.clientHeight / 2;
    }

    /* Mark the line that created the node whose step the step viewer shows; 0 removes the mark. */
    step(line) { this.view.dispatch({ effects: step.of(line) }); }

    end() { this.view.destroy(); }
  }

  gradnotes.Editor = Editor;
})();
