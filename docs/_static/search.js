// The search: looks through SEARCHED (searched.js, made by _extensions/search_text.py) and shows the sentences it found.

const { pages, sections } = window.SEARCHED;
const MOST_RESULTS = 30;
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
  for (const [page, place, heading, text] of sections) {
    const [address, title] = pages[page];
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
    found.push({ address, place, heading, title, text, score, all: within.length === patterns.length });
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

function show(query) {
  results.replaceChildren();
  status.textContent = "";
  if (!patternsOf(query).length) return;
  const { patterns, phrase, found, all } = ranked(query);
  const places = found.length === 1 ? "1 place" : `${found.length} places`;
  status.textContent = !found.length
    ? "Nothing found. Try fewer words, or the beginning of one."
    : all ? `Found in ${places}${found.length > MOST_RESULTS ? `; the best ${MOST_RESULTS} are shown` : ""}.`
      : "No place has all of these words; these have some.";
  for (const { address, place, heading, title, text } of found.slice(0, MOST_RESULTS)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `${address}#${place}`;
    link.textContent = heading === title ? title : `${title} › ${heading}`;
    item.append(link);
    if (text) item.append(marked(snippet(text, patterns, phrase), patterns));
    results.append(item);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  history.replaceState(null, "", `?${new URLSearchParams({ q: box.value })}`);
  show(box.value);
});
box.value = new URLSearchParams(location.search).get("q") || "";
show(box.value);
if (!box.value) box.focus();
