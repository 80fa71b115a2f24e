// Stores the facts that alerts were matched with, so that a backtest sees the same ones.
import type { UsdByUnit } from '../base/present.ts'
import { movedUnits } from '../base/present.ts'
import type { Database } from '../database/client.ts'
import { inTransaction } from '../database/transaction.ts'
import { encodeChanges } from '../ledger/alerts/changes.ts'
import { deleteLostHistory, foldHistory, readHistoryState, writeHistory } from '../ledger/alerts/history.ts'
import {
  BASELINE_FACTS,
  type BaselineRow,
  type ChangedToken,
  readChangedTokens,
  readSweepState,
  type SweepClient,
  type SweepState,
} from '../ledger/alerts/sweep.ts'
import { toBaseline } from './transitions.ts'

/** Stores the differences from the last sweep. Call it before the baseline moves on. */
export async function keepHistory(
  client: SweepClient,
  baseline: ReadonlyMap<number, BaselineRow>,
  { head, last, reorganised }: SweepState,
  changed: readonly ChangedToken[],
): Promise<void> {
  const { isEmpty, isSwept } = await readHistoryState(client)
  // The stored rows have no former state for a reorganisation's changes, nor for the first sweep.
  const lost = reorganised ? await deleteLostHistory(client) : new Set<number>()
  const isFirst = isEmpty || !isSwept
  const changes = changed.flatMap((token) => {
    const row = toBaseline(token)
    const before = (isFirst || lost.has(token.id) ? null : baseline.get(token.id)) ?? null
    if (before && BASELINE_FACTS.every((fact) => before[fact] === row[fact])) return []
    return [{ row, price: token.price, before }]
  })
  const units = isFirst || reorganised ? withLeft(head.usd, last?.usd) : onlyMoved(last?.usd ?? new Map(), head.usd)
  if (changes.length > 0 || units.size > 0)
    await writeHistory(client, head, { kind: 'sweep', units, changes: encodeChanges(changes) })
  await foldHistory(client, head.timeMs)
}

const onlyMoved = (before: UsdByUnit, now: UsdByUnit): UsdByUnit =>
  new Map([...movedUnits(before, now)].map((unit) => [unit, now.get(unit) ?? 0]))

/** All current and former units. */
const withLeft = (now: UsdByUnit, before: UsdByUnit = new Map()): UsdByUnit =>
  new Map([...[...before.keys()].map((unit) => [unit, 0] as const), ...now])

/** Stores the end of a day of the first backfill, when no alerts are matched. */
export async function keepDay(database: Pick<Database, 'pool'>): Promise<void> {
  await inTransaction(database.pool, async (client) => {
    const { isSwept, lastBlock } = await readHistoryState(client)
    const state = isSwept ? null : await readSweepState(client)
    if (!state) return
    const changed = await readChangedTokens(client, lastBlock === null ? null : lastBlock + 1)
    const changes = changed.map((token) => ({ row: toBaseline(token), price: token.price, before: null }))
    await writeHistory(client, state.head, { kind: 'day', units: state.head.usd, changes: encodeChanges(changes) })
  })
}
