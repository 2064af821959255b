// A row of buttons of which one is chosen: the layers, or the heads with a small map each.
// Gets a name, how many there are, which one is chosen, a function to call with the next choice, and pictures if any.

// CSS pixels of the longer side of a small map: twelve of the smaller ones stand in one row.
const THUMBNAIL = 56;
const SMALL_THUMBNAIL = 44;
const LARGE_UP_TO = 8;

class Choices {
  constructor(name, count, chosen, choose, thumbnails = []) {
    this.choose = choose;
    this.buttons = Array.from({ length: count }, (_, index) => {
      const text = thumbnails.length ? [thumbnails[index], `head ${index}`] : [String(index)];
      const button = make("div", { class: "choice", role: "radio", "aria-label": `${name} ${index}` }, ...text);
      button.addEventListener("click", () => this.select(index));
      return button;
    });
    this.box = make(
      "div", { class: "choices", role: "radiogroup", "aria-label": name },
      make("span", { "aria-hidden": "true" }, name), make("div", {}, ...this.buttons),
    );
    this.box.addEventListener("keydown", (event) => this.goBy(event));
    this.check(chosen);
  }

  goBy(event) {
    const count = this.buttons.length;
    const now = this.buttons.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    let next = step ? (now + step + count) % count : null;
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = count - 1;
    if (next === null || now < 0) return;
    event.preventDefault();
    this.select(next);
  }

  select(index) {
    this.buttons[index].focus();
    this.check(index);
    this.choose(index);
  }

  check(index) {
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", String(i === index));
      button.tabIndex = i === index ? 0 : -1;
    });
  }
}

function makeThumbnails({ nHeads, nQuery, nKey }) {
  const scale = (nHeads > LARGE_UP_TO ? SMALL_THUMBNAIL : THUMBNAIL) / Math.max(nQuery, nKey);
  const width = Math.max(8, scale * nKey);
  const height = Math.max(8, scale * nQuery);
  return Array.from({ length: nHeads }, () =>
    make("canvas", { "aria-hidden": "true", style: `width:${width}px;height:${height}px` }));
}
