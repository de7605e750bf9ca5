-- Where every artefact stands, and what its cohort says: one row for each skill, path, value, reference, and for each concern
-- somebody voted on. `cohort` is `<line>#<n>` for skills and paths, the row's key for values and references, empty for
-- concerns; `started_at` when it began. `withheld` is 1 from the flag that quarantines a skill or a path until the file says so.
-- `base_` is what it was made stable with. `look_at`: when the state machine looks next; NULL: when somebody votes.
CREATE TABLE durable.standings (
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  status TEXT NOT NULL,
  version TEXT NOT NULL,
  cohort TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  first_at BIGINT NOT NULL,
  withheld BIGINT NOT NULL DEFAULT 0,
  confirms BIGINT NOT NULL DEFAULT 0,
  rejects BIGINT NOT NULL DEFAULT 0,
  confirm_records BIGINT NOT NULL DEFAULT 0,
  reject_records BIGINT NOT NULL DEFAULT 0,
  voters BIGINT NOT NULL DEFAULT 0,
  rejecters BIGINT NOT NULL DEFAULT 0,
  flaggers BIGINT NOT NULL DEFAULT 0,
  carried_flaggers BIGINT NOT NULL DEFAULT 0,
  probe_confirms BIGINT NOT NULL DEFAULT 0,
  probe_rejects BIGINT NOT NULL DEFAULT 0,
  probe_confirm_records BIGINT NOT NULL DEFAULT 0,
  probe_reject_records BIGINT NOT NULL DEFAULT 0,
  base_confirms BIGINT NOT NULL DEFAULT 0,
  base_rejects BIGINT NOT NULL DEFAULT 0,
  last_confirm_day BIGINT,
  last_vote_day BIGINT,
  look_at BIGINT,
  PRIMARY KEY (target_type, target_id)
) KEYED;
CREATE INDEX durable.standings_by_look ON standings (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX durable.standings_withheld ON standings (target_type, target_id) WHERE withheld = 1;

-- The same for each source of a path, in the path's cohort. `revalidate` is 1 from a maintainer's request until somebody
-- confirms it. `probed_at`: when a probe last looked.
CREATE TABLE durable.source_tallies (
  path_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  cohort TEXT NOT NULL,
  confirms BIGINT NOT NULL DEFAULT 0,
  rejects BIGINT NOT NULL DEFAULT 0,
  confirm_records BIGINT NOT NULL DEFAULT 0,
  reject_records BIGINT NOT NULL DEFAULT 0,
  voters BIGINT NOT NULL DEFAULT 0,
  handoffs BIGINT NOT NULL DEFAULT 0,
  probe_confirms BIGINT NOT NULL DEFAULT 0,
  probe_rejects BIGINT NOT NULL DEFAULT 0,
  last_confirm_day BIGINT,
  last_user_confirm_day BIGINT,
  probed_at BIGINT,
  revalidate BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (path_id, source_id)
) KEYED;

-- Every change of a status: from what to what, by which rule, with which numbers and under which policy. `commit_sha` where a
-- commit made it; `digest` of the content that was left, where it was rejected.
CREATE TABLE durable.transitions (
  number BIGINT PRIMARY KEY,
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  from_version TEXT NOT NULL,
  to_version TEXT NOT NULL,
  cohort TEXT NOT NULL,
  rule TEXT NOT NULL,
  numbers TEXT NOT NULL,
  policy TEXT NOT NULL,
  digest TEXT,
  commit_sha TEXT,
  day BIGINT NOT NULL
) KEYED;
CREATE INDEX durable.transitions_by_target ON transitions (target_type, target_id, number);

-- How a verdict counted, as bits (`becivic_core::consensus::Marks`), in the cohort of the artefact it counts for: a source's
-- verdicts count for its path.
ALTER TABLE durable.validations ADD COLUMN artefact TEXT NOT NULL DEFAULT '';
ALTER TABLE durable.validations ADD COLUMN marks BIGINT NOT NULL DEFAULT 0;
UPDATE validations SET
  artefact = target_type || ':' || target_id,
  marks = latest * 17
    + CASE WHEN NOT EXISTS (SELECT 1 FROM validations v WHERE v.target_type = validations.target_type
        AND v.target_id = validations.target_id AND v.cohort = validations.cohort
        AND v.voter_hash = validations.voter_hash AND v.vote_key < validations.vote_key)
      THEN 34 ELSE 0 END
    + CASE WHEN verdict = 'reject' AND NOT EXISTS (SELECT 1 FROM validations v
        WHERE v.target_type = validations.target_type AND v.target_id = validations.target_id
        AND v.cohort = validations.cohort AND v.voter_hash = validations.voter_hash AND v.verdict = 'reject'
        AND v.vote_key < validations.vote_key)
      THEN 4 ELSE 0 END
    + CASE WHEN injection_flag = 1 AND NOT EXISTS (SELECT 1 FROM validations v
        WHERE v.target_type = validations.target_type AND v.target_id = validations.target_id
        AND v.cohort = validations.cohort AND v.voter_hash = validations.voter_hash AND v.injection_flag = 1
        AND v.vote_key < validations.vote_key)
      THEN 8 ELSE 0 END;
UPDATE validations SET cohort = cohort || '#1' WHERE target_type IN ('skill', 'path', 'path_source');
DROP INDEX durable.validations_by_target;
ALTER TABLE durable.validations DROP COLUMN latest;
CREATE INDEX durable.validations_by_cohort ON validations (artefact, cohort, voter_hash);

-- Why a row of the catalogue is not current any more: `corrected`, `rolled_back`, `quarantined`.
ALTER TABLE durable.catalogue_rows ADD COLUMN ended_by TEXT;
UPDATE catalogue_rows SET ended_by = 'corrected' WHERE superseded_at IS NOT NULL;
-- Rows follow each other by their keys, whatever the clock said.
DROP INDEX durable.catalogue_rows_by_uid;
CREATE INDEX durable.catalogue_rows_by_uid ON catalogue_rows (uid, row_key);

-- Rows that are there already: their day counts from its end, so that none is older than it is.
INSERT INTO standings (target_type, target_id, status, version, cohort, started_at, first_at)
SELECT CASE prefix WHEN 'val' THEN 'volatile_value' ELSE 'reference' END, uid, status, '', row_key,
  committed_at + 86399999, committed_at
FROM catalogue_rows WHERE superseded_at IS NULL;
