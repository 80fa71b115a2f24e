// Draws events within ClickHouse, as one segment of a history. They are as those that DuckDB draws: few tokens and wallets
// have most events, amounts are random, and a transaction has 1.4 events.
import type { Connection } from '../../src/history/clickhouse/connection.ts'

export interface Drawing {
  segment: string
  firstN: number
  events: number
  tokens: number
  wallets: number
  blockEvents: number
  blockSeconds: number
  /** Of the first block, since 1970. */
  start: number
}

/** A random fraction of its own. */
const random = (which: number) => `(rand(${which}) / 4294967296)`

const eventsOf = ({ segment, firstN, events, tokens, wallets, blockEvents, blockSeconds, start }: Drawing): string => `
  INSERT INTO event (segment, n, type_n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, block_number,
    log_index, part, attribution, quantity, amount_micro, amount_usd, time, tx_hash)
  SELECT ${segment}, n, n, kind, if(kind = 1, 1 + n % 2, 0), token, 1 + floor(pow(${random(2)}, 2) * ${wallets}),
    if(kind = 4, 1 + floor(pow(${random(3)}, 2) * ${wallets}), 0), if(kind < 4, token * 2 + n % 2, 0), 0, block, n % ${blockEvents}, 0,
    if(n % 9 = 0, 2, 0), pow(10, share * 9), round(exp(share * 9) * 1e6), 0, (${start} + block * ${blockSeconds}) * 1000000,
    SHA256(toString(intDiv(n * 10, 14)))
  FROM (SELECT number + ${firstN} AS n, intDiv(n, ${blockEvents}) AS block, ${random(4)} AS share, ${random(5)} AS drawn,
      1 + floor(pow(${random(1)}, 3) * ${tokens}) AS token, multiIf(drawn < 0.7, 1, drawn < 0.73, 2, drawn < 0.757, 3, 4) AS kind
    FROM system.numbers LIMIT ${events})`

/** The events of each owner, with their numbers in all and in their type. */
const pointersOf = (into: string, owner: string, select: string, source: string): string =>
  `INSERT INTO ${into} SELECT ${select} FROM (
    SELECT ${owner}, groupArray(n) AS ns, groupArray(type) AS types, groupArray(side) AS sides, groupArray(token) AS tokens
    FROM (${source}) GROUP BY ${owner})
  ARRAY JOIN ns AS n, types AS type, sides AS side, tokens AS token, arrayEnumerate(ns) AS number, arrayEnumerateUniq(types) AS type_number`

export async function drawEvents({ run }: Connection, drawing: Drawing): Promise<void> {
  const { segment } = drawing
  await run(eventsOf(drawing))
  const ordered = (columns: string, where = '1') =>
    `SELECT ${columns} FROM event WHERE segment = ${segment} AND ${where}`
  await run(
    pointersOf(
      'token (segment, token_id, token_n, type, token_type_n, n)',
      'token_id',
      `${segment}, token_id, number, type, type_number, n`,
      ordered('token_id, n, type, 0 AS side, token_id AS token'),
    ),
  )
  await run(
    pointersOf(
      'wallet (segment, reader_id, number, type, type_number, received, token_id, n)',
      'reader',
      `${segment}, reader, number, type, type_number, side, token, n`,
      `${ordered('wallet_id AS reader, n, type, toUInt8(0) AS side, token_id AS token')}
       UNION ALL ${ordered('counterparty_id AS reader, n, type, toUInt8(1) AS side, token_id AS token', 'counterparty_id > 0 AND counterparty_id != wallet_id')}`,
    ),
  )
  await run(`INSERT INTO block (segment, block_number, time, first_n, last_n, swap_n, liquidity_add_n, liquidity_remove_n, transfer_n)
    SELECT ${segment}, block_number, any(time) AS newest, min(n), max(n), maxIf(n, type = 1), maxIf(n, type = 2), maxIf(n, type = 3), maxIf(n, type = 4)
    FROM event WHERE segment = ${segment} GROUP BY block_number`)
  for (const table of ['event', 'token', 'wallet', 'block'])
    await run(`OPTIMIZE TABLE ${table} PARTITION ${segment} FINAL`)
}
