// A map as pixels on a canvas, one colour for each weight, and the scale that explains the colours.
// Gets the canvas, an AttentionData, the layer and head, and whether the page is dark.

const COLOUR_STOPS = {
  light: [[247, 251, 255], [107, 174, 214], [8, 48, 107]],
  dark: [[27, 36, 47], [43, 123, 190], [226, 240, 255]],
};
const COLOUR_OF_MASKED = { light: [226, 226, 226], dark: [74, 74, 74] };

// 256 colours from weight 0 to weight 1.
function colourScale(dark) {
  const stops = COLOUR_STOPS[dark ? "dark" : "light"];
  return Array.from({ length: 256 }, (_, i) => {
    const at = i / 127.5;
    const [from, to, part] = at < 1 ? [stops[0], stops[1], at] : [stops[1], stops[2], at - 1];
    return from.map((value, channel) => Math.round(value + (to[channel] - value) * part));
  });
}

function paintScale(canvas, dark) {
  const context = canvas.getContext("2d");
  colourScale(dark).forEach((colour, i) => {
    context.fillStyle = `rgb(${colour})`;
    context.fillRect(i, 0, 1, 1);
  });
}

// Paints at most `most` pixels a side, and returns how many weights a side one pixel stands for.
function paintWeights(canvas, data, { layer, head }, most, dark) {
  const block = Math.max(1, Math.ceil(Math.max(data.nQuery, data.nKey) / most));
  canvas.width = Math.ceil(data.nKey / block);
  canvas.height = Math.ceil(data.nQuery / block);
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const colours = colourScale(dark);
  strongestInBlocks(data, layer, head, block).forEach((step, pixel) => {
    const colour = step < 0 ? COLOUR_OF_MASKED[dark ? "dark" : "light"] : colours[step >> 8];
    image.data.set([...colour, 255], pixel * 4);
  });
  context.putImageData(image, 0, 0);
  return block;
}

// The strongest weight of each block, in steps and row by row; -1 where the mask forbids all of it.
function strongestInBlocks(data, layer, head, block) {
  const width = Math.ceil(data.nKey / block);
  const strongest = new Int32Array(width * Math.ceil(data.nQuery / block)).fill(-1);
  for (let query = 0; query < data.nQuery; query++) {
    for (let key = 0; key < data.nKey; key++) {
      if (!data.allows(query, key)) continue;
      const pixel = Math.floor(query / block) * width + Math.floor(key / block);
      strongest[pixel] = Math.max(strongest[pixel], data.step(layer, head, query, key));
    }
  }
  return strongest;
}
