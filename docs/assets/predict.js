/* Predictions: the output of a program stays hidden until the reader has answered. The page contains the answer. */
"use strict";
(() => {
  const { make, practice, say } = gradnotes;

  /* Compare answers with printed output, by the rules in gradnotes/fences/answer_matching.py. */
  const TOKEN = /(?<![\w.])([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:\s*\/\s*(\d+\.?\d*))?(?!\w)|[[\]]|[^\s,()[\]]+/g;
  const ATTRIBUTES = /,\s*(?:grad_fn|requires_grad|dtype|device|size)=(?:<[^>]*>|\([^)]*\)|[^,)\s]+)/g;
  const NAMES = new Set(["tensor", "torch.size"]);
  const ERRORS = new Set(["error", "exception", "raises", "报错", "会报错", "出错", "错误", "异常", "抛出异常"]);
  const SMALL_WORDS = new Set(["a", "an", "it", "the"]);

  /* Split a text into words, brackets and numbers; a fraction is a single number. The tolerance is half a unit of a number's last digit. */
  function tokens(text) {
    const list = [];
    for (const [token, number, denominator] of text.matchAll(TOKEN)) {
      if (number === undefined) {
        const word = token.replace(/^['"`]+|['"`]+$/g, "");
        if (word && !NAMES.has(word)) list.push({ word, value: 0, tolerance: 0 });
        continue;
      }
      const [digits, exponent] = number.split("e");
      const decimals = (digits.split(".")[1] ?? "").length;
      const tolerance = decimals || exponent ? 10 ** (Number(exponent ?? 0) - decimals) / 2 : 0;
      list.push({ word: "", value: Number(number) / (denominator === undefined ? 1 : Number(denominator)), tolerance });
    }
    return list;
  }
  /* Return whether `answer` equals `right`, the printed output, up to the digits that are printed. Attributes may be omitted, and a
     single pair of brackets too. */
  gradnotes.sameAnswer = (answer, right) => {
    const answerText = answer.toLowerCase().replaceAll("−", "-");
    const printed = answerText.includes("=") ? right.toLowerCase() : right.toLowerCase().replace(ATTRIBUTES, "");
    const answerTokens = tokens(answerText);
    let printedTokens = tokens(printed);
    const isBracket = ({ word }) => word === "[" || word === "]";
    if (printedTokens.filter(({ word }) => word === "[").length === 1 && !answerTokens.some(isBracket)) printedTokens = printedTokens.filter((token) => !isBracket(token));
    return answerTokens.length === printedTokens.length && answerTokens.every(({ word, value }, i) => word === printedTokens[i].word && Math.abs(value - printedTokens[i].value) <= printedTokens[i].tolerance * 1.000001);
  };
  /* Return whether `answer` says only that the program raises an error, in any words or as the class `kind`. */
  gradnotes.saysError = (answer, kind) => {
    const words = (answer.toLowerCase().match(/[\w.\u3400-\u9fff]+/g) ?? []).filter((word) => !SMALL_WORDS.has(word));
    return words.length > 0 && words.every((word) => ERRORS.has(word) || word === kind.toLowerCase());
  };

  /* Return a list of nodes for each line of a highlighted program. Text nodes are split at line breaks. */
  const splitLines = (code) => {
    const lines = [[]];
    for (const node of [...code.childNodes]) {
      if (node.nodeType !== Node.TEXT_NODE) {
        lines.at(-1).push(node);
        continue;
      }
      const parts = node.textContent.split(/(\n)/).filter(Boolean).map((part) => document.createTextNode(part));
      node.replaceWith(...parts);
      for (const part of parts) part.textContent === "\n" ? lines.push([]) : lines.at(-1).push(part);
    }
    return lines.filter((line) => line.length);
  };

  class Prediction {
    constructor(figure) {
      this.figure = figure;
      this.id = figure.dataset.practice;
      this.form = figure.querySelector(".ask");
      this.fields = this.form.querySelector("fieldset");
      this.feedback = figure.querySelector(".ask-said");
      this.answer = figure.querySelector(".ask-answer");
      this.data = JSON.parse(figure.querySelector("script").textContent);
      this.covers = [...figure.querySelectorAll("[data-covered]")];
      this.wrongAnswers = [];
      if (this.data.way === "line") this.putChoicesOnLines();
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.judge();
      });
      this.form.querySelector("[data-show]").addEventListener("click", () => this.end("shown"));
      this.buttons = this.form.querySelector(".ask-buttons");
      this.restartButton = make("button", { type: "button" }, say("Answer again"));
      this.restartButton.addEventListener("click", () => this.restart());
      practice.onChange(() => { if (this.isOpen() && !practice.state(this.id)) this.restart(); });
      const entry = practice.state(this.id);
      if (entry && entry.state !== "tried") this.open(this.resultWords(entry));
    }

    /* Move each choice that equals a line of the program onto that line. */
    putChoicesOnLines() {
      const program = this.program = this.figure.querySelector("pre");
      const labels = [...this.fields.querySelectorAll("label")];
      this.figure.dataset.onLines = "";
      const code = program.querySelector("code");
      for (const line of splitLines(code)) {
        const text = line.map((node) => node.textContent).join("").trim();
        const label = text && labels.find((label) => label.textContent.trim() === text && !program.contains(label));
        if (!label) continue;
        line[0].before(label);
        label.querySelector("span").replaceWith(make("span", {}, ...line));
      }
      this.moveProgram(true);
    }

    /* Put the program inside the form while the reader chooses one of its lines, else before the form, where the Run button works. */
    moveProgram(isOpenQuestion) {
      if (!this.program) return;
      this.figure.querySelector("figcaption").after(...(isOpenQuestion ? [this.form] : [this.program, this.form]));
      if (isOpenQuestion) this.fields.querySelector("legend").after(this.program);
      this.program.hidden = false;
      for (const input of this.program.querySelectorAll("input")) input.disabled = !isOpenQuestion;
    }

    /* Return whether the output is visible. */
    isOpen() {
      return "open" in this.figure.dataset;
    }

    resultWords({ state, answer }) {
      if (state === "shown") return [say("You have looked at the answer.")];
      return [make("b", {}, say("✓ Right")), state === "right" ? say(", at once.") : say(", in the end."), ...(state === "later" && answer ? [say(" Your first answer: "), make("code", {}, answer)] : [])];
    }

    /* Check the reader's answer: end the question if it is right, else show the hint for this wrong answer. */
    judge() {
      const { way, right, error, choice, said } = this.data;
      const radio = this.form.querySelector("input:checked");
      const text = way === "typed" ? this.form.querySelector("input").value.trim() : radio?.nextElementSibling.textContent ?? "";
      if (!text) {
        this.showFeedback("open", [say("Choose or type an answer first.")]);
        return this.form.querySelector("input").focus();
      }
      const isRight = way !== "typed" ? Number(radio.value) === choice : error ? gradnotes.saysError(text, right) : gradnotes.sameAnswer(text, right);
      if (isRight) return this.end(this.wrongAnswers.length ? "later" : "right");
      this.wrongAnswers.push(text);
      practice.record(this.id, "tried", this.wrongAnswers[0]);
      if (radio) radio.closest("label").dataset.tried = "";
      const known = Object.keys(said).find((wrong) => way === "typed" ? gradnotes.sameAnswer(text, wrong) || this.bothErrors(text, wrong) : wrong.replaceAll("`", "") === text);
      const hint = known && said[known] ? [...new DOMParser().parseFromString(said[known], "text/html").body.childNodes] : [say("Look again at the program.")];
      this.showFeedback("wrong", [make("b", {}, say("✗ Not correct.")), " ", ...hint]);
    }

    /* Return whether the reader's answer and the known wrong answer `wrong` both say that the program raises an error. */
    bothErrors(text, wrong) {
      return /error|报错/i.test(wrong) && gradnotes.saysError(text, "");
    }

    showFeedback(state, nodes) {
      this.feedback.dataset.state = state;
      this.feedback.replaceChildren(make("p", {}, ...nodes));
    }

    /* Store the result and show the output. */
    end(state) {
      practice.record(this.id, state, this.wrongAnswers[0] ?? "");
      this.open(this.resultWords({ state, answer: this.wrongAnswers[0] ?? "" }));
      this.restartButton.focus({ preventScroll: true });
    }

    /* Show the output, the right choice and the explanation, after `words`. */
    open(words) {
      this.figure.dataset.open = "";
      this.markRight();
      this.moveProgram(false);
      for (const cover of this.covers) {
        const outputCode = this.answer.querySelector(`[data-uncovers="${cover.dataset.covered}"] code + pre code`);
        cover.uncovered = [...outputCode.childNodes].map((node) => node.cloneNode(true));
        cover.replaceWith(...cover.uncovered);
      }
      const explanation = this.answer.querySelector(".predict-why");
      this.showFeedback("right", words);
      if (explanation) this.feedback.append(explanation.cloneNode(true));
      this.fields.disabled = true;
      this.buttons.hidden = true;
      this.feedback.append(make("p", { class: "ask-buttons" }, this.restartButton));
    }

    markRight() {
      if (this.data.choice !== null) this.form.querySelector(`input[value="${this.data.choice}"]`).closest("label").dataset.right = "";
    }

    /* Hide the output and ask again. */
    restart() {
      delete this.figure.dataset.open;
      practice.forget(this.id);
      this.moveProgram(true);
      for (const cover of this.covers) {
        const [first, ...rest] = cover.uncovered ?? [];
        rest.forEach((node) => node.remove());
        first?.replaceWith(cover);
      }
      this.wrongAnswers = [];
      this.fields.disabled = false;
      this.buttons.hidden = false;
      this.form.reset();
      for (const label of this.form.querySelectorAll("label")) for (const name of ["tried", "right"]) delete label.dataset[name];
      this.feedback.replaceChildren();
      this.form.querySelector("input").focus({ preventScroll: true });
    }
  }

  for (const figure of document.querySelectorAll("figure.predict")) new Prediction(figure);
})();
