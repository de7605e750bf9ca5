-- When the salt of a cohort was made: what never ends gets another every 90 days.
ALTER TABLE fleeting.vote_salts ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0;
-- Cohorts of skills and paths are numbered from now on. The salt of a line stays beside the one of its first cohort: senders of
-- amendments are told apart under it. Votes on a source count under its path's.
INSERT INTO vote_salts (target_type, target_id, cohort, salt, made_at)
SELECT target_type, target_id, cohort || '#1', salt, made_at FROM vote_salts WHERE target_type IN ('skill', 'path');
DELETE FROM vote_salts WHERE target_type = 'path_source';
CREATE INDEX fleeting.vote_salts_by_age ON vote_salts (made_at);
