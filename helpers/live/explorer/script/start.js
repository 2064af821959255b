// Makes an explorer for each place in the page that waits for it.
// Gets the script element that runs, or null, and what Python wrote (see page.py).

function startExplorers(script, given) {
  const data = new AttentionData(given);
  for (const place of placesOf(script, "explorer", given.id)) startAt(place, data, given);
}

function startAt(place, data, given) {
  const host = makeHost();
  const last = lastChoice(place, given.box);
  const explorer = new Explorer(
    host.attachShadow({ mode: "open" }), data, given.css, given.start || last.read() || [0, 0], last.write,
  );
  putAt(place, host, "explorer");
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
