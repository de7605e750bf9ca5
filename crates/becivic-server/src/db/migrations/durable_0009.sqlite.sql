UPDATE durable.log_entries SET edge_of = artefact
  WHERE json_extract(CAST(entry AS TEXT), '$.from') IS NULL OR json_extract(CAST(entry AS TEXT), '$.to') IS NULL;
DROP INDEX durable.log_of_an_artefact;
ALTER TABLE durable.log_entries DROP COLUMN artefact;
CREATE INDEX durable.log_edges ON log_entries (edge_of) WHERE edge_of IS NOT NULL;
