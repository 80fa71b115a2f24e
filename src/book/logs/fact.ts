// What a log says, in a few kinds that do not depend on the exchange. A handler tells them, and apply.ts applies them.
import type { Handed, Payment } from '../pools/position-tokens.ts'
import type { Priced } from '../pools/priced.ts'
import type { PoolRecord } from '../rows/rows.ts'
import type { Provided, Swapped } from '../trades/trade.ts'
import type { Movement } from '../trades/transfer.ts'

export type Fact =
  | Movement
  | Priced
  | Swapped
  | Provided
  | Handed
  | Payment
  /** The sale of a curve's token ended. */
  | { kind: 'closed'; pool: PoolRecord }
  /** The shares of a pool were traded like a coin of it. */
  | { kind: 'shared'; pool: PoolRecord }
