// Exchanges where a check tries no trade, and those that docs/safety.md names.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import type { PoolKind } from '../../src/chain/event.ts'
import { EXCHANGES, VENUES, type Venue } from '../../src/chain/exchanges/venues.ts'
import { toMarket } from '../../src/safety/sale/market.ts'
import type { SafetyPool, SafetyTarget } from '../../src/safety/target.ts'

const [TOKEN, COIN, POOL] = [1, 2, 3].map((n) => `0x${String(n).repeat(40)}` as Address) as [Address, Address, Address]

/** The kind of the venue's own pools; null for a launch venue that opens pools at another exchange. */
function kindOf(venue: Venue): PoolKind | null {
  const { isCurve, reserves, manager, pools } = EXCHANGES[venue]
  if (isCurve || venue === 'virtuals') return 'curve'
  if (reserves) return 'coins'
  return manager ? 'v4' : (pools?.pool ?? null)
}

function isTried(venue: Venue, kind: PoolKind): boolean {
  const plain = { factory: POOL, token0: TOKEN, token1: COIN, fee: 3_000, stable: false, tickSpacing: 60 }
  const pool = { ...plain, kind, venue, address: POOL, hooks: null, hookRights: 0, reserve0: 1n, reserve1: 1n }
  // The identifier of a V4 pool is the hash of its parameters.
  if (venue === 'v4') return true
  return (
    toMarket({ ...pool, liquidityUsd: 1 } as SafetyPool, { token: TOKEN, wrappedNative: COIN } as SafetyTarget) !== null
  )
}

test('the exchanges where no trade is tried are those that docs/safety.md names', () => {
  const text = readFileSync(new URL('../../docs/safety.md', import.meta.url), 'utf8')
  const [, named = ''] = /- A trade on ([^.]*?)\. There only/s.exec(text) ?? []
  const untried = VENUES.filter((venue) => {
    const kind = kindOf(venue)
    return kind !== null && !isTried(venue, kind)
  })
  const names = [...named.matchAll(/`([a-z0-9_]+)`/g)].map(([, venue]) => venue)
  expect(names.toSorted(), 'the list after "A trade on" in docs/safety.md').toEqual(untried.toSorted())
})
