// Chooses the moments at which token histories are evaluated: at fixed ages, or right before a rug. These protocols are never
// mixed. A snapshot sees nothing of the rug's own block, and tokens already rugged at a fixed age are dropped.
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import type { TokenHistory } from '../labels/history.ts'
import { replayToken } from './replay.ts'

export const PROTOCOLS = ['1h', '24h', '72h', 'aligned', 'aligned_complete'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** The ages of the protocols that judge all tokens at one age. */
export const FIXED_HOURS = { '1h': 1, '24h': 24, '72h': 72 } as const

export interface Snapshot {
  history: TokenHistory
  protocol: Protocol
  /** Whether the label says that the token becomes a rug. */
  positive: boolean
  /** The token's age at the snapshot. */
  ageHours: number
  facts: TokenFacts
}

/** Takes all snapshots at one fixed age. */
function takeFixed(histories: readonly TokenHistory[], protocol: keyof typeof FIXED_HOURS): Snapshot[] {
  const seconds = FIXED_HOURS[protocol] * 3_600
  return histories
    .filter(({ rug, createdAt }) => rug === null || rug.time >= createdAt + seconds)
    .map((history) => {
      const facts = replayToken(history, { time: history.createdAt + seconds })
      return { history, protocol, positive: history.rugged, ageHours: FIXED_HOURS[protocol], facts }
    })
}

/** `aligned`: the peers were still in use at that age. `aligned_complete`: their record is also complete up to that age. */
type Aligned = 'aligned' | 'aligned_complete'

/** Takes all snapshots of a protocol. `random` draws the peers, `matches` for each rug. */
export function takeSnapshots(
  histories: readonly TokenHistory[],
  protocol: Protocol,
  random: () => number,
  matches = 1,
): Snapshot[] {
  const isAligned = protocol === 'aligned' || protocol === 'aligned_complete'
  return isAligned ? takeAligned(histories, protocol, random, matches) : takeFixed(histories, protocol)
}

/**
 * Takes every rug at the last block before it, and for each rug `matches` tokens that never rug at the same age. Rugs in
 * their first block are left out, since there is no block before.
 */
function takeAligned(
  histories: readonly TokenHistory[],
  protocol: Aligned,
  random: () => number,
  matches: number,
): Snapshot[] {
  const healthy = histories.filter((history) => !history.rugged)
  const reaches = ({ completeUntil, lastSeenAt, createdAt }: TokenHistory, age: number) =>
    (protocol === 'aligned' ? lastSeenAt : completeUntil) - createdAt >= age
  return histories.flatMap((history) => {
    const { rug } = history
    if (!history.rugged || rug === null || !wasSeenBefore(history, rug.block)) return []
    const age = Math.max(0, rug.time - history.createdAt)
    const peers = healthy.filter((peer) => reaches(peer, age))
    const facts = replayToken(history, { time: rug.time, beforeBlock: rug.block })
    const drawn = peers.length > 0 ? Array.from({ length: matches }, () => pick(peers, random)) : []
    return [
      { history, protocol, positive: true, ageHours: age / 3_600, facts },
      ...drawn.map((peer) => takePeer(peer, protocol, age)),
    ]
  })
}

const takePeer = (history: TokenHistory, protocol: Aligned, age: number): Snapshot => ({
  history,
  protocol,
  positive: false,
  ageHours: age / 3_600,
  facts: replayToken(history, { time: history.createdAt + age }),
})

const wasSeenBefore = ({ events }: TokenHistory, block: number): boolean =>
  events.some((event) => event.block < block && event.type !== 'share_transfer')

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item
