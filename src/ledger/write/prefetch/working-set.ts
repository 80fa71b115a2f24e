// Completes the working set of a batch: adds the rows that depend on earlier batches to the prefetched ones. If a row
// is missing here, `apply` throws; it never makes a wrong row.

import type { Address } from '../../../base/address.ts'
import { dayOf, fiveMinutesOf, hourOf, minuteOf, weekOf } from '../../../base/clock.ts'
import type { Cache } from '../../../book/rows/cache.ts'
import type { Changes } from '../../../book/rows/changes.ts'
import { MOST_HOPS } from '../../../book/rows/quotes.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import type { BlockRecord, TokenRecord } from '../../../book/rows/rows.ts'
import { HOLDER_WINDOW_SECONDS, VOLUME_WINDOW_SECONDS } from '../../../book/rows/windows.ts'
import type { Effect, Leaving, Work } from '../../../book/rows/working-set.ts'
import type { ChainBlock } from '../../../chain/event.ts'
import { loadHolders, loadPeriods, loadPools, loadTokens, loadWallets, readLeavers } from '../load/rows.ts'
import { type Near, prefetchBatch, type Sources } from './batch.ts'
import type { TakenBatch } from './prefetch.ts'

/** The sources of the working set. */
export interface WorkingSetSources extends Sources {
  /** Changes that may not be in the database yet, oldest first. Their rows are in the store. */
  unwritten: readonly Changes[]
}

/** Loads the working set for blocks that follow `newest`. Their changes go into `changes`. */
export async function loadWorkingSet(
  sources: WorkingSetSources,
  { batch, prefetched }: TakenBatch,
  newest: BlockRecord,
  changes: Changes,
): Promise<Work> {
  const { store, known, startBlock } = sources
  const [{ near, found }, leaving] = await Promise.all([
    prefetched ?? prefetchBatch(sources, batch),
    loadLeaving(sources, batch.blocks, newest),
  ])
  await loadPoolsOfBase(sources, near, newest.units.ids)
  const holders = await loadCandidates(sources, near)
  await loadCurrentPeriods(sources, near, batch.blocks, newest)
  const block = { ...newest, counts: [...newest.counts] as BlockRecord['counts'] }
  const begun = { announced: new Set<string>(), again: new Set<TokenRecord>(), effects: new Map<TokenRecord, Effect>() }
  return { known, startBlock, store, found, leaving, changes, holders, block, ...begun }
}

/**
 * Loads all pools of every token that a pool in `near` prices, because the deepest pool sets the price. Loads the
 * tokens that price all of these, too.
 */
async function loadPoolsOfBase(
  { client, store, unwritten }: WorkingSetSources,
  { pools: near, sides }: Near,
  units: readonly number[],
): Promise<void> {
  const bases = new Set<number>()
  // In a pool without a quote either token may turn out to be the base.
  for (const { baseId, token0Id, token1Id } of near)
    for (const id of baseId === null ? [token0Id, token1Id] : [baseId]) bases.add(id)
  for (const address of sides) {
    const id = store.tokens.find(address)?.id
    if (id !== undefined) bases.add(id)
  }
  const unknown = [...bases].filter((id) => !store.poolsOfBase.get(id))
  const found = new Map<number, Set<number>>(unknown.map((id) => [id, new Set()]))
  const pools = [
    ...(await loadPools(client, store, 'base_id', unknown)),
    ...unwritten.flatMap((changes) => [...changes.pools]),
  ]
  for (const { id, baseId } of pools) if (baseId !== null) found.get(baseId)?.add(id)
  for (const [base, ids] of found)
    store.poolsOfBase.add(
      base,
      [...ids].sort((a, b) => a - b),
    )
  await loadPools(
    client,
    store,
    'id',
    [...bases].flatMap((id) => store.poolsOfBase.get(id) ?? []),
  )
  const quotes = [...bases].flatMap((id) =>
    (store.poolsOfBase.get(id) ?? []).map((pool) => store.pools.get(pool)?.quoteId),
  )
  await loadQuotes(client, store, [...bases, ...quotes, ...units])
}

/** Loads these tokens, their quotes and their units, up to the chain's money. */
async function loadQuotes(
  client: Sources['client'],
  store: RowStore,
  tokens: readonly (number | null | undefined)[],
): Promise<void> {
  let next = new Set(tokens.filter((id) => typeof id === 'number'))
  for (let hops = 0; hops <= MOST_HOPS && next.size > 0; hops += 1) {
    await loadTokens(client, store, 'id', next)
    const further = [...next].flatMap((id) => [store.tokens.get(id)?.quoteId, store.tokens.get(id)?.unitId])
    next = new Set(further.filter((id) => typeof id === 'number'))
  }
}

/**
 * Loads the holders of tokens that may become indexed in this batch, because all their holders become indexed wallets
 * then.
 */
async function loadCandidates(
  { client, store, unwritten }: WorkingSetSources,
  { pools, sides }: Near,
): Promise<Work['holders']> {
  const ids = pools.flatMap((pool) => [pool.token0Id, pool.token1Id])
  const tokens = [...ids.map((id) => store.tokens.get(id)), ...sides.map((address) => store.tokens.find(address))]
  const candidates = [...new Set(tokens)].filter((token) => token !== undefined).filter((token) => !token.indexed)
  const holders = await loadHolders(
    client,
    candidates.map((token) => token.id),
    unwritten.map((changes) => changes.positions),
  )
  const deployers = candidates.map((token) => token.deployerId).filter((id) => id !== null)
  await loadWallets(client, store, 'id', [...deployers, ...[...holders.values()].flat()])
  return holders
}

/** Reads the sums that leave the trailing windows during the batch, and loads their tokens. */
async function loadLeaving(
  { client, store, unwritten }: WorkingSetSources,
  blocks: readonly ChainBlock[],
  newest: BlockRecord,
): Promise<Leaving> {
  const until = blocks.at(-1)?.time ?? newest.time
  const changed = unwritten.map(({ tokenBlocks }) => tokenBlocks)
  const leave = async (window: keyof Leaving, length: number) => ({
    leavers: await readLeavers(client, window, [newest.time - length, until - length], changed),
    next: 0,
  })
  const [volume, holders] = await Promise.all([
    leave('volume', VOLUME_WINDOW_SECONDS),
    leave('holders', HOLDER_WINDOW_SECONDS),
  ])
  const leavers = [...volume.leavers, ...holders.leavers]
  await loadTokens(
    client,
    store,
    'id',
    leavers.map(({ tokenId }) => tokenId),
  )
  return { volume, holders }
}

/** Loads the rows of the newest block's minute, five minutes, hour, day and week, which the batch may continue. Later periods have no rows yet. */
async function loadCurrentPeriods(
  { client, store }: Sources,
  { scanned, pools, sides }: Near,
  blocks: readonly ChainBlock[],
  newest: BlockRecord,
): Promise<void> {
  const time = Math.max(blocks[0]?.time ?? 0, newest.time)
  const [minute, slot, hour] = [minuteOf(newest.time), fiveMinutesOf(newest.time), hourOf(newest.time)]
  const [day, week] = [dayOf(newest.time), weekOf(newest.time)]
  if (minuteOf(time) !== minute) store.minutes.clear()
  if (fiveMinutesOf(time) !== slot) store.fiveMinutes.clear()
  if (hourOf(time) !== hour) store.hours.clear()
  if (dayOf(time) !== day) {
    store.days.clear()
    store.walletDays.clear()
  }
  if (weekOf(time) !== week) store.weeks.clear()
  const signers = [...scanned.senders, ...[...scanned.signers.values()].flatMap((who) => [...who])]
  const ids = (addresses: Iterable<Address>, rows: RowStore['tokens'] | RowStore['wallets']) =>
    [...addresses].map((address) => rows.find(address)?.id).filter((id) => id !== undefined)
  const traders = ids(signers, store.wallets)
  const tokens = [
    ...ids([...scanned.tokens.keys(), ...sides], store.tokens),
    ...pools.flatMap((pool) => [pool.token0Id, pool.token1Id]),
  ]
  const missing = (isNow: boolean, keys: number[], rows: Cache<unknown>) =>
    isNow ? [...new Set(keys)].filter((id) => !rows.isKnown(id)) : []
  await loadPeriods(client, store, {
    minuteTokens: missing(minuteOf(time) === minute, tokens, store.minutes),
    minute,
    slotTokens: missing(fiveMinutesOf(time) === slot, tokens, store.fiveMinutes),
    slot,
    hourTokens: missing(hourOf(time) === hour, tokens, store.hours),
    hour,
    pools: missing(
      dayOf(time) === day,
      pools.map((pool) => pool.id),
      store.days,
    ),
    day,
    wallets: missing(weekOf(time) === week, traders, store.weeks),
    week,
    tradersOfDay: missing(dayOf(time) === day, traders, store.walletDays),
  })
}
