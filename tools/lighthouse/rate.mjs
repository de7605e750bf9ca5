// Rates a page: node rate.mjs URL
//
// Starts Debian's chromium without a window, lets Lighthouse look at the page as it looks at pages on a phone, and prints one line
// of JSON: the four scores from 0 to 100, and what cost points. The audits that ask Google are left out: nothing is sent anywhere.

import * as chromeLauncher from "chrome-launcher";
import lighthouse from "lighthouse";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const [url] = process.argv.slice(2);
if (url === undefined) {
  console.error("usage: node rate.mjs URL");
  process.exit(2);
}
const chrome = await chromeLauncher.launch({
  chromePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  const { lhr } = await lighthouse(url, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" });
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const scores = Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]));
  const counted = CATEGORIES.flatMap((name) => lhr.categories[name].auditRefs.filter((it) => it.weight > 0));
  const cost = counted.map((it) => lhr.audits[it.id]).filter((it) => it.score !== null && it.score < 0.9);
  const lost = [...new Set(cost.map((it) => `${it.id}: ${it.title}${it.displayValue ? ` (${it.displayValue})` : ""}`))];
  console.log(JSON.stringify({ scores, lost }));
} finally {
  chrome.kill();
}
