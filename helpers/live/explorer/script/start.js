// Finds the place of an explorer in the page and puts it there, in front of the static picture.
// Gets the script element that runs, or null, and what Python wrote (see page.py).

function startExplorers(script, given) {
  const data = new AttentionData(given);
  for (const place of placesOf(script, given.id)) startAt(place, data, given);
}

// JupyterLab runs a script anew after it has put the output in place: the script may not know where it stands.
function placesOf(script, id) {
  const before = script && script.previousElementSibling;
  if (before && before.dataset.explorer === id) return [before];
  return document.querySelectorAll(`[data-explorer="${id}"]:not([data-ready])`);
}

function startAt(place, data, given) {
  const host = make("div", { "data-lm-suppress-shortcuts": "true" });  // JupyterLab leaves the arrow keys to us
  const last = lastChoice(place, given.box);
  const explorer = new Explorer(
    host.attachShadow({ mode: "open" }), data, given.css, given.start || last.read() || [0, 0], last.write,
  );
  place.append(host);
  place.dataset.ready = "";
  for (const still of place.querySelectorAll(":scope > .attention-explorer-still")) still.hidden = true;
  explorer.show();
}

// Of the explorers that follow each other below one box to type in, each goes on where the reader was in the one
// before. What all of them stand in keeps the choice: JupyterLab's output of a cell, so that no other notebook has it.
function lastChoice(place, box) {
  if (!box) return { read: () => null, write: () => {} };
  const keeper = place.closest(".jp-OutputArea") || document.body;
  const choices = (keeper.attentionExplorerChoices ||= {});
  return { read: () => choices[box], write: (choice) => { choices[box] = choice; } };
}
