// Finds the exchanges of a chain by its newest logs. Input: a provider. Output: factories that confirmed a pool, and
// managers, which nothing confirms but their logs. Any contract may log anything, so a factory's own answer decides.
import type { Address } from '../../base/address.ts'
import { readAddressWord, SELECTORS } from '../contracts/abi.ts'
import type { EthCall } from '../contracts/call.ts'
import { readPoolMetadata } from '../contracts/pool.ts'
import { callData } from '../contracts/words.ts'
import type { LogKind } from '../event.ts'
import { EXCHANGES, VENUES, type Venue } from '../exchanges/venues.ts'
import { readParsed } from '../logs/answer.ts'
import { createDecode } from '../logs/decode.ts'
import { EVENT_LIST, type Event } from '../logs/events.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { type RecentLogs, rank, readRecentLogs } from './recent-logs.ts'

export interface FoundExchanges {
  /** With the number of pools that each confirmed, most first. */
  factories: { address: Address; kind: Venue; pools: number }[]
  /** Those that confirmed no pool, most pools first. */
  denied: Address[]
  /** The contract of each kind that logged most. */
  managers: { address: Address; kind: Venue; logs: number }[]
  /** Both tokens of each confirmed pool. */
  pairs: [Address, Address][]
  blocks: number
}

/** Requests for creations, and for trades. */
const REQUESTS = { creations: 16, trades: 12 }
/** The most pools that name their factory, the most factories that are asked, and the most pools of each. */
const [MOST_POOLS, MOST_FACTORIES, POOLS_PER_FACTORY] = [60, 20, 5]

const POOL_KINDS = VENUES.filter((kind) => EXCHANGES[kind].pools)
/** Events of the factories and managers that can be found. */
const OWN_EVENTS = EVENT_LIST.filter(({ emitter }) =>
  VENUES.some((venue) => venue === emitter && (EXCHANGES[venue].pools ?? EXCHANGES[venue].manager) !== undefined),
)
const isOfKind =
  (...kinds: LogKind[]) =>
  ({ shapes: [shape] }: Event): boolean =>
    shape !== undefined && kinds.includes(shape.kind)
const CREATIONS = OWN_EVENTS.filter(isOfKind('pool_opened', 'v4_initialize'))
const TRADES = EVENT_LIST.filter(isOfKind('v2_swap', 'v3_swap', 'v4_swap'))

interface Candidate {
  kinds: Venue[]
  pools: Set<Address>
}

export async function findExchanges(
  rpc: Rpc,
  ethCall: EthCall,
  range: { head: number; width: number },
): Promise<FoundExchanges> {
  const topicsOf = (events: typeof CREATIONS) => [...new Set(events.map(({ topic0 }) => topic0))]
  const created = await readRecentLogs(rpc, topicsOf(CREATIONS), { ...range, requests: REQUESTS.creations })
  const traded = await readRecentLogs(
    rpc,
    topicsOf(TRADES),
    { ...range, requests: REQUESTS.trades },
    (logs) => new Set(logs.map(({ address }) => address)).size >= MOST_POOLS,
  )
  const candidates = readCreations(created.logs)
  await addTraded(ethCall, traded.logs, candidates, range.head)
  return {
    ...(await confirm(ethCall, candidates, range.head)),
    managers: findManagers([...created.logs, ...traded.logs]),
    blocks: created.blocks,
  }
}

const kindsOf = (topic0: string | undefined): Venue[] =>
  OWN_EVENTS.filter((event) => event.topic0 === topic0).map(({ emitter }) => emitter as Venue)

/** Factories by the topics of their creations. */
function readCreations(logs: RecentLogs['logs']): Map<Address, Candidate> {
  const candidates = new Map<Address, Candidate>()
  for (const log of logs) {
    for (const kind of kindsOf(log.topics[0])) {
      const factory = { address: log.address, kind, launchpad: kind }
      const decode = createDecode({ wrappedNative: log.address, factories: [factory], lockers: [] })
      const read = readParsed([log], decode).read(0)
      if (read?.kind === 'pool_opened') note(candidates, log.address, [kind], read.pool)
    }
  }
  return candidates
}

/** Factories by the answers of pools that trade. Such a pool is of any kind. */
async function addTraded(
  ethCall: EthCall,
  logs: RecentLogs['logs'],
  candidates: Map<Address, Candidate>,
  head: number,
) {
  const pools = rank(logs.map(({ address }) => address)).slice(0, MOST_POOLS)
  const answers = await ethCall(
    pools.map(([to]) => ({ to, data: callData(SELECTORS.factory) })),
    head,
  )
  for (const [i, [pool]] of pools.entries()) {
    const factory = readAddressWord(answers[i])
    if (factory) note(candidates, factory, POOL_KINDS, pool)
  }
}

function note(candidates: Map<Address, Candidate>, factory: Address, kinds: readonly Venue[], pool: Address): void {
  const known = candidates.get(factory) ?? { kinds: [], pools: new Set() }
  known.kinds = [...new Set([...known.kinds, ...kinds])]
  if (known.pools.size < POOLS_PER_FACTORY) known.pools.add(pool)
  candidates.set(factory, known)
}

async function confirm(ethCall: EthCall, candidates: Map<Address, Candidate>, head: number) {
  const found: Pick<FoundExchanges, 'factories' | 'denied' | 'pairs'> = { factories: [], denied: [], pairs: [] }
  const most = [...candidates].sort(([, a], [, b]) => b.pools.size - a.pools.size).slice(0, MOST_FACTORIES)
  for (const [address, { kinds, pools }] of most) {
    for (const kind of kinds) {
      const factories = [{ address, kind, launchpad: kind }]
      const confirmed = [...(await readPoolMetadata(ethCall, { factories }, [...pools], head)).values()].filter(
        (pool) => pool !== null,
      )
      if (confirmed.length === 0) continue
      found.factories.push({ address, kind, pools: confirmed.length })
      for (const { token0, token1 } of confirmed) found.pairs.push([token0, token1])
      break
    }
    if (!found.factories.some((factory) => factory.address === address)) found.denied.push(address)
  }
  return found
}

function findManagers(logs: RecentLogs['logs']): FoundExchanges['managers'] {
  return VENUES.filter((kind) => EXCHANGES[kind].manager).flatMap((kind) => {
    const own = logs.filter(({ topics }) => kindsOf(topics[0]).includes(kind))
    const [most] = rank(own.map(({ address }) => address))
    return most ? [{ address: most[0], kind, logs: most[1] }] : []
  })
}
