// The labelled cases that the risk models are fitted to: the snapshots of folders' tokens, each with its market and its weight in
// the fit.

import type { MeasuredRisk } from '../../src/scoring/measured-risk.ts'
import { measureToken } from '../../src/scoring/measures.ts'
import { toMeasuredRisk } from '../../src/scoring/token-risk.ts'
import { readTokenFolder } from '../labels/folder.ts'
import type { TokenHistory } from '../labels/history.ts'
import { createLeftOut } from '../labels/left-out.ts'
import { PROTOCOLS, type Protocol, takeSnapshots } from '../replay/snapshots.ts'
import { createRandom } from '../statistics/metrics.ts'

/** How much each protocol's snapshots weigh in the fit. `aligned_complete` has the cases of `aligned` again, so it is only evaluated. */
const PROTOCOL_WEIGHT: Record<Protocol, number> = { '1h': 0.5, '24h': 1, '72h': 0.5, aligned: 2, aligned_complete: 0 }
/** How many tokens that never rug are drawn for each rug. */
const PEERS = 3
export interface RiskCase extends MeasuredRisk {
  source: string
  /** Its id in the source. */
  tokenId: string
  /** Folders that share a token are the same market. */
  market: string
  protocol: Protocol
  positive: boolean
  owner: string
  chainId: number
  createdAt: number
  /** The time of the snapshot, in seconds since 1970. */
  at: number
  /** Whether it is ever rugged, and when, as far as the file says. */
  rugged: boolean
  rugAt: number | null
}

/** Reads the cases of all folders. The seed decides which peers are drawn. */
export function readCases(folders: readonly string[], seed: number): RiskCase[] {
  const read = folders.map((source) => ({ source, histories: readTokenFolder(source, createLeftOut()) }))
  const markets = nameMarkets(read)
  return read.flatMap(({ source, histories }) => {
    const market = markets.get(source) ?? source
    const random = createRandom(seed)
    const snapshots = PROTOCOLS.flatMap((protocol) => takeSnapshots(histories, protocol, random, PEERS))
    return snapshots.map(({ history, protocol, positive, ageHours, facts }) => {
      const measured = toMeasuredRisk(facts, measureToken(facts).measures)
      return {
        source,
        tokenId: history.id,
        market,
        protocol,
        positive,
        owner: `${market} ${history.deployer}`,
        chainId: history.chainId,
        createdAt: history.createdAt,
        at: history.createdAt + ageHours * 3_600,
        rugged: history.rugged,
        rugAt: history.rug?.time ?? null,
        ...measured,
      }
    })
  })
}

const keyOf = ({ deployer, createdAt }: TokenHistory): string => `${deployer} ${createdAt}`

/** Names each folder's market: that of an earlier folder with which it shares a token, else its own name. */
function nameMarkets(read: readonly { source: string; histories: readonly TokenHistory[] }[]): Map<string, string> {
  const seen = new Map<string, string>()
  const markets = new Map<string, string>()
  for (const { source, histories } of read) {
    const known = histories.map(keyOf).find((key) => seen.has(key))
    const market = (known && seen.get(known)) ?? source
    markets.set(source, market)
    for (const history of histories) seen.set(keyOf(history), market)
  }
  return markets
}

/** Weighs the cases so that all markets weigh the same; within a market all folders; within a folder both classes of each protocol. */
export function weighCases(cases: readonly RiskCase[]): { one: RiskCase; weight: number }[] {
  const learnt = cases.filter(({ protocol }) => PROTOCOL_WEIGHT[protocol] > 0)
  const groupOf = ({ source, protocol, positive }: RiskCase) => `${source} ${protocol} ${positive}`
  const counts = new Map<string, number>()
  for (const one of learnt) counts.set(groupOf(one), (counts.get(groupOf(one)) ?? 0) + 1)
  const folders = new Map<string, Set<string>>()
  for (const { market, source } of learnt) folders.set(market, (folders.get(market) ?? new Set()).add(source))
  return learnt.map((one) => ({
    one,
    weight: PROTOCOL_WEIGHT[one.protocol] / (counts.get(groupOf(one)) ?? 1) / (folders.get(one.market)?.size ?? 1),
  }))
}
