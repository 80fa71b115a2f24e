// What SQL may say, by DuckDB's own parser, and what its settings refuse besides.
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import { TABLE_NAMES } from '../../src/export/table.ts'
import { checkStatement } from '../../src/sql/check.ts'
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from '../../src/sql/functions.ts'
import { lockDown, viewText } from '../../src/sql/job.ts'

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
afterAll(() => instance.closeSync())

const parse = async (sql: string) => {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)::VARCHAR', [sql])
  return String(reader.getRows()[0]?.[0])
}
const check = async (sql: string) => checkStatement(await parse(sql), TABLE_NAMES)

const HARMLESS = [
  'SELECT count(*) FROM events',
  'FROM tokens',
  'TABLE wallets',
  'DESCRIBE events',
  'SUMMARIZE candles',
  'VALUES (1)',
  'SELECT * FROM main.events',
  'SELECT * FROM "Events"',
  'WITH a AS (SELECT 1 AS x), b AS (SELECT * FROM a) SELECT * FROM b',
  'WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r WHERE a < 5) SELECT * FROM r',
  'WITH events AS (SELECT 1) SELECT * FROM events',
  'SELECT * FROM range(3) t, unnest([1, 2]) u, generate_series(1, 2)',
  'SELECT sum(amount_usd) OVER (PARTITION BY type ORDER BY timestamp) FROM events QUALIFY row_number() OVER () < 3',
  'SELECT list_transform([1], x -> x + 1), [y FOR y IN [1]], CASE WHEN true THEN 1 END, 1 IN (1, 2), EXISTS (SELECT 1)',
  "SELECT date_trunc('day', timestamp), timestamp - INTERVAL 1 DAY, timestamp::DATE, now(), current_date FROM events",
  'SELECT symbol FROM tokens WHERE address IN (SELECT token_address FROM events) ORDER BY ALL LIMIT 5',
  'SELECT a.symbol FROM tokens a ASOF JOIN tokens b ON a.created_at >= b.created_at',
  'SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3',
  "SELECT count(*) FILTER (type = 'swap'), quantile_cont(amount_usd, 0.5), arg_max(tx_hash, amount_usd) FROM events",
  'SELECT symbol COLLATE nocase FROM tokens TABLESAMPLE 10%',
]

test.each(HARMLESS)('a harmless query passes: %s', async (sql) => {
  await expect(check(sql)).resolves.toBeDefined()
})

const ATTACKS: readonly (readonly [sql: string, message: RegExp])[] = [
  ...[
    "read_csv('/etc/passwd')",
    "read_parquet('/x/*.parquet')",
    "read_text('/etc/passwd')",
    "read_blob('/etc/passwd')",
  ].map((source) => [`SELECT * FROM ${source}`, /cannot be read from/] as const),
  ...["glob('/**')", "parquet_metadata('/x')", "sniff_csv('/x')", 'duckdb_secrets()', 'duckdb_settings()'].map(
    (source) => [`SELECT * FROM ${source}`, /cannot be read from/] as const,
  ),
  ...["query('SELECT 1')", "query_table('events')", 'pragma_version()', 'duckdb_logs()', "which_secret('a', 'b')"].map(
    (source) => [`FROM ${source}`, /cannot be read from/] as const,
  ),
  ["FROM '/etc/passwd'", /no table/],
  ["FROM 'https://example.com/a.parquet'", /no table/],
  ['FROM "/etc/passwd.csv"', /no table/],
  ['FROM sqlite_master', /no table/],
  ['FROM duckdb_settings', /no table/],
  ['FROM information_schema.tables', /no table/],
  ['FROM pg_catalog.pg_tables', /no table/],
  ['FROM system.main.duckdb_tables', /no table/],
  ['FROM wallet', /no table/],
  ['FROM account', /no table/],
  ['FROM api_key', /no table/],
  ['SELECT (SELECT count(*) FROM event)', /no table/],
  ['SELECT * FROM events AT (VERSION => 1)', /AT is not supported/],
  // The name is known only below its own WITH, and not yet in its own body.
  ['FROM (WITH account AS (SELECT 1) FROM account), account', /no table/],
  ['WITH account AS (FROM account) FROM account', /no table/],
  ['WITH "/etc/passwd" AS (SELECT 1) FROM "/etc/passwd"', /cannot name/],
  ['WITH sqlite_master AS (SELECT 1) FROM sqlite_master', /cannot name/],
  ['SELECT 1; SELECT 2', /one statement/],
  ['SELECT 1; DROP VIEW events', /must be a SELECT/],
  ['', /one statement/],
  ['-- nothing', /one statement/],
  ...[
    "ATTACH '/tmp/x.db'",
    "COPY events TO '/tmp/x'",
    "COPY (SELECT 1) TO '/tmp/x'",
    'INSTALL httpfs',
    'LOAD httpfs',
  ].map((sql) => [sql, /must be a SELECT/] as const),
  ...[
    'PRAGMA database_list',
    'SET threads = 64',
    'RESET threads',
    "EXPORT DATABASE '/tmp/x'",
    "IMPORT DATABASE '/tmp/x'",
  ].map((sql) => [sql, /must be a SELECT|cannot be read from|no table/] as const),
  ...[
    'CREATE TABLE t (a INT)',
    'CREATE TEMP TABLE t (a INT)',
    'CREATE MACRO m(a) AS a',
    'CREATE VIEW v AS SELECT 1',
  ].map((sql) => [sql, /must be a SELECT/] as const),
  ...['CREATE OR REPLACE VIEW events AS SELECT 1', 'INSERT INTO events VALUES (1)', 'DELETE FROM events', 'VACUUM'].map(
    (sql) => [sql, /must be a SELECT/] as const,
  ),
  ...['UPDATE events SET type = 1', 'EXPLAIN SELECT 1', 'EXPLAIN ANALYZE FROM events', 'CALL pragma_version()'].map(
    (sql) => [sql, /must be a SELECT/] as const,
  ),
  ...[
    "CREATE SECRET s (TYPE s3, KEY_ID 'a')",
    'USE memory',
    'CHECKPOINT',
    'BEGIN',
    'PREPARE p AS SELECT 1',
    'DETACH memory',
  ].map((sql) => [sql, /must be a SELECT/] as const),
  ['PIVOT events ON type USING count(*)', /must be a SELECT/],
  ['SHOW TABLES', /SHOW/],
  ['SHOW ALL TABLES', /SHOW/],
  ['FROM (SHOW DATABASES)', /SHOW/],
  ...["getenv('HOME')", "current_setting('temp_directory')", "getvariable('x')", 'version()', 'current_query()'].map(
    (call) => [`SELECT ${call}`, /is not available/] as const,
  ),
  ...['pg_sleep(9)', 'sleep_ms(9000)', "write_log('x')", "nextval('s')", "json_serialize_sql('SELECT 1')"].map(
    (call) => [`SELECT ${call}`, /is not available/] as const,
  ),
  ['SELECT system.main.pg_sleep(9)', /is not available/],
  ['SELECT sum(x) OVER (ORDER BY sleep_ms(9)) FROM (SELECT 1 AS x)', /is not available/],
  ['SELECT list_transform([1], x -> sleep_ms(x))', /is not available/],
  ['SELECT 1 ORDER BY pg_sleep(1)', /is not available/],
  ['SELECT * FROM range(sleep_ms(9))', /is not available/],
  ['SELECT * FROM range(3) LIMIT (SELECT pg_sleep(1))', /is not available/],
  ['SELECT $1', /no parameters/],
  ['SELECT * FROM events WHERE', /syntax error/],
]

test.each(ATTACKS)('it is refused: %s', async (sql, message) => {
  await expect(check(sql)).rejects.toThrow(message)
})

/** Besides families that a pattern names. */
const LEFT_OUT = [
  'alias array_to_string_comma_default can_cast_implicitly cast_to_type col_description combine constant_or_null',
  'create_sort_key currval error finalize format_pg_type format_type generate_subscripts get_block_size get_type',
  'getvariable in_search_path is_histogram_other_bin make_type map_to_pg_oid md5_number_lower md5_number_upper nextval',
  'obj_description parse_dirname parse_dirpath parse_duckdb_log_message parse_filename parse_path remap_struct',
  'replace_type session_user setseed shobj_description sleep_ms stats sum_no_overflow timetz_byte_comparable',
  'transaction_timestamp txid_current unpivot_list user vector_type version write_log',
].join(' ')

test('every function of DuckDB that tells of the server, waits or writes is left out, and every other name is known', async () => {
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro')`,
  )
  const known = new Set(reader.getRowObjectsJS().map(({ name }) => String(name).toLowerCase()))
  const unknown = [...ALLOWED_FUNCTIONS].filter((name) => !known.has(name))
  expect(unknown.sort()).toEqual(['->', 'count_star', 'geomean', 'geometric_mean'].filter((name) => !known.has(name)))
  const left = [...known].filter((name) => !ALLOWED_FUNCTIONS.has(name))
  const reviewed = /^(__internal_|icu_|pg_|has_\w+_privilege$|inet_|st_|variant_|json_(de)?serialize_|current_|enum_)/
  expect(
    left
      .filter((name) => !reviewed.test(name))
      .sort()
      .join(' '),
  ).toBe(LEFT_OUT)
  expect([...ALLOWED_TABLE_FUNCTIONS]).toEqual(['range', 'generate_series', 'unnest'])
})

describe('the settings of DuckDB', async () => {
  const locked = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' })
  const inside = await locked.connect()
  for (const statement of lockDown(['/nowhere/a.parquet'])) await inside.run(statement)
  afterAll(() => locked.closeSync())

  test.each([
    "FROM read_text('/etc/hostname')",
    "FROM '/etc/assay.csv'",
    "FROM glob('/etc/*')",
    "COPY (SELECT 1) TO '/tmp/assay-sql-attack'",
    "ATTACH '/tmp/assay-sql-attack.db'",
    'INSTALL httpfs',
    'LOAD httpfs',
    'SET enable_external_access = true',
    "SET allowed_paths = ['/etc/passwd']",
    'RESET allowed_paths',
    "EXPORT DATABASE '/tmp/assay-sql-attack'",
  ])('refuse %s even without the check', async (sql) => {
    await expect(inside.run(sql)).rejects.toThrow(/Permission|disabled|locked|Cannot/i)
  })
})

describe('a view joins for the columns that a query names alone', () => {
  const view = {
    name: 'events',
    columns: [
      { name: 'token', type: 'VARCHAR', sql: 't.address' },
      { name: 'amount', type: 'DOUBLE', sql: 'e.amount' },
    ],
    from: 'event e',
    joins: [{ alias: 't', text: 'JOIN token t ON t.id = e.token_id' }],
  }
  const views = ['events']
  const textOf = async (sql: string) => viewText(view, checkStatement(await parse(sql), views).names)

  test.each([
    'SELECT sum(amount) FROM events',
    'SELECT count(*) FROM events',
    'SELECT amount AS x FROM events e ORDER BY 1',
  ])('nothing is joined for %s', async (sql) => expect(await textOf(sql)).not.toContain('JOIN'))
  test.each([
    'SELECT TOKEN FROM events',
    'SELECT e.token FROM events e',
    'FROM events',
    'SELECT e FROM events e',
    'SELECT events FROM events',
    'SELECT COLUMNS(*) FROM events',
    'SELECT #1 FROM events',
    'SELECT amount FROM events WHERE token IS NULL',
    'SELECT 1 FROM events a JOIN events b USING (token)',
    'SELECT 1 FROM events a NATURAL JOIN events b',
    'DESCRIBE events',
  ])('names are joined for %s', async (sql) => expect(await textOf(sql)).toContain('JOIN token'))
})
