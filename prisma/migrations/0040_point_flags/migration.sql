-- The risk flags of a token when a point of its history was kept; null for wallets and in points of older versions.
ALTER TABLE score_point ADD COLUMN flags text[];
