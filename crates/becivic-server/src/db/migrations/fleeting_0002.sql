-- When the salt of a cohort was made: what never ends gets another every 90 days.
ALTER TABLE fleeting.vote_salts ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0;
