// What resolvers get: who asks, what the answer is read through, and the account's own things.
import DataLoader from 'dataloader'
import type { Caller } from '../access/guard.ts'
import type { Clock } from '../base/clock.ts'
import type { Paged } from '../base/page.ts'
import type { Alerts } from '../ledger/alert.ts'
import type { Database } from '../ledger/client.ts'
import { type Delivery, type DeliveryRange, readDeliveries } from '../ledger/delivery.ts'
import type { Reading } from '../ledger/reading.ts'
import { createLoaders, type Loaders } from './loaders.ts'

/** Parts that outlive a request. */
export interface GraphParts {
  database: Database
  alerts: Alerts
  clock: Clock
}

/** What executions have in common that begin together: no more than what they read through. */
export interface SharedContext extends GraphParts {
  reading: Reading
  loaders: Loaders
  /** Pages of what alerts have sent; of the database as it is, not of the answer's block. */
  deliveries: DataLoader<DeliveryRange, Paged<Delivery>, string>
}

export interface GraphContext extends SharedContext {
  caller: Caller
  /** Of the alert that the operation makes, where it was settled before. */
  newAlertId: string | undefined
}

/** A new one for each reading, since loaders keep what they read. */
export const createSharedContext = ({ database, alerts, clock }: GraphParts, reading: Reading): SharedContext => ({
  database,
  alerts,
  clock,
  reading,
  loaders: createLoaders(reading),
  deliveries: new DataLoader((ranges: readonly DeliveryRange[]) => readDeliveries(database, ranges), {
    cacheKeyFn: ({ alertId, page, limit }) => `${alertId} ${page} ${limit}`,
  }),
})
