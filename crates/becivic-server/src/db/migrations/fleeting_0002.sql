-- When the salt of a cohort was made: what never ends gets another every 90 days.
ALTER TABLE fleeting.vote_salts ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX fleeting.vote_salts_by_age ON vote_salts (made_at);
