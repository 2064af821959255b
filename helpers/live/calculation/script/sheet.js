// The sheet: puts its parts into the page, and shows anew what follows from a change in the same frame.
// Gets a shadow root, the style, a state, a stage to begin with and the first one to offer, and a function to tell each state.

const KEYS = "Arrow keys go from number to number. Shift and an arrow change it, Enter opens it, Delete gives a result back its calculated number.";

const MAY = {
  true: "✓: this query may attend to this key.",
  false: "✕: this query may not attend to this key, so −∞ takes the place of its score.",
};

const MOST_SAID = 4;  // of the numbers that follow from a change, with what they were

class Sheet {
  constructor(root, css, { state, stage, since = "x", until, query = 0, controls = [] }, tell, address) {
    this.model = new Model(state);
    Object.assign(this, { stage, until, tell, address, hasAddress: Boolean(address), head: 0, query, hidden: [] });
    this.click = isForFinger() ? "tap" : "click";
    this.strip = new Strip((chosen) => this.open(chosen), since, until);
    this.where = make("p", { class: "where" });
    this.sum = make("p", { class: "sum" });
    this.note = make("p", { class: "note" });
    this.alert = make("p", { class: "note refused", role: "alert" });
    this.status = make("p", { class: "unseen", role: "status" });
    this.tables = make("div", { class: "tables" });
    this.controls = new Controls(this, controls);
    this.choices = make("div", { class: "bar choices" });
    this.panel = make("div", { class: "panel", role: "tabpanel", tabindex: "-1" }, this.choices, this.tables);
    this.card = make(
      "section", { class: "card", "aria-label": "The calculation of attention" },
      make(
        "p", { class: "hint" },
        `Drag a number sideways, or ${this.click} it twice and type another: what follows from it follows at once.`,
        make("span", { class: "help" }, ` ${KEYS}`),
      ),
      this.strip.box,
      this.controls.walk,  // above what grows and shrinks with the stage, so that a button stays where it was pressed
      make("div", {},  // the sum stays in view above the tables, and no longer
        make("div", { class: "words", role: "region", "aria-label": "The sum in words", tabindex: "0" }, this.where, this.sum, this.note, this.alert), this.panel),
      this.controls.switches, this.status,
    );
    this.editing = new Editing(this, this.tables);
    this.card.addEventListener("keydown", (event) => this.shortcut(event));
    root.append(make("style", {}, css), this.card);
    watchTheme(root, () => this.show());
  }

  shortcut(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.tagName === "INPUT") return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    this.travel(key === "y" || event.shiftKey ? "redo" : "undo");
  }

  // ---- what the learner does ----

  set(place, number, merge = null) {
    if (number === this.model.number(place)) return;
    const run = typeof merge === "object" && merge ? (merge.id ||= `drag ${performance.now()}`) : merge;
    this.change((state) => setNumber(state, place, number), run);
    this.sayChanges(place);
  }

  // What a change has done, and what was there before: of a drag, before its beginning.
  sayChanges(place) {
    const before = calculate(this.model.done.at(-1));
    const moved = [];
    for (const table of this.shown) {
      for (const cell of table.cells) {
        const at = table.placeOf(cell);
        const was = at.key === "mask" || this.isHidden(at.key) ? null : shown(before[at.key][at.row][at.column]);
        const isMoved = was !== null && was !== cell.text.textContent;
        table.markMoved(cell, isMoved);
        if (isMoved && !isSame(at, place)) moved.push({ at, change: `${was} → ${cell.text.textContent}` });
      }
    }
    const rest = moved.length - MOST_SAID;
    const others = rest > 0 ? ` and ${rest} more` : "";
    const named = moved.slice(0, MOST_SAID).map(({ at, change }, i) =>
      `${at.key === moved[i - 1]?.at.key ? `[${at.row}, ${at.column}]` : nameOfCell(at)}: ${change}`);
    const follows = named.length ? ` Changed with it: ${named.join(", ")}${others}.` : "";
    this.said = `Was ${shown(before[place.key][place.row][place.column])}.${follows}`;
    this.light();
  }

  release(place) {
    if (this.model.isPinned(place)) this.change((state) => release(state, place));
  }

  turn(place) {
    this.change((state) => turnMask(state, place));
  }

  change(mutate, merge = null) {
    this.model.change(mutate, merge);
    this.changed();
  }

  travel(way) {
    this.model[way]();
    this.changed();
  }

  changed() {
    this.alert.textContent = "";
    this.said = null;
    for (const table of this.shown) table.cells.forEach((cell) => table.markMoved(cell, false));
    this.tell(this.model.state);
    const nChanged = this.show();
    this.announce(() => `${this.where.textContent}: ${this.sum.textContent} ${this.said || `${nChanged} numbers in view changed.`}`);
  }

  // Why a number cannot be changed; null where it can.
  refusal({ key, row, column }) {
    const isMasked = stageOf(key) === "scaled" && !maskOf(this.model.state)[row][column];
    const why = isMasked ? "The mask forbids this pair: allow it in the mask first." : null;
    this.refuse(why || (this.isHidden(key) ? "This number waits for your guess." : ""));
    return this.alert.textContent;
  }

  help(text) {
    write(this.note, text);
  }

  refuse(why) {
    write(this.alert, why);
  }

  open(stage, at = null) {
    if (stage !== this.stage) this.hidden = [];
    this.stage = stage;
    this.pointed = this.said = null;
    this.at = at || this.firstResult();
    this.refuse("");
    this.show();
    if (!at) this.announce(() => SAID[stage]);
  }

  // What was chosen when a link was made, as far as this sheet has it.
  chooseLinked(chosen) {
    const { query, head, at } = chosen || {};
    if (Number.isInteger(query) && this.model.state.labels[query] !== undefined) this.query = query;
    if (Number.isInteger(head) && head >= 0 && head < this.model.state.heads) this.head = head;
    const isHere = Number.isInteger(at?.row) && Number.isInteger(at.column) && this.model.tables[at.key]?.[at.row]?.[at.column] !== undefined;
    this.at = isHere ? { key: at.key, row: at.row, column: at.column } : this.firstResult();
  }

  firstResult() {
    const results = resultsOf(this.stage, this.model.state);
    const inView = { weighted: `weighted/${this.head}/${this.query}`, x: "x" }[this.stage];
    const ofHead = results.find((key) => key.split("/")[1] === String(this.head));
    return { key: inView || (this.stage === "all" ? "queries" : ofHead || results[0]), row: ["weights", "outputs"].includes(this.stage) ? this.query : 0, column: 0 };
  }

  select(place) {
    if (!isSame(place, this.at)) this.said = null;
    this.at = isSame(place, this.at) ? this.at : place;
    this.pointed = null;
    this.alert.textContent = "";
    if (stageOf(place.key) === "outputs") this.query = place.row;
    this.show();
  }

  point(place) {
    if (isSame(place, this.pointed) || (!place && !this.pointed)) return;
    this.pointed = place;
    this.light();
  }

  // Tab comes back to the number that was left.
  enter(td) {
    const { cells } = this.shown.find((one) => one.cellOf(td));
    for (const cell of cells) cell.td.tabIndex = cell.td === td ? 0 : -1;
    this.select(this.placeAt(td));
  }

  go(td, down, right) {
    const table = this.shown.find((one) => one.cellOf(td));
    const { i, j } = table.cellOf(td);
    const [row, column] = [i + down, j + right].map((n, axis) => Math.max(0, Math.min(table.shape[axis] - 1, n)));
    table.cells.find((cell) => cell.i === row && cell.j === column).td.focus();
  }

  walk(step, by) {
    const results = resultsOf(this.stage === "x" ? "all" : this.stage, this.model.state);
    const isResult = this.at && resultsOf("all", this.model.state).includes(this.at.key);
    const isAsking = this.hidden.length > 0;  // then the parts of a sum, which would tell it, are no steps
    const width = isAsking && by === "product" ? "number" : by;
    const next = isResult ? stepFrom(this.model, this.at, width, step) : { key: results[0], row: 0, column: 0, term: 0, by: width };
    if (!next) {
      write(this.note, step > 0 ? "This is the end: these rows are what attention gives." : "This is the beginning.");
      return;
    }
    const [name, head, query] = next.key.split("/");
    if (head !== undefined) this.head = Number(head);
    if (query !== undefined) this.query = Number(query);
    if (name === "outputs") this.query = next.row;
    this.open(this.hasInView(next.key) ? this.stage : name, next);
    if (isAsking) this.hidden = this.hiddenWith(next.key);
    this.said = isAsking ? "" : sentenceOn(this.model, next);
    this.show();
    this.announce(() => `${this.where.textContent}. ${this.sum.textContent} ${this.said}`);
  }

  // Whether the walk comes to a table without leaving the stage.
  hasInView(key) {
    const isWithinOutputs = key === "outputs" && this.at?.key === key && this.isInView(key);
    return isWithinOutputs || (["all", "matrices"].includes(this.stage) && resultsOf(this.stage, this.model.state).includes(key));
  }

  // ---- predict first ----

  hide() {
    const results = resultsOf(this.stage, this.model.state);
    const isResult = this.at && results.includes(this.at.key);
    const key = isResult ? this.at.key : this.stage === "all" ? "outputs" : results.find((one) => this.isInView(one));
    this.hidden = this.hidden.length ? [] : this.hiddenWith(key);
    this.open(this.stage, this.hidden.length ? { ...(isResult ? this.at : { row: 0, column: 0 }), key, by: "number" } : this.at);
    this.sum.querySelector("input")?.focus();
  }

  // The tables that wait for a guess: one of the whole sheet, else all of a stage, and what stands below them.
  hiddenWith(key) {
    if (this.stage === "all") return [key];
    return [...resultsOf(this.stage, this.model.state), ...(this.until ? [this.until] : [])];
  }

  isInView(key) {
    return this.shown.some((table) => table.placeOf(table.cells[0]).key === key);
  }

  showMask() {
    if (!this.isInView("mask")) this.open("weights");
    this.said = `${this.click === "tap" ? "Tap" : "Click"} the cells of the mask: ✓ may attend, ✕ may not.`;
    this.light();
    this.announce(() => this.said);
  }

  isHidden = (key) => this.hidden.includes(key);

  ask() {
    const input = make("input", { "aria-label": "Your guess", autocomplete: "off", size: "6" });
    const form = make("form", {}, "What will stand here? ", input, " ", make("button", {}, "Compare"));
    input.addEventListener("keydown", (event) => {  // JupyterLab keeps Enter from submitting a form
      if (event.key !== "Enter") return;
      event.preventDefault();
      form.requestSubmit();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { number, refusal } = parsed(input.value);
      if (refusal) { this.refuse(refusal); return; }
      this.refuse("");
      this.hidden = [];
      this.said = verdictOn(number, this.model.number(this.at));
      this.show();
      this.announce(() => `${this.said} ${this.sum.textContent}`);
      this.shown.flatMap((table) => table.cellAt(this.at)?.td || [])[0]?.focus();
    });
    this.sum.replaceChildren(form);
  }

  // ---- what it shows ----

  // Tables are made anew only when another stage, head or size needs others; a change of numbers fills those there are.
  show() {
    const { state } = this.model;
    this.head = Math.min(this.head, state.heads - 1);
    this.query = Math.min(this.query, state.x.length - 1);
    this.dark = isDark();
    this.card.classList.toggle("dark", this.dark);
    const isLong = Math.max(state.x.length, ...GIVEN.map((key) => state[key][0].length)) > 4;
    this.isDense = this.stage === "all" || isLong;
    this.card.classList.toggle("dense", this.isDense);
    this.card.classList.toggle("whole", this.stage === "all");
    const form = JSON.stringify([
      this.stage, this.head, state.labels, state.heads, Boolean(state.mask), GIVEN.map((key) => state[key][0].length),
    ]);
    if (form !== this.form) {
      const hadFocus = this.tables.matches(":focus-within");
      this.form = form;
      this.build();
      const here = this.shown.find((table) => table.cellAt(this.at))?.cellAt(this.at);
      if (hadFocus) (here || this.shown[0].cells[0]).td.focus();  // or the next key would go to the page
    }
    const nChanged = this.shown.reduce((sum, table) => sum + table.fill(this.model, this.isHidden), 0);
    this.strip.fill(this.model, this);
    this.controls.fill();
    write(this.controls.predict, this.hidden.length ? "Show it" : "Predict first");
    this.light();
    this.fade();
    return nChanged;
  }

  build() {
    const { state } = this.model;
    this.shown = [];
    this.drawLines = [];
    const table = (view) => {
      if (view.lines !== undefined) return this.makeLines(view.lines);
      const made = new NumberTable(view, this.model, this);
      this.shown.push(made);
      return made.table;
    };
    const groups = groupsOf(this.stage, state, this).map(({ falk, row, down }) => {
      if (row) return make("div", { class: down ? "row down" : "row" }, ...row.map(table));
      const at = this.shown.length;
      const { left, pairs } = falk;
      const box = make("div", { class: "falk" }, table(left));
      box.append(make("div", { class: "pairs" }, ...pairs.map((pair) => make("div", { class: "pair" }, ...pair.map(table)))));
      const [first, , result] = this.shown.slice(at);
      box.classList.toggle("small", pairs.length === 1 && first.shape[1] + result.shape[1] <= 7);  // enough for a telephone
      return box;
    });
    this.tables.replaceChildren(...groups);
    this.panel.setAttribute("aria-label", STAGES[this.stage]);
    this.makeChoices();
  }

  makeChoices() {
    const { state } = this.model;
    const choice = (name, options, chosen) => {
      const made = makeSelect(name, options.map((text, i) => [i, text]), (value) => this.choose(name, Number(value)));
      made.select.value = chosen;
      return made;
    };
    const heads = Array.from({ length: state.heads }, (_, head) => head);
    this.queries = choice("query", state.labels, this.query);
    this.choices.replaceChildren(
      ...(state.heads > 1 && usesHead(this.stage) ? [choice("head", heads, this.head).label] : []),
      ...(usesQuery(this.stage) ? [this.queries.label] : []),
    );
  }

  choose(name, number) {
    this[name] = number;
    this.pointed = this.said = null;
    this.at = this.stage === "all" ? { key: "outputs", row: this.query, column: 0 } : this.firstResult();
    this.show();
  }

  // From the query that is looked at to each key: the larger the weight, the thicker and darker the line.
  makeLines(head) {
    const { labels } = this.model.state;
    const column = (title) => make("ol", {}, make("li", { class: "quiet" }, title), ...labels.map((label) => make("li", {}, label)));
    this.drawLines.push(() => {
      const name = `weights/${head}`;
      const weights = this.isHidden(name) ? [] : this.model.tables[name][this.query];
      lines.replaceChildren(...weights.map((weight, key) => makeSvg("line", {
        x1: 0, y1: this.query + 1.5, x2: 1, y2: key + 1.5, "vector-effect": "non-scaling-stroke",
        "stroke-width": 0.8 + 8 * (weight || 0), "stroke-opacity": weight > 0 ? Math.min(1, 0.2 + weight) : 0,
      })));
    });
    const n = labels.length + 1;  // the names above are a row, too; how high one is, the style says
    const lines = makeSvg("svg", { viewBox: `0 0 1 ${n}`, preserveAspectRatio: "none", style: `--rows: ${n}` });
    return make("div", { class: "lines", "aria-hidden": "true" }, column("query"), lines, column("key"));
  }

  light() {
    const { state, tables } = this.model;
    const place = this.pointed || this.at;
    if (place && ["weights", "scaled"].includes(stageOf(place.key)) && this.stage === "weights") this.query = place.row;
    this.queries.select.value = this.query;
    for (const draw of this.drawLines) draw();
    if (!place || place.key === "mask") {
      if (place) this.say(nameOf(state, place), MAY[maskOf(state)[place.row][place.column]], `A ${this.click} or the space bar changes that.`);
      else this.say(STAGES[this.stage], SAID[this.stage], "");
      for (const table of this.shown) table.light(new Set(), new Set(), new Set());
      return;
    }
    const origin = originOf(state, tables, place);
    const isRow = !this.pointed && this.at.by === "row";
    const whole = isRow ? tables[place.key][place.row].map((_, column) => ({ ...place, column })) : [place];
    const from = isRow ? whole.flatMap((one) => originOf(state, tables, one).from) : origin.from;
    const term = !this.pointed && this.at.by === "product" && origin.terms.length > 1 ? origin.terms[this.at.term].from : [];
    const lit = [whole, from, term].map((places) => new Set(places.map(idOf)));
    for (const table of this.shown) table.light(...lit);
    this.say(nameOf(state, place), origin.words, this.said && !this.pointed ? this.said : SAID[stageOf(place.key)] || "");
    if (this.isHidden(place.key)) {
      if (!this.pointed) this.ask();
      else write(this.sum, "Hidden until you have guessed.");
    }
  }

  say(where, sum, note) {
    write(this.where, where);
    writeSum(this.sum, sum);
    write(this.note, note);
  }

  // What has changed stays lit until a moment after the last change.
  fade() {
    clearTimeout(this.fading);
    this.card.classList.remove("fading");
    this.fading = setTimeout(() => {
      this.card.classList.add("fading");
      for (const lit of this.card.querySelectorAll(".changed")) lit.classList.remove("changed");
    }, 350);
  }

  // What a screen reader says waits for the last of quick changes.
  announce(text) {
    clearTimeout(this.announcing);
    this.announcing = setTimeout(() => { this.status.textContent = text(); }, 400);
  }

  placeAt(target) {
    const td = target.closest?.("td");
    const table = td && this.shown.find((one) => one.cellOf(td));
    return table ? table.placeOf(table.cellOf(td)) : null;
  }

  copyLink() {
    const { at, query, head } = this;
    const link = this.address.write({ ...this.model.state, shown: { at, query, head } }, this.stage);
    const said = (text) => () => { write(this.note, text); this.announce(() => text); };
    const inBar = said("The address of this page now holds these numbers.");
    if (!navigator.clipboard) inBar();
    else navigator.clipboard.writeText(link).then(said("Copied: the address of this page, with these numbers in it."), inBar);
  }
}

// A sum with its powers raised; the "^" stays for who copies it or hears it.
function writeSum(element, text) {
  if (element.textContent === text) return;
  element.replaceChildren(...text.split(/(e\^−?[\d.∞]+(?:e−?\d+)?)/).map((part) => {
    if (!part.startsWith("e^")) return part;
    return make("span", { class: "power" }, "e", make("span", { class: "unseen" }, "^"), make("sup", {}, part.slice(2)));
  }));
}
