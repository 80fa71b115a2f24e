// A source over a scripted provider, and the chain that results from a follower's steps.
import { onTestFinished } from 'vitest'
import type { ChainBlock, Step } from '../../src/chain/event.ts'
import { type FollowOptions, follow } from '../../src/chain/follow/follow.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { createRpc, type Rpc, type RpcOptions } from '../../src/chain/rpc/rpc.ts'
import type { Trouble } from '../../src/chain/rpc/trouble.ts'
import { createSource, type Source } from '../../src/chain/source/source.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createFakeChain, type FakeChain } from './fake-chain.ts'
import { type RpcServer, startRpcServer } from './rpc-server.ts'

/** A preset without factories; blocks are final after `finalityDepth` blocks. */
export const testPreset = (finalityDepth = 5): Preset => ({
  chainId: 31337,
  name: 'Test',
  wrappedNative: `0x${'e'.repeat(40)}` as Preset['wrappedNative'],
  nativeSymbol: 'ETH',
  stablecoins: [],
  factories: [],
  burnAddresses: [],
  lockers: [],
  exchanges: [],
  finalityDepth,
  minPoolDepthUsd: 0,
  sectors: {},
  startBlock: 0,
})

export interface Provider {
  chain: FakeChain
  server: RpcServer
  /** Another backend of the same chain. */
  second: RpcServer
  rpc: Rpc
  source: Source
  clock: TestClock
  /** The faults that the rpc reported. */
  troubles: Trouble[]
  /** The source's notices of logs that were left out or cannot be proven. */
  notices: string[]
  /** Follows to the head, or as `options` say, and returns the resulting chain. */
  index(options?: Partial<FollowOptions>): Promise<ChainBlock[]>
}

/** Closes its servers when the test ends. A call that hangs times out after 100 ms. */
export async function startProvider(
  options: Partial<Omit<RpcOptions, 'urls'>> & {
    urls?: number
    finalityDepth?: number
    receiptsShare?: number
    hasTraces?: boolean
    factories?: Preset['factories']
  } = {},
): Promise<Provider> {
  const chain = createFakeChain()
  const [server, second] = await Promise.all([startRpcServer(chain), startRpcServer(chain)])
  onTestFinished(() => Promise.all([server.close(), second.close()]).then(() => {}))
  const clock = createTestClock()
  const troubles: Trouble[] = []
  const notices: string[] = []
  const { urls = 1, finalityDepth, receiptsShare, hasTraces, factories = [], ...more } = options
  const rpc = createRpc({
    timeoutMs: 2000,
    random: () => 0.5,
    ...more,
    urls: [server.url, second.url].slice(0, urls),
    clock,
    onTrouble: (trouble) => troubles.push(trouble),
  })
  const source = createSource({
    rpc,
    preset: { ...testPreset(finalityDepth), factories },
    clock,
    receiptsShare,
    hasTraces,
    onNotice: (text) => notices.push(text),
  })
  const index = (asked: Partial<FollowOptions> = {}) =>
    replay(
      follow({
        source,
        window: [],
        startBlock: 0,
        clock,
        until: 'head',
        headReads: { kind: 'interval', ms: 1000 },
        ...asked,
      }),
    )
  return { chain, server, second, rpc, source, clock, troubles, notices, index }
}

/** The blocks that remain after all steps; throws when a step does not fit the steps before. */
export async function replay(steps: AsyncIterable<Step>, blocks: ChainBlock[] = []): Promise<ChainBlock[]> {
  for await (const step of steps) applyStep(blocks, step)
  return blocks
}

export function applyStep(blocks: ChainBlock[], step: Step): void {
  if (step.kind === 'append') {
    for (const block of step.blocks) {
      const last = blocks.at(-1)
      if (last && block.number <= last.number) throw new Error(`block ${block.number} after block ${last.number}`)
      if (last?.number === block.number - 1 && last.hash !== block.parentHash) throw new Error('a broken link')
      blocks.push(block)
    }
  }
  if (step.kind === 'rollback') {
    const at = blocks.findLastIndex(({ hash }) => hash === step.to.hash)
    if (at < 0) throw new Error(`rolled back to ${step.to.number}, which is not there`)
    blocks.splice(at + 1)
  }
}

/** The number of logs of each block that has any: `{ 3: 2 }`. */
export const logCounts = (blocks: readonly ChainBlock[]): Record<number, number> =>
  Object.fromEntries(blocks.filter(({ logs }) => logs.length > 0).map(({ number, logs }) => [number, logs.length]))
