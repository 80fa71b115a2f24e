-- What was removed from a position in a range and not paid out yet: whatever is paid out beyond it is fees, its owner's income.
ALTER TABLE position_token ADD COLUMN owed0 numeric(78,0) NOT NULL DEFAULT 0;
ALTER TABLE position_token ADD COLUMN owed1 numeric(78,0) NOT NULL DEFAULT 0;
UPDATE undo SET before = (before::jsonb || '{"owed0": 0, "owed1": 0}')::json WHERE entity = 'position_token' AND before IS NOT NULL;
