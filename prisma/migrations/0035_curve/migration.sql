-- Of a launch curve: how many raw tokens it sells before the token graduates; null where nobody says.
ALTER TABLE pool ADD COLUMN offered numeric(78, 0);
