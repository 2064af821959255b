// What the explorer says in words: the sentence about the lit word, percentages, and what had no room.
// Gets a State, changes nothing and returns text.

const NAMED_IN_SENTENCE = 5;
const LEAST_SEEN = 0.005;  // what is less is "<1 %": it is counted, and has neither line nor number beside its word

function percent(weight) {
  if (weight > 0 && weight < LEAST_SEEN) return "<1 %";
  return `${Math.round(weight * 100)} %`;
}

// The weight between the lit word and a word of the other side.
function shareOf(state, index) {
  const pair = state.pairWith(index);
  return state.data.allows(...pair) ? percent(state.weight(...pair)) : "masked";
}

// The same beside a word in the column, where many tiny ones would only be noise.
function shareBeside(state, index) {
  const share = shareOf(state, index);
  return share === "<1 %" && index !== state.lit.key ? "" : share;
}

// The sentence about the lit word, and before it the pair where a cell is pointed at.
function sentenceOn(state) {
  const { data, lit } = state;
  const { key } = lit;
  const open = allowedBySize(state);
  const nSeen = open.filter(([, weight]) => weight >= LEAST_SEEN).length;
  const first = open.slice(0, Math.max(1, Math.min(NAMED_IN_SENTENCE, nSeen)));
  const names = first.map(([index, weight]) => `${data.nameOf(OTHER[lit.side], index)} ${percent(weight)}`);
  const verb = lit.side === "query" ? "attends to" : "is looked at by";
  let text = `${data.nameOf(lit.side, lit.index)} ${verb} ${names.join(", ") || "nothing"}`;
  text += `${theRest(lit.side, open.slice(first.length))}.`;
  const nMasked = data.counts[OTHER[lit.side]] - open.length;
  if (nMasked) text += ` ${nMasked} masked.`;
  if (key === undefined) return text;
  return `${data.nameOf("query", lit.index)} to ${data.nameOf("key", key)}: ${shareOf(state, key)}. ${text}`;
}

// What a percentage means, said of the pair that is pointed at, or of the strongest pair of the lit word.
function meaningOf(state) {
  const { data, lit } = state;
  const [strongest] = allowedBySize(state);
  if (lit.key === undefined && !strongest) return "";
  const [query, from] = lit.key === undefined ? state.pairWith(strongest[0]) : [lit.index, lit.key];
  if (!data.allows(query, from)) {
    return `masked: ${data.nameOf("query", query)} gives no attention to ${data.nameOf("key", from)}.`;
  }
  return meaningIn(percent(state.weight(query, from)), data.nameOf("key", from), data.nameOf("query", query));
}

function meaningIn(share, key, query) {
  return `${share} of the attention of ${query} goes to ${key}.`;
}

// Texts as long as any that can come: they keep the room, so that what stands below does not move.

function longestSentence(data) {
  const names = { query: namesByLength(data, "query"), key: namesByLength(data, "key") };
  const far = data.nKey > data.nQuery ? "key" : "query";
  const listed = [...names[far], ...names[far]].slice(0, NAMED_IN_SENTENCE).map((name) => `${name} 100 %`).join(", ");
  const lit = `${names.query[0]} is looked at by ${listed}, ${data.counts[far]} more with 100 % together, and ${data.counts[far]} others below 1 %.`;
  return `${names.query[0]} to ${names.key[0]}: masked. ${lit}${data.mask ? ` ${data.counts[far]} masked.` : ""}`;
}

function longestMeaning(data) {
  return meaningIn("100 %", namesByLength(data, "key")[0], namesByLength(data, "query")[0]);
}

function longestNoteOnRoom(data) {
  const sides = ["query", "key"].map((side) => sentenceOnRoom({ data, lit: { side }, shown: { [side]: firstWords(data.counts[side]) } }));
  return sides[0].length > sides[1].length ? sides[0] : sides[1];
}

function namesByLength(data, side) {
  const names = data.tokens[side].map((_, index) => data.nameOf(side, index));
  return names.sort((a, b) => b.length - a.length).slice(0, NAMED_IN_SENTENCE);
}

// A place for texts that keeps the room of the longest ones.
function makeSteady(texts, longest) {
  const room = longest.map((text, i) => make("p", { class: texts[i].classList.contains("quiet") ? "quiet" : "" }, text));
  const box = make("div", { class: "steady" }, make("div", {}, ...texts), make("div", { class: "room", "aria-hidden": "true" }, ...room));
  box.hidden = longest.join("") === "";
  return box;
}

// [index, weight] of each word that the mask allows, the largest weight first.
function allowedBySize(state) {
  const open = [];
  for (let index = 0; index < state.data.counts[OTHER[state.lit.side]]; index++) {
    const pair = state.pairWith(index);
    if (state.data.allows(...pair)) open.push([index, state.weight(...pair)]);
  }
  return open.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

// Only the weights of a row sum to 1, so only for a query is their total worth saying.
function theRest(side, rest) {
  const seen = rest.filter(([, weight]) => weight >= LEAST_SEEN);
  const total = seen.reduce((sum, [, weight]) => sum + weight, 0);
  const nBelow = rest.length - seen.length;
  const said = [];
  if (seen.length) said.push(`${seen.length} more${side === "query" ? ` with ${percent(total)}${seen.length > 1 ? " together" : ""}` : ""}`);
  if (nBelow) said.push(`${nBelow} other${nBelow > 1 ? "s" : ""} below 1 %`);
  if (said.length) said[said.length - 1] = `and ${said.at(-1)}`;
  return said.map((part) => `, ${part}`).join("");
}

// What the columns leave out; "" where all words have room.
function sentenceOnRoom({ data, lit, shown }) {
  const near = lit.side;
  const far = OTHER[near];
  const said = [];
  if (data.counts[near] > MOST_WORDS) {
    said.push(`${shown[near].length} of ${data.counts[near]} ${PLURAL[near]} have room in the column; ` +
      "arrow keys or a click in the map go on to the others.");
  }
  if (data.counts[far] > MOST_WORDS) {
    said.push(`Of ${data.counts[far]} ${PLURAL[far]} the ${MOST_WORDS} strongest are shown.`);
  }
  return said.join(" ");
}

function whichMap({ data, layer, head }) {
  return (data.hasLayers ? `, layer ${layer}` : "") + (data.hasHeads ? `, head ${head}` : "");
}
