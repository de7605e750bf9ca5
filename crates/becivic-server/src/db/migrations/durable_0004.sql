-- The verdict that waits with its words, or a flag's that counts while they wait.
ALTER TABLE durable.held ADD COLUMN vote_key BYTES;
-- How long somebody has been waiting.
CREATE INDEX durable.held_by_day ON held (day);
