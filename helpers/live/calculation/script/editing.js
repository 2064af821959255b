// Changing a number by hand: dragged sideways, typed, or by keys; and going from number to number.
// Gets a Sheet, which says what stands at a cell, shows what was changed, and says what is refused.

const PIXELS_A_STEP = 10;

class Editing {
  constructor(sheet, box) {
    this.sheet = sheet;
    this.pointer = {};
    box.addEventListener("pointerdown", (event) => this.press(event));
    box.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, () => this.letGo());
    box.addEventListener("click", (event) => this.click(event));
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("focusin", ({ target }) => { if (target.tagName === "TD") sheet.enter(target); });
    box.addEventListener("pointerover", (event) => this.pointAt(event));
    box.addEventListener("pointerleave", () => { if (!this.dragged) sheet.point(null); });
  }

  // When the page shifts under a pointer at rest, the browser says "over" too; that must not undo an arrow key.
  pointAt(event) {
    const { screenX: x, screenY: y, target } = event;
    const hasMoved = x !== this.pointer.x || y !== this.pointer.y;
    this.pointer = { x, y };
    if (hasMoved && !this.dragged) this.sheet.point(this.sheet.placeAt(target));
  }

  // ---- by dragging ----

  press(event) {
    const place = this.sheet.placeAt(event.target);
    this.wasAt = isSame(place, this.sheet.at) && event.target.getRootNode().activeElement?.tagName === "TD";
    this.pressed = place && event.button === 0 && event.target.tagName !== "INPUT"
      ? { place, x: event.clientX, from: this.sheet.model.number(place), td: event.target.closest("td"), id: event.pointerId, run: {} } : null;
  }

  drag(event) {
    const { pressed } = this;
    if (!pressed || pressed.place.key === "mask") return;
    const steps = Math.round((event.clientX - pressed.x) / PIXELS_A_STEP);
    if (!this.dragged) {
      if (!steps || this.sheet.refusal(pressed.place)) return;
      pressed.td.setPointerCapture(pressed.id);
      pressed.td.focus();
      this.dragged = true;
    }
    const next = stepped(pressed.from, steps, event.shiftKey);
    if (next === this.sheet.model.number(pressed.place) || this.waiting) { pressed.next = next; return; }
    pressed.next = next;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      this.sheet.set(pressed.place, pressed.next, pressed.run);
    });
  }

  letGo() {
    if (this.dragged) setTimeout(() => { this.dragged = false; });  // after the click that ends it
    this.pressed = null;
  }

  // The first click chooses a number, a second one opens it.
  click(event) {
    const place = this.sheet.placeAt(event.target);
    if (!place || this.dragged || event.target.tagName === "INPUT") return;
    event.target.closest("td").focus();
    if (place.key === "mask") this.sheet.turn(place);
    else if (this.wasAt) this.open(event.target.closest("td"), place);
  }

  // ---- by keys ----

  key(event) {
    const td = event.target;
    if (td.tagName !== "TD") return;
    const { sheet } = this;
    const place = sheet.placeAt(td);
    const { key } = event;
    const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (way && event.shiftKey && place.key !== "mask") this.step(place, key === "ArrowUp" || key === "ArrowRight" ? 1 : -1);
    else if (way) sheet.go(td, ...way);
    else if (key === "Home" || key === "End") sheet.go(td, 0, key === "Home" ? -MOST : MOST);
    else if (place.key === "mask" && (key === " " || key === "Enter")) sheet.turn(place);
    else if (key === "Enter" || key === "F2") this.open(td, place);
    else if (key === "Delete" || key === "Backspace") sheet.release(place);
    else if (isPlain && /^[-+−.\d]$/.test(key)) this.open(td, place, key);
    else return;
    event.preventDefault();
  }

  step(place, by) {
    this.sheet.set(place, stepped(this.sheet.model.number(place), by), `step ${idOf(place)}`);
  }

  // ---- by typing ----

  open(td, place, text) {
    const { sheet } = this;
    if (place.key === "mask" || sheet.refusal(place)) return;
    const input = make("input", { "aria-label": nameOf(sheet.model.state, place), autocomplete: "off", inputmode: "decimal" });
    input.value = text ?? String(Number(sheet.model.number(place).toPrecision(6)));
    const close = (isDone) => {
      if (!input.isConnected) return true;
      const isSameText = text === undefined && input.value === input.defaultValue;
      const { number, refusal } = isSameText || !isDone ? {} : parsed(input.value);
      if (refusal) return this.refuse(input, refusal);
      input.closed = true;
      input.remove();
      if (number !== undefined) sheet.set(place, number);
      return true;
    };
    input.defaultValue = input.value;
    if (text !== undefined) input.defaultValue = "";
    input.value = text ?? input.defaultValue;
    input.addEventListener("keydown", (event) => this.keyInInput(event, td, place, close));
    input.addEventListener("blur", () => {
      if (input.closed) return;
      if (!close(true)) {
        input.closed = true;  // what cannot be goes, and the number of before stays
        input.remove();
      }
      sheet.light();  // says again what the cell is, where it said which key takes the number
    });
    td.append(input);
    sheet.help(isForFinger()
      ? "Enter takes the number. Where the keyboard has no minus, drag the number below 0."
      : "Enter takes the number, Escape leaves it as it was.");
    input.focus();
    if (text === undefined) input.select();
  }

  refuse(input, refusal) {
    input.setAttribute("aria-invalid", "true");
    this.sheet.refuse(refusal);
    return false;
  }

  keyInInput(event, td, place, close) {
    event.stopPropagation();
    const { key, target } = event;
    if ((key === "Enter" && close(true)) || (key === "Escape" && close(false))) td.focus();
    const by = { ArrowUp: 1, ArrowDown: -1 }[key];
    const { number } = parsed(target.value);
    if (!by || number === undefined) return;
    event.preventDefault();
    target.value = target.defaultValue = String(stepped(number, by));
    this.sheet.set(place, Number(target.value), `step ${idOf(place)}`);
  }
}

// Whole numbers in steps of 1, others of a tenth; with Shift a tenth of that.
function stepped(from, steps, isFine = false) {
  const start = Number.isFinite(from) ? from : 0;
  const step = (Number.isInteger(start) ? 1 : 0.1) / (isFine ? 10 : 1);
  const next = Number((Math.round(start / step + steps) * step).toFixed(2));
  return Math.max(-LARGEST, Math.min(LARGEST, next)) + 0;
}
