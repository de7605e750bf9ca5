-- What SQLite needs so that rows of `audit` stay as they were written. `INSERT OR REPLACE` removes a row without asking the
-- trigger that guards removals, so a number that is taken is refused as well.
CREATE TRIGGER durable.audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'rows of audit are not changed');
END;
CREATE TRIGGER durable.audit_is_not_shortened BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'rows of audit are not removed');
END;
CREATE TRIGGER durable.audit_is_not_replaced BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit WHERE number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'rows of audit are not replaced');
END;
