// What stands around the tables: the walk and the way back, the switches, the sizes, the starting points.
// Gets a Sheet, which it calls, and the names of the controls that stand open from the start; shows its Model.

class Controls {
  constructor(sheet, open) {
    this.sheet = sheet;
    this.makeWalk();
    this.makeSwitches(open);
  }

  makeWalk() {
    const { sheet } = this;
    this.by = makeSelect("step", WALKS.map((walk) => [walk, `by ${walk}`]), () => {});
    this.undo = makeButton("Undo", () => sheet.travel("undo"));
    this.redo = makeButton("Redo", () => sheet.travel("redo"));
    this.predict = makeButton("Predict first", () => sheet.hide());
    this.link = makeButton("Copy link", () => sheet.copyLink());
    this.walk = make(
      "div", { class: "bar" },
      makeButton("← Back", () => sheet.walk(-1, this.by.select.value)),
      makeButton("Next →", () => sheet.walk(1, this.by.select.value)), this.by.label, this.predict,
      make("span", { class: "gap" }), this.undo, this.redo, makeButton("Reset", () => sheet.travel("reset")),
      ...(sheet.hasAddress ? [this.link] : []),
    );
  }

  makeSwitches(open) {
    const { sheet } = this;
    const change = (mutate) => sheet.change(mutate);
    this.scale = make("input", { type: "checkbox" });
    this.scale.addEventListener("change", () => change((state) => { state.scale = this.scale.checked; }));
    this.mask = makeSelect("mask", [["none", "none"], ["causal", "causal"], ["cells", "single cells"]], (kind) => {
      change((state) => { state.mask = { none: null, causal: "causal" }[kind] ?? (kind === "cells" ? maskOf(state) : null); });
      if (kind === "cells") sheet.showMask();
    });
    this.over = makeSelect("softmax over", [["keys", "keys"], ["queries", "queries (wrong)"]], (over) =>
      change((state) => { state.over = over; }));
    const heads = [...new Set([1, 2, 4, sheet.model.state.heads])].sort((a, b) => a - b);
    this.heads = makeSelect("heads", heads.map((n) => [n, n]), (n) => change((state) => setHeads(state, Number(n))));
    this.sizes = Object.keys(SIDES).map((side) => this.makeSize(side));
    const starts = Object.entries(STARTS).map(([name, start]) => [name, makeButton(name, () => change(start))]);
    const groups = {
      Switches: [
        ["scale", make("label", {}, this.scale, " scale")], ["mask", this.mask.label],
        ["softmax over", this.over.label], ["heads", this.heads.label],
      ],
      Sizes: this.sizes.map(({ side, box }) => [side, box]),
      "Starting points": starts,
    };
    // What has not been taught yet waits behind "More".
    const bars = (isIn) => Object.entries(groups).map(([name, controls]) => {
      const chosen = controls.filter(([control]) => isIn(control)).map(([, element]) => element);
      const word = name === "Starting points" && chosen.length ? [make("span", {}, "try")] : [];
      return make("div", { class: "bar", role: "group", "aria-label": name }, ...word, ...chosen);
    });
    const folded = bars((name) => !open.includes(name));
    this.more = make("details", {}, make("summary", {}, "More"), ...folded);
    this.more.hidden = folded.every((bar) => !bar.childElementCount);
    this.switches = make("div", { class: "switches" }, ...bars((name) => open.includes(name)), this.more);
  }

  makeSize(side) {
    const count = make("span", { class: "count" });
    const by = (sign) => () => this.sheet.change((state) => resize(state, side, sizeOf(state, side) + sign * this.stepOf(side)));
    const less = makeButton("−", by(-1), `one fewer: ${side}`);
    const more = makeButton("+", by(1), `one more: ${side}`);
    return { side, count, less, more, box: make("span", { class: "size" }, side, less, count, more) };
  }

  // Heads share the columns of keys and values evenly.
  stepOf(side) {
    return side === "d_k" || side === "d_v" ? this.sheet.model.state.heads : 1;
  }

  fill() {
    const { model } = this.sheet;
    const { state } = model;
    this.scale.checked = state.scale;
    this.mask.select.value = state.mask === null ? "none" : state.mask === "causal" ? "causal" : "cells";
    this.over.select.value = state.over;
    this.heads.select.value = state.heads;
    disable(this.undo, !model.done.length);
    disable(this.redo, !model.undone.length);
    for (const { side, count, less, more } of this.sizes) {
      const size = sizeOf(state, side);
      const step = this.stepOf(side);
      write(count, String(size));
      disable(less, size <= step);
      disable(more, size + step > MOST);
    }
  }
}

// A button that is disabled keeps the focus, which would otherwise fall out of the sheet.
function disable(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
}

function makeButton(text, press, label = null) {
  const button = make("button", { type: "button", ...(label ? { "aria-label": label } : {}) }, text);
  button.addEventListener("click", () => { if (button.getAttribute("aria-disabled") !== "true") press(); });
  return button;
}

function makeSelect(name, options, choose) {
  const select = make("select", { "aria-label": name }, ...options.map(([value, text]) => make("option", { value }, String(text))));
  select.addEventListener("change", () => choose(select.value));
  return { select, label: make("label", {}, `${name} `, select) };
}
