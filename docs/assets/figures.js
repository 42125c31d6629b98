/* Add a slider to a figure, which selects one of its frames or marks. The page contains all frames and their sentences. */
"use strict";
(() => {
  /* A figure with a slider. */
  class SliderFigure {
    constructor(figure) {
      this.figure = figure;
      this.frames = [...figure.querySelectorAll(".figure-several > .figure-frame")];
      this.sentences = [...figure.querySelectorAll(".figure-says > li")];
      this.marks = [...figure.querySelectorAll("[data-mark]")];
      this.count = this.sentences.length || this.frames.length;
      this.build();
      this.show(Number(figure.dataset.first ?? 0));
      if (figure.closest("[data-plays]") && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.play();
    }

    /* When the figure becomes visible, show its frames one after another within five seconds. A click or a key in the figure stops this. */
    play() {
      const start = new IntersectionObserver(([entry]) => {
        if (!entry.isIntersecting) return;
        start.disconnect();
        let index = 0;
        this.show(index);
        const timer = setInterval(() => {
          this.show(++index);
          if (index === this.count - 1) clearInterval(timer);
        }, Math.min(800, 4800 / this.count)); // ms
        for (const event of ["pointerdown", "keydown"]) this.figure.addEventListener(event, () => clearInterval(timer), { once: true });
      }, { threshold: .5 });
      start.observe(this.figure);
    }

    build() {
      const bar = document.createElement("label");
      this.slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: this.count - 1, step: 1 });
      this.position = document.createElement("output");
      bar.append(this.figure.dataset.moves, this.slider, this.position);
      this.figure.querySelector(".figure-bar").append(bar);
      this.slider.addEventListener("input", () => this.show(Number(this.slider.value)));
      if (this.figure.dataset.kind !== "strides") return;
      for (const cell of this.marks) cell.addEventListener("pointerenter", () => this.show(Number(cell.dataset.mark)));
    }

    /* Show a frame with its sentence, and highlight its marks. */
    show(index) {
      this.slider.value = index;
      const sentence = this.sentences[index] ?? this.frames[index].querySelector("p");
      this.slider.setAttribute("aria-valuetext", sentence.textContent);
      this.position.textContent = this.sentences.length ? gradnotes.say("{step} of {last}", { step: index, last: this.count - 1 }) : this.frames[index].dataset.label;
      for (const list of [this.frames, this.sentences]) list.forEach((element, number) => element.toggleAttribute("data-now", number === index));
      for (const mark of this.marks) mark.classList.toggle("f-lit", Number(mark.dataset.mark) === index);
    }
  }

  /* A text below a picture with row, column and value of the pixel that the pointer or the arrow keys select. */
  class Readout {
    constructor(figure) {
      this.output = Object.assign(document.createElement("output"), { className: "figure-readout" });
      figure.querySelector(".figure-frames").after(this.output);
      for (const grid of figure.querySelectorAll("[data-values]")) this.listen(grid);
    }

    listen(grid) {
      const svg = grid.closest("svg"), columns = Number(grid.dataset.columns);
      const values = grid.dataset.values.split(" "), rows = values.length / columns;
      let row = 0, column = 0;
      const show = (newRow, newColumn) => {
        row = Math.min(Math.max(newRow, 0), rows - 1);
        column = Math.min(Math.max(newColumn, 0), columns - 1);
        const value = values[row * columns + column].replace("-", "\u2212");
        this.output.textContent = gradnotes.say("{title}: row {row}, column {column}: {value}", { title: svg.querySelector("title").textContent, row, column, value });
      };
      svg.tabIndex = 0;
      svg.addEventListener("focus", () => show(row, column));
      svg.addEventListener("keydown", (event) => {
        const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
        if (!step) return;
        event.preventDefault();
        show(row + step[0], column + step[1]);
      });
      grid.addEventListener("pointermove", (event) => {
        const box = grid.getBoundingClientRect();
        show(Math.floor(((event.clientY - box.top) / box.height) * rows), Math.floor(((event.clientX - box.left) / box.width) * columns));
      });
    }
  }

  for (const figure of document.querySelectorAll("figure.drawn[data-kind=image]:not([data-readout])")) {
    figure.dataset.readout = "";
    new Readout(figure);
  }
  for (const figure of document.querySelectorAll("figure.drawn[data-moves]:not([data-live])")) {
    figure.dataset.live = "";
    new SliderFigure(figure);
  }
})();
