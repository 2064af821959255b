// Makes a sheet for each place in the page that waits for it.
// Gets the script element that runs, or null, what Python wrote (see page.py), and the style.

function startCalculations(script, given, css) {
  for (const place of placesOf(script, "calculation", given.id)) startCalculationAt(place, given, css);
}

function startCalculationAt(place, given, css) {
  const host = makeHost();
  const address = addressOf(place);
  const linked = address && address.read();
  const sheet = new Sheet(host.attachShadow({ mode: "open" }), css, given, tellPython(place, given.box), address);
  if (linked) {
    sheet.model.change((state) => Object.assign(state, linked.state));
    if (linked.stage in STAGES) sheet.stage = linked.stage;
  }
  putAt(place, host, "calculation");
  sheet.chooseLinked(linked?.chosen);
  sheet.show();
  if (linked) whenLoaded(() => host.scrollIntoView({ behavior: "instant" }));
}

// What else a page does while it loads may scroll it, too.
function whenLoaded(then) {
  if (document.readyState === "complete") then();
  else window.addEventListener("load", () => setTimeout(then), { once: true });
}

// Where a page belongs to the sheet, and not to JupyterLab, its address can hold the numbers; several are counted.
function addressOf(place) {
  if (document.body.dataset.jpThemeLight !== undefined) return null;
  const number = [...document.querySelectorAll(".attention-calculation")].indexOf(place);
  return {
    read() {
      const [, of, stage, text] = /^#calculation-(\d+)-(\w+)-([\w-]+)$/.exec(location.hash) || [];
      const found = of === String(number) ? unpacked(text) : null;
      if (!found) return null;
      const { shown: chosen, ...state } = found;
      return { state, stage, chosen };
    },
    write(state, stage) {
      history.replaceState(null, "", `#calculation-${number}-${stage}-${packed(state)}`);
      return location.href;
    },
  };
}

// A hidden box of ipywidgets hands the state to Python; it is looked for late, for it may be made after the sheet.
function tellPython(place, box) {
  let waiting = null;
  return (state) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const scope = place.closest(".jp-OutputArea") || document;
      const area = box && scope.querySelector(`.attention-calculation-box-${box} textarea`);
      if (!area) return;
      area.value = JSON.stringify(state);
      for (const type of ["input", "change"]) area.dispatchEvent(new Event(type, { bubbles: true }));
    }, 100);
  };
}
