// Runs the official conformance suite of MCP against a server, and prints which checks failed as JSON.
//
// 1. For each version of the protocol that the suite has requirements for: run all of its scenarios for servers.
// 2. Print, by version and scenario, how many checks passed and which did not.
//
// Usage: node conformance.mjs --server URL

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({ options: { server: { type: "string" } } });
const VERSIONS = ["2025-11-25", "2026-07-28"];

const results = await Promise.all(VERSIONS.map(async (version) => [version, await run(version)]));
console.log(JSON.stringify(Object.fromEntries(results)));

async function run(version) {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  try {
    await suite("server", "--url", new URL("/mcp", given.server).href, "--requirements", version, "--output-dir", folder);
    return Object.fromEntries(readdirSync(folder).map((name) => [scenario(name), read(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Its exit code says no more than the checks do. */
function suite(...args) {
  const place = (name) => fileURLToPath(new URL(name, import.meta.url));
  const program = place("node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const child = spawn(process.execPath, ["--import", place("older-node.mjs"), program, ...args], { stdio: "ignore" });
  return new Promise((resolve, reject) => child.on("error", reject).on("exit", resolve));
}

function scenario(folder) {
  return folder.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/)[1];
}

function read(folder) {
  const checks = JSON.parse(readFileSync(join(folder, "checks.json"), "utf8"));
  const of = (status) => checks.filter((check) => check.status === status);
  const failed = of("FAILURE").map(({ id, errorMessage }) => [id, errorMessage ?? ""]);
  return { passed: of("SUCCESS").length, failed: Object.fromEntries(failed) };
}
