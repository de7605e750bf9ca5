-- Entries of the log are found by what they are about; the latest of an artefact says what it came to.
ALTER TABLE durable.log_entries ADD COLUMN artefact TEXT NOT NULL DEFAULT '';
DROP TABLE durable.log_heads;
