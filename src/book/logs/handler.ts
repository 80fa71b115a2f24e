// What the book does with a kind of log. Each file of this folder has the kinds of one family; logs.ts lists them.
import type { Address } from '../../base/address.ts'
import type { PoolMetadata } from '../../chain/contracts/reader.ts'
import type { LogKind, LogOf } from '../../chain/event.ts'
import type { Known } from '../rows/known.ts'
import type { Work } from '../rows/working-set.ts'
import type { Scan } from './scan.ts'
import type { Scene } from './scene.ts'

export interface LogHandler<Kind extends LogKind> {
  /** Adds what the log names. */
  scan?(found: Scan, log: LogOf<Kind>, around: Surroundings): void
  /** Changes the rows. */
  apply?(work: Work, log: LogOf<Kind>, scene: Scene): void
  /** The pool that a factory or manager of the preset announces. Before the log, the pool is no account. */
  announce?(known: Known, log: LogOf<Kind>): Announced | null
  /** Whose Transfers are legs of a trade: those of a pool that a factory confirms, or of any contract that logs this. */
  legs?: 'pool' | 'any'
  /** A swap; the transaction's balances tell whose. */
  isSwap?: true
}

/** What a log is scanned with. */
export interface Surroundings {
  known: Known
  /** Everybody whose trade it may be. */
  traders: readonly Address[]
}

/** A pool that a log announces. */
export type Announced = PoolMetadata & { address: Address }

/** The handlers of these kinds. */
export type LogHandlers<Kinds extends LogKind> = { readonly [Kind in Kinds]: LogHandler<Kind> }
