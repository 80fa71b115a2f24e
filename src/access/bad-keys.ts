// Counts invalid keys per client address and per socket peer. The peer is counted too because a client behind a proxy
// can claim a new address in every request. Returns how long the sender must wait before its next invalid key.
import type { Clock } from '../base/clock.ts'
import { createMemoryRows, type Limiter, RowLimiter, takeOne, toSeconds } from './limiter.ts'
import { networksOf, type Sender } from './network.ts'

/** Invalid keys per minute from one address before it has to wait. Its valid keys are still served. */
export const BAD_KEYS_PER_MINUTE = 120
/**
 * The same per proxy, for all its clients together: more than the typos of many customers, and a cap for an attacker.
 */
export const BAD_KEYS_PER_PROXY = 1200
/** Addresses kept in memory; the oldest are dropped first. */
const MAX_ADDRESSES = 10_000

export interface BadKeys {
  /** Seconds until the sender may send another invalid key; 0 if it may now. */
  waitOf(sender: Sender): Promise<number>
  /** Counts one invalid key and returns the wait from before it. A sender that already has to wait is not counted. */
  count(sender: Sender): Promise<number>
}

/** Creates counters in this process. */
export function createBadKeys(clock: Clock): BadKeys {
  // Clients and proxies have separate tables, so that many clients cannot push a proxy's counter out.
  const limiterOf = (keyPrefix: string, points: number) =>
    new RowLimiter({ keyPrefix, points, duration: 60 }, createMemoryRows(MAX_ADDRESSES), clock)
  const clients = limiterOf('bad-key', BAD_KEYS_PER_MINUTE)
  const proxies = limiterOf('bad-key-proxy', BAD_KEYS_PER_PROXY)
  return {
    waitOf: async (sender) => {
      const { client, peer } = networksOf(sender)
      const waits = [await waitAt(clients, client, BAD_KEYS_PER_MINUTE)]
      if (client !== peer) waits.push(await waitAt(proxies, peer, BAD_KEYS_PER_PROXY))
      return Math.max(...waits)
    },
    count: async (sender) => {
      const { client, peer } = networksOf(sender)
      // A client that has to wait does not use up its proxy's share, and clients of a proxy that has to wait take no
      // memory.
      const wait = await waitAt(clients, client, BAD_KEYS_PER_MINUTE)
      if (wait > 0) return wait
      const waitOfPeer = client === peer ? 0 : await takeOne(proxies, peer)
      return waitOfPeer || takeOne(clients, client)
    },
  }
}

async function waitAt(limiter: Limiter, network: string, most: number): Promise<number> {
  const window = await limiter.get(network)
  return window && window.consumedPoints >= most ? toSeconds(window) : 0
}
