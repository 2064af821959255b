// The search: looks through SEARCHED (searched.js, made by _extensions/search_text.py) and shows the sentences it found.

const { pages, sections } = window.SEARCHED;
const MOST_PAGES = 20;
const SNIPPET = 220;  // characters
const ENDINGS = /(?:ations?|ings?|ed|es|s|e)$/;
const form = document.getElementById("search-form");
const box = form.querySelector("input");
const results = document.getElementById("search-results");
const status = document.getElementById("search-status");

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// Each word of the query as a pattern that finds its other forms too; what stands between quotation marks is one word.
function patternsOf(query) {
  const words = query.toLowerCase().match(/"[^"]+"|[\p{L}\p{N}_.]+/gu) || [];
  return words.map((word) => {
    const exact = word.startsWith('"');
    const stem = exact ? word.slice(1, -1) : word.length > 4 ? word.replace(ENDINGS, "") : word;
    const end = exact ? "" : word.length > 3 ? "[\\p{L}\\p{N}]*" : "(?![\\p{L}\\p{N}])";
    return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(stem).replace(/\s+/g, "\\s+")}${end}`, "giu");
  });
}

const has = (pattern, text) => text.search(pattern) >= 0;

function ranked(query) {
  const patterns = patternsOf(query);
  const phrase = new RegExp(escaped(query.trim()).replace(/\s+/g, "\\s+"), "i");
  const found = [];
  const [only, ...others] = patterns;
  const isFirst = (text) => others.length === 0 && text.search(only) === 0;  // of one word: whether it begins so
  for (const [page, place, heading, prose, code] of sections) {
    const [address, title] = pages[page];
    const text = `${prose} ${code}`.trim();
    const within = patterns.filter((pattern) => has(pattern, heading) || has(pattern, text) || has(pattern, title));
    if (!within.some((pattern) => has(pattern, heading) || has(pattern, text))) continue;
    let score = 100 * within.length;
    if (has(phrase, heading)) score += 40;
    if (has(phrase, text)) score += 30;
    for (const pattern of patterns) {
      score += (has(pattern, heading) ? 10 : 0) + (has(pattern, title) ? 6 : 0);
      score += Math.min(8, 2 * (text.match(pattern) || []).length);
    }
    if (address.startsWith("notebooks/") || address === "symbols.html") score += 5;
    // What one word means: the lesson that is called so, then the symbol.
    if (heading === title && isFirst(title.replace(/^\d+\. /, ""))) score += 1000;
    else if (address === "symbols.html" && heading !== title && isFirst(heading)) score += 500;
    const shown = patterns.some((pattern) => has(pattern, prose)) || !code ? prose : prose || code;
    found.push({ address, place, heading, title, text: shown, score, all: within.length === patterns.length });
  }
  found.sort((a, b) => b.score - a.score);
  const complete = found.filter(({ all }) => all);
  return { patterns, phrase, found: complete.length ? complete : found, all: complete.length > 0 };
}

// The sentences around the one that has most of what was asked for.
function snippet(text, patterns, phrase) {
  const sentences = text.match(/.+?(?:[.!?](?=\s)|$)\s*/gu) || [];
  let best = 0, most = -1;
  sentences.forEach((sentence, i) => {
    const count = patterns.filter((pattern) => has(pattern, sentence)).length + (has(phrase, sentence) ? 1 : 0);
    if (count > most) [best, most] = [i, count];
  });
  let said = sentences[best] || "";
  for (let i = best + 1; i < sentences.length && said.length + sentences[i].length < SNIPPET; i++) said += sentences[i];
  if (said.length <= 1.5 * SNIPPET) return said.trim();
  const at = Math.min(...patterns.map((pattern) => said.search(pattern)).filter((place) => place >= 0), said.length);
  const from = Math.max(0, said.lastIndexOf(" ", Math.max(0, at - SNIPPET / 3)));
  return `${from ? "… " : ""}${said.slice(from, from + SNIPPET).trim()} …`;
}

function marked(text, patterns) {
  const line = document.createElement("p");
  const any = new RegExp(patterns.map(({ source }) => source).join("|"), "giu");
  let end = 0;
  for (const match of text.matchAll(any)) {
    const mark = document.createElement("mark");
    mark.textContent = match[0];
    line.append(text.slice(end, match.index), mark);
    end = match.index + match[0].length;
  }
  line.append(text.slice(end));
  return line;
}

const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function show(query) {
  results.replaceChildren();
  status.textContent = "";
  if (!patternsOf(query).length) return;
  const { patterns, phrase, found, all } = ranked(query);
  const byPage = grouped(found);
  const places = `${counted(found.length, "place")} on ${counted(byPage.length, "page")}`;
  status.textContent = !found.length
    ? "Nothing found. Try fewer words, or the beginning of one."
    : all ? `Found in ${places}${byPage.length > MOST_PAGES ? `; the best ${MOST_PAGES} pages are shown` : ""}.`
      : "No place has all of these words; these have some.";
  for (const [best, ...others] of byPage.slice(0, MOST_PAGES)) {
    const item = document.createElement("li");
    item.append(...entry(best, patterns, phrase));
    if (others.length) {
      const more = document.createElement("details");
      const summary = document.createElement("summary");
      summary.textContent = `${counted(others.length, "more place")} on this page`;
      more.append(summary);
      more.addEventListener("toggle", () => {  // when it is asked for
        if (more.children.length === 1) more.append(...others.flatMap((one) => entry(one, patterns, phrase)));
      });
      item.append(more);
    }
    results.append(item);
  }
}

// The places of each page together, in the order of its best.
function grouped(found) {
  const byPage = new Map();
  for (const one of found) byPage.set(one.address, [...(byPage.get(one.address) || []), one]);
  return [...byPage.values()];
}

function entry({ address, place, heading, title, text }, patterns, phrase) {
  const link = document.createElement("a");
  link.href = `${address}#${place}`;
  link.textContent = heading === title ? title : `${title} › ${heading}`;
  return text ? [link, marked(snippet(text, patterns, phrase), patterns)] : [link];
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  history.replaceState(null, "", `?${new URLSearchParams({ q: box.value })}`);
  show(box.value);
});
box.value = new URLSearchParams(location.search).get("q") || "";
show(box.value);
if (!box.value) box.focus();
