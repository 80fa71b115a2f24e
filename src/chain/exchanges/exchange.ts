// The definition of an exchange: the events that its contracts log, the contracts that may log them, and how a factory
// confirms its pools. Each exchange has one file; `venues.ts` lists them.
import type { Shape } from '../columns/shape.ts'
import type { PoolKind, Venue } from '../event.ts'

/**
 * Who may emit an event:
 * - any contract (the ledger confirms a pool later)
 * - the chain's wrapped native coin
 * - what logs payments in the native coin: native.ts
 * - a contract of attribution.ts
 * - a contract that the preset names as `positions`
 * - a factory or manager of the preset of this venue
 * - any contract on a chain whose preset names such a factory
 */
export type ExchangeEmitter = 'any' | 'wrapped' | NativeEmitter | ForOthers | 'positions' | Venue | `${Venue}_pool`

/** What logs payments in the native coin: by Transfer as a token, or by LogTransfer as Polygon. */
export type NativeEmitter = 'native' | 'native_bor'

/** Contracts that trade for other accounts. */
export type ForOthers = 'entry_point' | 'relay_hub' | 'settlement' | 'reactor' | 'order_book' | 'meta_proxy' | 'router'

/** Events by name: signature, emitter, and where the fields are. Signatures are from the published sources. */
export type ExchangeEvents = Record<string, readonly [signature: string, emitter: ExchangeEmitter, ...shapes: Shape[]]>

/** How the factories of a venue confirm pools, and how pools are read. A selector is the first four bytes of a call. */
export interface PoolTraits {
  pool: PoolKind
  /**
   * The pool's function for the key by which its factory distinguishes pools of the same two tokens; null: there is one
   * such pool.
   */
  key: `0x${string}` | null
  /** The factory's function from both tokens, and the key if there is one, to the pool. */
  find: `0x${string}`
  /** Whether the key is the fee, in hundredths of a basis point. */
  keyIsFee: boolean
  /** Whether the key selects the stable curve. */
  keyIsStable: boolean
  /** The fee of every pool, in hundredths of a basis point; null when it differs by pool. */
  fee: number | null
  /** The pool's function whose first word is the square root of the price, times 2^96; null: its reserves give the price. */
  price: `0x${string}` | null
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

/** What Assay knows of a venue. A launch venue that opens pools at an exchange and proves nothing has no traits. */
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
}
