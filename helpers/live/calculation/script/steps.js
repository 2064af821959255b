// The walk through the calculation: by a product, a number, a row or a stage, each step with a sentence.
// Gets a Model and a position, {key, row, column, term, by}; returns the next position, or text.

const WALKS = ["product", "number", "row", "stage"];

// The position after this one, or before it with a `step` of −1; undefined at the end.
function stepFrom(model, at, by, step) {
  const all = positions(model);
  const now = all.findIndex((one) => isSame(one, at) && one.term === (by === "product" ? at.term || 0 : 0));
  const begins = {
    product: () => true,
    number: ({ term }) => !term,
    row: ({ term, column }) => !term && !column,
    stage: ({ key }, i) => !i || stageOf(key) !== stageOf(all[i - 1].key),
  }[by];
  const isNext = (one, i) => (i - now) * step > 0 && begins(one, i);
  const next = step > 0 ? all.find(isNext) : all.findLast(isNext);
  return next && { ...next, by };
}

// Each product of the whole calculation, in order.
function positions({ state, tables }) {
  const parts = { queries: state.x[0], keys: state.x[0], values: state.x[0], scores: partOf(tables.keys, 0, state.heads)[0], outputs: state.x };
  return resultsOf("all", state).flatMap((key) => tables[key].flatMap((numbers, row) => numbers.flatMap((_, column) =>
    (parts[stageOf(key)] || [0]).map((__, term) => ({ key, row, column, term })))));
}

// The stage in which a table is shown as the result.
function stageOf(key) {
  return key.split("/")[0];
}

function sentenceOn({ state, tables }, at) {
  const { terms } = originOf(state, tables, at);
  if (at.by === "row") return `Row ${at.row}, ${labelOf(state, at.row)}: ${tables[at.key][at.row].map(spelled).join(", ")}.`;
  if (at.by !== "product" || terms.length < 2) return SAID[stageOf(at.key)];
  const soFar = terms.slice(0, at.term + 1).reduce((sum, { number }) => sum + number, 0);
  const { text, number } = terms[at.term];
  const part = text.includes("·") ? `${text} ${equals(number)} ${spelled(number)}` : text;
  return `Part ${at.term + 1} of ${terms.length}: ${part}. Added up so far: ${spelled(soFar)}.`;
}

// How far a guess was off.
function verdictOn(guess, number) {
  const off = guess - number;
  const said = `You said ${spelled(guess)}`;
  if (Math.abs(off) < 0.006) return `${said}, and so it is: ${spelled(number)}.`;
  const by = Number.isFinite(off) ? `, so you were ${spelled(Math.abs(off))} too ${off > 0 ? "high" : "low"}` : "";
  return `${said}; it is ${spelled(number)}${by}.`;
}
