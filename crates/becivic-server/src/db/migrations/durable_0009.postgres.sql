UPDATE log_entries SET edge_of = artefact
  WHERE convert_from(entry, 'UTF8')::jsonb ->> 'from' IS NULL OR convert_from(entry, 'UTF8')::jsonb ->> 'to' IS NULL;
DROP INDEX log_of_an_artefact;
ALTER TABLE log_entries DROP COLUMN artefact;
CREATE INDEX log_edges ON log_entries (edge_of, position) WHERE edge_of IS NOT NULL;
