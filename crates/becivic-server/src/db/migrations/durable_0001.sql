-- What must survive a power cut. Times are milliseconds since 1970, UTC; `day` columns hold the first of a UTC day.

-- What a database was begun with, and must go on with.
CREATE TABLE durable.facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) KEYED;

-- The last number given out per uid prefix.
CREATE TABLE durable.uid_counters (
  prefix TEXT PRIMARY KEY,
  last BIGINT NOT NULL
) KEYED;

-- Accepted, and within the window in which the sender can take it back. Not KEYED: its rows are long, and a tree that
-- holds them is deep; one of keys alone is not. `received_at` says already what the order of the rows would. The payload comes last, so that what is asked
-- without it is read without it.
CREATE TABLE durable.staged (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  payload_digest BYTES NOT NULL,
  submitter_hash BYTES NOT NULL,
  cancel_hash BYTES NOT NULL,
  received_at BIGINT NOT NULL,
  commit_eta BIGINT NOT NULL,
  cohort_anchor TEXT,
  review TEXT,
  session_id TEXT,
  attempts BIGINT NOT NULL DEFAULT 0,
  attempted_at BIGINT,
  failure TEXT,
  payload TEXT NOT NULL
);
CREATE INDEX durable.staged_by_eta ON staged (commit_eta);
CREATE INDEX durable.staged_by_session ON staged (session_id, id) WHERE session_id IS NOT NULL;

-- Waiting for a person to look.
CREATE TABLE durable.held (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  payload_digest BYTES NOT NULL,
  submitter_hash BYTES,
  cancel_hash BYTES,
  commit_eta BIGINT NOT NULL,
  cohort_anchor TEXT,
  session_id TEXT,
  day BIGINT NOT NULL,
  payload TEXT NOT NULL
) KEYED;
CREATE INDEX durable.held_by_session ON held (session_id) WHERE session_id IS NOT NULL;

-- Every submission that has left staging, by a digest of its id: an id is used once, for ever.
CREATE TABLE durable.ledger (
  digest BYTES PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  day BIGINT NOT NULL,
  payload_digest BYTES,
  submitter_hash BYTES,
  uid TEXT,
  target_type TEXT,
  target_id TEXT,
  category TEXT,
  forget_at BIGINT
) KEYED;
CREATE INDEX durable.ledger_by_forgetting ON ledger (forget_at) WHERE forget_at IS NOT NULL;
CREATE INDEX durable.ledger_by_uid ON ledger (uid) WHERE uid IS NOT NULL;

-- The catalogue: an entry is an immutable uid with a mutable name; a row is one version of it. `frozen` holds the counts
-- of a superseded row, whose voters are forgotten.
CREATE TABLE durable.catalogue_entries (
  uid TEXT PRIMARY KEY,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL
) KEYED;
CREATE UNIQUE INDEX durable.catalogue_entries_by_name ON catalogue_entries (prefix, name);
CREATE TABLE durable.catalogue_rows (
  row_key TEXT PRIMARY KEY,
  uid TEXT NOT NULL,
  prefix TEXT NOT NULL,
  previous_row TEXT,
  status TEXT NOT NULL,
  content TEXT NOT NULL,
  committed_at BIGINT NOT NULL,
  superseded_at BIGINT,
  frozen TEXT
) KEYED;
CREATE UNIQUE INDEX durable.catalogue_rows_current ON catalogue_rows (uid) WHERE superseded_at IS NULL;
CREATE INDEX durable.catalogue_rows_by_uid ON catalogue_rows (uid, committed_at);
CREATE INDEX durable.catalogue_rows_by_status ON catalogue_rows (prefix, status, uid) WHERE superseded_at IS NULL;
CREATE INDEX durable.catalogue_rows_listed ON catalogue_rows (prefix, uid) WHERE superseded_at IS NULL;

-- What the community says of an artefact.
CREATE TABLE durable.concerns (
  uid TEXT PRIMARY KEY,
  number BIGINT NOT NULL,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  scope TEXT,
  specifier TEXT,
  body TEXT NOT NULL,
  observed_value TEXT,
  evidence_month TEXT NOT NULL,
  evidence_source TEXT,
  cohort_anchor TEXT,
  day BIGINT NOT NULL,
  up BIGINT NOT NULL DEFAULT 0,
  down BIGINT NOT NULL DEFAULT 0,
  visible BIGINT NOT NULL DEFAULT 1
) KEYED;
CREATE INDEX durable.concerns_by_target ON concerns (target_type, target_id, number);
CREATE TABLE durable.country_counters (
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  country TEXT NOT NULL,
  concerns BIGINT NOT NULL,
  PRIMARY KEY (target_type, target_id, country)
) KEYED;

-- Changes past their window: merged, or waiting to be.
CREATE TABLE durable.amendments (
  uid TEXT PRIMARY KEY,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  state TEXT NOT NULL,
  rationale TEXT NOT NULL,
  content TEXT NOT NULL,
  cohort_anchor TEXT,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.amendments_by_target ON amendments (target_type, target_id, state, uid);
CREATE TABLE durable.drafts (
  uid TEXT PRIMARY KEY,
  target_type TEXT NOT NULL,
  proposed_id TEXT NOT NULL,
  state TEXT NOT NULL,
  content TEXT NOT NULL,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.drafts_by_state ON drafts (state, uid);

-- Verdicts. `latest` marks the newest of each voter in a cohort; no time finer than a day is kept.
CREATE TABLE durable.validations (
  vote_key BYTES PRIMARY KEY,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  cohort TEXT NOT NULL,
  cohort_anchor TEXT,
  verdict TEXT NOT NULL,
  injection_flag BIGINT NOT NULL,
  latest BIGINT NOT NULL,
  weight BIGINT NOT NULL,
  submitter_type TEXT NOT NULL,
  voter_hash BYTES,
  rationale TEXT,
  injection_reason TEXT,
  traversal TEXT,
  session_id TEXT,
  state TEXT NOT NULL,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.validations_by_target ON validations (target_type, target_id, cohort, voter_hash);
CREATE INDEX durable.validations_by_session ON validations (session_id, target_type, target_id)
  WHERE session_id IS NOT NULL;
CREATE INDEX durable.validations_by_session_day ON validations (day) WHERE session_id IS NOT NULL;

-- Messages about Be Civic itself, for the maintainers.
CREATE TABLE durable.feedback_channel (
  message_key BYTES PRIMARY KEY,
  topic TEXT,
  pointer TEXT,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.feedback_channel_by_state ON feedback_channel (state, day);

-- Stars and events stand alone: no key of theirs stands anywhere else.
CREATE TABLE durable.ratings (
  rating_key BYTES PRIMARY KEY,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  stars BIGINT NOT NULL,
  would_be_5_stars TEXT,
  cohort_anchor TEXT,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.ratings_by_target ON ratings (target_type, target_id, cohort_anchor);
CREATE TABLE durable.analytics_events (
  event_key BYTES PRIMARY KEY,
  event_type TEXT NOT NULL,
  content TEXT NOT NULL,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.analytics_events_by_type ON analytics_events (event_type, day);

-- Who wrote the current text of an artefact, as hashes: they do not vote on it.
CREATE TABLE durable.artefact_contributors (
  pair_key BYTES PRIMARY KEY,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  submitter_hash BYTES NOT NULL,
  erase_at BIGINT
) KEYED;
CREATE INDEX durable.artefact_contributors_by_target ON artefact_contributors (target_type, target_id);
CREATE INDEX durable.artefact_contributors_by_erasure ON artefact_contributors (erase_at) WHERE erase_at IS NOT NULL;

-- What maintainers have to look at, and the flags they may find bogus: the hash stands apart from text and artefact.
CREATE TABLE durable.review_items (
  uid TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  state TEXT NOT NULL,
  ticket BYTES,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.review_items_by_state ON review_items (state, uid);
CREATE INDEX durable.review_items_by_target ON review_items (target_type, target_id, state);
CREATE TABLE durable.sanction_tickets (
  ticket BYTES PRIMARY KEY,
  sanction_hash BYTES NOT NULL
) KEYED;
CREATE TABLE durable.sanctions (
  sanction_hash BYTES PRIMARY KEY,
  bogus_flags BIGINT NOT NULL,
  period BIGINT NOT NULL
) KEYED;

CREATE TABLE durable.operator_tokens (
  name TEXT PRIMARY KEY,
  token_hash BYTES NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
) KEYED;
CREATE UNIQUE INDEX durable.operator_tokens_by_hash ON operator_tokens (token_hash);

-- Work that recurs, and which process does it.
CREATE TABLE durable.jobs (
  name TEXT PRIMARY KEY,
  holder TEXT,
  held_until BIGINT,
  ended_at BIGINT,
  outcome TEXT
) KEYED;
