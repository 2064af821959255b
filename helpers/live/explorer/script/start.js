// Makes an explorer for each place in the page that waits for it.
// Gets the script element that runs, or null, what Python wrote, and the style (see page.py).

function startExplorers(script, given, css) {
  const data = new AttentionData(given);
  for (const place of placesOf(script, "explorer", given.id)) startAt(place, data, given, css);
}

function startAt(place, data, given, css) {
  const host = makeHost();
  const last = lastChoice(place, given.box);
  const start = given.start || placeIn(data, last.read()) || [0, 0, 0];
  const explorer = new Explorer(host.attachShadow({ mode: "open" }), data, css, start, last.write);
  putAt(place, host, "explorer");
  explorer.show();
}

// Where to start in another text: at the word that was lit before, or where it is missing at the same position.
function placeIn(data, last) {
  if (!last) return null;
  const [layer, head, query, word] = last;
  const same = data.tokens.query[query] === word ? query : data.tokens.query.indexOf(word);
  return [layer, head, same < 0 ? query : same];
}

// Of the explorers that follow each other below one box to type in, each goes on where the reader was in the one
// before. What all of them stand in keeps the choice: JupyterLab's output of a cell, so that no other notebook has it.
function lastChoice(place, box) {
  if (!box) return { read: () => null, write: () => {} };
  const keeper = place.closest(".jp-OutputArea") || document.body;
  const choices = (keeper.attentionExplorerChoices ||= {});
  return { read: () => choices[box], write: (choice) => { choices[box] = choice; } };
}
