-- A source's verdicts count for its path.
UPDATE validations SET artefact = 'path:' || SPLIT_PART(target_id, ':', 1) WHERE target_type = 'path_source';
