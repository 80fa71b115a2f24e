// SQL over the demo chain: the views hold what exports hold, whatever left the database, and no query harms the next.
import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readSlices, TABLE_NAMES } from '../../src/export/table.ts'
import { TABLES } from '../../src/export/tables.ts'
import { takeSnapshot } from '../../src/sql/snapshot.ts'
import { createSql } from '../../src/sql/sql.ts'
import { SQL_TYPES } from '../../src/sql/views.ts'
import { runCommand } from '../support/context.ts'
import { createStoppedDemo } from '../support/demo.ts'
import { makeFolder } from '../support/folder.ts'
import { withHistory } from '../support/moved.ts'
import { PATIENT_LIMITS } from '../support/sql.ts'

const database = await createStoppedDemo()
const folder = makeFolder('sql')
const limits = { ...PATIENT_LIMITS, memoryMb: 384, spillMb: 64, bytes: 2 ** 24 }
const sql = createSql({ database, folder, clock: systemClock }, limits)
const hasty = createSql({ database, folder, clock: systemClock }, { ...limits, withinMs: 1_000 })
afterAll(() => Promise.all([sql.stop(), hasty.stop()]))
const ask = (query: string, account = 1) => sql.run(account, query)
/** The message of a refusal, which names nothing of this machine. */
const refusalOf = async (query: string, service = sql): Promise<string> => {
  const error = await service.run(1, query).then(
    () => null,
    (reason) => reason,
  )
  expect(error).toMatchObject({ code: 'INVALID_PARAMS', faults: [{ location: 'argument', field: 'query' }] })
  expect(error.message).not.toMatch(/\/tmp|parquet|memory_limit|temp_directory/)
  return error.message
}

/** Rows as an export reads them. */
async function exported(table: (typeof TABLE_NAMES)[number]): Promise<unknown[][]> {
  const client = await database.pool.connect()
  try {
    const rows: unknown[][] = []
    const source = { reader: client, history: database.history }
    for await (const slice of readSlices(source, TABLES[table], [0, 2 ** 31 - 1]))
      rows.push(...slice.map((row) => [...row]))
    return rows
  } finally {
    client.release()
  }
}

/** Times of SQL have microseconds, which are 0 here. */
const plain = (value: unknown) => (value instanceof Date ? value.toISOString().replace('Z', '000Z') : value)
const sorted = (rows: readonly unknown[][]) => rows.map((row) => JSON.stringify(row.map(plain))).sort()

async function expectSame(table: (typeof TABLE_NAMES)[number]): Promise<void> {
  const { columns, rows, truncated } = await ask(`FROM ${table}`)
  expect(columns).toEqual(TABLES[table].columns.map(({ name, type }) => ({ name, type: SQL_TYPES[type] })))
  expect(truncated).toBe(false)
  expect(rows.length).toBeGreaterThan(50)
  expectRows(rows, await exported(table))
}

/** The same rows; a difference shows one of them. */
function expectRows(rows: readonly Record<string, unknown>[], wanted: readonly unknown[][]): void {
  const [found, exact] = [sorted(rows.map((row) => Object.values(row))), sorted(wanted)]
  expect(found.length).toBe(exact.length)
  expect(found.find((row, at) => row !== exact[at])).toBe(exact.find((row, at) => row !== found[at]))
}

test.each(TABLE_NAMES.filter((name) => name !== 'scores'))('the view %s has the rows of the export', expectSame)

test('the view scores has the rows of the export', async () => {
  const { rows } = await ask('SELECT count(*) AS n, sum(score) AS total, count(flags) AS flags FROM scores')
  const all = await exported('scores')
  const at = (name: string) => TABLES.scores.columns.findIndex((column) => column.name === name)
  const sum = all.reduce((total, row) => total + Number(row[at('score')]), 0)
  expect(rows[0]).toMatchObject({ n: all.length, flags: all.filter((row) => row[at('flags')] !== null).length })
  expect(rows[0]?.total).toBeCloseTo(sum, 4)
})

test('an answer names its block, and the number of rows is bounded', async () => {
  const { head, partial, rows, truncated } = await ask('SELECT range AS n FROM range(50000)')
  const { rows: newest } = await database.pool.query('SELECT number, time FROM block ORDER BY number DESC LIMIT 1')
  expect(head).toMatchObject(newest[0])
  expect({ partial, length: rows.length, truncated }).toEqual({ partial: [], length: limits.rows, truncated: true })
})

test('each type has one form in JSON, which keeps every value', async () => {
  const { rows } = await ask(`SELECT 9007199254740993 AS big, 5::HUGEINT AS huge, 1.50::DECIMAL(4, 2) AS price,
    1.5::DECIMAL(16, 2) AS wide, TIMESTAMP '2025-11-08 08:53:20' AS t, TIMESTAMP '1969-12-31 23:59:59.000001' AS before,
    TIMESTAMPTZ '2025-11-08 08:53:20.5+00' AS tz, TIMESTAMP_NS '2025-11-08 08:53:20.123456789' AS ns,
    TIMESTAMP_S '2025-11-08 08:53:20' AS s0, TIMESTAMP_MS '2025-11-08 08:53:20.123' AS ms, DATE '2025-11-08' AS d,
    'infinity'::TIMESTAMP AS never, [1, NULL] AS l, {'a': 'x', 'n': 7::BIGINT} AS s, NULL AS nothing, 'nan'::DOUBLE AS nan`)
  expect(rows).toEqual([
    {
      big: '9007199254740993',
      huge: '5',
      price: 1.5,
      wide: '1.50',
      t: '2025-11-08T08:53:20.000000Z',
      before: '1969-12-31T23:59:59.000001Z',
      tz: '2025-11-08T08:53:20.500000Z',
      ns: '2025-11-08T08:53:20.123456789Z',
      s0: '2025-11-08T08:53:20.000000Z',
      ms: '2025-11-08T08:53:20.123000Z',
      d: '2025-11-08',
      never: 'infinity',
      l: [1, null],
      s: { a: 'x', n: 7 },
      nothing: null,
      nan: 'NaN',
    },
  ])
})

test('a column has one form, whichever values it has', async () => {
  const { rows } = await ask(`SELECT * FROM (VALUES (1::BIGINT, 1::HUGEINT, [1::BIGINT], 1::BIGINT),
    (9007199254740993, 9007199254740993, [9007199254740993], 2)) v(big, huge, list, small) ORDER BY small`)
  expect(rows).toEqual([
    { big: '1', huge: '1', list: ['1'], small: 1 },
    { big: '9007199254740993', huge: '9007199254740993', list: ['9007199254740993'], small: 2 },
  ])
})

test('an answer of too many columns is refused', async () => {
  expect(await refusalOf(`SELECT ${'*, '.repeat(60)}* FROM tokens`)).toMatch(/1000 columns at most/)
})

describe('a hostile query', () => {
  test.each([
    ['endless recursion', 'WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT count(*) FROM r'],
    ['a range of 1e12', 'SELECT sum(range % 7) FROM range(1000000000000)'],
    ['a cross join', 'SELECT count(a.id || b.id || c.id) FROM events a, events b, events c WHERE a.id || b.id <> c.id'],
  ])('ends at its time: %s', async (_, query) => {
    expect(await refusalOf(query, hasty)).toMatch(/takes longer than 1 s|more memory/)
  })

  test.each([
    ['a text of 3 GB', `SELECT length(repeat('x', 3000000000))`],
    ['texts of 1 GB', `SELECT repeat('x', 1000000000) FROM range(4)`],
    ['a list of 1e9 numbers', 'SELECT length(range(1000000000))'],
    ['many lists', 'SELECT sum(length(l)) FROM (SELECT list(range) AS l FROM range(400000000))'],
    ['a padded text', `SELECT lpad('x', 2000000000, 'y')`],
  ])('ends at its memory: %s', async (_, query) => {
    expect(await refusalOf(query, hasty)).toMatch(/more memory than 384 MB|takes longer/)
  })

  test.each([
    ['a long text', `SELECT '${'x'.repeat(10_000)}'`, /10000 characters/],
    ['many negations', `SELECT ${'NOT '.repeat(2_490)}true`, /depth|nested/],
    ['many subqueries', `${'SELECT * FROM ('.repeat(620)}SELECT 1${')'.repeat(620)}`, /exhausted|depth|nested|memory/],
    ['an unknown column', 'SELECT email FROM wallets', /email/],
    ['a column of the file', 'SELECT filename FROM tokens', /filename/],
    ['an unknown function', 'SELECT read_secret(1)', /not available/],
    ['a division of words', `SELECT 'x'::INTEGER`, /convert/i],
  ])('gets one sentence: %s', async (_, query, message) => {
    expect(await refusalOf(query)).toMatch(message)
  })

  test('is not blamed for a process that does not start in time', async () => {
    const late = createSql({ database, folder, clock: systemClock }, { ...limits, waitWithinMs: 1 })
    await expect(late.run(1, 'SELECT 1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
    await late.stop()
  })

  test('leaves nothing to the next one', async () => {
    await refusalOf('CREATE TABLE leaked (a INT)')
    await refusalOf(`SET VARIABLE leaked = 'x'`)
    await refusalOf('CREATE OR REPLACE MACRO sum(a) AS 0')
    expect((await ask('SELECT sum(range) AS n FROM range(4)')).rows).toEqual([{ n: '6' }])
    expect(await refusalOf('FROM leaked')).toMatch(/no table "leaked"/)
  })

  test.each(['event', 'wallet', 'token', 'pool', 'event_hash', 'behind', 'account'])(
    'finds no relation outside of the five views by a recursive part named %s',
    async (name) => {
      for (const query of [
        `WITH RECURSIVE ${name} AS (SELECT * FROM ${name} UNION ALL SELECT * FROM ${name}) SELECT * FROM ${name}`,
        `WITH RECURSIVE ${name} AS (SELECT 1 AS n UNION ALL SELECT n FROM ${name}), b AS (SELECT * FROM main.${name}) FROM b`,
        `WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n FROM ${name}) FROM a`,
        `WITH RECURSIVE ${name}(n) AS ((WITH c AS (FROM ${name}) FROM c) UNION ALL SELECT n FROM ${name}) FROM ${name}`,
        `FROM behind.${name}`,
      ])
        expect(await refusalOf(query)).toMatch(/no table/)
    },
  )

  test('that repeats a part of its own reads that part', async () => {
    const query =
      'WITH RECURSIVE wallet(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM wallet WHERE n < 3) SELECT sum(n)::BIGINT AS n FROM wallet'
    expect((await ask(query)).rows).toEqual([{ n: 6 }])
  })

  test('that names a part like a relation of ours changes no view', async () => {
    const { rows } = await ask(
      `WITH wallet AS (SELECT 1 AS id, 'mine' AS address), event AS (SELECT 1 AS n) SELECT count(*) AS n FROM events WHERE wallet_address = 'mine'`,
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('queries of several accounts', () => {
  const SLOW = 'SELECT sum(range % 7) FROM range(1000000000000)'

  test('one account runs one at a time, so another one has its turn; a sixth at once is refused', async () => {
    const leaving = new AbortController()
    const slow = Array.from({ length: limits.ofAccount }, () => sql.run(7, SLOW, leaving.signal).catch(() => 'ended'))
    await expect(sql.run(7, 'SELECT 1')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect((await ask('SELECT 1 AS one', 8)).rows).toEqual([{ one: 1 }])
    leaving.abort(null)
    expect(await Promise.all(slow)).toEqual(slow.map(() => 'ended'))
    expect((await ask('SELECT 1 AS one', 7)).rows).toEqual([{ one: 1 }])
  })

  test('a query ends when its caller leaves, and its process with it', async () => {
    const leaving = new AbortController()
    const asked = sql.run(9, SLOW, leaving.signal)
    setTimeout(() => leaving.abort(null), 500)
    await expect(asked).rejects.toBeNull()
  })
})

test('a snapshot with fewer rows says from when on it has them', async () => {
  const small = { mostRows: 500, mostBytes: 2 ** 30, withinMs: 60_000 }
  const { signal } = new AbortController()
  const { partial } = await takeSnapshot(database, `${folder}/small`, { limits: small, signal })
  expect(partial.map(({ view }) => view)).toEqual(['events', 'candles', 'scores'])
  const { rows } = await database.pool.query(
    'SELECT time FROM event WHERE n > (SELECT max(n) - 500 FROM event) ORDER BY n LIMIT 1',
  )
  expect(partial[0]?.since).toEqual(rows[0].time)
})

test('a snapshot that would be too large is given up, and leaves no file', async () => {
  const small = { mostRows: 500, mostBytes: 1_000, withinMs: 60_000 }
  const { signal } = new AbortController()
  await expect(takeSnapshot(database, `${folder}/large`, { limits: small, signal })).rejects.toThrow(
    'too large for SQL',
  )
  expect(existsSync(`${folder}/large`)).toBe(false)
})

test('the command prints rows, and what they reflect', async () => {
  const environment = { DATABASE_URL: database.url, DATA_DIR: makeFolder('sql-command') }
  const query = 'SELECT type, count(*) AS n FROM events GROUP BY ALL ORDER BY n DESC LIMIT 1'
  const { printed, code } = await runCommand(['sql', query], environment)
  expect({ code, printed }).toEqual({
    code: 0,
    printed: [
      expect.stringMatching(/^type +n$/),
      expect.stringMatching(/^swap +\d+$/),
      expect.stringMatching(/^1 row; block \d+, 2025-/),
    ],
  })
  const csv = await runCommand(['sql', query, '--format', 'csv'], environment)
  expect(csv.printed[0]).toBe('type,n')
  const refused = await runCommand(['sql', 'FROM account'], environment)
  expect(refused).toMatchObject({
    code: 2,
    complaints: [expect.stringMatching(/^query cannot run: there is no table "account"/)],
  })
  expect(readdirSync(`${environment.DATA_DIR}/sql`)).toEqual([])
})

describe('with a history', () => {
  beforeAll(async () => {
    const { move } = await withHistory(database)
    for (let moved = 0; moved < 3; moved += 1) await move()
  })

  test('events of the history and of the database are one view', async () => {
    const other = createSql({ database, folder: makeFolder('sql-history'), clock: systemClock }, limits)
    try {
      const { rows } = await database.pool.query('SELECT count(*)::int AS n FROM event')
      expect(rows[0].n).toBeLessThan(6_000)
      const { rows: found, partial } = await other.run(1, 'FROM events')
      expect(partial).toEqual([])
      expectRows(found, await exported('events'))
    } finally {
      await other.stop()
    }
  })
})
