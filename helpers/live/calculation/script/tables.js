// A table of numbers in the page, with a heading for each row and column.
// Gets a description from stages.js; shows the tables of a Model and finds the place of a cell.

function heading(scope, labels, i, first) {
  return make("th", { scope, title: labels ? labels[i] : "" }, make("bdi", {}, labels ? labels[i] : String(i + first)));
}

class NumberTable {
  constructor(view, model, where) {
    this.view = view;
    this.where = where;
    const rows = this.rowsOf(model);
    this.width = view.width ?? rows[0].length;
    this.shape = view.turned ? [view.oneRow ? rows[0].length : this.width, view.oneRow ? 1 : rows.length] : [rows.length, this.width];
    this.name = TITLES[view.kind] || view.key;
    if (view.kind in MATRIX_OF || ["scores", "weights"].includes(view.kind)) {
      this.name = view.key.split("/")[0] + (view.turned ? ", turned" : "");
    }
    const [, head] = String(view.key).split("/");
    if (head && model.state.heads > 1) this.name += `, head ${head}`;
    this.caption = make("span");
    this.makeTable();
  }

  rowsOf({ tables, state }) {
    const { key } = this.view;
    if (key === "mask") return maskOf(state);
    return tables[typeof key === "function" ? key(this.where) : key];
  }

  makeTable() {
    const { view } = this;
    const [nRows, nColumns] = this.shape;
    const from = view.from || 0;
    const columnLabels = view.oneRow ? [""] : view.columns;
    const top = Array.from({ length: nColumns }, (_, j) => heading("col", columnLabels, j, view.turned ? 0 : from));
    if (view.oneRow) this.oneHeading = top[0];
    this.cells = [];
    const body = Array.from({ length: nRows }, (_, i) => {
      const cells = Array.from({ length: nColumns }, (__, j) => this.makeCell(i, j));
      return make("tr", {}, heading("row", view.short ? null : view.rows, i, view.turned && !view.rows ? from : 0), ...cells);
    });
    this.table = make(
      "table", { role: "grid", "data-table": stageOf(typeof view.key === "function" ? view.kind : view.key), class: `${view.kind} of-${roleOf(view.kind)}${view.rows && !view.short ? " named" : ""}${GIVEN.includes(view.key) ? " given" : ""}` },
      make("caption", {}, this.caption, make("small", {}, ` ${nRows} × ${nColumns}`)),
      make("thead", {}, make("tr", {}, this.corner(), ...top)), make("tbody", {}, ...body),
    );
    this.cells[0].td.tabIndex = 0;
  }

  // Where words name rows and columns of one table alike, it says which are the queries.
  corner() {
    const { ofPairs, short, rows } = this.view;
    const needed = ofPairs && !short && rows.some((name) => !name.startsWith("query "));
    return needed ? make("td", { class: "corner" }, "key →", make("br"), "query ↓") : make("td");
  }

  makeCell(i, j) {
    const text = make("span");
    const td = make("td", { tabindex: "-1" }, text);
    const { heads, kind } = this.view;
    const width = this.shape[1] / (heads || 1);
    if (heads > 1 && j && j % width === 0) td.classList.add("next-head");
    if (kind === "mask") td.classList.add("switch");
    this.cells.push({ td, text, i, j });
    return td;
  }

  // Where the number of a cell stands in the calculation.
  placeOf({ i, j }) {
    const { view } = this;
    const key = typeof view.key === "function" ? view.key(this.where) : view.key;
    if (view.oneRow) return { key, row: this.where.query, column: i };
    const [row, column] = view.turned ? [j, i] : [i, j];
    return { key, row, column: column + (view.from || 0) };
  }

  // `isHidden` says of a table whether it waits for a guess. Returns how many numbers are others than before.
  fill(model, isHidden) {
    let nChanged = 0;
    const { kind, oneRow, shares } = this.view;
    const query = model.state.labels[this.where.query];
    write(this.caption, kind === "weighted" || oneRow ? `${kind} for ${query}` : this.name);
    if (oneRow) write(this.oneHeading, query);
    for (const cell of this.cells) {
      const place = this.placeOf(cell);
      const number = model.number(place);
      const text = kind === "mask" ? (number ? "✓" : "✕") : isHidden(place.key) ? "?" : shown(number);
      const had = cell.text.textContent;
      if (had !== text) {
        cell.text.textContent = text;
        if (had) { cell.td.classList.add("changed"); nChanged++; }
        if (kind === "mask") cell.td.setAttribute("aria-label", number ? "allowed" : "masked");
      }
      const isPinned = model.isPinned(place);
      if (isPinned !== cell.isPinned) {
        cell.isPinned = isPinned;
        cell.td.classList.toggle("pinned", isPinned);
        cell.td.title = isPinned ? "Set by hand. Delete gives the calculated number back." : "";
      }
      if (shares) cell.td.style.setProperty("--share", text === "?" || !(number > 0) ? "0%" : `${Math.min(1, number) * 45}%`);
    }
    return nChanged;
  }

  // What has followed from the last change keeps a mark until the next one.
  markMoved(cell, isMoved) {
    cell.td.classList.toggle("moved", isMoved);
  }

  cellOf(td) {
    return this.cells.find((cell) => cell.td === td);
  }

  cellAt(place) {
    return this.cells.find((cell) => isSame(this.placeOf(cell), place));
  }

  // Lights the number in question, those it was made of, and the product that is being looked at.
  light(here, from, term) {
    for (const cell of this.cells) {
      const id = idOf(this.placeOf(cell));
      const { classList } = cell.td;
      classList.toggle("here", here.has(id));
      classList.toggle("from", from.has(id));
      classList.toggle("term", term.has(id));
    }
  }
}

function idOf({ key, row, column }) {
  return `${key}|${row}|${column}`;
}

function isSame(one, other) {
  return Boolean(one && other) && idOf(one) === idOf(other);
}
