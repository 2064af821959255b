function attentionExplorer(script, data) {
  "use strict";
  // A column has room for this many words. Of more, a column shows a stretch or the strongest, and says so.
  const MOST_WORDS = 32;
  const MOST_MAP_PIXELS = 384;
  const MAP_SIZE = 330;
  const THUMBNAIL = 56;
  const NUMBERS_UP_TO = 8;
  const [nLayers, nHeads, nQuery, nKey] = data.shape;
  const counts = { query: nQuery, key: nKey };
  const tokens = { query: data.queries.map(visible), key: (data.keys || data.queries).map(visible) };
  const repeated = { query: repeats(tokens.query), key: repeats(tokens.key) };
  const other = { query: "key", key: "query" };
  const plural = { query: "queries", key: "keys" };
  const packed = unpack(data.weights);
  const weights = new Uint16Array(packed.buffer);
  const mask = data.mask ? unpack(data.mask) : null;

  // JupyterLab runs a script anew after it has put the output in place: the script may not know where it stands.
  const before = script && script.previousElementSibling;
  const places = before && before.dataset.explorer === data.id
    ? [before]
    : document.querySelectorAll(`[data-explorer="${data.id}"]:not([data-ready])`);
  for (const place of places) start(place);

  function start(place) {
    const host = make("div", { "data-lm-suppress-shortcuts": "true" });  // JupyterLab leaves the arrow keys to us
    const root = host.attachShadow({ mode: "open" });
    const explorer = build(root);
    place.append(host);
    place.dataset.ready = "";
    for (const still of place.querySelectorAll(":scope > .attention-explorer-still")) still.hidden = true;
    explorer.show();
  }

  // ---- the numbers ----

  function unpack(text) {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  }

  function offset(layer, head) {
    return (layer * nHeads + head) * nQuery * nKey;
  }

  function allowed(query, key) {
    const at = query * nKey + key;
    return !mask || (mask[at >> 3] >> (7 - (at & 7))) & 1;
  }

  function percent(weight) {
    if (weight > 0 && weight < 0.005) return "<1 %";
    return `${Math.round(weight * 100)} %`;
  }

  function visible(word) {
    return word.trim() ? word : "\u2423";
  }

  function repeats(words) {
    const seen = new Map();
    for (const word of words) seen.set(word, (seen.get(word) || 0) + 1);
    return words.map((word) => seen.get(word) > 1);
  }

  function nameOf(side, index) {
    const word = `\u2068${tokens[side][index]}\u2069`;  // isolated, so that right-to-left words stay in their place
    return repeated[side][index] ? `"${word}" (position ${index})` : `"${word}"`;
  }

  // ---- the page ----

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function isDark() {
    const lab = document.body.dataset.jpThemeLight;
    if (lab) return lab === "false";
    const book = document.documentElement.dataset.theme;
    if (book === "dark" || book === "light") return book === "dark";
    return window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  // 256 colours from weight 0 to weight 1.
  function ramp(dark) {
    const stops = dark
      ? [[27, 36, 47], [43, 123, 190], [226, 240, 255]]
      : [[247, 251, 255], [107, 174, 214], [8, 48, 107]];
    return Array.from({ length: 256 }, (_, i) => {
      const at = i / 127.5;
      const [from, to, part] = at < 1 ? [stops[0], stops[1], at] : [stops[1], stops[2], at - 1];
      return from.map((value, channel) => Math.round(value + (to[channel] - value) * part));
    });
  }

  // One map as an image of at most `most` pixels a side; a pixel that stands for several weights has the strongest.
  function paint(canvas, layer, head, most, dark) {
    const block = Math.max(1, Math.ceil(Math.max(nQuery, nKey) / most));
    const width = Math.ceil(nKey / block);
    const height = Math.ceil(nQuery / block);
    const strongest = new Int32Array(width * height).fill(-1);
    const start = offset(layer, head);
    for (let query = 0; query < nQuery; query++) {
      for (let key = 0; key < nKey; key++) {
        if (!allowed(query, key)) continue;
        const pixel = Math.floor(query / block) * width + Math.floor(key / block);
        const weight = weights[start + query * nKey + key];
        if (weight > strongest[pixel]) strongest[pixel] = weight;
      }
    }
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    const image = context.createImageData(width, height);
    const colours = ramp(dark);
    const masked = dark ? [74, 74, 74] : [226, 226, 226];
    for (let pixel = 0; pixel < strongest.length; pixel++) {
      const colour = strongest[pixel] < 0 ? masked : colours[strongest[pixel] >> 8];
      image.data.set([...colour, 255], pixel * 4);
    }
    context.putImageData(image, 0, 0);
    return block;
  }

  function build(root) {
    // Of the explorers that follow each other in one place, each goes on where the reader was in the one before.
    const start = data.start || window.attentionExplorerChoice || [0, 0];
    let layer = Math.min(start[0], nLayers - 1);
    let head = Math.min(start[1], nHeads - 1);
    let dark = isDark();
    let pinned = { side: "query", index: 0 };  // what was last clicked or reached by key
    let lit = pinned;                          // what is pointed at, else what is pinned
    const stretch = { query: range(nQuery), key: range(nKey) };  // the words in each column, by position
    const active = { query: 0, key: 0 };       // where Tab enters a column
    const rowHeight = Math.max(nQuery, nKey) > 16 ? 22 : 26;
    const nSlots = { query: Math.min(nQuery, MOST_WORDS), key: Math.min(nKey, MOST_WORDS) };
    const hasHeads = data.levels.includes("head");
    const hasLayers = data.levels.includes("layer");

    const card = make("section", { class: "card", "aria-label": data.title || "Attention explorer" });
    const style = make("style");
    style.textContent = data.css;
    const layerChoice = choices("Layer", nLayers, layer, (index) => { layer = index; afterChoice(); });
    const headChoice = choices("Head", nHeads, head, (index) => { head = index; afterChoice(); }, true);
    const columns = { query: column("query"), key: column("key") };
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const lines = Array.from({ length: Math.max(nSlots.query, nSlots.key) }, newLine);
    const wordsNote = make("p", { class: "quiet" });
    const map = make("canvas", { role: "img" });
    const mark = make("div", { class: "mark" });
    const plot = make("div", { class: "plot" }, mark);
    const mapNote = make("p", { class: "quiet" });
    const scaleBar = make("canvas", { width: 256, height: 1, "aria-hidden": "true" });
    const readout = make("p", { class: "readout", role: "status" });
    const table = make("table");
    const details = make(
      "details", {}, make("summary", {}, "The numbers as a table"),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of weights" }, table),
    );
    assemble();

    const hidden = document.createElement("canvas");  // the map before it is made larger
    let geometry = {};
    let pointer = {};

    function range(n, from = 0) {
      return Array.from({ length: Math.min(n, MOST_WORDS) }, (_, i) => from + i);
    }

    function at(query, key) {
      return weights[offset(layer, head) + query * nKey + key] / 65535;
    }

    function between(focus, index) {
      return focus.side === "query" ? [focus.index, index] : [index, focus.index];
    }

    function newLine() {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      line.setAttribute("vector-effect", "non-scaling-stroke");
      svg.append(line);
      return line;
    }

    function column(side) {
      const name = side === "query" ? "Queries" : "Keys, attended to";
      const box = make("div", { class: plural[side], role: "listbox", "aria-label": name });
      const slots = Array.from({ length: nSlots[side] }, () => {
        const word = make("bdi");
        const position = make("small");
        const share = make("span", { class: "percent" });
        const parts = side === "query" ? [word, position, share] : [share, word, position];
        const option = make("div", { class: "word", role: "option", tabindex: "-1" }, ...parts);
        option.style.height = `${rowHeight}px`;
        box.append(option);
        return { option, word, position, share };
      });
      return { box, slots };
    }

    function choices(name, count, chosen, choose, thumbnails = false) {
      const box = make("div", { class: "choices", role: "radiogroup", "aria-label": name });
      const buttons = Array.from({ length: count }, (_, index) => {
        const button = make("div", { class: "choice", role: "radio", "aria-label": `${name} ${index}` });
        if (thumbnails) {
          button.append(make("canvas", { "aria-hidden": "true", style: thumbnailSize() }));
        }
        button.append(`${thumbnails ? "head " : ""}${index}`);
        button.addEventListener("click", () => { button.focus(); select(index); });
        box.append(button);
        return button;
      });
      box.prepend(make("span", { "aria-hidden": "true" }, name));
      box.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        const now = buttons.indexOf(root.activeElement);
        let next = step ? (now + step + count) % count : null;
        if (event.key === "Home") next = 0;
        if (event.key === "End") next = count - 1;
        if (next === null || now < 0) return;
        event.preventDefault();
        buttons[next].focus();
        select(next);
      });
      function select(index) {
        check(index);
        choose(index);
      }
      function check(index) {
        buttons.forEach((button, i) => {
          button.setAttribute("aria-checked", String(i === index));
          button.tabIndex = i === index ? 0 : -1;
        });
      }
      check(chosen);
      return { box, buttons };
    }

    function thumbnailSize() {
      const most = Math.max(nQuery, nKey);
      return `width:${Math.max(8, (THUMBNAIL * nKey) / most)}px;height:${Math.max(8, (THUMBNAIL * nQuery) / most)}px`;
    }

    function assemble() {
      const height = rowHeight * Math.max(nSlots.query, nSlots.key);
      svg.setAttribute("viewBox", `0 0 100 ${height}`);
      svg.setAttribute("height", height);
      svg.setAttribute("preserveAspectRatio", "none");
      svg.setAttribute("aria-hidden", "true");
      const grid = make(
        "div", { class: "columns" },
        make("span", { class: "quiet" }, "query"), make("span"), make("span", { class: "quiet" }, "key (attended to)"),
        columns.query.box, svg, columns.key.box,
      );
      const scale = make("p", { class: "quiet scale" }, "weight 0", scaleBar, "1", ...(mask ? [", grey: masked"] : []));
      const help = "Point at a word or at the map; with the keyboard, Tab and the arrow keys.";
      card.append(
        ...(data.title ? [make("p", { class: "title" }, data.title)] : []),
        ...(hasLayers ? [layerChoice.box] : []),
        ...(hasHeads ? [headChoice.box] : []),
        make("p", { class: "quiet" }, help, ...(data.notes.length ? [" " + data.notes.join(" ")] : [])),
        readout,
        make("div", { class: "body" },
          make("div", { class: "words" }, grid, wordsNote),
          make("div", {}, make("div", { class: "map" }, map, plot), scale, mapNote)),
        details,
      );
      root.append(style, card);
      for (const side of ["query", "key"]) listen(side);
      map.addEventListener("pointermove", (event) => pointAtMap(event, false));
      map.addEventListener("pointerleave", () => light(pinned));
      map.addEventListener("click", (event) => pointAtMap(event, true));
      details.addEventListener("toggle", fillTable);
      new MutationObserver(themeMayHaveChanged).observe(document.body, { attributes: true });
      new MutationObserver(themeMayHaveChanged).observe(document.documentElement, { attributes: true });
      window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeMayHaveChanged);
    }

    // ---- pointing ----

    function listen(side) {
      const { box, slots } = columns[side];
      const indexOf = (event) => {
        const slot = slots.findIndex(({ option }) => option.contains(event.target));
        return slot < 0 ? null : stretch[side][slot];
      };
      box.addEventListener("pointerover", (event) => {
        const index = indexOf(event);
        if (index !== null && hasMoved(event)) light({ side, index }, true);
      });
      box.addEventListener("pointerleave", () => light(pinned));
      box.addEventListener("focusin", (event) => {
        const index = indexOf(event);
        if (index !== null) pin({ side, index });
      });
      box.addEventListener("keydown", (event) => {
        const last = counts[side] - 1;
        const now = active[side];
        const next = {
          ArrowDown: now + 1, ArrowUp: now - 1, PageDown: now + 10, PageUp: now - 10, Home: 0, End: last,
        }[event.key];
        if (next !== undefined) {
          event.preventDefault();
          focusOn({ side, index: Math.max(0, Math.min(last, next)) });
        } else if (event.key === (side === "query" ? "ArrowRight" : "ArrowLeft")) {
          event.preventDefault();
          focusOn({ side: other[side], index: stretch[other[side]].includes(now) ? now : active[other[side]] });
        }
      });
    }

    // When the page shifts under a pointer at rest, the browser says "over" too; that must not undo an arrow key.
    function hasMoved({ screenX, screenY }) {
      const moved = screenX !== pointer.x || screenY !== pointer.y;
      pointer = { x: screenX, y: screenY };
      return moved;
    }

    function focusOn(focus) {
      bringInto(focus);
      const slot = stretch[focus.side].indexOf(focus.index);
      pin(focus);
      columns[focus.side].slots[slot].option.focus();
    }

    function pin(focus) {
      pinned = focus;
      active[focus.side] = focus.index;
      light(focus, true);
    }

    function pointAtMap(event, click) {
      const box = map.getBoundingClientRect();
      const scale = geometry.width / box.width;
      const key = Math.floor(((event.clientX - box.left) * scale - geometry.left) / geometry.cell * geometry.block);
      const query = Math.floor(((event.clientY - box.top) * scale - geometry.top) / geometry.cell * geometry.block);
      if (key < 0 || query < 0 || key >= nKey || query >= nQuery) return;
      const focus = { side: "query", index: query };
      bringInto(focus);
      if (click) pin(focus);
      else light(focus, true, key);
    }

    // A column longer than its room shows the stretch around the word in question.
    function bringInto({ side, index }) {
      if (stretch[side].includes(index)) return;
      const from = Math.max(0, Math.min(counts[side] - MOST_WORDS, index - MOST_WORDS / 2));
      stretch[side] = range(counts[side], from);
    }

    function strongestFor(focus) {
      const side = other[focus.side];
      if (counts[side] <= MOST_WORDS) return range(counts[side]);
      const order = Array.from({ length: counts[side] }, (_, index) => index);
      order.sort((a, b) => at(...between(focus, b)) - at(...between(focus, a)) || a - b);
      return order.slice(0, MOST_WORDS).sort((a, b) => a - b);
    }

    // ---- showing ----

    function light(focus, keepColumn = false, key = null) {
      lit = focus;
      if (!keepColumn) bringInto(focus);
      stretch[other[focus.side]] = strongestFor(focus);
      fillColumn(focus.side);
      fillColumn(other[focus.side]);
      drawLines();
      placeMark();
      readout.textContent = inWords(key);
      wordsNote.textContent = whatIsShown();
      wordsNote.hidden = !wordsNote.textContent;
    }

    function fillColumn(side) {
      const far = side !== lit.side;
      const enter = stretch[side].includes(active[side]) ? active[side] : stretch[side][0];
      columns[side].slots.forEach(({ option, word, position, share }, slot) => {
        const index = stretch[side][slot];
        const isLit = !far && index === lit.index;
        write(word, tokens[side][index]);
        write(position, repeated[side][index] || counts[side] > MOST_WORDS ? String(index) : "");
        write(share, far ? shareOf(index) : "");
        if (option.title !== tokens[side][index]) option.title = tokens[side][index];
        option.classList.toggle("lit", isLit);
        option.setAttribute("aria-selected", String(isLit));
        option.tabIndex = index === enter ? 0 : -1;
      });
      // The word that Tab would reach is where Tab was, so that going on from there is the next step.
      active[side] = enter;
    }

    function write(element, text) {
      if (element.textContent !== text) element.textContent = text;
    }

    function shareOf(index) {
      const [query, key] = between(lit, index);
      return allowed(query, key) ? percent(at(query, key)) : "masked";
    }

    function drawLines() {
      const from = (stretch[lit.side].indexOf(lit.index) + 0.5) * rowHeight;
      const far = stretch[other[lit.side]];
      lines.forEach((line, slot) => {
        const [query, key] = slot < far.length ? between(lit, far[slot]) : [0, 0];
        const weight = slot < far.length && allowed(query, key) ? at(query, key) : 0;
        if (weight === 0) {
          line.style.display = "none";
          return;
        }
        const to = (slot + 0.5) * rowHeight;
        line.style.display = "";
        line.setAttribute("class", lit.side);
        line.setAttribute("x1", 0);
        line.setAttribute("x2", 100);
        line.setAttribute("y1", lit.side === "query" ? from : to);
        line.setAttribute("y2", lit.side === "query" ? to : from);
        line.setAttribute("stroke-width", (0.8 + 7 * weight).toFixed(2));
        line.setAttribute("stroke-opacity", Math.min(1, 0.12 + weight).toFixed(3));
      });
    }

    function placeMark() {
      const start = `${(lit.index / counts[lit.side]) * 100}%`;
      const size = `${100 / counts[lit.side]}%`;
      mark.className = `mark ${lit.side}`;
      Object.assign(
        mark.style,
        lit.side === "query"
          ? { left: 0, width: "100%", top: start, height: size }
          : { top: 0, height: "100%", left: start, width: size },
      );
    }

    function inWords(key) {
      const far = other[lit.side];
      const open = [];
      for (let index = 0; index < counts[far]; index++) {
        const pair = between(lit, index);
        if (allowed(...pair)) open.push([index, at(...pair)]);
      }
      const nMasked = counts[far] - open.length;
      open.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
      const first = open.slice(0, 5).map(([index, weight]) => `${nameOf(far, index)} ${percent(weight)}`);
      const rest = open.slice(5);
      let text = lit.side === "query"
        ? `${nameOf("query", lit.index)} attends to ${first.join(", ") || "nothing"}`
        : `${nameOf("key", lit.index)} is looked at by ${first.join(", ") || "nothing"}`;
      if (rest.length) {
        const total = lit.side === "query" ? ` with ${percent(rest.reduce((sum, pair) => sum + pair[1], 0))}` : "";
        text += `, and ${rest.length} more${total}`;
      }
      text += ".";
      if (nMasked) text += ` ${nMasked} masked.`;
      if (key !== null) text = `${nameOf("query", lit.index)} to ${nameOf("key", key)}: ${shareOf(key)}. ${text}`;
      return text;
    }

    function whatIsShown() {
      const said = [];
      const far = other[lit.side];
      if (counts[lit.side] > MOST_WORDS) {
        said.push(`${stretch[lit.side].length} of ${counts[lit.side]} ${plural[lit.side]} have room in the column; ` +
          "arrow keys or a click in the map go on to the others.");
      }
      if (counts[far] > MOST_WORDS) {
        said.push(`Of ${counts[far]} ${plural[far]} the ${MOST_WORDS} strongest are shown.`);
      }
      return said.join(" ");
    }

    function drawMap() {
      const block = paint(hidden, layer, head, MOST_MAP_PIXELS, dark);
      const cells = Math.max(hidden.width, hidden.height);
      const numbers = Math.max(nQuery, nKey) <= NUMBERS_UP_TO;
      const exact = Math.min(numbers ? 38 : 26, MAP_SIZE / cells);
      const cell = exact > 3 ? Math.floor(exact) : exact;
      const context = map.getContext("2d");
      const font = "12px system-ui, sans-serif";
      context.font = font;
      const label = (side) => tokens[side].map((token) => shorten(context, token));
      const labels = { query: label("query"), key: label("key") };
      const room = (side) => Math.ceil(Math.max(...labels[side].map((text) => context.measureText(text).width)));
      const tilted = room("key") > cell - 4;
      const left = room("query") + 8;
      const top = tilted ? Math.ceil(room("key") * 0.87 + 16) : 22;
      const right = tilted ? Math.ceil(room("key") * 0.5) : 2;
      const width = left + hidden.width * cell + right;
      const height = top + hidden.height * cell + 2;
      const sharp = Math.max(1, window.devicePixelRatio || 1);
      map.width = width * sharp;
      map.height = height * sharp;
      map.style.width = `${width}px`;
      context.scale(sharp, sharp);
      context.imageSmoothingEnabled = false;
      context.drawImage(hidden, left, top, hidden.width * cell, hidden.height * cell);
      context.font = font;
      context.fillStyle = getComputedStyle(card).color;
      context.textBaseline = "middle";
      const every = Math.max(1, Math.ceil((14 / cell) * block));
      context.textAlign = "right";
      for (let i = 0; i < nQuery; i += every) {
        context.fillText(labels.query[i], left - 5, top + ((i + 0.5) * cell) / block);
      }
      for (let i = 0; i < nKey; i += every) {
        context.save();
        context.translate(left + ((i + 0.5) * cell) / block, top - (tilted ? 5 : 10));
        if (tilted) context.rotate(-Math.PI / 3);
        context.textAlign = tilted ? "left" : "center";
        context.fillText(labels.key[i], 0, 0);
        context.restore();
      }
      if (cell >= 7) drawCells(context, left, top, cell, numbers);
      geometry = { left, top, cell, block, width };
      Object.assign(plot.style, {
        left: `${(left / width) * 100}%`,
        top: `${(top / height) * 100}%`,
        width: `${((hidden.width * cell) / width) * 100}%`,
        height: `${((hidden.height * cell) / height) * 100}%`,
      });
      map.setAttribute("aria-label", `Attention map${where()}, ${nQuery} by ${nKey}; its numbers stand in the table below.`);
      const ofLabels = every > 1 ? `In the map, one word in ${every} is named. ` : "";
      const ofBlocks = block > 1 ? `Each point of the map is the strongest of ${block} by ${block} weights.` : "";
      mapNote.textContent = ofLabels + ofBlocks;
    }

    function shorten(context, token) {
      if (context.measureText(token).width <= 84) return token;
      const letters = Array.from(token);
      while (letters.length && context.measureText(letters.join("") + "…").width > 84) letters.pop();
      return letters.join("") + "…";
    }

    // Lines between the cells, hatching where the mask forbids, and the numbers where there is room for them.
    function drawCells(context, left, top, cell, numbers) {
      context.lineWidth = 1;
      for (let query = 0; query < nQuery; query++) {
        for (let key = 0; key < nKey; key++) {
          const x = left + key * cell;
          const y = top + query * cell;
          if (!allowed(query, key)) hatch(context, x, y, cell);
          else if (numbers) {
            const weight = at(query, key);
            context.fillStyle = (weight > 0.55) === dark ? "#1a1a1a" : "#ffffff";
            context.textAlign = "center";
            context.fillText(weight.toFixed(2), x + cell / 2, y + cell / 2);
          }
          context.strokeStyle = dark ? "#15181c" : "#ffffff";
          context.strokeRect(x, y, cell, cell);
        }
      }
    }

    function hatch(context, x, y, cell) {
      context.save();
      context.beginPath();
      context.rect(x, y, cell, cell);
      context.clip();
      context.strokeStyle = dark ? "#8a8a8a" : "#9a9a9a";
      context.beginPath();
      for (let step = -cell; step < cell; step += 5) {
        context.moveTo(x + step, y + cell);
        context.lineTo(x + step + cell, y);
      }
      context.stroke();
      context.restore();
    }

    function drawThumbnails() {
      if (!hasHeads) return;
      headChoice.buttons.forEach((button, index) => {
        paint(button.querySelector("canvas"), layer, index, 2 * THUMBNAIL, dark);
      });
    }

    function drawScale() {
      const context = scaleBar.getContext("2d");
      ramp(dark).forEach((colour, i) => {
        context.fillStyle = `rgb(${colour})`;
        context.fillRect(i, 0, 1, 1);
      });
    }

    function where() {
      return (hasLayers ? `, layer ${layer}` : "") + (hasHeads ? `, head ${head}` : "");
    }

    function fillTable() {
      if (!details.open) return;
      const cut = nQuery > MOST_WORDS || nKey > MOST_WORDS;
      const shown = cut ? ", the words of the columns above" : "";
      const caption = make("caption", {}, `Weights in percent${where()}${shown}. Rows are queries, columns are keys.`);
      const heading = (side, index, scope) =>
        make("th", { scope }, make("bdi", {}, tokens[side][index]), repeated[side][index] ? ` (${index})` : "");
      const top = make("tr", {}, make("td"), ...stretch.key.map((key) => heading("key", key, "col")));
      const rows = stretch.query.map((query) => make(
        "tr", {}, heading("query", query, "row"),
        ...stretch.key.map((key) => make("td", {}, allowed(query, key) ? percent(at(query, key)) : "masked")),
      ));
      table.replaceChildren(caption, make("thead", {}, top), make("tbody", {}, ...rows));
    }

    function afterChoice() {
      if (data.live) window.attentionExplorerChoice = [layer, head];
      if (hasHeads) drawThumbnails();
      drawMap();
      light(pinned);
      fillTable();
    }

    function themeMayHaveChanged() {
      if (isDark() !== dark) show();
    }

    function show() {
      dark = isDark();
      if (data.live) window.attentionExplorerChoice = [layer, head];
      card.classList.toggle("dark", dark);
      drawThumbnails();
      drawScale();
      drawMap();
      light(pinned);
    }

    return { show };
  }
}
