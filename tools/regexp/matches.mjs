// What JavaScript's own RegExp finds: the other side of a comparison with our engine.
//
// Reads {"rules": [{"pattern", "flags"}], "texts": [string]} from standard input.
// Writes one line per text: [[rule, start, end], ...] for every place where a match begins,
// overlapping ones too; places are UTF-16 units.

import { readFileSync } from "node:fs";

const { rules, texts } = JSON.parse(readFileSync(0, "utf8"));
const patterns = rules.map((rule) => new RegExp(rule.pattern, `${rule.flags}g`));

const lines = texts.map((text) => {
  const found = [];
  patterns.forEach((pattern, rule) => {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      found.push([rule, match.index, match.index + match[0].length]);
      // One character on: two units where the pattern sees whole characters.
      const wide = pattern.unicode && text.codePointAt(match.index) > 0xffff;
      pattern.lastIndex = match.index + (wide ? 2 : 1);
    }
  });
  return JSON.stringify(found);
});
process.stdout.write(`${lines.join("\n")}\n`);
