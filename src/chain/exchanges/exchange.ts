// The declaration of an exchange: what its contracts log, which contracts may log it, and how its pools are confirmed. It
// also has addresses and the row of docs/exchanges.md. Each exchange has one file; `venues.ts` lists them.
import { address, type Field, flag, type LogPlace, none, type Shape, shape } from '../columns/shape.ts'
import type { PoolKind } from '../event.ts'

/**
 * Who may emit an event:
 * - a factory or manager of this exchange
 * - `pool`: any contract, on a chain whose preset names such a factory (the ledger confirms a pool later)
 * - `any`: any contract on every chain
 * - the chain's wrapped native coin
 * - what logs payments in the native coin: native.ts
 * - a contract of attribution.ts
 * - a contract that the preset names as `positions`
 */
export type ExchangeEmitter = 'factory' | 'pool' | 'any' | 'wrapped' | 'positions' | NativeEmitter | ForOthers

/** What logs payments in the native coin: by Transfer as a token, or by LogTransfer as Polygon. */
export type NativeEmitter = 'native' | 'native_bor'

/** Contracts that trade for other accounts. */
export type ForOthers = 'entry_point' | 'relay_hub' | 'settlement' | 'reactor' | 'order_book' | 'meta_proxy' | 'router'

/** Events by name: signature, emitter, and where the fields are. Signatures are from the published sources. */
export type ExchangeEvents = Readonly<
  Record<string, readonly [signature: string, emitter: ExchangeEmitter, ...shapes: Shape[]]>
>

/** A function, as its source declares it: `getPair(address,address)`. */
type Signature = `${string}(${string})`

/** How the factories of a venue confirm pools, and how pools are read. Functions are declared by their signatures. */
export interface PoolTraits {
  pool: PoolKind
  /**
   * The pool's function for the key by which its factory distinguishes pools of the same two tokens; null: there is one
   * such pool.
   */
  key: Signature | null
  /** The factory's function from both tokens, and the key if there is one, to the pool. */
  find: Signature
  /** Whether the key is the fee, in hundredths of a basis point. */
  keyIsFee: boolean
  /** Whether the key selects the stable curve. */
  keyIsStable: boolean
  /** The fee of every pool, in hundredths of a basis point; null when it differs by pool. */
  fee: number | null
  /** The pool's function whose first word is the square root of the price, times 2^96; null: its reserves give the price. */
  price: Signature | null
}

/** How a manager's pools are announced. */
export interface ManagerTraits {
  /** Whether liquidity lies in ranges; otherwise it lies in bins, whose formula Assay does not follow. */
  hasRanges: boolean
  /** The rights of hooks in the order of `hooks.ts`, from the bits that the manager logs. */
  rightsOf(bits: number): number
}

/** The promises of a launch venue's source about the liquidity of its tokens. */
export interface LaunchTraits {
  /**
   * The hook that the venue names as the keeper gives nothing back, except to another of the venue's hooks; the token
   * logs such a move.
   */
  keptByHook: boolean
  /** A token that owns its liquidity only collects its fees. */
  keptByToken: boolean
  /** A locker of the preset that logs how long it keeps a pool of the venue's tokens keeps it that long. */
  keptByLocker: boolean
}

/**
 * How the reserves of a pool of coins are known. The pool holds them (`balances`), its manager logs every change
 * (`counted`), or no log has them (`unknown`).
 */
export type CoinReserves = 'balances' | 'counted' | 'unknown'

/** What Assay knows of an exchange. A launch venue that opens pools at an exchange and proves nothing has no traits. */
export interface VenueTraits {
  /** Its pools have an address, and a factory confirms them. */
  pools?: PoolTraits
  /** Its pools are pools of coins. */
  reserves?: CoinReserves
  /** Its manager opens and holds its pools. */
  manager?: ManagerTraits
  /** It opens a token's pool at an exchange, and its source promises something about the liquidity. */
  launch?: LaunchTraits
  /** One contract sells all its tokens until they graduate. */
  isCurve?: true
  /** One contract trades any two tokens, so that its pools need no confirmation. */
  tradesAnyPair?: true
  /** The exchange whose pools log the same. */
  logsAs?: string
}

/** Where an address of a preset was seen: as an emitter of recorded logs, in several independent publications, or in one. */
export const SEEN = ['recorded', 'published', 'one_source'] as const
export type Seen = (typeof SEEN)[number]

/** A factory or manager with one address on several chains. A preset names those that one chain has. */
export interface Deployment {
  address: string
  launchpad: string
  positions?: string
  /** By chain id. */
  fromBlock?: Readonly<Record<number, number>>
  /** By chain id: where the address was seen. */
  chains: Readonly<Record<number, Seen>>
}

/** The row of docs/exchanges.md. `npm run -s docs` writes it, with the usual words where a part is left out. */
export interface About {
  name: string
  /** The contract that a preset names, unless it is a factory. */
  preset?: string
  /** How pools are discovered. */
  found: string
  held?: string
  price?: string
  /** Whom liquidity belongs to. */
  owner?: string
  /** The swaps of recorded transactions that became an event. */
  seen?: string
}

export interface Exchange extends VenueTraits {
  /** Launch venues have none: another table names them. */
  about?: About
  events: ExchangeEvents
  /** Logs without a topic, by name. Only the contracts that a preset names for the exchange count. */
  bare?: Readonly<Record<string, Shape>>
  deployed?: readonly Deployment[]
}

/** The creation of a pool of two tokens. A fee or a curve that its log does not name is left out. */
export const poolOpened = (
  topics: number,
  words: number,
  [token0, token1, pool]: readonly [LogPlace, LogPlace, LogPlace],
  { fee = none, stable = null }: { fee?: Field<number> | Field<null>; stable?: LogPlace | null } = {},
): Shape =>
  shape('pool_opened', topics, words, {
    token0: address(token0),
    token1: address(token1),
    fee,
    stable: flag(stable),
    pool: address(pool),
  })
