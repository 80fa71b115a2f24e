// The exported table `events`: swaps, changes of liquidity and transfers of final blocks, in the order of the chain.
import { StartupError } from '../base/errors.ts'
import { ATTRIBUTION_ID, DIRECTION_ID, EVENT_TYPE_ID } from '../base/vocabulary.ts'
import type { Reader } from '../database/column-query.ts'
import { POOL_ADDRESS } from '../ledger/pool-address.ts'
import { LEAST_PRICED_USD } from '../ledger/read/event.ts'
import { attachHistoryOn } from '../ledger/segments.ts'
import { column } from './column.ts'
import { findFirst } from './find-first.ts'
import type { ExportedTable, RowSource, TimeRange } from './table.ts'

/** The word of a stored number. */
const wordOf = (sql: string, ids: Readonly<Record<string, number | null>>, other = 'NULL'): string =>
  `CASE ${sql} ${Object.entries(ids)
    .filter(([, id]) => id !== null)
    .map(([word, id]) => `WHEN ${id} THEN '${word}'`)
    .join(' ')} ELSE ${other} END`

const addressOf = (id: string) => `(SELECT a.address FROM wallet a WHERE a.id = ${id})`
const QUANTITY = 'CASE WHEN t.decimals IS NOT NULL THEN e.quantity END'

const COLUMNS = [
  column.text(
    'id',
    `e.block_number || '-' || e.log_index || '-' || coalesce(e.part, 0)`,
    'identifier: block, log in the block, part of the log; unique',
  ),
  column.text('type', wordOf('e.type', EVENT_TYPE_ID), '`swap`, `liquidity_add`, `liquidity_remove` or `transfer`'),
  column.text(
    'direction',
    wordOf('e.direction', DIRECTION_ID),
    'the side of a swap, `buy` or `sell`; null for every other type',
  ),
  column.text('token_address', 't.address', 'the token'),
  column.text('token_symbol', 't.symbol', 'its symbol, which anyone can choose'),
  column.text('wallet_address', 'w.address', 'the wallet whose event it is; of a transfer the sender'),
  column.text('counterparty_address', addressOf('e.counterparty_id'), 'the recipient of a transfer; else null'),
  column.text(
    'pool_address',
    `(SELECT ${POOL_ADDRESS} FROM pool WHERE pool.id = e.pool_id)`,
    'the pool, or its manager; null for a transfer',
  ),
  column.quantity('quantity', QUANTITY, 'the amount of the token; null if its decimals are unknown'),
  column.usd('amount_usd', 'e.amount_usd', 'the value at that time; 0 without a price'),
  column.usd(
    'price_usd',
    `CASE WHEN e.type = ${EVENT_TYPE_ID.swap} AND t.decimals IS NOT NULL AND e.quantity > 0 AND e.amount_usd >= ${LEAST_PRICED_USD}
      THEN e.amount_usd / e.quantity END`,
    'the price of a whole token in a swap; null for every other type, below $0.01, or without decimals',
  ),
  column.time('timestamp', 'e.time', 'the time of the block'),
  column.text('tx_hash', `'0x' || encode(e.tx_hash, 'hex')`, 'the transaction'),
  column.text(
    'attribution',
    wordOf('e.attribution', ATTRIBUTION_ID, `'signer'`),
    'the evidence for the wallet: `signer`, `operation`, `settlement`, `venue`, `balances`, `position` or `unknown`',
  ),
  column.text(
    'signer_address',
    `CASE WHEN e.signer_id IS NOT NULL THEN ${addressOf('e.signer_id')}
      WHEN e.type <> ${EVENT_TYPE_ID.transfer} THEN w.address END`,
    'the signer of the transaction; null for a transfer',
  ),
  column.whole('block_number', 'e.block_number', 'the block'),
  column.whole('log_index', 'e.log_index', 'the log in the block'),
]

const TIME_OF = `SELECT n AS key, time FROM event WHERE n >= $1 ORDER BY n LIMIT 1`

/** The number of the first event that is not before the time. */
async function findFirstEvent({ reader, history: store }: RowSource, time: Date): Promise<number> {
  const history = await attachHistoryOn(reader, store)
  const last = history?.segments.at(-1)
  if (!history || !last || time > last.lastTime) return findFirst(reader, TIME_OF, time)
  // A start in time is excluded.
  const since = new Date(time.getTime() - 1)
  const start = { of: 'all' as const, id: 0, type: null, below: last.lastN, since, after: null }
  const [before = 0] = await history.store.findStarts(history.segments, [start])
  return before + 1
}

/** Throws if events of the range were deleted to save room: its file would lack them without a word. */
async function requireKept(reader: Reader, { from }: TimeRange): Promise<void> {
  const { rows } = await reader.query<{ since: Date | null }>('SELECT events_since AS since FROM chain')
  const since = rows[0]?.since
  if (since && since > from)
    throw new StartupError(
      `Events before ${since.toISOString()} were deleted during the export: run the same command again.`,
    )
}

const JOINED = 'e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id'

export const EVENT_TABLE: ExportedTable = {
  columns: COLUMNS,
  source: `event ${JOINED}`,
  olderSource: JOINED,
  range: 'e.n >= $1 AND e.n < $2',
  key: ['e.n'],
  history: {
    periodSeconds: 1,
    findOldest: async (reader) => {
      const { rows } = await reader.query<{ time: Date }>(
        `SELECT coalesce((SELECT events_since FROM chain), (SELECT min(first_time) FROM history_segment), e.time) AS time
          FROM event e ORDER BY n LIMIT 1`,
      )
      return rows[0]?.time ?? null
    },
    findBounds: async (source, span) => {
      await requireKept(source.reader, span)
      return [await findFirstEvent(source, span.from), await findFirstEvent(source, span.to)]
    },
  },
}
