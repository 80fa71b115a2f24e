-- The views over a folder that `assay export` wrote. Run it in a DuckDB database file, or as Metabase's init SQL.
CREATE OR REPLACE VIEW events AS
SELECT * REPLACE (timestamp AT TIME ZONE 'UTC' AS timestamp)
FROM read_parquet('export/events/*/*.parquet', hive_partitioning = false);

CREATE OR REPLACE VIEW candles AS
SELECT * REPLACE (start AT TIME ZONE 'UTC' AS start)
FROM read_parquet('export/candles/*/*.parquet', hive_partitioning = false);

CREATE OR REPLACE VIEW scores AS
SELECT * REPLACE (timestamp AT TIME ZONE 'UTC' AS timestamp)
FROM read_parquet('export/scores/*/*.parquet', hive_partitioning = false);

-- The newest block of those that were exported.
CREATE OR REPLACE VIEW tokens AS
SELECT * EXCLUDE (block) REPLACE (
  created_at AT TIME ZONE 'UTC' AS created_at, listed_at AT TIME ZONE 'UTC' AS listed_at,
  priced_at AT TIME ZONE 'UTC' AS priced_at, scored_at AT TIME ZONE 'UTC' AS scored_at
)
FROM read_parquet('export/tokens/*/*.parquet', hive_partitioning = true)
QUALIFY block = max(block) OVER ();

CREATE OR REPLACE VIEW wallets AS
SELECT * EXCLUDE (block) REPLACE (
  first_seen AT TIME ZONE 'UTC' AS first_seen, last_trade_at AT TIME ZONE 'UTC' AS last_trade_at,
  scored_at AT TIME ZONE 'UTC' AS scored_at
)
FROM read_parquet('export/wallets/*/*.parquet', hive_partitioning = true)
QUALIFY block = max(block) OVER ();
