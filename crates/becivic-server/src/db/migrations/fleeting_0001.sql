-- Salts and counters: erased soon, in no backup, and no harm when a crash takes them.

CREATE TABLE fleeting.day_salts (
  day BIGINT PRIMARY KEY,
  salt BYTES NOT NULL
) KEYED;

-- Per address of a day: what it sent, and the minutes of the last hour in which it did.
CREATE TABLE fleeting.rates (
  rate_hash BYTES PRIMARY KEY,
  day BIGINT NOT NULL,
  total BIGINT NOT NULL,
  validations BIGINT NOT NULL,
  flags BIGINT NOT NULL,
  rejections BIGINT NOT NULL,
  recent BYTES NOT NULL
) KEYED;
CREATE INDEX fleeting.rates_by_day ON rates (day);

-- Everybody together, per minute.
CREATE TABLE fleeting.global_minutes (
  minute BIGINT PRIMARY KEY,
  taken BIGINT NOT NULL
) KEYED;

CREATE TABLE fleeting.submission_salts (
  id TEXT PRIMARY KEY,
  salt BYTES NOT NULL
) KEYED;
CREATE TABLE fleeting.ledger_salts (
  digest BYTES PRIMARY KEY,
  salt BYTES NOT NULL
) KEYED;
CREATE TABLE fleeting.contributor_salts (
  pair_key BYTES PRIMARY KEY,
  salt BYTES NOT NULL
) KEYED;
CREATE TABLE fleeting.vote_salts (
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  cohort TEXT NOT NULL,
  salt BYTES NOT NULL,
  PRIMARY KEY (target_type, target_id, cohort)
) KEYED;
CREATE TABLE fleeting.sanction_salts (
  period BIGINT PRIMARY KEY,
  salt BYTES NOT NULL
) KEYED;
