-- A token's score reads its pools: at most one per quote, factory and fee, so these are few.
CREATE INDEX pool_base ON pool (base_id) WHERE base_id IS NOT NULL;

-- Due work is taken per kind.
DROP INDEX score_due_at;
CREATE INDEX score_due_at ON score_due (kind, due_at, id);
