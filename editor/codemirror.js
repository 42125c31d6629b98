/* What docs/assets/codemirror.js holds of CodeMirror: `make editor` bundles it. */
export { EditorState, StateEffect, StateField, Compartment } from "@codemirror/state";
export { EditorView, Decoration, WidgetType, keymap, lineNumbers, drawSelection, highlightSpecialChars } from "@codemirror/view";
export { history, historyKeymap, defaultKeymap, indentWithTab } from "@codemirror/commands";
export { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting, LanguageSupport } from "@codemirror/language";
export { pythonLanguage } from "@codemirror/lang-python";
export { classHighlighter } from "@lezer/highlight";
