// The holders of a token, now and before, and the links between them, asked for when somebody opens the map.
import type { ResultOf } from 'gql.tada'
import { graphql } from '../api/graphql.ts'

export const HOLDER_MAP = graphql(`
query HolderMap($address: Address!) {
  token(address: $address) {
    holders(first: 50) { nodes { address classification holdingPct } }
    score { blockNumber }
    clusters {
      clusters { walletCount heldPct outsidePct isFlagged wallets }
      links { kind from to blockNumber paidAt }
    }
  }
}`)

export const HOLDER_DAYS = graphql(`
query HolderDays($address: Address!) {
  token(address: $address) { holderDays { start holders { address classification holdingPct } } }
}`)

/** Null: they are not known, or not asked for. */
export type MapDays = NonNullable<ResultOf<typeof HOLDER_DAYS>['token']>['holderDays']
export type MapData = NonNullable<ResultOf<typeof HOLDER_MAP>['token']>
export type Cluster = NonNullable<MapData['clusters']>['clusters'][number]
export type Link = NonNullable<MapData['clusters']>['links'][number]
