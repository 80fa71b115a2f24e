-- What the check of a token for which somebody asked does now, and how many holders it tries. Null: it has not begun.
ALTER TABLE safety_due ADD COLUMN step text, ADD COLUMN step_holders integer;
