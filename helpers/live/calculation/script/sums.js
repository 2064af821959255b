// Where a number comes from: the cells it was made of, and the sum in words.
// Gets a state, its tables and a place, which is {key, row, column}; returns text and places.

// {from: places, terms: one text and its places for each product, result: text, words: the whole sum}
function originOf(state, tables, place) {
  const [name, head, query] = place.key.split("/");
  const origin = ORIGINS[name]
    ? ORIGINS[name](state, tables, place, Number(head), Number(query))
    : { terms: [], words: `${spelled(tables[place.key][place.row][place.column])}, given. It goes into ${goalOf(place)}.` };
  origin.from ||= origin.terms.flatMap((term) => term.from);
  const pin = state.pins[place.key]?.[`${place.row},${place.column}`];
  if (pin !== undefined) origin.words = `Set to ${spelled(pin)} by hand. Calculated: ${origin.words}`;
  return origin;
}

function goalOf({ key, row, column }) {
  if (key === "x") return `row ${row} of queries, keys and values`;
  return `column ${column} of ${Object.keys(MATRIX_OF).find((one) => MATRIX_OF[one] === key)}`;
}

function placeIn(key, row, column) {
  return { key, row, column };
}

// a·b + c·d = e. The terms are pairs of places; the result is calculated here, in case another was set by hand.
function sumOfProducts(tables, pairs) {
  const numbers = pairs.map((pair) => pair.map((at) => tables[at.key][at.row][at.column]));
  const result = numbers.reduce((sum, [a, b]) => sum + a * b, 0);
  const terms = pairs.map((from, t) => ({ from, text: numbers[t].map(factor).join("·"), number: numbers[t][0] * numbers[t][1] }));
  const words = `${terms.map(({ text }) => text).join(" + ")} ${equals(...numbers.filter(([a, b]) => a * b).flat(), result)} ${spelled(result)}`;
  return { terms, words };
}

function projected(state, tables, { key, row, column }) {
  return sumOfProducts(tables, state.x[0].map((_, t) => [placeIn("x", row, t), placeIn(MATRIX_OF[key], t, column)]));
}

const ORIGINS = {
  queries: projected,
  keys: projected,
  values: projected,
  scores(state, tables, { row, column }, head) {
    const width = tables.keys[0].length / state.heads;
    const pairs = Array.from({ length: width }, (_, t) => [
      placeIn("queries", row, head * width + t), placeIn("keys", column, head * width + t),
    ]);
    return sumOfProducts(tables, pairs);
  },
  scaled(state, tables, { row, column }, head) {
    const score = tables[`scores/${head}`][row][column];
    const from = [placeIn(`scores/${head}`, row, column), placeIn("mask", row, column)];
    if (!maskOf(state)[row][column]) return { from, terms: [], words: "masked: −∞ in place of a score, so that its weight becomes 0." };
    const divided = score / rootOf(state);
    const sum = `${spelled(score)} / √${tables.keys[0].length / state.heads} ${equals(score, divided)} ${spelled(divided)}`;
    return { from, terms: [], words: state.scale ? sum : `${spelled(score)}, as scaling is switched off.` };
  },
  weights(state, tables, { row, column }, head) {
    const key = `scaled/${head}`;
    const along = state.over === "keys"
      ? tables[key][row].map((_, j) => placeIn(key, row, j))
      : tables[key].map((_, i) => placeIn(key, i, column));
    const numbers = along.map((at) => tables[key][at.row][at.column]);
    return { from: along, terms: [], words: softmaxInWords(numbers, state.over === "keys" ? column : row) };
  },
  weighted(state, tables, { row, column }, head, query) {
    const width = tables.values[0].length / state.heads;
    return sumOfProducts(tables, [[placeIn(`weights/${head}`, query, row), placeIn("values", row, head * width + column)]]);
  },
  outputs(state, tables, { row, column }) {
    const width = tables.values[0].length / state.heads;
    const key = `weighted/${Math.floor(column / width)}/${row}`;
    const parts = tables[key].map((numbers) => numbers[column % width]);
    const result = parts.reduce((sum, part) => sum + part, 0);
    const terms = parts.map((part, k) => ({ from: [placeIn(key, k, column % width)], text: factor(part), number: part }));
    return { terms, words: `${terms.map(({ text }) => text).join(" + ")} ${equals(...parts, result)} ${spelled(result)}` };
  },
};

// Powers too large or too small to be read are written with the largest number subtracted, which changes no share.
function softmaxInWords(numbers, at) {
  const open = numbers.filter((number) => number > -Infinity);
  if (!open.length) return "no key is allowed, so softmax divides 0 by 0: not a number (nan).";
  const largest = Math.max(...open);
  const subtract = Math.max(...open.map(Math.abs)) > 12 ? largest : 0;
  const powers = numbers.map((number) => Math.exp(number - subtract));
  const written = numbers.map((number) => (number === -Infinity ? "0" : `e^${spelled(number - subtract)}`));
  const sum = powers.reduce((total, power) => total + power, 0);
  const share = powers[at] / sum;
  const note = subtract ? ` (each less the largest, ${spelled(subtract)})` : "";
  return `${written[at]} / (${written.join(" + ")}) ${equals(powers[at], sum)} ${spelled(powers[at])} / ${spelled(sum)} ${equals(powers[at], sum, share)} ${spelled(share)}${note}`;
}

// What a place is called: "scores[1, 2], query of a with key of b".
function nameOf(state, { key, row, column }) {
  const [name, head, query] = key.split("/");
  const label = (index) => labelOf(state, index);
  const whose = {
    x: () => label(row),
    queries: () => `query of ${label(row)}`,
    keys: () => `key of ${label(row)}`,
    values: () => `value of ${label(row)}`,
    scores: () => `query of ${label(row)} with key of ${label(column)}`,
    weights: () => `what ${label(row)} takes of ${label(column)}`,
    weighted: () => `from ${label(row)} to ${label(query)}`,
    outputs: () => label(row),
  };
  whose.scaled = whose.mask = whose.scores;
  const more = [whose[name]?.(), state.heads > 1 && head !== undefined && `head ${head}`].filter(Boolean);
  return [nameOfCell({ key, row, column }), ...more].join(", ");
}

function nameOfCell({ key, row, column }) {
  const name = stageOf(key);
  return `${TITLES[name] || name}[${row}, ${column}]`;
}

// A word stands in quotes, and isolated, so that one that is read from right to left stays in its place.
function labelOf({ labels }, index) {
  return /^input \d$/.test(labels[index]) ? labels[index] : `“\u2068${labels[index]}\u2069”`;
}

const TITLES = { weighted: "weighted values", scaled: "scaled scores" };
