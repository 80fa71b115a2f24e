// Compares a sample of the ledger with the chain at the indexed head, and reports where they differ. All rows, and all
// questions to the chain, are of the same block. Nothing is written.
import type { Address } from '../../base/address.ts'
import { toQuantity } from '../../base/amount.ts'
import { StartupError } from '../../base/errors.ts'
import type { ChainReader, PoolMetadata } from '../../chain/contracts/reader.ts'
import type { Database } from '../../database/client.ts'
import {
  type ManagedState,
  type PoolState,
  readSample,
  type Sample,
  type SampledHolding,
  type TokenState,
} from './sample.ts'

/** A value on which ledger and chain differ. */
interface Difference {
  what: 'balance' | 'supply' | 'reserve0' | 'reserve1' | 'reserves' | 'price'
  /** The address of the token or pool. */
  address: Address
  /** The holder, for a balance; the manager, for the sum of its pools' reserves of a token. */
  holder: Address | null
  /** In raw units; a price is in whole quote tokens per whole base token. */
  ledger: string
  chain: string
}

export interface Diagnosis {
  /** The block at which both were compared. */
  block: number
  /** How many values of each kind were compared. */
  compared: { balances: number; supplies: number; reserves: number; prices: number }
  /** How many questions the contracts did not answer, so that nothing could be compared. */
  unanswered: number
  differences: Difference[]
  /** Balances of tokens that change them without a Transfer, as their contract checks found; no faults of the index. */
  unexplained: Difference[]
}

export interface Doctor {
  database: Database
  reader: ChainReader
  /** The hash of the source's block at a height. */
  readHash(block: number): Promise<string>
  /** How many tokens, how many pools, and how many tokens of managers are compared at most. */
  sample: number
  /** Pools of the native coin count as having this token. */
  wrappedNative: Address
}

/** Relative difference below which prices count as equal: the two are computed from the same integers in another order. */
const PRICE_TOLERANCE = 1e-9

/** Compares a sample. Throws a `StartupError` if nothing is indexed yet, or the source has no state of that block. */
export async function diagnose({ database, reader, readHash, sample, wrappedNative }: Doctor): Promise<Diagnosis> {
  const found = await readSample(database, sample, wrappedNative)
  const { number: block, hash } = found.head
  if (hash === '') throw new StartupError('Nothing is indexed yet: run `index` first.')
  const check = async () => {
    if ((await readHash(block)) === hash) return
    throw new StartupError(
      `The source has another block ${block} than the index: let the index follow, then ask again.`,
    )
  }
  await check()
  const diagnosis = await compare(found, reader)
  await check()
  return diagnosis
}

async function compare(
  { head, tokens, holdings, pools, managed, unexplained }: Sample,
  reader: ChainReader,
): Promise<Diagnosis> {
  const [balances, held, metadata, states] = await Promise.all([
    reader.readBalances(holdings, head.number),
    reader.readBalances(managed, head.number),
    reader.readTokens(addressesOf(tokens), head.number),
    reader.readPools(addressesOf(pools), head.number),
  ])
  const supplies = tokens.map(({ address }) => metadata.get(address)?.totalSupply ?? null)
  const asked = [...balances, ...supplies]
  if (asked.length > 0 && asked.every((answer) => answer === null)) {
    throw new StartupError(
      `The source no longer has the state of block ${head.number}: let the index reach the newest blocks, or use an archive node.`,
    )
  }
  const verdicts = [
    [
      ...holdings.map(({ token, holder, balance }, i) =>
        judge('balance', { address: token, holder }, balance, balances[i] ?? null),
      ),
      ...managed.map(({ token, holder, balance }, i) =>
        judge('balance', { address: token, holder }, balance, held[i] ?? null),
      ),
    ],
    tokens.map(({ address, supply }, i) => judge('supply', { address }, supply, supplies[i] ?? null)),
    [
      ...pools.flatMap((pool) => judgeReserves(pool, states.get(pool.address) ?? null)),
      ...managed.map((state, i) => judgeManaged(state, held[i] ?? null)),
    ],
    pools.flatMap((pool) => judgePrice(pool, states.get(pool.address) ?? null)),
  ]
  const [ofBalances = 0, ofSupplies = 0, ofReserves = 0, ofPrices = 0] = verdicts.map(
    (kind) => kind.filter((verdict) => verdict !== null).length,
  )
  const differences = verdicts.flat().filter((verdict) => verdict !== null && verdict !== SAME)
  const isUnexplained = ({ what, address }: Difference) => what === 'balance' && unexplained.has(address)
  return {
    block: head.number,
    compared: { balances: ofBalances, supplies: ofSupplies, reserves: ofReserves, prices: ofPrices },
    unanswered: verdicts.flat().filter((verdict) => verdict === null).length,
    differences: differences.filter((difference) => !isUnexplained(difference)),
    unexplained: differences.filter(isUnexplained),
  }
}

const addressesOf = (rows: readonly (TokenState | PoolState)[]): Address[] => rows.map(({ address }) => address)

const SAME = 'same'
/** The result of one comparison; null if the contract did not answer. */
type Verdict = Difference | typeof SAME | null

function judge(
  what: Difference['what'],
  { address, holder = null }: { address: Address; holder?: SampledHolding['holder'] | null },
  ledger: bigint,
  chain: bigint | null,
): Verdict {
  if (chain === null) return null
  return ledger === chain ? SAME : { what, address, holder, ledger: `${ledger}`, chain: `${chain}` }
}

/** Only V2 pools are compared alone: balances of a V3 pool include fees that its events do not show. */
function judgeReserves(pool: PoolState, state: PoolMetadata | null): Verdict[] {
  if (pool.kind !== 'v2') return []
  const known = isAnswered(pool, state) ? state : null
  return [
    judge('reserve0', pool, pool.reserve0, known?.reserve0 ?? null),
    judge('reserve1', pool, pool.reserve1, known?.reserve1 ?? null),
  ]
}

/**
 * A manager holds at least the reserves of its pools. The rest is fees that providers have not collected, and amounts
 * that hooks took.
 */
function judgeManaged({ token, holder, reserves }: ManagedState, chain: bigint | null): Verdict {
  if (chain === null) return null
  if (reserves <= chain) return SAME
  return { what: 'reserves', address: token, holder, ledger: `${reserves}`, chain: `${chain}` }
}

function judgePrice(pool: PoolState, state: PoolMetadata | null): Verdict[] {
  // The price of a pool of coins, or of a curve, is that of its last trade, which no contract stores.
  if (pool.baseIs0 === null || pool.price === 0 || pool.kind === 'coins' || pool.kind === 'curve') return []
  const chain = state && isAnswered(pool, state) ? priceOf(pool, state) : null
  if (chain === null) return [null]
  if (Math.abs(chain - pool.price) <= PRICE_TOLERANCE * Math.max(chain, pool.price)) return [SAME]
  return [{ what: 'price', address: pool.address, holder: null, ledger: `${pool.price}`, chain: `${chain}` }]
}

/** A V2 pair that once had shares always keeps some, so 0 shares means that the contract did not answer. */
const isAnswered = (pool: PoolState, state: PoolMetadata | null): boolean =>
  state !== null && (pool.kind !== 'v2' || state.shares > 0n || pool.reserve0 + pool.reserve1 === 0n)

/** The chain's price in whole quote tokens per whole base token; null if it cannot be computed. */
function priceOf(pool: PoolState, { reserve0, reserve1, sqrtPriceX96 }: PoolMetadata): number | null {
  const { decimals0, decimals1, baseIs0 } = pool
  if (decimals0 === null || decimals1 === null) return null
  // The price of one whole token 0 in whole tokens 1.
  const ratio =
    pool.kind !== 'v2'
      ? sqrtPriceX96 && (Number(sqrtPriceX96) / 2 ** 96) ** 2 * 10 ** (decimals0 - decimals1)
      : reserve0 > 0n && toQuantity(reserve1, decimals1) / toQuantity(reserve0, decimals0)
  if (!ratio) return null
  return baseIs0 ? ratio : 1 / ratio
}
