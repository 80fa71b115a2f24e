// The names in a batch of blocks: the tokens, pools and wallets of its logs, and its mints. Each kind of log adds its
// part before anything is applied, so that all rows can be fetched at once.
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import type { PoolMetadata } from '../../chain/contracts/reader.ts'
import type { LockLog } from '../../chain/event.ts'

export interface Scan {
  /** The number of the block being scanned. */
  block: number
  /** Tokens, by the first block that names them. */
  tokens: Map<Address, number>
  /** Pools, by the first block that names them. */
  pools: Map<Address, number>
  wallets: Set<Address>
  /** The blocks that call an address which their logs name too: it may be an account with code. */
  called: Map<Address, number[]>
  /** Pools whose creation the preset's factories logged. */
  announced: Map<Address, PoolMetadata>
  /** Tokens of pools that a trade may make: those of market makers and wrappers. */
  sides: Set<Address>
  /** The change of each token's supply in the scanned block; negative if more is burned than minted. */
  minted: Map<Address, bigint>
  /** Senders and receivers of Transfers, by token. */
  holdings: Map<Address, Set<Address>>
  /** Signers of the transactions in which a pool logged something, by pool. */
  signers: Map<Address, Set<Address>>
  /** Those signers that changed the liquidity of a V3 pool, by pool. Their shares are not tokens, so no Transfer shows them. */
  providers: Map<Address, Set<Address>>
  /** Position tokens, with the pools and wallets in the same logs. */
  positions: Map<string, ScannedPosition>
  /** Stakes by gauge and owner. */
  stakes: Map<string, { gauge: Address; owner: Address }>
  /** Senders of tokens, whose transfer may realise a profit. */
  senders: Set<Address>
  /** The logs of lockers. */
  locks: LockLog[]
}

/** A position token in the batch. */
export interface ScannedPosition {
  manager: Address
  number: number
  pools: Set<Address>
  wallets: Set<Address>
}

export const newScan = (): Scan => ({
  block: 0,
  tokens: new Map(),
  pools: new Map(),
  wallets: new Set(),
  called: new Map(),
  announced: new Map(),
  sides: new Set(),
  minted: new Map(),
  holdings: new Map(),
  signers: new Map(),
  providers: new Map(),
  positions: new Map(),
  stakes: new Map(),
  senders: new Set(),
  locks: [],
})

/** Adds the value to the key's set. */
export function put(sets: Map<Address, Set<Address>>, key: Address, value: Address): void {
  const set = sets.get(key)
  if (set) set.add(value)
  else sets.set(key, new Set([value]))
}

/** Adds a token. */
export function seeToken({ tokens, block }: Scan, token: Address): void {
  if (!tokens.has(token)) tokens.set(token, block)
}

/** Adds a pool. */
export function seePool({ pools, block }: Scan, pool: Address): void {
  if (!pools.has(pool)) pools.set(pool, block)
}

/** Adds a pool, and all possible traders of the log. */
export function scanPool(found: Scan, pool: Address, traders: readonly Address[]): void {
  seePool(found, pool)
  for (const trader of traders) put(found.signers, pool, trader)
}

/** Adds a transfer of a token. */
export function scanMove(found: Scan, token: Address, { from, to, amount }: Move): void {
  seeToken(found, token)
  found.wallets.add(from)
  found.wallets.add(to)
  if (from !== ZERO_ADDRESS) put(found.holdings, token, from)
  found.senders.add(from)
  if (to !== ZERO_ADDRESS) put(found.holdings, token, to)
  const sign = from === ZERO_ADDRESS ? 1n : to === ZERO_ADDRESS ? -1n : 0n
  if (sign !== 0n && found.tokens.get(token) === found.block)
    found.minted.set(token, (found.minted.get(token) ?? 0n) + sign * amount)
}

interface Move {
  from: Address
  to: Address
  amount: bigint
}

/** The position token, added on first sight. */
export function positionOf({ positions, wallets }: Scan, manager: Address, number: number): ScannedPosition {
  wallets.add(manager)
  const key = `${manager} ${number}`
  const known = positions.get(key)
  if (known) return known
  const position = { manager, number, pools: new Set<Address>(), wallets: new Set<Address>() }
  positions.set(key, position)
  return position
}
