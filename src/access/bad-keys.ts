// Counts bad keys, for the address that a request claims and for the other end of its socket: whoever writes a new address
// into a header each time is still one proxy's. In: senders. Out: how long their next bad key has to wait.
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../base/clock.ts'
import { createMemoryRows, type Limiter, RowLimiter } from './limiter.ts'
import { networksOf, type Sender } from './network.ts'

/** Bad keys that an address may send in a minute before it is told to wait. A good key from there is served all the same. */
export const BAD_KEYS_PER_MINUTE = 120
/** The same for a proxy, whoever stands behind it: many customers mistype no more, and an attacker gets no further. */
export const BAD_KEYS_PER_PROXY = 1200
/** Addresses that are remembered; the oldest go first. */
const MAX_ADDRESSES = 10_000

export interface BadKeys {
  /** Seconds until the sender may send another bad key; 0: it may now. */
  waitOf(sender: Sender): Promise<number>
  /** Counts one; the same seconds as before it. Nothing is counted for a sender who has to wait. */
  count(sender: Sender): Promise<number>
}

/** Counts in this process. */
export function createBadKeys(clock: Clock): BadKeys {
  // Rows of their own each: no number of clients pushes a proxy out.
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
      // A client that waits takes nothing from the others behind its proxy, and one of a proxy that waits is not remembered.
      const wait = await waitAt(clients, client, BAD_KEYS_PER_MINUTE)
      if (wait > 0) return wait
      const waitOfPeer = client === peer ? 0 : await take(proxies, peer)
      return waitOfPeer || take(clients, client)
    },
  }
}

async function waitAt(limiter: Limiter, network: string, most: number): Promise<number> {
  const window = await limiter.get(network)
  return window && window.consumedPoints >= most ? toSeconds(window) : 0
}

async function take(limiter: Limiter, network: string): Promise<number> {
  try {
    await limiter.consume(network)
    return 0
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toSeconds(refusal)
    throw refusal
  }
}

const toSeconds = ({ msBeforeNext }: RateLimiterRes): number => Math.max(Math.ceil(msBeforeNext / 1000), 1)
