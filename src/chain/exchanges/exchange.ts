// What an exchange is to Assay: the events that its contracts log, who may log them, and how a factory confirms a pool
// that it made. One file per exchange has these; `venues.ts` lists them.
import type { Shape } from '../columns/shape.ts'
import type { PoolKind, Venue } from '../event.ts'

/**
 * Who may emit an event: any contract (the ledger confirms a pool later), the chain's wrapped native coin, a contract of
 * attribution.ts that trades for others, a contract that the preset names as `positions`, a factory or manager of the preset of this venue, or any contract on a chain whose preset names such a factory.
 */
export type ExchangeEmitter = 'any' | 'wrapped' | ForOthers | 'positions' | Venue | `${Venue}_pool`

/** Contracts that trade for others, which have the same address on every chain. */
type ForOthers = 'entry_point' | 'settlement' | 'reactor' | 'order_book'

/** Events by name: signature, emitter, and where the fields are. Signatures are from the published sources. */
export type ExchangeEvents = Record<string, readonly [signature: string, emitter: ExchangeEmitter, ...shapes: Shape[]]>

/** How the pools of a venue's factories are confirmed and read. A selector is the first four bytes of a call. */
export interface VenueTraits {
  pool: PoolKind
  /** The pool's function for what its factory tells pools of the same two tokens apart by; null: there is one such pool. */
  key: `0x${string}` | null
  /** The factory's function from both tokens, and the key where there is one, to the pool. */
  find: `0x${string}`
  /** Whether the key is the fee, in hundredths of a basis point. */
  keyIsFee: boolean
  /** Whether the key says that the pool keeps to the stable curve. */
  keyIsStable: boolean
  /** The fee of every pool, in hundredths of a basis point; null when it differs by pool. */
  fee: number | null
  /** The pool's function whose first word is the square root of the price, times 2^96; null: its reserves give the price. */
  price: `0x${string}` | null
}

/** How the pools of a manager are told of. */
export interface ManagerTraits {
  /** Whether liquidity lies in ranges; else in bins, with a formula that is not followed. */
  hasRanges: boolean
  /** The rights of hooks in the order of `hooks.ts`, from the bits that the manager logs. */
  rightsOf(bits: number): number
}

/** What the source of a launch venue proves about the liquidity of its tokens. */
export interface LaunchTraits {
  /** The hook that the venue names as the keeper gives nothing back, but for a move to another of the venue's hooks, which the token logs. */
  keptByHook: boolean
  /** A token that owns its liquidity itself only collects fees of it. */
  keptByToken: boolean
  /** A locker of the preset that logs until when it keeps a pool of the venue's tokens keeps it so long. */
  keptByLocker: boolean
}
