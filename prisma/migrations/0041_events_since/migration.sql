-- Events before this time were given up to save room (EVENTS_KEPT_DAYS); null: all are kept.
ALTER TABLE chain ADD COLUMN events_since timestamptz;
