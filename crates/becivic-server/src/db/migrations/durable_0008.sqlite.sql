UPDATE durable.log_entries SET artefact = json_extract(CAST(entry AS TEXT), '$.artefact');
-- The position is the row's own number and so stands in every index.
CREATE INDEX durable.log_of_an_artefact ON log_entries (artefact);
