-- Images are text: as jsonb they were a quarter of what the writer's statements took, and hardly any is ever read. The history of
-- scores needs none, since a point belongs to the block that made it.
ALTER TABLE undo ALTER COLUMN before TYPE json;
DELETE FROM undo WHERE entity = 'score_point';
