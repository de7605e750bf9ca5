-- The transparency log: one row for each change of an artefact, in an order that is signed. `entry` is what is published, `leaf` its
-- hash, `proof` that it is in the tree that ends with it (32 bytes each, smallest subtree first). `nonce` is what the digests in the
-- entry are made with; without it nothing can be guessed from them.
CREATE TABLE durable.log_entries (
  position BIGINT PRIMARY KEY,
  entry BYTES NOT NULL,
  leaf BYTES NOT NULL,
  proof BYTES NOT NULL,
  nonce BYTES
) KEYED;

-- The hashes of higher tiles: each the root over 256 of the level below.
CREATE TABLE durable.log_tiles (
  level BIGINT NOT NULL,
  position BIGINT NOT NULL,
  hash BYTES NOT NULL,
  PRIMARY KEY (level, position)
) KEYED;

-- The latest entry of each artefact, and what it says. `status` is empty where the artefact is gone.
CREATE TABLE durable.log_heads (
  target_type TEXT NOT NULL,
  target_id TEXT NOT NULL,
  position BIGINT NOT NULL,
  status TEXT NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (target_type, target_id)
) KEYED;

-- Where a change stands in the log; those from before it began stand nowhere.
ALTER TABLE durable.transitions ADD COLUMN log_position BIGINT;
