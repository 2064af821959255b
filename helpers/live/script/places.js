// Finds the places in the page that wait for what is live, and puts it there, in front of the static picture.
// Gets its kind, "explorer" or "calculation", and its id, as Python wrote them into the page.

// JupyterLab runs a script anew after it has put the output in place: the script may not know where it stands.
function placesOf(script, kind, id) {
  const before = script && script.previousElementSibling;
  const isHere = before && before.dataset[kind] === id && before.dataset.ready === undefined;
  return isHere ? [before] : document.querySelectorAll(`[data-${kind}="${id}"]:not([data-ready])`);
}

// JupyterLab leaves the keys to what stands in it.
function makeHost() {
  return make("div", { "data-lm-suppress-shortcuts": "true" });
}

function putAt(place, host, kind) {
  place.append(host);
  place.dataset.ready = "";
  for (const still of place.querySelectorAll(`:scope > .attention-${kind}-still`)) still.hidden = true;
}
