// The explorers look for the theme where most Sphinx themes note it, on <html>; this one notes it on <body>.
const mirror = () => { document.documentElement.dataset.theme = document.body.dataset.theme; };
new MutationObserver(mirror).observe(document.body, { attributeFilter: ["data-theme"] });
mirror();

// Two side columns, told apart by name.
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "This page");

// What is wider than its place can be scrolled with the arrow keys, and what is not is no stop for Tab.
const scrollers = [...document.querySelectorAll("pre, .formula, .table-wrapper")];
const stops = () => {
  for (const box of scrollers) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
window.addEventListener("resize", stops);
for (const box of document.querySelectorAll("details")) box.addEventListener("toggle", stops);
stops();

// On a narrow page the theme's two columns open at a label with a hidden box, which no key reaches.
for (const [name, shown, drawer] of [
  ["__navigation", "all pages", ".sidebar-drawer"], ["__toc", "the headings of this page", ".toc-drawer"],
]) {
  const box = document.getElementById(name);
  const column = document.querySelector(drawer);
  const buttons = [...document.querySelectorAll(`label[for="${name}"]:not(.overlay)`)];
  const say = () => buttons.forEach((button) => button.setAttribute("aria-expanded", String(box.checked)));
  const set = (open) => {
    box.checked = open;
    box.dispatchEvent(new Event("change"));
  };
  for (const button of buttons) {
    button.setAttribute("role", "button");
    button.setAttribute("aria-label", `Show ${shown}`);
    button.tabIndex = 0;
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      set(!box.checked);
      if (box.checked) column.querySelector("input, a")?.focus();
    });
  }
  box.addEventListener("change", say);
  column.addEventListener("click", (event) => { if (event.target.closest("a")) set(false); });
  column.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.checked) return;
    set(false);
    buttons.find((button) => button.offsetParent)?.focus();
  });
  say();
}
