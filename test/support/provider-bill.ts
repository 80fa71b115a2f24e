// A provider that bills by method, on a clock of its own: an hour passes in seconds. Input: a chain's rates and how its
// head is read. Output: requests, calls, units, bytes, and how long after its arrival each block was read.

import { createBell, type ToldBell } from '../../src/chain/follow/bell.ts'
import { type FollowOptions, follow } from '../../src/chain/follow/follow.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import type { Call, Endpoint } from '../../src/chain/rpc/endpoint.ts'
import { isAnswered } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { UNITS } from '../../src/cli/check.ts'
import { createFakeChain, type FakeChain } from './fake-chain.ts'
import { createSharedClock, type SharedClock } from './shared-clock.ts'

export interface Bill {
  requests: number
  calls: Map<string, number>
  units: number
  bytes: number
}

export interface ChainRates {
  blockMs: number
  logsPerBlock: number
  /** How far the newest final block is behind the head; 64 by default. */
  finalBlocks?: number
}

/** Half of a request's way to the provider and back. */
const WAY_MS = 30
/** A block arrives at the provider this long after its time, at most. */
const SPREAD_MS = 200
const HOUR_MS = 3_600_000

/** The same numbers in every run, uniform in [0, 1). */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const newBill = (): Bill => ({ requests: 0, calls: new Map(), units: 0, bytes: 0 })

/** Serves the chain, and writes the bill. `now` makes the blocks that have arrived. */
function bill(chain: FakeChain, clock: SharedClock, arrive: () => void, countsBytes: boolean) {
  const owed = newBill()
  const endpoint: Endpoint = {
    name: 'provider',
    async send(calls: readonly Call[]) {
      owed.requests += 1
      for (const { method } of calls) {
        owed.calls.set(method, (owed.calls.get(method) ?? 0) + 1)
        owed.units += UNITS[method as keyof typeof UNITS] ?? 0
      }
      await clock.sleep(WAY_MS)
      arrive()
      const answers = await chain.send(calls)
      if (countsBytes)
        owed.bytes += answers.reduce((sum, each) => sum + sizeOf(isAnswered(each) ? each.result : null), 0)
      chain.calls.length = 0
      await clock.sleep(WAY_MS)
      return answers
    },
  }
  return { owed, endpoint }
}

const sizeOf = (result: unknown): number => JSON.stringify(result ?? null).length

function open({ blockMs, logsPerBlock, finalBlocks = 64 }: ChainRates) {
  const clock = createSharedClock()
  const chain = createFakeChain(1, blockMs / 1_000)
  chain.hasReceipts = true
  const startMs = clock.monotonicMs()
  const random = createRandom()
  const arrivals: number[] = []
  const arrivalOf = (number: number): number => {
    arrivals[number] ??= startMs + number * blockMs + SPREAD_MS * random()
    return arrivals[number]
  }
  const arrive = () => {
    while (arrivalOf(chain.blocks.length) <= clock.monotonicMs()) chain.mine(logsPerBlock)
    chain.finalized = Math.max(0, chain.blocks.length - finalBlocks)
  }
  return { clock, chain, arrive, arrivalOf }
}

export interface HeadCost extends Bill {
  /** Milliseconds from a block's arrival at the provider until it is read, by block. */
  delays: number[]
}

export interface HeadTrial {
  /** Whether the provider answers 429 at a time. */
  isRefused?: (seconds: number) => boolean
  /** Whether a node tells of each new block. */
  isTold?: boolean
}

/** Tells the bell of each block, half a request's way after it has arrived. */
async function tellOfBlocks(
  bell: ToldBell,
  { clock, chain, arrive, arrivalOf }: ReturnType<typeof open>,
  stop: AbortSignal,
) {
  while (!stop.aborted) {
    await clock.sleep(arrivalOf(chain.blocks.length) - clock.monotonicMs(), stop)
    arrive()
    await clock.sleep(WAY_MS, stop)
    const newest = chain.blocks.at(-1)
    if (newest) bell.tell(newest)
  }
}

/** Follows the head for some hours. While it is refused, the provider answers 429 and names a second as the wait. */
export async function simulateHead(
  rates: ChainRates,
  hours: number,
  headReads: FollowOptions['headReads'],
  { isRefused = () => false, isTold = false }: HeadTrial = {},
): Promise<HeadCost> {
  const opened = open(rates)
  const { clock, chain, arrive, arrivalOf } = opened
  const { owed, endpoint } = bill(chain, clock, arrive, false)
  const beginMs = clock.monotonicMs()
  const limited: Endpoint = {
    name: endpoint.name,
    async send(calls) {
      const answers = await endpoint.send(calls)
      if (!isRefused((clock.monotonicMs() - beginMs) / 1_000)) return answers
      throw new RpcError('rate', 'too many requests (HTTP 429)', { retryAfterMs: 1_000 })
    },
  }
  const rpc = createRpc({ endpoints: [limited], clock, random: () => 0.5 })
  const source = createSource({ rpc, preset: loadPreset(1), clock, receiptsShare: 0.01 })
  const endMs = clock.monotonicMs() + hours * HOUR_MS
  const stop = new AbortController()
  const delays: number[] = []
  const bell = isTold ? createBell(clock) : undefined
  if (bell) void tellOfBlocks(bell, opened, stop.signal)
  const options = { source, window: [], startBlock: 0, clock, signal: stop.signal, bell }
  for await (const step of follow({ ...options, ...(headReads ? { headReads } : {}) })) {
    if (step.kind === 'append')
      for (const { number } of step.blocks) delays.push(clock.monotonicMs() - arrivalOf(number))
    if (clock.monotonicMs() >= endMs) stop.abort()
  }
  clock.end()
  return { ...owed, delays: delays.slice(1) }
}

/** Reads final blocks, as many as given. */
export async function simulateBackfill({ blockMs, logsPerBlock }: ChainRates, blocks: number): Promise<Bill> {
  const { clock, chain } = open({ blockMs, logsPerBlock })
  chain.mine(...Array.from({ length: blocks }, () => logsPerBlock))
  chain.finalized = blocks
  const { owed, endpoint } = bill(chain, clock, () => {}, true)
  const rpc = createRpc({ endpoints: [endpoint], clock, random: () => 0.5 })
  const source = createSource({ rpc, preset: loadPreset(1), clock, receiptsShare: 0.01 })
  let read = 0
  for await (const step of follow({ source, window: [], startBlock: 1, clock, until: blocks }))
    if (step.kind === 'append') read = step.blocks.at(-1)?.number ?? read
  clock.end()
  if (read !== blocks) throw new Error(`read ${read} of ${blocks} blocks`)
  return owed
}
