// An emulated GitHub with one repository and one App on it, for as long as standard input stays open.
//
//   node serve.mjs FOLDER [--checks]
//
// Writes the App's private key to FOLDER/app.pem and then prints the address on a line of its own.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmulator } from "emulate";

const [folder, ...flags] = process.argv.slice(2);
const permissions = { contents: "write", pull_requests: "write", issues: "write", metadata: "read" };
if (flags.includes("--checks")) permissions.checks = "write";

const github = await createEmulator({
  service: "github",
  port: 0,
  seed: {
    tokens: { maintainer: { login: "ann", scopes: ["repo"] } },
    github: {
      users: [{ login: "ann", name: "Ann Peeters", email: "ann@example.org" }],
      orgs: [{ login: "be-civic", name: "Be Civic", members: [{ login: "ann", role: "admin" }] }],
      repos: [
        { owner: "be-civic", name: "corpus", description: "The corpus", auto_init: true },
        { owner: "be-civic", name: "empty", auto_init: false },
      ],
      apps: [
        {
          app_id: 12345,
          slug: "be-civic",
          name: "Be Civic",
          permissions,
          events: ["push", "pull_request"],
          installations: [{ installation_id: 100, account: "be-civic", repository_selection: "all" }],
        },
      ],
    },
  },
});

const key = github.generatedSecrets.find((secret) => secret.kind === "github.app_private_key");
writeFileSync(join(folder, "app.pem"), key.value, { mode: 0o600 });
console.log(`http://127.0.0.1:${new URL(github.url).port}`);

process.stdin.resume();
process.stdin.on("end", async () => {
  await github.close();
  process.exit(0);
});
