-- What a token's contract told: the part of its supply that no log did (null: it told no supply), and when it was read.
ALTER TABLE token ADD COLUMN unlogged numeric(78,0), ADD COLUMN told_block integer, ADD COLUMN told_at timestamptz;
