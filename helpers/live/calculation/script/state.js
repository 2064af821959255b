// The numbers and switches that can be changed, with the way back: undo, redo, reset.
// Gets a state as in arithmetic.js with the labels of the rows; knows nothing of the page.

const MOST = 8;  // tokens, and the width of each table
const SIDES = {  // what grows or shrinks with each size: rows or columns of the tables named
  tokens: { rows: ["x"], columns: [] },
  d_model: { rows: ["w_query", "w_key", "w_value"], columns: ["x"] },
  d_k: { rows: [], columns: ["w_query", "w_key"] },
  d_v: { rows: [], columns: ["w_value"] },
};

class Model {
  constructor(state) {
    this.first = state;
    this.done = [];
    this.undone = [];
    this.put(state);
  }

  put(state) {
    this.state = state;
    this.tables = calculate(state);
  }

  // Changes with the same `merge`, one after the other, are one step of undo, as while a number is dragged.
  change(mutate, merge = null) {
    const next = structuredClone(this.state);
    mutate(next);
    if (merge === null || merge !== this.merge) this.done.push(this.state);
    this.merge = merge;
    this.undone = [];
    this.put(next);
  }

  goBack(from, to) {
    if (!from.length) return;
    this.merge = null;
    to.push(this.state);
    this.put(from.pop());
  }

  undo() { this.goBack(this.done, this.undone); }
  redo() { this.goBack(this.undone, this.done); }
  reset() { this.change((state) => Object.assign(state, structuredClone(this.first))); }

  number({ key, row, column }) {
    return key === "mask" ? maskOf(this.state)[row][column] : this.tables[key][row][column];
  }

  isPinned({ key, row, column }) {
    return this.state.pins[key]?.[`${row},${column}`] !== undefined;
  }
}

// ---- changes of a state ----

function setNumber(state, { key, row, column }, number) {
  if (GIVEN.includes(key)) state[key][row][column] = number;
  else (state.pins[key] ||= {})[`${row},${column}`] = number;
}

function release(state, { key, row, column }) {
  if (state.pins[key]) delete state.pins[key][`${row},${column}`];
}

function turnMask(state, { row, column }) {
  state.mask = maskOf(state);
  state.mask[row][column] = !state.mask[row][column];
}

function sizeOf(state, side) {
  return { tokens: state.x.length, d_model: state.x[0].length, d_k: state.w_key[0].length, d_v: state.w_value[0].length }[side];
}

// New rows and columns hold zeros. What was set by hand goes, for it stood in tables of another size.
function resize(state, side, size) {
  for (const key of SIDES[side].rows) {
    while (state[key].length < size) state[key].push(state[key][0].map(() => 0));
    state[key].length = size;
  }
  for (const row of SIDES[side].columns.flatMap((key) => state[key])) {
    while (row.length < size) row.push(0);
    row.length = size;
  }
  if (side === "tokens") {
    for (let i = state.labels.length; i < size; i++) state.labels.push(`input ${i}`);
    state.labels.length = size;
    if (Array.isArray(state.mask)) state.mask = state.x.map((_, i) => state.x.map((__, j) => state.mask[i]?.[j] ?? true));
  }
  state.pins = {};
}

// Heads share d_k and d_v evenly, so both grow to the next width that can be shared.
function setHeads(state, heads) {
  state.heads = heads;
  for (const side of ["d_k", "d_v"]) resize(state, side, Math.ceil(sizeOf(state, side) / heads) * heads);
}

// ---- starting points ----

const STARTS = {
  random(state) {
    for (const key of GIVEN) state[key] = state[key].map((row) => row.map(() => Math.floor(Math.random() * 7) - 3));
    state.pins = {};
  },
  "all alike"(state) {
    state.x = state.x.map(() => [...state.x[0]]);
    state.pins = {};
  },
  "one very long key"(state) {
    const last = state.x.length - 1;
    state.pins = { keys: {} };
    product(state.x, state.w_key)[last].forEach((number, j) => { state.pins.keys[`${last},${j}`] = (number || 1) * 10; });
  },
  "one-hot"(state) {
    state.x = state.x.map((row, i) => row.map((_, j) => Number(j === i % row.length)));
    state.pins = {};
  },
};

// ---- a state in an address ----

function packed(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The state that an address holds; null where it holds none that can be shown.
function unpacked(text) {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return isState(state) ? state : null;
  } catch {
    return null;
  }
}

const isNumber = (number) => Math.abs(number) <= LARGEST && typeof number === "number";

function isTable(rows, nRows, nColumns, fits) {
  return Math.max(nRows, nColumns) <= MOST && rows.length === nRows
    && rows.every((row) => row.length === nColumns && row.every(fits));
}

function isState(state) {
  const [n, dModel, dK, dV] = Object.keys(SIDES).map((side) => sizeOf(state, side));
  const tables = calculate({ ...state, pins: {} });
  return isTable(state.x, n, dModel, isNumber) && isTable(state.w_value, dModel, dV, isNumber)
    && isTable(state.w_query, dModel, dK, isNumber) && isTable(state.w_key, dModel, dK, isNumber)
    && state.labels.length === n && ["keys", "queries"].includes(state.over)
    && state.heads >= 1 && dK % state.heads === 0 && dV % state.heads === 0
    && (state.mask === "causal" || state.mask === null || isTable(state.mask, n, n, (one) => typeof one === "boolean"))
    && Object.entries(state.pins).every(([key, pins]) => Object.entries(pins).every(([place, number]) => {
      const [row, column] = place.split(",");
      return isNumber(number) && tables[key][row][column] !== undefined;
    }));
}
