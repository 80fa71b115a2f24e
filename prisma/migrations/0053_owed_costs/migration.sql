-- What was removed from a position and not paid out yet has a cost: whole tokens that have one, and dollars. `costed_share` is the part
-- of what was removed last that had a cost in the pool.
ALTER TABLE position_token
  ADD COLUMN owed_cost_quantity0 double precision,
  ADD COLUMN owed_cost_usd0 double precision,
  ADD COLUMN owed_cost_quantity1 double precision,
  ADD COLUMN owed_cost_usd1 double precision,
  ADD COLUMN costed_share double precision;
