-- A change of status as version 5 had it, from before there was a log, and the standing it led to.
INSERT INTO standings (target_type, target_id, status, version, cohort, started_at, first_at, withheld) VALUES ('skill', 'arrival-declaration', 'beta', '0.2.0', '0.2#2', 0, 0, 0)
INSERT INTO transitions (number, target_type, target_id, from_status, to_status, from_version, to_version, cohort, rule, numbers, policy, day) VALUES (1, 'skill', 'arrival-declaration', 'alpha', 'beta', '0.1.0', '0.2.0', '0.1#1', 'alpha_to_beta', '{}', '1', 0)
