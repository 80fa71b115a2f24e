-- What became of tokens after their levels were said, a row for each week, age and level.
CREATE TABLE track_record (
  week_end timestamptz NOT NULL,
  horizon_days smallint NOT NULL,
  age_hours smallint NOT NULL,
  level text NOT NULL,
  tokens integer NOT NULL,
  pulled integer NOT NULL,
  priced integer NOT NULL,
  lost integer NOT NULL,
  sellable integer NOT NULL,
  unsellable integer NOT NULL,
  PRIMARY KEY (week_end, horizon_days, age_hours, level)
);
-- Until when the weeks are judged. Null: none was.
ALTER TABLE chain ADD COLUMN judged_until timestamptz;
