// Light or dark, as the page around is, and word of a change for as long as the explorer stands in the page.
// Gets the shadow root of the explorer, a function to call, and an element whose size counts as well, if there is one;
// JupyterLab, Sphinx and the system are asked in turn.

const PRESENCE = "attention-explorer-presence";

function isDark() {
  const lab = document.body.dataset.jpThemeLight;
  if (lab) return lab === "false";
  const book = document.documentElement.dataset.theme;
  if (book === "dark" || book === "light") return book === "dark";
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

// What watches the page would outlive an explorer that is replaced, so it ends when the explorer leaves the page.
// JupyterLab may also put the same one back, where a cell scrolls out of sight or a tab moves: then it begins again.
function watchTheme(root, mayHaveChanged, box) {
  const observer = new MutationObserver(mayHaveChanged);
  // In the next frame: what is drawn in another width has another height, of which the observer would complain.
  const sizes = new ResizeObserver(() => requestAnimationFrame(mayHaveChanged));
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const presence = makePresence();
  presence.addEventListener("enter", () => {
    for (const element of [document.body, document.documentElement]) observer.observe(element, { attributes: true });
    system.addEventListener("change", mayHaveChanged);
    if (box) sizes.observe(box);
    mayHaveChanged();
  });
  presence.addEventListener("leave", () => {
    observer.disconnect();
    sizes.disconnect();
    system.removeEventListener("change", mayHaveChanged);
  });
  root.append(presence);
}

// An element that says when it enters the page and when it leaves it: the browser tells that to custom ones alone.
function makePresence() {
  if (!customElements.get(PRESENCE)) {
    customElements.define(PRESENCE, class extends HTMLElement {
      connectedCallback() { this.dispatchEvent(new Event("enter")); }
      disconnectedCallback() { this.dispatchEvent(new Event("leave")); }
    });
  }
  return make(PRESENCE, { hidden: "" });
}
