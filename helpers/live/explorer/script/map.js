// The map: its cells with labels on a canvas, a mark on the row or column that is lit, and a note below.
// Gets an AttentionData; draws a State, and says which cell a pointer is on.

const MAP_SIZE = 330;  // CSS pixels a side, without labels
const MOST_MAP_PIXELS = 384;
const NUMBERS_UP_TO = 8;  // more rows or columns than this, and the cells carry no numbers
const LEAST_WITH_LINES = 7;  // CSS pixels of a cell that has lines around it
const LONGEST_LABEL = 84;
const MAP_FONT = 12;  // CSS pixels
const NARROW_FONT = 10;  // where names of this size would not stand beside each row

class AttentionMap {
  constructor(data) {
    this.data = data;
    this.small = document.createElement("canvas");  // a pixel for each cell, before it is made larger
    this.canvas = make("canvas", { role: "img" });
    this.mark = make("div", { class: "mark" });
    this.cell = make("div", { class: "cell" });
    this.plot = make("div", { class: "plot" }, this.mark, this.cell);  // lies above the cells, without the labels
    this.box = make("div", { class: "map" }, this.canvas, this.plot);
    this.note = make("p", { class: "quiet" });
  }

  // `room`: CSS pixels that the map may be wide
  draw(state, dark, room) {
    const block = paintWeights(this.small, this.data, state, MOST_MAP_PIXELS, dark);
    const context = this.canvas.getContext("2d");
    const family = getComputedStyle(this.canvas).fontFamily || "sans-serif";
    const laidOut = (size) => layOut(context, this.data, this.small, { block, room, font: `${size}px ${family}`, size });
    this.layout = laidOut(MAP_FONT);
    if (this.layout.isNarrow && this.layout.every > 1) this.layout = laidOut(NARROW_FONT);
    const { left, top, cell, width, height, font, labels, every } = this.layout;
    this.resize(context);
    context.imageSmoothingEnabled = false;
    if (this.data.mask) hatch(context, left, top, this.small.width * cell, this.small.height * cell, dark);
    context.drawImage(this.small, left, top, this.small.width * cell, this.small.height * cell);
    context.font = font;
    context.fillStyle = getComputedStyle(this.canvas).color;
    drawLabels(context, labels, this.layout, every);
    if (cell >= LEAST_WITH_LINES) drawCells(context, state, this.layout, dark);
    Object.assign(this.plot.style, {
      left: `${(left / width) * 100}%`,
      top: `${(top / height) * 100}%`,
      width: `${((this.small.width * cell) / width) * 100}%`,
      height: `${((this.small.height * cell) / height) * 100}%`,
    });
    this.describe(state, every);
  }

  // As many pixels as the screen has for this size; a new size also clears the canvas.
  resize(context) {
    const sharp = Math.max(1, window.devicePixelRatio || 1);
    this.canvas.width = this.layout.width * sharp;
    this.canvas.height = this.layout.height * sharp;
    this.canvas.style.width = `${this.layout.width}px`;
    context.scale(sharp, sharp);
  }

  describe(state, every) {
    const { nQuery, nKey } = this.data;
    const { block } = this.layout;
    this.canvas.setAttribute(
      "aria-label",
      `Attention map${whichMap(state)}, ${nQuery} by ${nKey}; its numbers stand in the table below.`,
    );
    const ofLabels = every > 1 ? `In the map, one word in ${every} is named. ` : "";
    const ofBlocks = block > 1 ? `Each point of the map is the strongest of ${block} by ${block} weights.` : "";
    this.note.textContent = ofLabels + ofBlocks;
  }

  // A frame around the row or the column, and one around the cell that is pointed at.
  placeMark({ side, index, key }) {
    const { nQuery, nKey } = this.data;
    this.cell.hidden = key === undefined;
    Object.assign(this.cell.style, {
      left: `${(key / nKey) * 100}%`, top: `${(index / nQuery) * 100}%`, width: `${100 / nKey}%`, height: `${100 / nQuery}%`,
    });
    const start = `${(index / this.data.counts[side]) * 100}%`;
    const size = `${100 / this.data.counts[side]}%`;
    this.mark.className = `mark ${side}`;
    Object.assign(
      this.mark.style,
      side === "query"
        ? { left: 0, width: "100%", top: start, height: size }
        : { top: 0, height: "100%", left: start, width: size },
    );
  }

  // What is below the pointer: a cell, or the name of a row or a column; null in the corner between the names.
  focusAt({ clientX, clientY }) {
    const { left, top, cell, block, width, tilted } = this.layout;
    const box = this.canvas.getBoundingClientRect();
    const scale = width / box.width;  // a narrow page shrinks the canvas
    const x = (clientX - box.left) * scale - left;
    const y = (clientY - box.top) * scale - top;
    const lean = tilted && y < 0 ? -y / Math.tan(TILT) : 0;  // a tilted name leads down to its column
    const key = Math.floor(((x - lean) / cell) * block);
    const index = Math.floor((y / cell) * block);
    const isRow = index >= 0 && index < this.data.nQuery;
    const isColumn = key >= 0 && key < this.data.nKey;
    if (isRow && isColumn) return { side: "query", index, key };
    if (isRow && x < 0) return { side: "query", index };
    return isColumn && y < 0 ? { side: "key", index: key } : null;
  }
}
