-- What prices are kept in: dollars, the native coin, or a hub, and what each of these units costs at a block. So a token follows its
-- quote, and nothing of it is written when the quote moves.
ALTER TABLE token ADD COLUMN unit_id integer;             -- the token that the price is kept in; null: dollars
ALTER TABLE token RENAME COLUMN price_native TO price_unit; -- the price in whole ones of it; null with it
ALTER TABLE token ADD COLUMN is_unit boolean;             -- whether others are kept in it; null: no

-- Tokens behind a hub stay in native coins until their pools change.
UPDATE token SET unit_id = (SELECT native_id FROM block ORDER BY number DESC LIMIT 1)
  WHERE price_unit > 0 AND price_usd > 0 AND (SELECT native_id FROM block ORDER BY number DESC LIMIT 1) IS NOT NULL;
UPDATE token SET price_unit = NULL WHERE unit_id IS NULL AND price_unit IS NOT NULL;
UPDATE token SET is_unit = true WHERE id = (SELECT native_id FROM block ORDER BY number DESC LIMIT 1);

-- The units at each block, and the dollars of each. They stay beside the row's other columns, so that a statement which reads one for each
-- of many tokens need not unpack all of them each time.
ALTER TABLE block ADD COLUMN unit_ids integer[] NOT NULL DEFAULT '{}';
ALTER TABLE block ADD COLUMN unit_usd double precision[] NOT NULL DEFAULT '{}';
ALTER TABLE block ALTER COLUMN unit_ids SET STORAGE PLAIN, ALTER COLUMN unit_usd SET STORAGE PLAIN;
UPDATE block SET unit_ids = ARRAY[native_id], unit_usd = ARRAY[native_usd] WHERE native_id IS NOT NULL AND native_usd > 0;

-- Market caps in the same units, with the prices that they were last evaluated at.
ALTER TABLE alert_baseline ADD COLUMN unit_id integer;
UPDATE alert_baseline SET unit_id = (SELECT native_id FROM block ORDER BY number DESC LIMIT 1) WHERE in_native;
ALTER TABLE alert_baseline DROP COLUMN in_native;
ALTER TABLE alert_sweep ADD COLUMN unit_ids integer[] NOT NULL DEFAULT '{}', ADD COLUMN unit_usd double precision[] NOT NULL DEFAULT '{}';
UPDATE alert_sweep SET unit_ids = b.unit_ids, unit_usd = ARRAY[s.native_usd]
  FROM alert_sweep s, (SELECT unit_ids FROM block ORDER BY number DESC LIMIT 1) b WHERE cardinality(b.unit_ids) = 1 AND s.id = alert_sweep.id;
ALTER TABLE alert_sweep DROP COLUMN native_usd;
ALTER TABLE block DROP COLUMN native_id, DROP COLUMN native_usd;

-- Rows as they were before a block that may still be taken back: they come back with the column's new name.
UPDATE undo SET before = (before::jsonb || jsonb_build_object('price_unit', before -> 'price_native', 'unit_id', u.id))::json
  FROM (SELECT unit_ids[1] AS id FROM block ORDER BY number DESC LIMIT 1) u
  WHERE entity = 'token' AND u.id IS NOT NULL AND (before ->> 'price_native')::float8 > 0 AND (before ->> 'price_usd')::float8 > 0;
UPDATE undo SET before = (before::jsonb || '{"is_unit": true}')::json
  FROM (SELECT unit_ids[1] AS id FROM block ORDER BY number DESC LIMIT 1) u
  WHERE entity = 'token' AND key1 = u.id AND before IS NOT NULL;
