// What is drawn on the canvas of the map: labels, lines between the cells, hatching and numbers.
// Gets the canvas's context, a State and the layout in CSS pixels; keeps nothing.

const TILT = Math.PI / 3;  // of the names of keys that are wider than a cell

function labelsOf(context, { tokens }) {
  const shortened = (token) => shorten(context, token);
  return { query: tokens.query.map(shortened), key: tokens.key.map(shortened) };
}

function shorten(context, token) {
  if (context.measureText(token).width <= LONGEST_LABEL) return token;
  const letters = Array.from(token);
  while (letters.length && context.measureText(`${letters.join("")}…`).width > LONGEST_LABEL) letters.pop();
  return `${letters.join("")}…`;
}

// Where the cells begin, how large one is, and the size of all. Labels of keys are tilted where a cell is too narrow.
function layOut(context, data, { width: columns, height: rows }, { block, room, font, size }) {
  context.font = font;
  const labels = labelsOf(context, data);
  const numbers = Math.max(labels.query.length, labels.key.length) <= NUMBERS_UP_TO;
  const widest = (texts) => Math.ceil(Math.max(...texts.map((text) => context.measureText(text).width)));
  const roomForKey = widest(labels.key);
  const left = widest(labels.query) + 8;
  const wanted = Math.min(numbers ? 38 : 26, MAP_SIZE / Math.max(columns, rows));
  const exact = Math.min(wanted, Math.max(1, (room - left - Math.ceil(roomForKey * 0.5)) / columns));
  const cell = exact > 3 ? Math.floor(exact) : exact;
  const tilted = roomForKey > cell - 4;
  const every = Math.max(1, Math.ceil(((size === MAP_FONT ? 14 : 11) / cell) * block));  // labels stand at least so far apart
  const top = tilted ? Math.ceil(roomForKey * 0.87 + 16) : 22;
  const right = tilted ? Math.ceil(roomForKey * 0.5) : 2;
  const isNarrow = exact < wanted;
  return { left, top, cell, block, tilted, numbers, labels, font, every, isNarrow, width: left + columns * cell + right, height: top + rows * cell + 2 };
}

function drawLabels(context, labels, { left, top, cell, block, tilted }, every) {
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (let i = 0; i < labels.query.length; i += every) {
    context.fillText(labels.query[i], left - 5, top + ((i + 0.5) * cell) / block);
  }
  for (let i = 0; i < labels.key.length; i += every) {
    context.save();
    context.translate(left + ((i + 0.5) * cell) / block, top - (tilted ? 5 : 10));
    if (tilted) context.rotate(-TILT);
    context.textAlign = tilted ? "left" : "center";
    context.fillText(labels.key[i], 0, 0);
    context.restore();
  }
}

// Lines between the cells, and the numbers where there is room for them.
function drawCells(context, state, { left, top, cell, numbers }, dark) {
  context.lineWidth = 1;
  const colours = colourScale(dark);
  for (let query = 0; query < state.data.nQuery; query++) {
    for (let key = 0; key < state.data.nKey; key++) {
      const x = left + key * cell;
      const y = top + query * cell;
      if (numbers && state.data.allows(query, key)) {
        const weight = state.weight(query, key);
        writeNumber(context, weight, x + cell / 2, y + cell / 2, colours[Math.round(weight * 65535) >> 8]);
      }
      context.strokeStyle = dark ? "#15181c" : "#ffffff";
      context.strokeRect(x, y, cell, cell);
    }
  }
}

function writeNumber(context, weight, x, y, colour) {
  context.fillStyle = inkOn(colour);
  context.textAlign = "center";
  context.fillText(weight.toFixed(2), x, y);
}

// What lies behind the cells, and is seen where the mask forbids.
function hatch(context, left, top, width, height, dark) {
  const theme = dark ? "dark" : "light";
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.fillStyle = `rgb(${COLOUR_OF_MASKED[theme]})`;
  context.fillRect(left, top, width, height);
  context.lineWidth = 1;
  context.strokeStyle = `rgb(${COLOUR_OF_HATCHING[theme]})`;
  context.beginPath();
  for (let step = -height; step < width; step += 6) {
    context.moveTo(left + step, top + height);
    context.lineTo(left + step + height, top);
  }
  context.stroke();
  context.restore();
}
