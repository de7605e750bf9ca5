// Validates pages: node check.mjs FOLDER_OR_URL...
//
// A folder is walked for .html files; anything that begins with http is fetched. Every finding of html-validate is printed with its
// place, and the process ends with 1 when there is one.

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { HtmlValidate } from "html-validate";

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended", "html-validate:a11y"],
  rules: {
    // How HTML is spelled is not what we look for: it is printed by a program, without spaces between tags.
    "long-title": "off",
    "no-trailing-whitespace": "off",
    "void-style": "off",
    "attr-quotes": "off",
    "doctype-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    // role="search" on a form: older screen readers do not know the element <search>. A list that follows what one types is no <select>.
    "prefer-native-element": ["error", { exclude: ["search", "listbox"] }],
    // Names of headings come from their words, also from German and Dutch ones, and from numbers.
    "valid-id": ["error", { relaxed: true }],
    "no-inline-style": "error",
  },
});

async function pagesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".html"));
  return pages.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

async function read(place) {
  if (!place.startsWith("http")) return readFile(place, "utf8");
  const answer = await fetch(place, { headers: { accept: "text/html" } });
  return answer.text();
}

const asked = process.argv.slice(2);
if (asked.length === 0) {
  console.error("usage: node check.mjs FOLDER_OR_URL...");
  process.exit(2);
}
const isPage = (place) => place.startsWith("http") || place.endsWith(".html");
const places = (await Promise.all(asked.map((place) => (isPage(place) ? [place] : pagesIn(place))))).flat();
let findings = 0;
for (const place of places) {
  const report = await validator.validateString(await read(place), place);
  for (const found of report.results.flatMap((result) => result.messages)) {
    findings += 1;
    console.log(`${place}:${found.line}:${found.column} ${found.ruleId}: ${found.message} (${found.selector ?? ""})`);
  }
}
console.log(`${places.length} pages, ${findings} findings`);
process.exit(findings > 0 || places.length === 0 ? 1 : 0);
