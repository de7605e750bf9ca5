-- The distinct days on which people confirmed in the open cohort, and the last of them.
ALTER TABLE durable.standings ADD COLUMN confirm_days BIGINT NOT NULL DEFAULT 0;
ALTER TABLE durable.standings ADD COLUMN confirm_day BIGINT;
-- 128 marks what was carried over from the cohort before: it confirms nothing any more.
UPDATE durable.standings SET
  confirm_days = (SELECT COUNT(DISTINCT v.day) FROM validations v
    WHERE v.artefact = standings.target_type || ':' || standings.target_id AND v.cohort = standings.cohort
      AND v.verdict = 'confirm' AND v.submitter_type = 'person' AND v.weight = 1 AND v.state = 'applied'
      AND (v.marks & 128) = 0),
  confirm_day = (SELECT MAX(v.day) FROM validations v
    WHERE v.artefact = standings.target_type || ':' || standings.target_id AND v.cohort = standings.cohort
      AND v.verdict = 'confirm' AND v.submitter_type = 'person' AND v.weight = 1 AND v.state = 'applied'
      AND (v.marks & 128) = 0);
