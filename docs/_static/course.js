// The explorers look for the theme where most Sphinx themes note it, on <html>; this one notes it on <body>.
const mirror = () => { document.documentElement.dataset.theme = document.body.dataset.theme; };
new MutationObserver(mirror).observe(document.body, { attributeFilter: ["data-theme"] });
mirror();

// Two side columns, told apart by name.
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All pages");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "This page");

// Where the strip of stages is wider than the page, it shows the stage of this lesson.
const strip = document.querySelector(".strip");
if (strip) {
  const { stage, stages } = strip.dataset;
  const box = strip.querySelector(".picture");
  box.scrollLeft = box.scrollWidth * (stage - 0.5) / stages - box.clientWidth / 2;
}

// What is wider than its place can be scrolled with the arrow keys, and what is not is no stop for Tab.
const scrollers = [...document.querySelectorAll("pre, .formula, .table-wrapper, .picture")];
const fade = (box) => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
const stops = () => {
  for (const box of scrollers) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    fade(box);
  }
};
for (const box of scrollers) box.addEventListener("scroll", () => fade(box), { passive: true });
window.addEventListener("resize", stops);
for (const box of document.querySelectorAll("details")) box.addEventListener("toggle", stops);
stops();

// On a narrow page the theme's two columns open at labels of hidden boxes, which no key reaches: buttons take their place.
for (const [name, shown, drawer] of [
  ["__navigation", "all pages", ".sidebar-drawer"], ["__toc", "the headings of this page", ".toc-drawer"],
]) {
  const box = document.getElementById(name);
  const column = document.querySelector(drawer);
  const buttons = [...document.querySelectorAll(`label[for="${name}"]:not(.overlay)`)].map((label) => {
    const button = document.createElement("button");
    button.className = label.className;
    button.setAttribute("aria-label", `Show ${shown}`);
    button.append(...label.childNodes);
    button.addEventListener("click", () => set(!box.checked));
    label.replaceWith(button);
    return button;
  });
  const say = () => buttons.forEach((button) => button.setAttribute("aria-expanded", String(box.checked)));
  const set = (open) => {
    box.checked = open;
    say();
    if (open) column.querySelector("input, a")?.focus();
  };
  box.addEventListener("change", say);  // the dimmed page beside an open column is a label too
  column.addEventListener("click", (event) => { if (event.target.closest("a")) set(false); });
  column.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.checked) return;
    set(false);
    buttons.find((button) => button.offsetParent)?.focus();
  });
  say();
}

// On a narrow page a group of questions opens when it is asked for, or linked to.
const groups = [...document.querySelectorAll("details.group")];
const openTarget = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const group of groups) if (target && (target.contains(group) || group.contains(target))) group.open = true;
};
if (window.matchMedia("(max-width: 46em)").matches) for (const group of groups) group.open = false;
window.addEventListener("hashchange", openTarget);
openTarget();

// Lessons that were read to their recap have a tick, in the list and in the sidebar. Only this browser knows of it.
const READ = "attention-read";
const lessonOf = (address) => /\/notebooks\/([\w-]+)\.html$/.exec(address)?.[1];
const here = lessonOf(location.pathname);
try {
  const read = new Set(JSON.parse(localStorage.getItem(READ) || "[]"));
  for (const link of document.querySelectorAll(".sidebar-tree a, .lessons a")) {
    const lesson = lessonOf(new URL(link.href, location.href).pathname);
    const isRead = lesson !== here && read.has(lesson);
    link.classList.toggle("read-before", isRead);
    if (isRead) link.title = "Read to its recap, in this browser";
  }
  const recap = [...document.querySelectorAll("article h2")].find((heading) => heading.textContent.startsWith("Recap"));
  const keep = (seen) => {
    if (seen.some((entry) => entry.isIntersecting)) localStorage.setItem(READ, JSON.stringify([...read.add(here)]));
  };
  if (here && recap) new IntersectionObserver(keep).observe(recap);
} catch {
  // Where a browser keeps nothing, there is no tick.
}

// On a narrow page the bar at the top says where one is: the lesson, and its step.
const bar = document.querySelector(".mobile-header .brand");
const textOf = (heading) => [...heading.childNodes].filter((node) => !node.classList?.contains("headerlink"))
  .map((node) => node.textContent).join("").split(":")[0];
const headings = here ? [...document.querySelectorAll("article h2")] : [];
const sayWhere = () => {
  const lesson = textOf(document.querySelector("article h1"));
  const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < 100);
  const said = passed ? `${lesson} · ${textOf(passed)}` : lesson;
  if (bar.textContent !== said) bar.textContent = said;
};
if (here && bar) {
  let waiting = false;
  window.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; sayWhere(); });
  }, { passive: true });
  sayWhere();
}
