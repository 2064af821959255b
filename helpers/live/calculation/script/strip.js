// The stages as a strip of small pictures, of which one is open. Those behind the next one wait until they are asked for.
// Gets a function to call with the stage that is chosen, the first stage to offer, and the last one, if there is one
// from the start; shows a Model.

class Strip {
  constructor(choose, since, until) {
    this.choose = choose;
    this.first = Object.keys(STAGES).indexOf(since);
    this.last = Math.max(0, Object.keys(STAGES).indexOf(until));
    this.tabs = Object.entries(STAGES).map(([stage, name]) => {
      const canvas = make("canvas", { "aria-hidden": "true" });
      const tab = make("button", { type: "button", role: "tab", class: "tab" }, canvas, make("span", {}, name));
      tab.addEventListener("click", () => choose(stage));
      return { stage, tab, canvas };
    });
    const list = make("div", { class: "tabs", role: "tablist", "aria-label": "Stages" }, ...this.tabs.map(({ tab }) => tab));
    list.addEventListener("keydown", (event) => this.goBy(event));
    this.more = makeButton("All steps", () => this.offerAll());
    this.box = make("div", { class: "strip" }, list, this.more);
  }

  goBy(event) {
    const now = this.tabs.findIndex(({ tab }) => tab === event.target);
    const last = this.tabs.length - 1;
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (next === undefined || now < 0) return;
    event.preventDefault();
    const { tab, stage } = this.tabs[Math.max(0, Math.min(last, next))];
    this.choose(stage);
    tab.focus();
  }

  offerAll() {
    [this.first, this.last] = [0, this.tabs.length];
    this.offer();
    this.tabs.find(({ tab }) => tab.tabIndex === 0).tab.focus();
  }

  // From the first stage to the one behind that which is open; all of them where the whole sheet or the last one is.
  offer() {
    const isAll = this.last >= this.tabs.length;
    this.tabs.forEach(({ tab }, i) => { tab.hidden = !isAll && (i < this.first || i > this.last); });
    this.more.hidden = isAll;
  }

  fill({ tables, state }, { stage, head, query, dark }) {
    const of = (key) => [tables[key] || tables[`${key}/${head}`] || tables[`weighted/${head}/${query}`]];
    const rowsOf = {
      all: () => of("x"), matrices: () => GIVEN.slice(1).map((key) => state[key]),
    };
    const open = this.tabs.findIndex((one) => one.stage === stage);
    this.first = Math.min(this.first, open);
    this.last = open === 0 ? this.tabs.length : Math.max(this.last, open + 1);
    this.offer();
    for (const { stage: one, tab, canvas } of this.tabs) {
      const parts = (rowsOf[one] || (() => of(one)))();
      const roles = (one === "matrices" ? GIVEN.slice(1) : [one]).map(roleOf);
      tab.setAttribute("aria-selected", String(one === stage));
      tab.tabIndex = one === stage ? 0 : -1;
      canvas.hidden = one === "all";
      if (one !== "all") tab.classList.toggle("changed", paintSmall(canvas, parts, roles, dark) && one !== stage);
    }
  }
}

// Paints tables side by side in the colours of their roles, a pixel for each number: the further from zero, the stronger.
// Returns whether it is another picture.
function paintSmall(canvas, parts, roles, dark) {
  const rows = parts[0].map((_, i) => parts.flatMap((part, p) => [...(p ? [null] : []), ...part[i]]));
  const columns = parts.flatMap((part, p) => [...(p ? [roles[p]] : []), ...part[0].map(() => roles[p])]);
  const finite = rows.flat().filter(Number.isFinite);
  const largest = Math.max(1e-9, ...finite.map(Math.abs));
  const painted = rows.flat().map((number) => (Number.isFinite(number) && number !== null ? number / largest : 0));
  const known = `${dark}${rows[0].length}${painted.map((part) => part.toFixed(3))}`;
  const isNew = canvas.known !== undefined && canvas.known !== known;
  if (canvas.known === known) return false;
  canvas.known = known;
  canvas.width = rows[0].length;
  canvas.height = rows.length;
  const context = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  painted.forEach((part, i) => {
    const role = columns[i % columns.length];
    context.fillStyle = style.getPropertyValue(role === "plain" ? "--quiet" : `--${role}`);
    context.globalAlpha = part && 0.1 + 0.9 * Math.abs(part);
    context.fillRect(i % columns.length, Math.floor(i / columns.length), 1, 1);
  });
  return isNew;
}
