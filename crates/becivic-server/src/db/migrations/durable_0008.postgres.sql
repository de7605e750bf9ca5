UPDATE log_entries SET artefact = convert_from(entry, 'UTF8')::jsonb ->> 'artefact';
CREATE INDEX log_of_an_artefact ON log_entries (artefact, position);
