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

// What a word does with others, given as [name, share]: the first share says of what it is one.
const SAID_OF = {
  query(named) {
    if (!named.length) return "attends to nothing";
    return `gives ${named.map(([name, share], i) => `${share}${i ? "" : " of its attention"} to ${name}`).join(", ")}`;
  },
  key(named) {
    return `is looked at by ${named.map((pair) => pair.join(" ")).join(", ") || "nothing"}`;
  },
};

// The sentence about the lit word, and before it the pair where a cell is pointed at.
function sentenceOn(state) {
  const { data, lit } = state;
  const { key } = lit;
  const open = allowedBySize(state);
  const nSeen = open.filter(([, weight]) => weight >= LEAST_SEEN).length;
  const first = open.slice(0, Math.max(1, Math.min(NAMED_IN_SENTENCE, nSeen)));
  const named = first.map(([index, weight]) => [data.nameOf(OTHER[lit.side], index), percent(weight)]);
  let text = `${data.nameOf(lit.side, lit.index)} ${SAID_OF[lit.side](named)}${theRest(lit.side, open.slice(first.length))}.`;
  const nMasked = data.counts[OTHER[lit.side]] - open.length;
  if (nMasked) text += ` ${nMasked} masked.`;
  if (key === undefined) return text;
  return `${data.nameOf("query", lit.index)} to ${data.nameOf("key", key)}: ${shareOf(state, key)}. ${text}`;
}

// Texts as long as any that can come: they keep the room, so that what stands below does not move.

function longestSentence(data) {
  const names = { query: namesByLength(data, "query"), key: namesByLength(data, "key") };
  const far = data.nKey > data.nQuery ? "key" : "query";
  const listed = [...names[far], ...names[far]].slice(0, NAMED_IN_SENTENCE).map((name) => [name, "100 %"]);
  const rest = `, 100 % to ${data.counts[far]} more together, and below 1 % to each of ${data.counts[far]} others.`;
  const lit = `${names.query[0]} ${SAID_OF.query(listed)}${rest}`;
  return `${names.query[0]} to ${names.key[0]}: masked. ${lit}${data.mask ? ` ${data.counts[far]} masked.` : ""}`;
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
  const nBelow = rest.length - seen.length;
  const said = [];
  if (seen.length) said.push(side === "query" ? `${percent(totalOf(seen))} to ${seen.length} more${seen.length > 1 ? " together" : ""}` : `${seen.length} more`);
  const others = `${nBelow} other${nBelow > 1 ? "s" : ""}`;
  if (nBelow) said.push(side === "query" ? `below 1 % to ${nBelow > 1 ? "each of " : ""}${others}` : `${others} below 1 %`);
  if (said.length) said[said.length - 1] = `and ${said.at(-1)}`;
  return said.map((part) => `, ${part}`).join("");
}

function totalOf(open) {
  return open.reduce((sum, [, weight]) => sum + weight, 0);
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
