// The least a Worker must do to take a concern and to say where it stands: parse, refuse identity fields at any depth,
// check the shape by hand, insert one row. No scrub rules, no limits, no cross-reference: the comparison favours it.

const BANNED = new Set([
  "submitter_name", "submitter_email", "session_correlation_id", "device_id", "user_id", "user_email", "user_name",
  "ip_address", "github_login",
]);
const ID = /^con_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const AGENT = /^[a-z0-9._-]{1,40}\/[0-9A-Za-z.+-]{1,20}$/;
const VERSION = /^\d+\.\d+\.\d+$/;
const TARGETS = new Set(["skill", "path", "path_source", "volatile_value", "reference", "skill_graph"]);
const WINDOW = 24 * 3600 * 1000;

export default {
  async fetch(request, env) {
    const path = new URL(request.url).pathname;
    if (request.method === "POST" && path === "/api/concerns") return submit(request, env);
    if (request.method === "GET" && path.startsWith("/api/concerns/")) return show(path.slice(14), env);
    return refuse(404, "not_found");
  },
};

async function submit(request, env) {
  let value;
  try {
    value = await request.json();
  } catch {
    return refuse(400, "malformed_json");
  }
  if (banned(value)) return refuse(400, "identity_field_banned");
  if (!shaped(value)) return refuse(400, "schema_fail");
  const now = Date.now();
  const token = crypto.randomUUID();
  await env.DB.prepare(
    "INSERT INTO staged (id, kind, payload, cancel_token, received_at, commit_eta) VALUES (?, 'concern', ?, ?, ?, ?)",
  )
    .bind(value.concern_id, JSON.stringify(value), token, now, now + WINDOW)
    .run();
  const answer = { concern_id: value.concern_id, cancel_token: token, commit_eta: new Date(now + WINDOW) };
  return Response.json(answer, { status: 201 });
}

async function show(id, env) {
  if (!ID.test(id)) return refuse(404, "not_found");
  const row = await env.DB.prepare("SELECT commit_eta FROM staged WHERE id = ?").bind(id).first();
  if (row === null) return refuse(404, "not_found");
  return Response.json({ state: "staged", commit_eta: new Date(row.commit_eta) });
}

function banned(value) {
  if (Array.isArray(value)) return value.some(banned);
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(([name, inner]) => BANNED.has(name) || banned(inner));
}

function shaped(value) {
  const text = (it, most) => typeof it === "string" && it.length > 0 && it.length <= most;
  return (
    value.schema_version === 4 &&
    ID.test(value.concern_id) &&
    !Number.isNaN(Date.parse(value.submitted_at)) &&
    AGENT.test(value.submitting_agent) &&
    VERSION.test(value.submission_contract_version) &&
    Array.isArray(value.declared_capabilities) &&
    TARGETS.has(value.target_type) &&
    text(value.target_id, 120) &&
    text(value.content?.body, 1000) &&
    text(value.content?.scope, 40) &&
    text(value.content?.evidence_date, 10) &&
    text(value.content?.evidence_source, 40)
  );
}

function refuse(status, error) {
  return Response.json({ error }, { status });
}
