// The handlers of the kinds of logs. Each file of this folder has the kinds of one family; logs.ts lists them.
import type { Address } from '../../base/address.ts'
import type { PoolMetadata } from '../../chain/contracts/reader.ts'
import type { LogKind, LogOf } from '../../chain/event.ts'
import type { Known } from '../rows/known.ts'
import type { Work } from '../rows/working-set.ts'
import type { Fact } from './fact.ts'
import type { Scan } from './scan.ts'
import type { TransactionView } from './transaction-view.ts'

export interface LogHandler<Kind extends LogKind> {
  /** Adds the names in the log. */
  scan?(found: Scan, log: LogOf<Kind>, around: Surroundings): void
  /** What the log says, in order. It makes rows of addresses that it names first, and changes no other. */
  tell?(work: Work, log: LogOf<Kind>, view: TransactionView): readonly Fact[]
  /** Changes rows that only this family of logs changes, before its facts do. */
  apply?(work: Work, log: LogOf<Kind>, view: TransactionView): void
  /** The pool that a factory or manager of the preset announces. Before the log, the pool is no account. */
  announce?(known: Known, log: LogOf<Kind>): Announced | null
  /**
   * The contracts whose Transfers are legs of a trade: pools that a factory confirms, or any contract that logs this.
   */
  legs?: 'pool' | 'any'
  /** A swap; the transaction's balances show the trader. */
  isSwap?: true
}

/** The inputs of a scan of a log. */
export interface Surroundings {
  known: Known
  /** All possible traders of the log. */
  traders: readonly Address[]
}

/** A pool that a log announces. */
export type Announced = PoolMetadata & { address: Address }

/** The handlers of these kinds. */
export type LogHandlers<Kinds extends LogKind> = { readonly [Kind in Kinds]: LogHandler<Kind> }
