// Visits a Be Civic server as a host of an agent would, with the official TypeScript client, and prints what it met as JSON.
//
// 1. A visit is one connection: over HTTP with the newest version of the protocol and with an older one, through
//    `becivic mcp --server`, and to a folder of a corpus with `becivic mcp --corpus`.
// 2. On each: list and call every tool, read resources and one of each template, get every prompt, complete every argument, load
//    skills, listen. The first visit reads every resource and every skill, the others some. The client itself holds answers against the schemas that tools declare, and the files of
//    skills against their digests.
// 3. Where something can be sent: rehearse a concern, send it, see where it stands, take it back, see again.
// 4. Whatever is not as it should be stands in `problems`.
//
// Usage: node client.mjs --server URL --program BECIVIC --corpus FOLDER

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const { values: given } = parseArgs({
  options: { server: { type: "string" }, program: { type: "string" }, corpus: { type: "string" } },
});

const NEWEST = "2026-07-28";
const OLDER = "2025-06-18";

// A skill that examples of tools name, too; and what a template takes that nothing completes.
const SKILL = "change-of-address";
const ENTRIES = { value: "val-00001", reference: "ref-00001" };

// What each tool is sent, of the fixtures; the rest are called with the example of their description.
const SENT = {
  submit_concern: "concerns/valid/skill-general-without-context.json",
  submit_amendment: "amendments/valid/volatile_value/value-as-string.json",
  submit_validation: "validations/valid/skill-confirm.json",
  submit_draft: "drafts/valid/path/two-sources.json",
  submit_feedback: "feedback_channel/valid/without-topic-and-pointer.json",
  submit_rating: "ratings/valid/skill-four-stars.json",
};

const http = () => new StreamableHTTPClientTransport(new URL("/mcp", given.server));
const spawned = (...args) =>
  new StdioClientTransport({ command: given.program, args: ["mcp", ...args], stderr: "ignore" });
const pinned = { versionNegotiation: { mode: { pin: NEWEST } } };

const visits = [
  await visit("http", http(), pinned),
  await visit("http-older", http(), { supportedProtocolVersions: [OLDER] }),
  await visit("proxy", spawned("--server", given.server), pinned),
  await visit("proxy-older", spawned("--server", given.server), {}),
  await visit("folder", spawned("--corpus", given.corpus), pinned),
];
console.log(JSON.stringify({ client: "typescript", visits }));

async function visit(over, transport, options) {
  const began = Date.now();
  const client = new Client({ name: "becivic-test", version: "1.0.0" }, options);
  const met = { over, problems: [] };
  try {
    await client.connect(transport);
    met.version = client.getNegotiatedProtocolVersion();
    met.server = client.getServerVersion()?.name;
    met.instructed = Boolean(client.getInstructions());
    met.tools = await callTools(client, met.problems);
    // Every one, or some of all kinds.
    const read = (list) => (over === "http" ? list : list.filter((_, at) => at % 7 === 0));
    Object.assign(met, await readResources(client, read, met.problems));
    met.prompts = await getPrompts(client);
    met.skills = await loadSkills(client, read);
    if (met.version === NEWEST) met.listening = await listen(client);
    if ("stage_submission" in met.tools) met.round = await sendAndTakeBack(client);
  } catch (error) {
    met.problems.push(`${error.name}: ${error.message}`);
  } finally {
    await client.close();
  }
  met.milliseconds = Date.now() - began;
  return met;
}

/** Calls every tool that is listed: null where it answered well, the category of the refusal otherwise. */
async function callTools(client, problems) {
  const { tools } = await client.listTools();
  const met = {};
  for (const tool of tools) {
    for (const needed of ["title", "description", "inputSchema", "annotations"]) {
      if (!tool[needed]) problems.push(`${tool.name} has no ${needed}`);
    }
    if (tool.name === "cancel_submission" || tool.name === "stage_submission") {
      met[tool.name] = "called later";
      continue;
    }
    met[tool.name] = refusal(await client.callTool({ name: tool.name, arguments: argumentsOf(tool) }));
  }
  return met;
}

function argumentsOf(tool) {
  if (tool.name in SENT) return { mode: "validate", submission: fixture(SENT[tool.name]) };
  if (tool.name === "validate_submission") return { envelope: envelope([fixture(SENT.submit_concern)]) };
  return JSON.parse(tool.description.split("Example: ").at(-1));
}

function refusal(result) {
  if (!result.isError) return result.structuredContent === undefined ? "no structured content" : null;
  return JSON.parse(result.content[0].text).error;
}

async function readResources(client, read, problems) {
  const { resources } = await client.listResources();
  for (const { uri, mimeType } of read(resources)) {
    const { contents } = await client.readResource({ uri });
    if (!contents[0]?.text) problems.push(`${uri} is empty`);
    if (contents[0]?.mimeType !== mimeType) problems.push(`${uri} is ${contents[0]?.mimeType}, not ${mimeType}`);
  }
  const { resourceTemplates } = await client.listResourceTemplates();
  const templates = {};
  for (const { uriTemplate, name } of resourceTemplates) {
    const argument = uriTemplate.match(/\{(\w+)\}/)[1];
    const ref = { type: "ref/resource", uri: uriTemplate };
    const { completion } = await client.complete({ ref, argument: { name: argument, value: "" } });
    const value = completion.values[0] ?? ENTRIES[name];
    if (!value) problems.push(`nothing completes ${argument} of ${name}`);
    const { contents } = await client.readResource({ uri: uriTemplate.replace(`{${argument}}`, value) });
    templates[name] = contents[0].text.length;
  }
  return { resources: resources.length, templates };
}

async function getPrompts(client) {
  const { prompts } = await client.listPrompts();
  const lengths = {};
  for (const prompt of prompts) {
    const filled = {};
    for (const argument of prompt.arguments ?? []) {
      const ref = { type: "ref/prompt", name: prompt.name };
      const { completion } = await client.complete({ ref, argument: { name: argument.name, value: "" } });
      filled[argument.name] = completion.values[0] ?? "I am moving to another town";
    }
    const { messages } = await client.getPrompt({ name: prompt.name, arguments: filled });
    lengths[prompt.name] = messages[0].content.text.length;
  }
  return lengths;
}

/** The client refuses an entry or a file that is not as the extension has it. */
async function loadSkills(client, read) {
  const skills = new SkillsClient(client);
  const listed = await skills.list();
  let files = 0;
  for (const entry of read(listed.skills)) {
    const { skill } = await skills.get(entry.uri);
    for (const { uri } of skill.resources) {
      const file = await skills.read(skill, uri);
      if (!file.verified) throw new Error(`${uri} is not verified`);
      files += 1;
    }
  }
  return { listed: listed.skills.length, files };
}

async function listen(client) {
  const heard = await client.listen({ resourcesListChanged: true, toolsListChanged: true });
  await heard.close();
  return { honored: heard.honoredFilter, closed: await heard.closed };
}

/** What became of a concern, step by step. */
async function sendAndTakeBack(client) {
  const call = async (name, args, options) => {
    const result = await client.callTool({ name, arguments: args }, options);
    return result.isError ? { error: refusal(result) } : result.structuredContent;
  };
  const concern = fixture(SENT.submit_concern);
  const sent = envelope([concern, fixture(SENT.submit_concern)]);
  const steps = [];
  const rehearsed = await call("validate_submission", { envelope: sent });
  let progress = 0;
  const staged = await call("stage_submission", { envelope: sent }, { onprogress: () => (progress += 1) });
  const id = concern.concern_id;
  const stands = async () => {
    const answer = await call("get_submission_status", { id });
    return answer.state ?? answer.error;
  };
  steps.push(rehearsed.results[0].status, staged.results[0].status, await stands());
  const taken = await call("cancel_submission", { id, cancel_token: staged.results[0].cancel_token });
  steps.push(taken.cancelled ? "cancelled" : taken.error, await stands());
  const again = await call("cancel_submission", { id, cancel_token: "not the token" });
  return { steps, progress, again: again.error };
}

/** A submission of the fixtures, about something of this corpus, sent now. */
function fixture(name) {
  const file = new URL(`../../fixtures/${name}`, import.meta.url);
  // The path that the draft proposes is in the corpus by now.
  const text = readFileSync(file, "utf8").replaceAll("nationality-certificate", "certificate-of-a-visit");
  const submission = JSON.parse(text);
  const id = ["concern_id", "amendment_id", "validation_id", "draft_id", "feedback_id", "rating_id"];
  const field = id.find((field) => field in submission);
  submission[field] = freshId(submission[field].slice(0, 4));
  submission.submitted_at = now();
  if (submission.target_type === "skill") submission.target_id = SKILL;
  return submission;
}

function envelope(submissions) {
  const once = ["submitted_at", "submitting_agent", "submission_contract_version", "declared_capabilities"];
  const [first] = submissions;
  const shared = Object.fromEntries(once.map((name) => [name, first[name]]));
  const items = submissions.map((submission) => {
    const own = Object.entries(submission).filter(([name]) => !once.includes(name));
    return { type: "concern", ...Object.fromEntries(own) };
  });
  return { schema_version: 1, session_id: freshId("ses_"), ...shared, items };
}

function now() {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}

/** A UUIDv7 of now. */
function freshId(prefix) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setBigUint64(0, (BigInt(Date.now()) << 16n) | 0x7000n | BigInt(bytes[0]));
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = Buffer.from(bytes).toString("hex");
  return prefix + hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
