// The stages of the calculation, and which tables stand where while one of them is open.
// Gets a state and {head, query}, what is looked at; returns descriptions for tables.js.

const STAGES = {
  all: "whole sheet",
  x: "x",
  matrices: "matrices",
  queries: "queries",
  keys: "keys",
  values: "values",
  scores: "scores",
  scaled: "scaled",
  weights: "weights",
  weighted: "weighted values",
  outputs: "outputs",
};
const SAID = {
  all: "From x to the outputs. Each number follows from those before it.",
  x: "Each token is a row of numbers. Change one, and see which outputs follow.",
  matrices: "Three matrices make of each row of x a query, a key and a value.",
  queries: "A query is a row of x times w_query: what a token looks for.",
  keys: "A key is a row of x times w_key: what a token can be found by.",
  values: "A value is a row of x times w_value: what a token hands over.",
  scores: "Each query meets each key. The larger the score, the better they fit.",
  scaled: "With scaling, each score is divided by the root of a key's width. −∞ stands where a mask forbids.",
  weights: "Softmax makes positive shares of the scores: e to the power of each, divided by their sum.",
  weighted: "Each value is multiplied with its weight.",
  outputs: "The weighted values are added up: a new row for each token.",
};

// {falk: {left, pairs}}, each pair a table and its product below it: a row from the left meets a column from the top.
// {row}: side by side, or below each other. `until`: what stands below the weights, too, "outputs" or nothing.
function groupsOf(stage, state, { head, until }) {
  const { labels } = state;
  const as = (what) => namedAs(what, labels);
  const wide = (key) => state[MATRIX_OF[key]][0].length / state.heads;
  const x = { key: "x", kind: "x", rows: labels };
  const whole = (key, more) => ({ key, kind: key, rows: as(ROW_OF[key]), short: true, heads: state.heads, ...more });
  const ofHead = (key, more) => ({ key, kind: key, rows: as(ROW_OF[key]), from: head * wide(key), width: wide(key), ...more });
  const pairs = { rows: as("query"), columns: as("key"), ofPairs: true };
  const square = (name, more, of = head) => ({ key: `${name}/${of}`, kind: name, ...pairs, ...more });
  const mask = { key: "mask", kind: "mask", ...pairs };
  const weighted = { key: ({ query }) => `weighted/${head}/${query}`, kind: "weighted", rows: labels };
  const outputs = { key: "outputs", kind: "outputs", rows: labels, heads: state.heads };
  const projection = (...keys) => ({ falk: { left: x, pairs: keys.map((key) => [{ key: MATRIX_OF[key], kind: key }, whole(key)]) } });
  const masks = state.mask ? [mask] : [];
  return {
    all: () => [
      projection("queries", "keys", "values"),
      { row: [square("scores"), ...masks, square("scaled"), square("weights", { shares: true })] },
      { row: [weighted, outputs] },
    ],
    x: () => [{ row: [x, outputs] }],
    matrices: () => [projection("queries", "keys", "values")],
    queries: () => [projection("queries")],
    keys: () => [projection("keys")],
    values: () => [projection("values")],
    scores: () => [{ falk: {
      left: ofHead("queries"), pairs: [[ofHead("keys", { turned: true, rows: null, columns: as("key") }), square("scores")]],
    } }],
    scaled: () => [{ row: [square("scores"), ...masks, square("scaled")] }],
    // All heads, below each other: whether two say the same is seen at once.
    weights: () => [...Array.from({ length: state.heads }, (_, of) => ({ row: [
      ...(of ? [] : masks), square("scaled", {}, of), square("weights", { shares: true }, of), { lines: of },
    ] })), ...(until ? [{ row: [whole("values", { short: false }), outputs] }] : [])],
    weighted: () => [{ row: [
      { key: `weights/${head}`, kind: "weights", rows: as("key"), turned: true, oneRow: true, shares: true },
      ofHead("values"), weighted,
    ] }],
    outputs: () => [{ row: [weighted, outputs], down: true }],
  }[stage]();
}

const ROW_OF = { queries: "query", keys: "key", values: "value" };

// "query 0" for "input 0", so that a name says what a row or a column is; words keep theirs, for they say which.
function namedAs(what, labels) {
  return labels.map((label) => label.replace(/^input (?=\d+$)/, `${what} `));
}

// Whose colour a table has: that of what it holds, and grey where that is an input, a score or a weight.
function roleOf(name) {
  return {
    w_query: "query", queries: "query", w_key: "key", keys: "key", w_value: "value", values: "value",
    weighted: "output", outputs: "output",
  }[name] || "plain";
}

// Tables that a stage calculates, in the order of the walk.
function resultsOf(stage, state) {
  const heads = Array.from({ length: state.heads }, (_, head) => head);
  const weighted = heads.flatMap((head) => state.labels.map((_, query) => `weighted/${head}/${query}`));
  if (stage === "all") return Object.keys(STAGES).slice(3).flatMap((one) => resultsOf(one, state));
  if (stage === "matrices") return ["queries", "keys", "values"];
  if (stage === "x") return ["outputs"];
  if (stage === "weighted") return weighted;
  return ["scores", "scaled", "weights"].includes(stage) ? heads.map((head) => `${stage}/${head}`) : [stage];
}

function usesHead(stage) {
  return ["all", "scores", "scaled", "weighted", "outputs"].includes(stage);
}

function usesQuery(stage) {
  return ["all", "weights", "weighted", "outputs"].includes(stage);
}
