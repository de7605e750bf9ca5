// Search while typing: the algorithm of src/search.rs. Nothing is sent.
"use strict";
const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "")
  .replace(/[œæßø]/g, (c) => ({ œ: "oe", æ: "ae", ß: "ss", ø: "o" })[c]).match(/[a-z0-9]+/g) || [];

function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older = [], before = [...b, 0].map((_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const now = [i + 1];
    for (let j = 0; j < b.length; j++) {
      let least = Math.min(before[j] + (a[i] !== b[j]), before[j + 1] + 1, now[j] + 1);
      if (i && j && a[i - 1] === b[j] && a[i] === b[j - 1]) least = Math.min(least, older[j - 1] + 1);
      now.push(least);
    }
    if (Math.min(...now) > most) return most + 1;
    [older, before] = [before, now];
  }
  return Math.min(before[b.length], most + 1);
}

function likeness(asked, found, n = asked.length) {
  if (asked === found) return 8;
  if (n >= 2 && found.startsWith(asked)) return 6;
  const wrong = n >= 4 ? distance(asked, found, n >= 8 ? 2 : 1) : 3;
  if (wrong <= 1) return 5;
  if (n >= 4 && found.includes(asked)) return 4;
  if (n >= 8 && wrong === 2) return 3;
  return found.length >= 5 && asked.includes(found) ? 2 : 0;
}

// A page: address, title, status, kind, synonyms, tags, summary, headings, which synonym is its title in a language.
const prepare = ({ stop, pages }) => ({
  stop: new Set(stop),
  pages: pages.map((page) => ({
    page,
    name: fold(page[1]),
    synonyms: page[4].map(fold),
    rest: [[4, fold(page[5])], [2, fold(page[6])], ...page[7].map((text) => [1, fold(text)])],
  })),
});

const TRUST = "stable beta alpha draft deprecated quarantined".split(" ");

function find(index, query, limit, reader) {
  let words = [...new Set(fold([...query].slice(0, 100).join("")))];
  if (words.some((word) => !index.stop.has(word))) words = words.filter((word) => !index.stop.has(word));
  words = words.slice(0, 8);
  if (!words.length) return [];
  const known = new Map();
  const phrase = (text, weight, best) => {
    const held = words.map(() => false);
    let others = false;
    for (const word of text) {
      let alike = known.get(word);
      if (!alike) known.set(word, alike = words.map((asked) => likeness(asked, word)));
      if (!index.stop.has(word) && !alike.some((n) => n === 8 || n === 5)) others = true;
      alike.forEach((n, i) => {
        best[i] = Math.max(best[i], n * weight);
        held[i] ||= n > 0;
      });
    }
    return held.every(Boolean) ? (others ? 30 : 90) : 0;
  };
  const sum = (best) => best.reduce((a, b) => a + b);
  const hits = [];
  for (const { page, name, synonyms, rest } of index.pages) {
    const best = words.map(() => 0);
    let bonus = phrase(name, 6, best), named = sum(best), why = "", names = +!!bonus;
    synonyms.forEach((synonym, i) => {
      const more = phrase(synonym, 5, best), now = sum(best);
      if (now > named || more > bonus) why = page[4][i];
      names += !!more;
      named = now;
      bonus = Math.max(bonus, more);
    });
    for (const [weight, text] of rest) phrase(text, weight, best);
    const count = best.filter(Boolean).length, [address, english, status, kind, others] = page;
    const own = others[page[8][reader]], title = own ?? english, lang = own ? reader : "en";
    if (why === title) why = "";
    if (count && count * 2 >= words.length) hits.push({ address, title, lang, status, kind, why, names, score: sum(best) + bonus });
  }
  const trust = (hit) => Math.max(0, TRUST.indexOf(hit.status));
  return hits.sort((a, b) => b.score - a.score || a.kind - b.kind || b.names - a.names || trust(a) - trust(b) ||
    (a.address < b.address ? -1 : 1)).slice(0, limit);
}

function start(form) {
  const input = form.querySelector("input"), data = form.dataset, by = (id) => document.getElementById("search-" + id);
  const list = by("found"), count = by("count");
  const chosen = new URLSearchParams(location.search).get("lang"), keep = chosen ? "?lang=" + encodeURIComponent(chosen) : "";
  let index, hits = [], at;
  const load = () => index ||= fetch(data.index).then((it) => it.json()).then(prepare, () => index = 0);
  const set = (it, all) => { for (const name in all) it.setAttribute(name, all[name]); };
  set(input, { role: "combobox", "aria-controls": list.id, "aria-autocomplete": "list", "aria-expanded": false });
  const choose = (to) => {
    at = to;
    [...list.children].forEach((row, i) => row.setAttribute("aria-selected", i === at));
    set(input, { "aria-activedescendant": at < 0 ? "" : "search-hit-" + at });
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const show = (found) => {
    hits = found;
    list.replaceChildren(...hits.map((hit, i) => {
      const make = (tag, more) => Object.assign(document.createElement(tag), more);
      const row = make("li", { onclick: () => { location.href = hit.address + keep; } });
      set(row, { role: "option", id: "search-hit-" + i });
      for (const [name, text] of [["title", hit.title], ["badge kind", data.kinds.split("|")[hit.kind]],
        ["status " + hit.status, data.statuses.split("|")[TRUST.indexOf(hit.status)]], ["why", hit.why]]) {
        if (text) row.append(make("span", { className: name, textContent: text, lang: name === "title" ? hit.lang : "" }), " ");
      }
      return row;
    }));
    list.hidden = !hits.length;
    set(input, { "aria-expanded": !!hits.length });
    count.textContent = !input.value.trim() ? "" : hits.length ? data.some.replace("{}", hits.length) : data.none;
    choose(-1);
  };
  input.onfocus = load;
  input.oninput = async () => {
    const loaded = await load();
    if (loaded) by("results")?.remove(), show(find(loaded, input.value, 10, document.documentElement.lang));
  };
  input.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], rows = hits.length + 1;
    if (step && hits.length) choose((at + 1 + step + rows) % rows - 1);
    else if (event.key === "Enter" && at >= 0) location.href = hits[at].address + keep;
    else if (event.key === "Escape" && hits.length) show([]);
    else return;
    event.preventDefault();
  };
  const asked = new URLSearchParams(location.search).get("q");
  if (asked && !input.value) input.value = asked, input.oninput();
}

if (typeof document !== "undefined") document.querySelectorAll("form[data-index]").forEach(start);
if (typeof module !== "undefined") module.exports = { prepare, find };
