// Checks every fixture against the schema its folder stands for, with Ajv.
//
// 1. Load every corpus/schemas/*.schema.json; nothing is fetched.
// 2. Walk the folders that fixtures/index.json names.
// 3. A valid file is accepted. An invalid file is named <rule>.<detail>.json:
//    when the rule is about shape it is rejected with exactly one error, and
//    any other rule (capabilities, scrubbing, cross-references) is beyond a schema, so
//    the file is accepted here.
//
// Usage: node tools/ajv/check.mjs [--errors]
//   --errors  also print how many errors each rejected file gave.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const schemaDir = join(root, "corpus", "schemas");
const fixtureDir = join(root, "fixtures");
const showErrors = process.argv.includes("--errors");

const SHAPE_RULES = new Set(["schema_fail", "identity_field_banned"]);
const OTHER_RULES = new Set(["capability_mismatch", "cross_ref_fail", "regex_fail", "layer2_scrub_failure"]);

let passed = 0;
let failed = 0;

const schemas = loadSchemas();
const index = readJson(join(fixtureDir, "index.json"));
for (const [folder, name] of Object.entries(index)) {
  checkFolder(folder, name);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function loadSchemas() {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const ids = new Map();
  for (const file of readdirSync(schemaDir).sort()) {
    if (!file.endsWith(".schema.json")) continue;
    const schema = readJson(join(schemaDir, file));
    ajv.addSchema(schema);
    ids.set(file.slice(0, -".schema.json".length), schema.$id);
  }
  return { get: (name) => (ids.has(name) ? ajv.getSchema(ids.get(name)) : undefined) };
}

function checkFolder(folder, name) {
  let validate;
  try {
    validate = schemas.get(name);
  } catch (error) {
    return fail(`fixtures/${folder}`, `schema ${name} does not compile: ${error.message}`);
  }
  if (!validate) return fail(`fixtures/${folder}`, `there is no schema ${name}`);
  for (const expectation of ["valid", "invalid"]) {
    const files = jsonFiles(join(fixtureDir, folder, expectation));
    if (files.length === 0) fail(`fixtures/${folder}/${expectation}`, "holds no fixture");
    for (const file of files) checkFile(file, expectation, validate);
  }
}

function checkFile(file, expectation, validate) {
  const shown = relative(root, file).split(sep).join("/");
  let instance;
  try {
    instance = readJson(file);
  } catch (error) {
    return fail(shown, `is not JSON: ${error.message}`);
  }
  validate(instance);
  // Ajv reports a failed branch twice: once for what failed in it, once as "if".
  const errors = (validate.errors ?? []).filter((error) => error.keyword !== "if");

  const rule = expectation === "valid" ? null : file.split(sep).pop().split(".")[0];
  if (rule !== null && !SHAPE_RULES.has(rule) && !OTHER_RULES.has(rule)) {
    return fail(shown, `the name starts with no known rule: ${rule}`);
  }
  if (!SHAPE_RULES.has(rule)) {
    if (errors.length === 0) return pass();
    return fail(shown, "should be accepted", errors);
  }
  if (showErrors) console.log(`${errors.length} ${shown}: ${errors.map(describe).join("; ")}`);
  if (errors.length === 1) return pass();
  if (errors.length === 0) return fail(shown, "should be rejected");
  fail(shown, `should give one error, gives ${errors.length}`, errors);
}

function jsonFiles(dir) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) return jsonFiles(path);
      return entry.name.endsWith(".json") ? [path] : [];
    })
    .sort();
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function describe(error) {
  const detail = error.params.additionalProperty ?? error.params.missingProperty ?? "";
  return `${error.instancePath || "/"} ${error.keyword}${detail && ` (${detail})`}`;
}

function pass() {
  passed += 1;
}

function fail(file, reason, errors = []) {
  failed += 1;
  console.log(`${file}: ${reason}`);
  for (const error of errors) console.log(`    ${describe(error)}: ${error.message}`);
}
