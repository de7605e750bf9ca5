// Lets the conformance suite start on Node 20, as Debian has it: the suite takes `globSync` from `fs`, which came with Node 22, for a
// command that is not used here.

import * as fs from "node:fs";
import { register } from "node:module";

const withoutGlobs = asModule("export * from 'node:fs'; export function globSync() { throw new Error('this needs Node 22'); }");
const hooks = asModule(`
export function resolve(specifier, context, next) {
  const isOfSuite = context.parentURL?.includes("/conformance/dist/");
  if (specifier !== "fs" || !isOfSuite) return next(specifier, context);
  return { url: ${JSON.stringify(withoutGlobs)}, shortCircuit: true };
}`);

if (!("globSync" in fs)) register(hooks);

function asModule(source) {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
