-- What the groups around a launch hold, as scores find it. Null: unknown, until the next score. A baseline of alerts has
-- NaN for an unknown number.
ALTER TABLE token ADD COLUMN sniper_held_pct double precision, ADD COLUMN bundler_held_pct double precision, ADD COLUMN insider_held_pct double precision, ADD COLUMN developer_held_pct double precision, ADD COLUMN fresh_held_pct double precision;
ALTER TABLE alert_baseline ADD COLUMN sniper_held_pct double precision DEFAULT 'NaN' NOT NULL,
  ADD COLUMN bundler_held_pct double precision DEFAULT 'NaN' NOT NULL,
  ADD COLUMN insider_held_pct double precision DEFAULT 'NaN' NOT NULL,
  ADD COLUMN developer_held_pct double precision DEFAULT 'NaN' NOT NULL,
  ADD COLUMN fresh_held_pct double precision DEFAULT 'NaN' NOT NULL;
ALTER TABLE alert_baseline ALTER COLUMN sniper_held_pct DROP DEFAULT,
  ALTER COLUMN bundler_held_pct DROP DEFAULT,
  ALTER COLUMN insider_held_pct DROP DEFAULT,
  ALTER COLUMN developer_held_pct DROP DEFAULT,
  ALTER COLUMN fresh_held_pct DROP DEFAULT;
