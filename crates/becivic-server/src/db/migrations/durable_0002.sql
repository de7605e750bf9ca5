-- From staged to public: when the commit job looks at a row next, the pull request it is in, and what became of it.

-- `due_at` is NULL while somebody has to look first. `public_uid` is the name of an amendment or a draft in public: its id
-- is never published. `author_hash` tells two amendments of one sender to one cohort apart from those of two senders.
ALTER TABLE durable.staged ADD COLUMN due_at BIGINT;
ALTER TABLE durable.staged ADD COLUMN public_uid TEXT;
ALTER TABLE durable.staged ADD COLUMN pull BIGINT;
ALTER TABLE durable.staged ADD COLUMN author_hash BYTES;
UPDATE staged SET due_at = commit_eta;
DROP INDEX durable.staged_by_eta;
CREATE INDEX durable.staged_by_due ON staged (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX durable.staged_by_public_uid ON staged (public_uid) WHERE public_uid IS NOT NULL;
CREATE INDEX durable.staged_by_pull ON staged (pull) WHERE pull IS NOT NULL;

-- Why somebody has to look.
ALTER TABLE durable.held ADD COLUMN review TEXT;
ALTER TABLE durable.held ADD COLUMN public_uid TEXT;
ALTER TABLE durable.held ADD COLUMN author_hash BYTES;

-- Pull requests. `number` is ours; `forge_number` the forge's, where it counts for itself. `state` is `open`, `merged`,
-- `closing` (to be closed on the forge) or `closed`; `outcome` says why it was closed. Titles are made of ids alone.
CREATE TABLE durable.pulls (
  number BIGINT PRIMARY KEY,
  purpose TEXT NOT NULL,
  public_uid TEXT,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT,
  base TEXT,
  head TEXT,
  merged TEXT,
  forge_number BIGINT,
  opened_day BIGINT NOT NULL,
  ended_day BIGINT
) KEYED;
CREATE INDEX durable.pulls_by_state ON pulls (state, number);

-- Merges of the last days, by artefact: how many there were, and whether one sender had one in this cohort.
CREATE TABLE durable.merges (
  merge_key BYTES PRIMARY KEY,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  cohort TEXT NOT NULL,
  author_hash BYTES,
  merged_at BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.merges_by_target ON merges (target_type, target_id, merged_at);

-- The commits of `main`, in their order, with the objects each brought: what a repository is brought up to date from.
CREATE TABLE durable.corpus_commits (
  number BIGINT PRIMARY KEY,
  sha TEXT NOT NULL,
  parent TEXT NOT NULL,
  objects BYTES
) KEYED;

-- What maintainers did: who, what, when, why. Rows are added and never changed; each engine is told so in its own file.
CREATE TABLE durable.audit (
  number BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  why TEXT NOT NULL
) KEYED;
CREATE INDEX durable.audit_by_subject ON audit (subject, number);

-- Issues opened on the forge for what has to be looked at, by the review item they are about.
ALTER TABLE durable.review_items ADD COLUMN forge_number BIGINT;
CREATE INDEX durable.review_items_by_issue ON review_items (forge_number) WHERE forge_number IS NOT NULL;

-- What was published and then held again, by name: few rows of many.
CREATE INDEX durable.ledger_by_holding ON ledger (uid) WHERE state = 'ner_held_for_review';
