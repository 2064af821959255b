// A column of words, queries at the left or keys at the right, with the weight between each and the lit word.
// Gets the side, an AttentionData and the height of a row; shows a State.

class WordColumn {
  constructor(side, data, rowHeight) {
    this.side = side;
    this.data = data;
    const name = side === "query" ? "Queries" : "Keys, attended to";
    this.box = make("div", { class: PLURAL[side], role: "listbox", "aria-label": name });
    this.slots = firstWords(data.counts[side]).map(() => makeSlot(side, rowHeight));
    this.box.append(...this.slots.map(({ option }) => option), makeWidest(side, data));
  }

  fill(state) {
    const { data, side } = this;
    const far = side !== state.lit.side;
    this.slots.forEach(({ option, word, position, share }, slot) => {
      const index = state.shown[side][slot];
      const isLit = !far && index === state.lit.index;
      const token = data.tokens[side][index];
      write(word, token);
      write(position, data.repeated[side][index] || data.counts[side] > MOST_WORDS ? String(index) : "");
      write(share, far ? shareBeside(state, index) : "");
      if (option.title !== token) option.title = token;
      option.classList.toggle("lit", isLit);
      option.classList.toggle("pair", far && index === state.lit.key);
      option.classList.toggle("kept", state.kept !== null && state.kept.side === side && state.kept.index === index);
      option.setAttribute("aria-selected", String(isLit));
      option.tabIndex = index === state.entry[side] ? 0 : -1;
    });
  }

  // The word that an event happened on; null beside the words.
  focusOf(event, state) {
    const slot = this.slots.findIndex(({ option }) => option.contains(event.target));
    return slot < 0 ? null : { side: this.side, index: state.shown[this.side][slot] };
  }
}

// A row of no height, as wide as any word can become: so pointing makes no column wider.
function makeWidest(side, data) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = "14px system-ui, sans-serif";
  const width = (text) => context.measureText(text).width;
  const widest = data.tokens[side].reduce((most, token) => (width(token) > width(most) ? token : most), "");
  const isNumbered = data.counts[side] > MOST_WORDS || data.repeated[side].includes(true);
  return make(
    "div", { class: "widest", "aria-hidden": "true" }, make("span", { class: "text" }, widest),
    make("small", {}, isNumbered ? String(data.counts[side] - 1) : ""),
    make("span", { class: "share" }, data.mask ? "masked" : "100 %"),
  );
}

// The place of one word: the words in a column change, their places stay.
function makeSlot(side, rowHeight) {
  const word = make("bdi");
  const position = make("small");
  const share = make("span", { class: "percent" });
  const parts = side === "query" ? [word, position, share] : [share, word, position];
  const option = make("div", { class: "word", role: "option", tabindex: "-1" }, ...parts);
  option.style.height = `${rowHeight}px`;
  return { option, word, position, share };
}
