// Where the reader is: the layer and head, the word that is lit, and the words that the columns show.
// Gets an AttentionData and the layer, head and query to start with; a "focus" is {side: "query" or "key", index}, and
// for a cell of the map, which belongs to the row of its query, the position of the key too.

const MOST_WORDS = 32;  // a column has room for this many; of more, it shows a stretch or the strongest

class State {
  constructor(data, [layer, head, query = 0]) {
    this.data = data;
    this.layer = Math.min(layer, data.nLayers - 1);
    this.head = Math.min(head, data.nHeads - 1);
    this.lit = { side: "query", index: Math.min(query, data.nQuery - 1) };  // what was last pointed at
    this.home = this.lit;                                                   // what it was opened on
    this.kept = null;                                                       // what was last clicked or reached by key
    this.shown = { query: firstWords(data.nQuery), key: firstWords(data.nKey) };  // positions in each column
    this.entry = { query: this.lit.index, key: 0 };  // where Tab enters a column
  }

  // What to tell an explorer that goes on from here: the layer, the head, and the query with its word.
  place() {
    const query = this.lit.side === "query" ? this.lit.index : this.entry.query;
    return [this.layer, this.head, query, this.data.tokens.query[query]];
  }

  weight(query, key) {
    return this.data.weight(this.layer, this.head, query, key);
  }

  // [query, key] of the lit word and a word of the other side.
  pairWith(index) {
    return this.lit.side === "query" ? [this.lit.index, index] : [index, this.lit.index];
  }

  light(focus) {
    this.lit = focus;
    this.bringIntoColumn(focus);
    this.shown[OTHER[focus.side]] = this.strongestForLit();
    // The word that Tab would reach is where Tab was, so that going on from there is the next step.
    for (const side of ["query", "key"]) {
      if (!this.shown[side].includes(this.entry[side])) this.entry[side] = this.shown[side][0];
    }
  }

  keep(focus) {
    this.kept = focus;
    this.entry[focus.side] = focus.index;
    this.light(focus);
  }

  // What is seen while nothing is pointed at.
  rest() {
    this.light(this.kept || this.home);
  }

  isKept({ side, index, key }) {
    return this.kept !== null && this.kept.side === side && this.kept.index === index && this.kept.key === key;
  }

  // A column longer than its room shows the stretch around the word in question.
  bringIntoColumn({ side, index }) {
    if (this.shown[side].includes(index)) return;
    const count = this.data.counts[side];
    const from = Math.max(0, Math.min(count - MOST_WORDS, index - MOST_WORDS / 2));
    this.shown[side] = firstWords(count).map((position) => from + position);
  }

  // The positions of the other side with the largest weights, in the order of the words.
  strongestForLit() {
    const count = this.data.counts[OTHER[this.lit.side]];
    if (count <= MOST_WORDS) return firstWords(count);
    const order = Array.from({ length: count }, (_, index) => index);
    order.sort((a, b) => this.weight(...this.pairWith(b)) - this.weight(...this.pairWith(a)) || a - b);
    return order.slice(0, MOST_WORDS).sort((a, b) => a - b);
  }

  // Where a key on a word of this side leads; null for a key that leads nowhere.
  focusAfter(side, key) {
    const last = this.data.counts[side] - 1;
    const now = this.entry[side];
    const next = {
      ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + 10, PageUp: now - 10, Home: 0, End: last,
    }[key];
    if (next !== undefined) return { side, index: Math.max(0, Math.min(last, next)) };
    if (key !== (side === "query" ? "ArrowRight" : "ArrowLeft")) return null;
    const far = OTHER[side];
    return { side: far, index: this.shown[far].includes(now) ? now : this.entry[far] };
  }
}

function firstWords(count) {
  return Array.from({ length: Math.min(count, MOST_WORDS) }, (_, index) => index);
}
