// A map as pixels on a canvas, one colour for each weight, and the scale that explains the colours.
// Gets the canvas, an AttentionData, the layer and head, and whether the page is dark.

// Grey, as weights are in all pictures (helpers/drawing/colours.py): the more, the further from the paper.
const ENDS_OF_SCALE = { light: [[250, 250, 250], [20, 22, 26]], dark: [[30, 33, 37], [244, 246, 250]] };
const COLOUR_OF_MASKED = { light: [242, 242, 242], dark: [44, 46, 50] };
const COLOUR_OF_HATCHING = { light: [140, 140, 140], dark: [150, 150, 150] };

// 256 colours from weight 0 to weight 1.
function colourScale(dark) {
  const [from, to] = ENDS_OF_SCALE[dark ? "dark" : "light"];
  return Array.from({ length: 256 }, (_, i) =>
    from.map((value, channel) => Math.round(value + ((to[channel] - value) * i) / 255)));
}

function paintScale(canvas, dark) {
  const context = canvas.getContext("2d");
  colourScale(dark).forEach((colour, i) => {
    context.fillStyle = `rgb(${colour})`;
    context.fillRect(i, 0, 1, 1);
  });
}

// Paints at most `most` pixels a side, and returns how many weights a side one pixel stands for. What is masked is left
// out, so that the hatching behind it is seen.
function paintWeights(canvas, data, { layer, head }, most, dark) {
  const block = Math.max(1, Math.ceil(Math.max(data.nQuery, data.nKey) / most));
  canvas.width = Math.ceil(data.nKey / block);
  canvas.height = Math.ceil(data.nQuery / block);
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const colours = colourScale(dark);
  strongestInBlocks(data, layer, head, block).forEach((step, pixel) => {
    if (step >= 0) image.data.set([...colours[step >> 8], 255], pixel * 4);
  });
  context.putImageData(image, 0, 0);
  return block;
}

// Black or white, whichever stands out more from a colour: at least 4.58 to 1, whatever the colour.
function inkOn(colour) {
  const [red, green, blue] = colour.map((level) => {
    const share = level / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (brightness + 0.05) / 0.05 > 1.05 / (brightness + 0.05) ? "#000000" : "#ffffff";
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
