// The lines from the lit word to the words of the other column, as wide and as dark as their weights.
// Gets how many lines there can be and the height of a row; draws a State.

class Lines {
  constructor(count, rowHeight) {
    this.rowHeight = rowHeight;
    this.lines = Array.from({ length: count }, () => makeSvg("line", { "vector-effect": "non-scaling-stroke" }));
    const height = rowHeight * count;
    this.svg = makeSvg(
      "svg",
      { viewBox: `0 0 100 ${height}`, height, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...this.lines,
    );
  }

  draw(state) {
    const { lit, shown } = state;
    const far = shown[OTHER[lit.side]];
    const from = this.middleOf(shown[lit.side].indexOf(lit.index));
    this.lines.forEach((line, slot) => {
      const pair = slot < far.length ? state.pairWith(far[slot]) : null;
      const weight = pair && state.data.allows(...pair) ? state.weight(...pair) : 0;
      const isPair = pair !== null && far[slot] === lit.key;
      const isSeen = weight >= LEAST_SEEN || (isPair && weight > 0);
      line.style.display = isSeen ? "" : "none";
      if (!isSeen) return;
      const to = this.middleOf(slot);
      const [left, right] = lit.side === "query" ? [from, to] : [to, from];
      furnish(line, {
        class: isPair ? "pair" : lit.side,
        x1: 0,
        x2: 100,
        y1: left,
        y2: right,
        "stroke-width": ((isPair ? 1.6 : 0.8) + 7 * weight).toFixed(2),
        "stroke-opacity": isPair ? 1 : Math.min(1, 0.12 + weight).toFixed(3),
      }, []);
    });
  }

  middleOf(slot) {
    return (slot + 0.5) * this.rowHeight;
  }
}
