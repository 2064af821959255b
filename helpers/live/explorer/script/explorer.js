// One explorer: puts its parts into the page, listens to pointer and keys, and draws anew what changes.
// Gets a shadow root, an AttentionData, the style, [layer, head, query] to start with, and a function to tell each place.

// Pixels. A finger gets up to 44, as far as the column stays on its screen.
function heightOfRow(nWords) {
  if (isForFinger()) return Math.min(44, Math.max(28, Math.floor(600 / nWords)));
  return nWords > 12 ? 22 : 26;
}

// CSS pixels between the edges of a card; no end where it is not in a page yet.
function roomIn(card) {
  const { paddingLeft, paddingRight } = getComputedStyle(card);
  return card.clientWidth ? card.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) : Infinity;
}

class Explorer {
  constructor(root, data, css, start, chosen) {
    this.data = data;
    this.state = new State(data, start);
    this.chosen = chosen;
    this.dark = isDark();
    this.pointer = {};
    this.makeParts();
    root.append(make("style", {}, css), this.card);
    this.listen();
    watchTheme(root, () => {
      if (isDark() !== this.dark || (this.room !== undefined && roomIn(this.card) !== this.room)) this.show();
    }, this.card);
    // The map's letters are painted, so they do not change by themselves when the page's typeface comes.
    document.fonts.addEventListener("loadingdone", () => { if (this.card.isConnected) this.show(); }, { once: true });
  }

  makeParts() {
    const { data, state } = this;
    const rowHeight = heightOfRow(Math.min(MOST_WORDS, Math.max(data.nQuery, data.nKey)));
    this.thumbnails = data.hasHeads ? makeThumbnails(data) : [];
    const choose = (level) => (index) => { state[level] = index; this.showChoice(); };
    this.layers = data.hasLayers ? [new Choices("Layer", data.nLayers, state.layer, choose("layer"))] : [];
    this.heads = data.hasHeads ? [new Choices("Head", data.nHeads, state.head, choose("head"), this.thumbnails)] : [];
    this.columns = { query: new WordColumn("query", data, rowHeight), key: new WordColumn("key", data, rowHeight) };
    this.lines = new Lines(Math.max(this.columns.query.slots.length, this.columns.key.slots.length), rowHeight);
    this.map = new AttentionMap(data);
    this.scaleBar = make("canvas", { width: 256, height: 1, "aria-hidden": "true" });
    this.readout = make("p", { class: "readout", role: "status" });
    this.roomNote = make("p", { class: "quiet" });
    this.said = makeSteady([this.readout], [longestSentence(data)]);
    this.table = new WeightTable();
    this.card = this.makeCard();
  }

  makeCard() {
    const { data, columns } = this;
    const grid = make(
      "div", { class: "columns" },
      make("span", { class: "quiet" }, "query"), make("span"), make("span", { class: "quiet" }, "key (attended to)"),
      columns.query.box, this.lines.svg, columns.key.box,
    );
    const ofMask = data.mask ? [", hatched: masked"] : [];
    const scale = make("p", { class: "quiet scale" }, "weight 0", this.scaleBar, "1", ...ofMask);
    const help = isForFinger()
      ? "Tap a word or the map to see its weights; tap it again to let it go."
      : "Point at a word or at the map to see its weights. A click keeps it; a second one, or Escape, lets it go. With the keyboard: Tab and the arrow keys.";
    return make(
      "section", { class: "card", "aria-label": data.title || "Attention explorer" },
      ...(data.title ? [make("p", { class: "title" }, data.title)] : []),
      ...[...this.layers, ...this.heads].map((choices) => choices.box),
      make("div", { class: "said" }, this.said),
      make("div", { class: "body" },
        make("div", { class: "words" }, grid, makeSteady([this.roomNote], [longestNoteOnRoom(data)])),
        make("div", { class: "whole" }, this.map.box, scale, this.map.note)),
      make("p", { class: "quiet below" }, help, ...(data.notes.length ? [` ${data.notes.join(" ")}`] : [])),
      this.table.details,
    );
  }

  // ---- what the reader does ----

  listen() {
    for (const column of Object.values(this.columns)) this.listenToColumn(column);
    const { canvas } = this.map;
    this.listenTo(canvas, (event) => this.map.focusAt(event));
    canvas.addEventListener("pointerleave", () => this.rest());
    // Between the two columns the last word stays; outside, what was clicked comes back, or the word of the beginning.
    this.card.addEventListener("pointerleave", () => this.rest());
    this.card.addEventListener("keydown", (event) => { if (event.key === "Escape") this.release(); });
    this.table.details.addEventListener("toggle", () => this.table.fill(this.state));
  }

  // Moves alone count: when the page scrolls under a pointer at rest, the browser says only "over".
  listenTo(element, focusOf) {
    element.addEventListener("pointermove", (event) => {
      const focus = focusOf(event);
      if (focus && this.hasMoved(event)) this.light(focus);
    });
    // Before the click comes, the focus has kept the word: what counts is how it was when the button went down.
    element.addEventListener("pointerdown", (event) => {
      const focus = focusOf(event);
      this.wasKept = focus !== null && this.state.isKept(focus);
    });
    element.addEventListener("click", (event) => {
      const focus = focusOf(event);
      if (!focus) return;
      if (this.wasKept) this.state.kept = null;
      else this.state.keep(focus);
      this.wasKept = false;
      this.showLit();
    });
  }

  listenToColumn(column) {
    const { box, side } = column;
    this.listenTo(box, (event) => column.focusOf(event, this.state));
    box.addEventListener("focusin", (event) => {
      const focus = column.focusOf(event, this.state);
      if (focus) this.keep(focus);
    });
    box.addEventListener("keydown", (event) => {
      const focus = this.state.focusAfter(side, event.key);
      if (!focus) return;
      event.preventDefault();
      this.goTo(focus);
    });
  }

  // Some browsers say "move", too, when the page shifts under a pointer at rest; that must not undo an arrow key.
  hasMoved({ screenX, screenY }) {
    const moved = screenX !== this.pointer.x || screenY !== this.pointer.y;
    this.pointer = { x: screenX, y: screenY };
    return moved;
  }

  goTo(focus) {
    this.keep(focus);
    const slot = this.state.shown[focus.side].indexOf(focus.index);
    this.columns[focus.side].slots[slot].option.focus();
  }

  keep(focus) {
    this.state.keep(focus);
    this.showLit();
  }

  light(focus) {
    this.state.light(focus);
    this.showLit();
  }

  release() {
    this.state.kept = null;
    this.rest();
  }

  rest() {
    this.state.rest();
    this.showLit();
  }

  // ---- what it shows ----

  showLit() {
    const { state } = this;
    this.columns.query.fill(state);
    this.columns.key.fill(state);
    this.lines.draw(state);
    this.map.placeMark(state.lit);
    write(this.readout, sentenceOn(state));
    write(this.roomNote, sentenceOnRoom(state));
    this.chosen(state.place());
  }

  showChoice() {
    this.showMaps();
    this.light(this.state.lit);
    this.table.fill(this.state);
  }

  showMaps() {
    const { layer } = this.state;
    this.thumbnails.forEach((canvas, head) => paintWeights(canvas, this.data, { layer, head }, 2 * THUMBNAIL, this.dark));
    this.room = roomIn(this.card);
    this.map.draw(this.state, this.dark, this.room);
  }

  show() {
    this.dark = isDark();
    this.card.classList.toggle("dark", this.dark);
    paintScale(this.scaleBar, this.dark);
    this.showMaps();
    this.light(this.state.lit);
  }
}
