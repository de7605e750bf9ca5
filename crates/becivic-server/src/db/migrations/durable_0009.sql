-- The latest entry of an artefact is named by its standing. Entries are found by an artefact only where it begins or is gone with them.
ALTER TABLE durable.standings ADD COLUMN log_position BIGINT;
UPDATE durable.standings SET log_position = (SELECT MAX(e.position) FROM durable.log_entries e
  WHERE e.artefact = standings.target_type || ':' || standings.target_id);
ALTER TABLE durable.log_entries ADD COLUMN edge_of TEXT;
