// The weights, the mask and the words of one explorer; knows nothing of the page.
// Gets the JSON that packing.py makes, with weights in steps of 1/65535 and a mask of one bit a cell.

const OTHER = { query: "key", key: "query" };
const PLURAL = { query: "queries", key: "keys" };

class AttentionData {
  constructor(given) {
    [this.nLayers, this.nHeads, this.nQuery, this.nKey] = given.shape;
    this.counts = { query: this.nQuery, key: this.nKey };
    this.hasLayers = given.levels.includes("layer");
    this.hasHeads = given.levels.includes("head");
    this.title = given.title;
    this.notes = given.notes;
    this.tokens = { query: given.queries.map(visible), key: (given.keys || given.queries).map(visible) };
    this.repeated = { query: repeats(this.tokens.query), key: repeats(this.tokens.key) };
    this.steps = new Uint16Array(bytesOf(given.weights).buffer);
    this.mask = given.mask ? bytesOf(given.mask) : null;
  }

  // The weight in steps, from 0 to 65535.
  step(layer, head, query, key) {
    return this.steps[((layer * this.nHeads + head) * this.nQuery + query) * this.nKey + key];
  }

  weight(layer, head, query, key) {
    return this.step(layer, head, query, key) / 65535;
  }

  allows(query, key) {
    const cell = query * this.nKey + key;
    return !this.mask || ((this.mask[cell >> 3] >> (7 - (cell & 7))) & 1) === 1;
  }

  nameOf(side, index) {
    const word = `\u2068${inShort(this.tokens[side][index])}\u2069`;  // isolated, so that right-to-left words stay in their place
    return this.repeated[side][index] ? `“${word}” (position ${index})` : `“${word}”`;
  }
}

function bytesOf(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// A blank word has a sign in its place, and one of characters without any width their codes.
function visible(word) {
  if (word.trim() === "") return "\u2423";
  if (/[^\p{Cf}\p{Cc}\p{Mn}\s\u115f\u1160\u2800\u3164]/u.test(word)) return word;
  return Array.from(word, (letter) => `U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ");
}

function inShort(word) {
  const letters = Array.from(word);
  return letters.length > 24 ? `${letters.slice(0, 23).join("")}…` : word;
}

// For each word, whether it occurs more than once.
function repeats(words) {
  const seen = new Map();
  for (const word of words) seen.set(word, (seen.get(word) || 0) + 1);
  return words.map((word) => seen.get(word) > 1);
}
