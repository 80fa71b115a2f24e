// Everything that a batch can touch, in memory before it is applied: rows from the database, and from the chain what was
// never seen. What is missing here shows as a fault in `apply`, never as a wrong row.
import type pg from 'pg'
import type { Address } from '../../base/address.ts'
import { dayOf, hourOf, weekOf } from '../../base/clock.ts'
import type { ChainBlock } from '../../chain/event.ts'
import type { PoolMetadata } from '../../chain/reader.ts'
import { type Asking, askOpenings, confirmPools, describeTokens, type Pairs, sidesOf } from './ask.ts'
import type { Cache } from './cache.ts'
import type { Grouped } from './group.ts'
import { loadPeriods, loadPools, loadPositions, loadTokens, loadWallets, readHolders, readTokenBlocks } from './load.ts'
import { loadLocks } from './load-locks.ts'
import type { BlockRow, PoolRow } from './rows.ts'
import { put, type Scan, scan } from './scan.ts'
import { HOLDER_WINDOW_SECONDS, VOLUME_WINDOW_SECONDS } from './window.ts'
import type { Changes, Known, Leaving, Store, Work } from './work.ts'

/** What preparing reads from. */
export interface Sources extends Asking {
  client: pg.ClientBase
  known: Known
  /** What was changed and may not be in the database yet, oldest first; its rows are in the store. */
  unwritten: readonly Changes[]
}

/** Blocks that belong together, and their transactions. */
export interface Batch {
  blocks: readonly ChainBlock[]
  transactions: readonly Grouped[]
}

type Confirmed = ReadonlyMap<Address, PoolMetadata>

/** What the blocks name, and what of it is known. */
interface Near {
  scanned: Scan
  /** Known pools that a log or a wallet of the batch names. */
  pools: readonly PoolRow[]
  /** Tokens of pools that are new. */
  sides: readonly Address[]
}

/** The working set for blocks that follow `newest`; what they change goes into `changes`. */
export async function prepare(
  sources: Sources,
  { blocks, transactions }: Batch,
  newest: BlockRow,
  changes: Changes,
): Promise<Work> {
  const { store, known } = sources
  const scanned = scan(known, transactions)
  await loadNamed(sources, scanned)
  await loadLocks(sources.client, store, scanned.locks)
  const pools = await confirmPools(sources, scanned, blocks)
  const near: Near = { scanned, pools: poolsAtHand(store, scanned), sides: sidesOfNew(scanned, pools) }
  await loadNeighbours(sources, near, pools)
  const tokens = await describeTokens(sources, scanned, pools, blocks)
  const pairs = completePairs(store, near, pools)
  await loadPositions(sources.client, store, knownPairs(store, pairs))
  const openings = await askOpenings(sources, pairs, { pools, tokens }, blocks)
  const holders = await loadCandidates(sources, near)
  const leaving = await loadLeaving(sources, blocks, newest)
  await loadCurrentPeriods(sources, near, blocks, newest)
  const block = { ...newest, counts: [...newest.counts] as BlockRow['counts'] }
  const found = { pools, tokens, openings }
  return {
    known,
    store,
    found,
    announced: new Set(),
    leaving,
    changes,
    holders,
    block,
    effects: new Map(),
  }
}

/** Rows of the addresses that the blocks name. */
async function loadNamed(
  { client, store, known }: Sources,
  { tokens, pools, wallets, announced, locks }: Scan,
): Promise<void> {
  const sides = [...announced.values()].flatMap(sidesOf)
  const locked = locks.flatMap((log) => ('token' in log ? [log.token] : []))
  const quotes = known.quoteRank.keys()
  await loadTokens(client, store, 'address', [...tokens, ...announced.keys(), ...sides, ...locked, ...quotes])
  await loadWallets(client, store, 'address', [...wallets, ...pools, ...announced.keys()])
  // A transfer to or from a V3 pool changes its reserves, so the pools among the wallets are needed too.
  const held = [...wallets].filter((address) => store.wallets.find(address)?.kind === 'pool')
  await loadPools(client, store, 'address', [...pools, ...announced.keys(), ...held])
}

/** The tokens, share tokens and wallets of the pools at hand, and all pools of the tokens that they price. */
async function loadNeighbours(sources: Sources, { pools, sides }: Near, confirmed: Confirmed): Promise<void> {
  const { client, store } = sources
  await loadTokens(client, store, 'address', [...sides, ...confirmed.keys()])
  await loadTokens(
    client,
    store,
    'id',
    pools.flatMap((pool) => [pool.token0Id, pool.token1Id, pool.lpTokenId]),
  )
  await loadWallets(
    client,
    store,
    'id',
    pools.map((pool) => pool.walletId),
  )
  const bases = new Set<number>()
  for (const { baseId } of pools) if (baseId !== null) bases.add(baseId)
  for (const address of sides) {
    const id = store.tokens.find(address)?.id
    if (id !== undefined) bases.add(id)
  }
  await loadPoolsOfBase(sources, bases)
}

async function loadPoolsOfBase({ client, store, unwritten }: Sources, bases: ReadonlySet<number>): Promise<void> {
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
}

const poolsAtHand = (store: Store, { pools, wallets, announced }: Scan): PoolRow[] =>
  [...new Set([...pools, ...wallets, ...announced.keys()])]
    .map((address) => store.pools.find(address))
    .filter((pool) => pool !== undefined)

const sidesOfNew = ({ announced }: Scan, confirmed: Confirmed): Address[] =>
  [...announced.values(), ...confirmed.values()].flatMap(sidesOf)

/** Every token and holder that the batch may bring together: the scan's holdings, which it completes. */
function completePairs(store: Store, { scanned, pools }: Near, confirmed: Confirmed): Pairs {
  const { holdings, signers, providers, announced } = scanned
  const add = (token: Address | undefined, holders: Iterable<Address>) => {
    if (token) for (const holder of holders) put(holdings, token, holder)
  }
  for (const { address, token0Id, token1Id, baseId } of pools) {
    const who = signers.get(address)
    if (!who) continue
    for (const id of [token0Id, token1Id]) {
      const token = store.tokens.get(id)?.address
      add(token, [address])
      // What the pool logs is about its base, or about both tokens where neither is a quote.
      if (baseId === null || baseId === id) add(token, who)
    }
  }
  for (const [address, pool] of [...announced, ...confirmed])
    for (const token of sidesOf(pool)) add(token, [address, ...(signers.get(address) ?? [])])
  for (const [address, who] of providers) add(address, who)
  return holdings
}

/** The pairs that may have a row, as identifiers. */
function knownPairs(store: Store, pairs: Pairs): [tokens: number[], wallets: number[]] {
  const known: [number[], number[]] = [[], []]
  for (const [token, holders] of pairs) {
    const tokenId = store.tokens.find(token)?.id
    if (tokenId === undefined) continue
    for (const holder of holders) {
      const walletId = store.wallets.find(holder)?.id
      if (walletId === undefined || store.positions.get(tokenId, walletId)) continue
      known[0].push(tokenId)
      known[1].push(walletId)
    }
  }
  return known
}

/** Tokens that may become indexed in this batch: everybody who ever met them becomes an indexed wallet then. */
async function loadCandidates({ client, store, unwritten }: Sources, { pools, sides }: Near): Promise<Work['holders']> {
  const ids = pools.flatMap((pool) => [pool.token0Id, pool.token1Id])
  const tokens = [...ids.map((id) => store.tokens.get(id)), ...sides.map((address) => store.tokens.find(address))]
  const candidates = [...new Set(tokens)].filter((token) => token !== undefined).filter((token) => !token.indexed)
  const holders = await readHolders(
    client,
    candidates.map((token) => token.id),
    unwritten.map((changes) => changes.positions),
  )
  const deployers = candidates.map((token) => token.deployerId).filter((id) => id !== null)
  await loadWallets(client, store, 'id', [...deployers, ...[...holders.values()].flat()])
  return holders
}

/** What leaves the trailing windows while the batch passes, with its tokens. */
async function loadLeaving(
  { client, store, unwritten }: Sources,
  blocks: readonly ChainBlock[],
  newest: BlockRow,
): Promise<Leaving> {
  const until = blocks.at(-1)?.time ?? newest.time
  const changed = unwritten.flatMap((changes) => changes.tokenBlocks)
  const leave = async (length: number) => ({
    rows: await readTokenBlocks(client, [newest.time - length, until - length], changed),
    next: 0,
  })
  const volume = await leave(VOLUME_WINDOW_SECONDS)
  const holders = await leave(HOLDER_WINDOW_SECONDS)
  await loadTokens(
    client,
    store,
    'id',
    [...volume.rows, ...holders.rows].map((row) => row.tokenId),
  )
  return { volume, holders }
}

/** Rows of the newest block's hour, day and week, which the batch may go on with. Later ones can't be there yet. */
async function loadCurrentPeriods(
  { client, store }: Sources,
  { scanned, pools, sides }: Near,
  blocks: readonly ChainBlock[],
  newest: BlockRow,
): Promise<void> {
  const time = Math.max(blocks[0]?.time ?? 0, newest.time)
  const [hour, day, week] = [hourOf(newest.time), dayOf(newest.time), weekOf(newest.time)]
  if (hourOf(time) !== hour) store.hours.clear()
  if (dayOf(time) !== day) store.days.clear()
  if (weekOf(time) !== week) store.weeks.clear()
  const signers = [...scanned.signers.values()].flatMap((who) => [...who])
  const ids = (addresses: Iterable<Address>, rows: Store['tokens'] | Store['wallets']) =>
    [...addresses].map((address) => rows.find(address)?.id).filter((id) => id !== undefined)
  const tokens = [
    ...ids([...scanned.tokens, ...sides], store.tokens),
    ...pools.flatMap((pool) => [pool.token0Id, pool.token1Id]),
  ]
  const missing = (isNow: boolean, keys: number[], rows: Cache<unknown>) =>
    isNow ? [...new Set(keys)].filter((id) => rows.get(id) === undefined) : []
  await loadPeriods(client, store, {
    tokens: missing(hourOf(time) === hour, tokens, store.hours),
    hour,
    pools: missing(
      dayOf(time) === day,
      pools.map((pool) => pool.id),
      store.days,
    ),
    day,
    wallets: missing(weekOf(time) === week, ids(signers, store.wallets), store.weeks),
    week,
  })
}
