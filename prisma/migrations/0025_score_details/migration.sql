-- What stood beside a score when a point of its history was kept; null in points of older versions.
ALTER TABLE score_point ADD COLUMN details double precision[];
