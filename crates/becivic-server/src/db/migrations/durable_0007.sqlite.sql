-- A table without row ids keeps only short rows together: what is longer than a quarter of a page got a page of its own for its rest.
CREATE TABLE durable.log_rows (
  position INTEGER PRIMARY KEY,
  entry BLOB NOT NULL,
  leaf BLOB NOT NULL,
  proof BLOB NOT NULL,
  nonce BLOB
);
INSERT INTO durable.log_rows (position, entry, leaf, proof, nonce)
  SELECT position, entry, leaf, proof, nonce FROM durable.log_entries ORDER BY position;
DROP TABLE durable.log_entries;
ALTER TABLE durable.log_rows RENAME TO log_entries;
