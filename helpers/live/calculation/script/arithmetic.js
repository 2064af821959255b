// The calculation itself: from x and three matrices to the outputs, with every table in between.
// Gets a state: x, w_query, w_key, w_value as rows of numbers, mask (null, "causal" or rows of booleans), scale, heads,
// over ("keys" or "queries") and pins. A pin is a number that was set by hand where one is calculated.

const GIVEN = ["x", "w_query", "w_key", "w_value"];

// Tables by name; "scores/1" is that of head 1, "weighted/1/0" what head 1 weighs for query 0.
function calculate(state) {
  const tables = {};
  const put = (key, rows) => {
    for (const [place, number] of Object.entries(state.pins[key] || {})) {
      const [row, column] = place.split(",");
      rows[row][column] = number;
    }
    tables[key] = rows;
    return rows;
  };
  for (const key of GIVEN) tables[key] = state[key];
  for (const key of ["queries", "keys", "values"]) put(key, product(state.x, state[MATRIX_OF[key]]));
  const mask = maskOf(state);
  const outputs = state.x.map(() => []);
  for (let head = 0; head < state.heads; head++) {
    const [queries, keys, values] = ["queries", "keys", "values"].map((key) => partOf(tables[key], head, state.heads));
    const scores = put(`scores/${head}`, product(queries, transposed(keys)));
    const root = rootOf(state);
    const scaled = put(`scaled/${head}`, scores.map((row) => row.map((score) => score / root)));
    scaled.forEach((row, i) => row.forEach((_, j) => { if (!mask[i][j]) row[j] = -Infinity; }));
    const weights = put(`weights/${head}`, softmax(scaled, state.over));
    weights.forEach((row, query) => {
      const key = `weighted/${head}/${query}`;
      const weighted = put(key, row.map((weight, k) => values[k].map((value) => weight * value)));
      outputs[query].push(...transposed(weighted).map((column) => column.reduce((sum, part) => sum + part, 0)));
    });
  }
  put("outputs", outputs);
  return tables;
}

const MATRIX_OF = { queries: "w_query", keys: "w_key", values: "w_value" };

function product(left, right) {
  return left.map((row) => right[0].map((_, j) => row.reduce((sum, number, t) => sum + number * right[t][j], 0)));
}

function transposed(rows) {
  return rows[0].map((_, j) => rows.map((row) => row[j]));
}

// The columns of a table that belong to a head.
function partOf(rows, head, heads) {
  const width = rows[0].length / heads;
  return rows.map((row) => row.slice(head * width, (head + 1) * width));
}

// What scores are divided by.
function rootOf(state) {
  return state.scale ? Math.sqrt(state.w_key[0].length / state.heads) : 1;
}

// True where a query may attend to a key.
function maskOf({ mask, x }) {
  return x.map((_, i) => x.map((__, j) => (Array.isArray(mask) ? mask[i][j] : mask !== "causal" || j <= i)));
}

function softmax(rows, over) {
  return over === "keys" ? rows.map(sharesOf) : transposed(transposed(rows).map(sharesOf));
}

// The largest is subtracted first, which changes no share and keeps the powers finite. With no key allowed: nan.
function sharesOf(numbers) {
  const largest = Math.max(...numbers);
  const powers = numbers.map((number) => Math.exp(number - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
