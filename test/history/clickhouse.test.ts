// The bounds of a ClickHouse store, its comparison of what it stored, and its faults, which have no password.
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { openConnection, reasonOfFault, type StatementLimits } from '../../src/history/clickhouse/connection.ts'
import { createClickHouseStore } from '../../src/history/clickhouse/store.ts'
import { HISTORY_COLUMNS } from '../../src/history/lines.ts'
import { CLICKHOUSE_PASSWORD, HAS_CLICKHOUSE, startClickHouse } from '../support/clickhouse.ts'

const LIMITS: StatementLimits = {
  ...{ connections: 1, withinMs: 20_000, threads: 1, memoryMb: 256 },
  ...{ rowsRead: 20_000_000, rowsFound: 1_000, isReader: true },
}
/** It would take minutes. */
const SLOW = 'SELECT sum(cityHash64(number)) AS slow FROM (SELECT number FROM system.numbers LIMIT 1000000000000)'

/** An event as a line; `given` replaces values. */
const lineOf = (n: number, given: Record<string, unknown> = {}): string => {
  const event: Record<string, unknown> = {
    ...{ n, type_n: n, block_number: n, log_index: 0, token_id: 1, token_n: n, token_type_n: n },
    ...{ wallet_id: 2, wallet_n: n, wallet_type_n: n, type: 1, direction: 1, quantity: n / 3, amount_usd: n / 7 },
    ...{ time: 1_700_000_000_000_000 + n, tx_hash: 'ab'.repeat(32), ...given },
  }
  return `${HISTORY_COLUMNS.map((column) => event[column] ?? '').join(',')}\n`
}
const RANGE = { firstN: 1, lastN: 40 }
const linesWith = (given: (n: number) => Record<string, unknown> = () => ({}), last = RANGE.lastN) =>
  Readable.from(Array.from({ length: last }, (_, at) => lineOf(at + 1, given(at + 1))))

describe.skipIf(!HAS_CLICKHOUSE)('ClickHouse (skipped without the program clickhouse-server)', async () => {
  if (!HAS_CLICKHOUSE) return
  const server = await startClickHouse()
  const store = createClickHouseStore({ url: server.url, onFault: () => {}, onRecovery: () => {} })
  const writer = store.openWriter()
  await writer.makeMarker('0a')
  const opened = [store, writer]
  const open = (limits: Partial<StatementLimits> = {}, url = server.url) => {
    const connection = openConnection(url, { ...LIMITS, ...limits })
    opened.push(connection as never)
    return connection
  }
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()))
    await server.stop()
  })
  const countRows = async () =>
    Number(
      await server.run("SELECT sum(rows) FROM system.parts WHERE active AND database = 'assay' AND table != 'marker'"),
    )

  /** The reason of a statement's fault. */
  const fail = async (asked: Promise<unknown>): Promise<string> => {
    const error = await asked.then(
      () => null,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain(CLICKHOUSE_PASSWORD)
    return reasonOfFault(error)
  }

  test('the time, memory, rows read and rows found of a statement are bounded', async () => {
    expect(await fail(open({ withinMs: 1_000, rowsRead: 1e15 }).ask(SLOW))).toMatch(/takes too long|does not answer/)
    expect(await fail(open({ memoryMb: 8 }).ask('SELECT uniqExact(number) AS n FROM numbers(5000000)'))).toBe(
      'the statement needs too much memory',
    )
    expect(
      await fail(
        open({ rowsRead: 10 }).ask('SELECT count() AS n FROM (SELECT number FROM system.numbers LIMIT 100000)'),
      ),
    ).toBe('the statement would read too many rows')
    expect(await fail(open({ rowsFound: 10 }).ask('SELECT number FROM numbers(100)'))).toBe(
      'the answer has too many rows',
    )
  })

  test('a reader changes nothing', async () => {
    expect(await fail(open().run('DROP TABLE marker'))).toBe('the user may only read')
    expect(await writer.readMarker()).toBe('0a')
  })

  test('at most 512 statements wait; a further one is refused with a time to come back', async () => {
    const connection = open({ withinMs: 1_000, rowsRead: 1e15 })
    const first = fail(connection.ask(SLOW))
    const waiting = Array.from({ length: 512 }, () => connection.ask('SELECT 1 AS one').catch(() => []))
    await expect(connection.ask('SELECT 1 AS one')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    })
    await first
    await Promise.all(waiting)
  })

  test('a wrong password, and a server that is away, are told without the password', async () => {
    const wrong = server.url.replace(CLICKHOUSE_PASSWORD, `${CLICKHOUSE_PASSWORD}-2`)
    expect(await fail(open({}, wrong).ask('SELECT 1 AS one'))).toBe('the user or the password is wrong')
    const away = server.url.replace(/:\d+\/assay/, ':9/assay')
    expect(await fail(open({}, away).ask('SELECT 1 AS one'))).toBe('the server refuses connections')
  })

  test('events that are missing, doubled, or change between the two readings leave nothing behind', async () => {
    const bent = (n: number) => (n === 17 ? { quantity: 17 / 3 + 1e-12 } : {})
    const cases: [string, () => AsyncIterable<string>, () => AsyncIterable<string>][] = [
      ['are not all there', () => linesWith(undefined, 39), () => linesWith(undefined, 39)],
      ['are not all there', () => linesWith((n) => ({ n: n === 5 ? 6 : n })), () => linesWith()],
      ['differs from the events of the database', () => linesWith(), () => linesWith(bent)],
      ['differs from the events of the database', () => linesWith(), () => linesWith(undefined, 39)],
      ['does not have 32 bytes', () => linesWith(() => ({ tx_hash: 'abcd' })), () => linesWith()],
    ]
    for (const [message, ...readings] of cases) {
      const next = [...readings]
      await expect(writer.write(RANGE, () => next.shift()?.() ?? linesWith())).rejects.toThrow(message)
      expect([message, await countRows()]).toEqual([message, 0])
    }
  })

  test('a segment is written, removed, and numbers of 64 bits and fractions are exact', async () => {
    const odd = (n: number) => ({
      quantity: [1e30, 1.5e-30, 0, 0.1 + 0.2][n % 4],
      amount_usd: [1.23456789e20, 0.1234567891, 1e-9, 12.34][n % 4],
    })
    const { name, bytes } = await writer.write(RANGE, () => linesWith(odd))
    expect(bytes).toBeGreaterThan(0)
    const times = { firstTime: new Date(0), lastTime: new Date() }
    const segment = { name, bytes, ...RANGE, firstBlock: 1, lastBlock: 40, ...times }
    expect(await store.isComplete(segment)).toBe(true)
    const events = await store.readNumbers([segment], [1, 2, 3, 4])
    for (const { n, quantity, amount_usd: dollars } of events) expect({ quantity, amount_usd: dollars }).toEqual(odd(n))
    expect(events).toHaveLength(4)
    await writer.remove(name)
    expect(await countRows()).toBe(0)
    expect(await store.isComplete(segment)).toBe(false)
  })

  test('tables that are not empty and have no marker are refused', async () => {
    await server.run('CREATE DATABASE other')
    await server.run(
      'CREATE TABLE other.token (segment UInt64, n UInt64) ENGINE = MergeTree PARTITION BY segment ORDER BY n',
    )
    await server.run('INSERT INTO other.token VALUES (1, 1)')
    const another = createClickHouseStore({
      url: server.url.replace(/assay$/, 'other'),
      onFault: () => {},
      onRecovery: () => {},
    })
    const into = another.openWriter()
    opened.push(another, into)
    expect(await into.readMarker()).toBeNull()
    await expect(into.makeMarker('0b')).rejects.toThrow('the tables are not empty')
  })

  test('a further chain has tables of its own in the same database', async () => {
    const further = createClickHouseStore({ url: server.url, prefix: 'base_', onFault: () => {}, onRecovery: () => {} })
    const into = further.openWriter()
    opened.push(further, into)
    expect(await into.readMarker()).toBeNull()
    await into.makeMarker('0c')
    await further.requireId('0c')
    await store.requireId('0a')
  })
})

test('a fault of an unknown kind is told without the words of the server', () => {
  expect(reasonOfFault(new Error('Code: 62, e.displayText() = syntax error near secret'))).toBe(
    'ClickHouse has the error 62',
  )
  expect(reasonOfFault(new Error('secret'))).toBe('the server gave an unknown answer')
})
