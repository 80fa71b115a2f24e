// The rows of `chain` and `block`: the indexed chain, the newest indexed block, and the final blocks.

import { StartupError } from '../../base/errors.ts'
import { NO_UNITS } from '../../base/present.ts'
import { FIVE_MINUTES_KEPT_DAYS, MINUTES_KEPT_DAYS } from '../../base/retention.ts'
import type { Wait } from '../../base/wait.ts'
import type { BlockRecord } from '../../book/rows/rows.ts'
import type { Preset } from '../../chain/presets/preset.ts'
import type { pg } from '../../database/client.ts'
import type { Raw } from '../../database/fields.ts'
import { HEAD_CHANNEL } from '../../database/listen.ts'
import type { Statement } from '../../database/pipeline.ts'
import { blockTable } from '../tables.ts'

/** Stands for the newest block of a database that has no blocks yet. */
export const emptyBlock = (): BlockRecord => ({
  number: -1,
  hash: '',
  parentHash: '',
  time: 0,
  counts: [0, 0, 0, 0, 0],
  tokenCount: 0,
  walletCount: 0,
  lastTokenId: 0,
  lastWalletId: 0,
  lastPoolId: 0,
  units: NO_UNITS,
})

/** The blocks in the database, oldest first: the newest final block and all after it. */
export async function readBlocks(reader: pg.Pool | pg.ClientBase): Promise<BlockRecord[]> {
  const { rows } = await reader.query<Raw>(`SELECT ${blockTable.select} FROM block t ORDER BY number`)
  return rows.map((raw) => blockTable.fill(emptyBlock(), raw))
}

/** Throws a `StartupError` when the database is of another chain than the source. */
export function checkChain(
  known: Pick<Preset, 'chainId' | 'name'>,
  { chainId, name }: Pick<Preset, 'chainId' | 'name'>,
) {
  if (known.chainId === chainId) return
  throw new StartupError(
    `This database holds chain ${known.chainId} (${known.name}), but the source is chain ${chainId} (${name}): use another database, or a source of chain ${known.chainId}.`,
    78,
  )
}

/** Creates the row of `chain`, or checks that it is of this chain and start block. Returns the start block. */
export async function claimChain(client: pg.ClientBase, preset: Preset, wanted: number | undefined): Promise<number> {
  const { rows } = await client.query<{ chain_id: number; name: string; start_block: number }>(
    'SELECT chain_id, name, start_block FROM chain',
  )
  const known = rows[0]
  if (!known) {
    const startBlock = wanted ?? preset.startBlock
    await client.query(
      'INSERT INTO chain (chain_id, name, start_block, source_head, finalized) VALUES ($1, $2, $3, -1, -1)',
      [preset.chainId, preset.name, startBlock],
    )
    return startBlock
  }
  checkChain({ chainId: known.chain_id, name: known.name }, preset)
  // `assay past` has put in an earlier start meanwhile, which includes the wanted one.
  if (wanted !== undefined && wanted < known.start_block) {
    throw new StartupError(
      `This database was indexed from block ${known.start_block}, but START_BLOCK is ${wanted}: leave START_BLOCK out and fill the past in by \`assay past ${wanted}\`, or use another database.`,
      78,
    )
  }
  return known.start_block
}

/** Moves the cursor to a block. If it is final, older blocks and their undo images are deleted. */
export function moveCursor(
  block: BlockRecord,
  chain: { head: number; finalized: number; isFinal: boolean },
): Statement[] {
  const forgotten = chain.isFinal ? forgetBefore(block.number) : []
  return [...blockTable.insert([block]), ...forgotten, noteCursor(block, chain), announce(block.number)]
}

/**
 * Deletes rows that a final block makes superfluous: older blocks, undo images, and rows outside the 24-hour window.
 */
export const forgetBefore = (number: number): Statement[] => [
  { name: 'forget undo', text: 'DELETE FROM undo WHERE block_number <= $1', values: [number] },
  {
    name: 'forget token_block',
    text: `DELETE FROM token_block WHERE time <= (SELECT time FROM block WHERE number = $1) - interval '24 hours'`,
    values: [number],
  },
  {
    name: 'forget token_minute',
    text: `DELETE FROM token_minute
      WHERE minute < floor(date_part('epoch', (SELECT time FROM block WHERE number = $1)) / 60)::integer - 1440 * $2::integer`,
    values: [number, MINUTES_KEPT_DAYS],
  },
  {
    name: 'forget token_five_minutes',
    text: `DELETE FROM token_five_minutes
      WHERE slot < floor(date_part('epoch', (SELECT time FROM block WHERE number = $1)) / 300)::integer - 288 * $2::integer`,
    values: [number, FIVE_MINUTES_KEPT_DAYS],
  },
  { name: 'forget block', text: 'DELETE FROM block WHERE number < $1', values: [number] },
]

/** Finality never goes back. A head from the time when the batch was read does not replace a newer one from `noteHead`. */
const NOTE_SOURCE = 'UPDATE chain SET source_head = greatest(source_head, $1), finalized = greatest(finalized, $2)'

/** Stores the head and the finality that the source reported. */
export const noteSource = (chain: { head: number; finalized: number }): Statement => ({
  name: 'note source',
  text: NOTE_SOURCE,
  values: [chain.head, chain.finalized],
})

/** Does the same, and stores since when wallets have days. An index of the whole chain has all of them. */
const noteCursor = ({ time }: BlockRecord, chain: { head: number; finalized: number }): Statement => ({
  name: 'note cursor',
  text: `${NOTE_SOURCE}, wallet_days_since =
    coalesce(wallet_days_since, to_timestamp(CASE WHEN start_block = 0 THEN 0 ELSE $3::float8 END))`,
  values: [chain.head, chain.finalized, time],
})

/** Stores the source's current head, and the time of that answer. */
export async function noteHead(pool: pg.Pool, head: number): Promise<void> {
  await pool.query({ name: 'note head', text: 'UPDATE chain SET source_head = $1, updated_at = now()', values: [head] })
}

/** Stores what the index waits for; null: nothing. */
export async function noteWait(pool: pg.Pool, wait: Wait | null): Promise<void> {
  await pool.query({ name: 'note wait', text: 'UPDATE chain SET waits = $1', values: [wait && JSON.stringify(wait)] })
}

/** Notifies listeners that the newest block has changed. PostgreSQL delivers this when the transaction commits. */
export const announce = (number: number): Statement => ({
  name: 'announce',
  text: `SELECT pg_notify(chain_channel('${HEAD_CHANNEL}'), $1)`,
  values: [String(number)],
})
