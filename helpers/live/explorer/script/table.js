// The same weights as a table, behind "The numbers as a table": for a screen reader, and to copy from.
// Gets nothing; fills itself from a State when it is open.

class WeightTable {
  constructor() {
    this.table = make("table");
    this.details = make(
      "details", {}, make("summary", {}, "The numbers as a table"),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of weights" }, this.table),
    );
  }

  fill(state) {
    if (!this.details.open) return;
    const { data, shown } = state;
    const cut = data.nQuery > MOST_WORDS || data.nKey > MOST_WORDS;
    const which = whichMap(state) + (cut ? ", the words of the columns above" : "");
    const top = make("tr", {}, make("td"), ...shown.key.map((key) => makeHeading(data, "key", key, "col")));
    const rows = shown.query.map((query) => {
      const cells = shown.key.map((key) =>
        make("td", {}, data.allows(query, key) ? percent(state.weight(query, key)) : "masked"));
      return make("tr", {}, makeHeading(data, "query", query, "row"), ...cells);
    });
    this.table.replaceChildren(
      make("caption", {}, `Weights in percent${which}. Rows are queries, columns are keys.`),
      make("thead", {}, top),
      make("tbody", {}, ...rows),
    );
  }
}

function makeHeading(data, side, index, scope) {
  return make("th", { scope }, make("bdi", {}, data.tokens[side][index]), data.repeated[side][index] ? ` (${index})` : "");
}
