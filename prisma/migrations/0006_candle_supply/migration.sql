-- Of a candle, at its close: whole tokens in circulation, and the market cap. Null: not known, as in earlier rows.
ALTER TABLE token_minute ADD COLUMN circulating double precision, ADD COLUMN market_cap_usd double precision;
ALTER TABLE token_five_minutes ADD COLUMN circulating double precision, ADD COLUMN market_cap_usd double precision;
ALTER TABLE token_hour ADD COLUMN circulating double precision, ADD COLUMN market_cap_usd double precision;
