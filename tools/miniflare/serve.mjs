// Runs worker.mjs with a local D1 under the folder given, prints its address, and answers until it is ended.

import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node serve.mjs FOLDER");
  process.exit(2);
}

const miniflare = new Miniflare({
  modules: true,
  scriptPath: fileURLToPath(new URL("worker.mjs", import.meta.url)),
  compatibilityDate: "2026-04-01",
  d1Databases: ["DB"],
  d1Persist: folder,
  host: "127.0.0.1",
  port: 0,
});
const database = await miniflare.getD1Database("DB");
await database.exec(
  "CREATE TABLE IF NOT EXISTS staged (id TEXT PRIMARY KEY, kind TEXT NOT NULL, payload TEXT NOT NULL, " +
    "cancel_token TEXT NOT NULL, received_at INTEGER NOT NULL, commit_eta INTEGER NOT NULL)",
);
const base = await miniflare.ready;
console.log(base.href.replace(/\/$/, ""));

const end = async () => {
  await miniflare.dispose();
  process.exit(0);
};
process.on("SIGTERM", end);
process.on("SIGINT", end);
