// Proposals of a CHAIN_CONFIG for chains that have no preset, from whole small chains whose contracts may lie.
import { describe, expect, test } from 'vitest'
import { toAddress } from '../../../src/base/address.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { propose, wasSeen } from '../../../src/chain/connect/propose.ts'
import { listDoubtful, loadPreset } from '../../../src/chain/presets/presets.ts'
import type { Call, Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { word } from '../../support/fake-chain.ts'
import {
  at,
  buildSmallChain,
  called,
  createSmallNode,
  log,
  PLACES,
  type SmallChain,
} from '../../support/small-chain.ts'

/** USDT0, which has this address on several chains. */
const USDT0 = '0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb'
const E18 = 10n ** 18n
const SELECTOR = { factory: '0xc45a0155', token0: '0x0dfe1681', token1: '0xd21220a7', getPair: '0xe6a43905' }

/** Pools by address: what each says of itself, and whether its factory knows it. */
type Pools = Record<string, { factory: string; tokens: [string, string]; confirmed: boolean }>

/** A node over the chain whose pools answer, and whose contracts hold so many coins. */
function nodeOf(chain: SmallChain, pools: Pools, coins: Record<string, bigint>) {
  const small = createSmallNode(chain)
  const asked: Call[] = []
  const answerCall = (to: string, data: string): RpcAnswer | undefined => {
    const pool = pools[to]
    if (pool && data === SELECTOR.factory) return { result: `0x${word(pool.factory)}` }
    if (pool && data === SELECTOR.token0) return { result: `0x${word(pool.tokens[0])}` }
    if (pool && data === SELECTOR.token1) return { result: `0x${word(pool.tokens[1])}` }
    if (!data.startsWith(SELECTOR.getPair)) return undefined
    const wanted = Object.entries(pools).find(
      ([, { factory, tokens }]) => factory === to && data.slice(10) === tokens.map((token) => word(token)).join(''),
    )
    return { result: `0x${word(wanted?.[1].confirmed ? wanted[0] : 0)}` }
  }
  const node: Endpoint = {
    name: 'node',
    send: async (calls) => {
      asked.push(...calls)
      const answers = await small.send(calls)
      return answers.map((answer, i) => {
        const { method, params } = calls[i]!
        if (method === 'eth_getBalance') return { result: `0x${(coins[String(params[0])] ?? 0n).toString(16)}` }
        const [{ to, data }] =
          method === 'eth_call' ? (params as [{ to: string; data: string }]) : [{ to: '', data: '' }]
        return answerCall(to, data) ?? answer
      })
    },
  }
  return { rpc: createRpc({ endpoints: [node], clock: systemClock }), asked }
}

/** The dollar of the built chain at an address that is known from other chains. */
const withKnownDollar = (chain: SmallChain): SmallChain =>
  JSON.parse(JSON.stringify(chain).replaceAll(PLACES.usdc.slice(2), USDT0.slice(2)))

const HONEST: Pools = {
  [PLACES.quotes]: { factory: PLACES.factory, tokens: [PLACES.weth, USDT0], confirmed: true },
  [PLACES.pair]: { factory: PLACES.factory, tokens: [PLACES.token, PLACES.weth], confirmed: true },
}
const WRAPPED = { supply: (100_000n * E18).toString() }
const COINS = { [PLACES.weth]: 100_000n * E18 }

function build(...blocks: Parameters<typeof buildSmallChain>[1][]): SmallChain {
  const chain = withKnownDollar(buildSmallChain({ supply: (1_000_000n * E18).toString() }, ...blocks))
  Object.assign(chain.tokens[PLACES.weth]!, WRAPPED)
  chain.chainId = 777_001
  return chain
}

const rangeOf = (chain: SmallChain) => ({ chainId: chain.chainId, head: chain.blocks.length - 1, width: 2 })

describe('a proposal', () => {
  test('names the factory, the wrapped coin and the dollar of a chain, and is a valid CHAIN_CONFIG', async () => {
    const chain = build()
    const { config, remarks } = await propose(nodeOf(chain, HONEST, COINS).rpc, rangeOf(chain))
    expect(config).toEqual({
      chainId: 777_001,
      name: 'chain 777001',
      wrappedNative: PLACES.weth,
      nativeSymbol: 'ETH',
      stablecoins: [USDT0],
      factories: [{ address: PLACES.factory, kind: 'v2', launchpad: 'v2_000000' }],
    })
    expect(remarks).toEqual([`${PLACES.factory} confirmed 2 pools as v2. Give it a name.`])
    expect(loadPreset(777_001, JSON.stringify(config))).toMatchObject(config)
  })

  test('finds a factory that opened nothing of late by the pools that trade', async () => {
    const swap = called(PLACES.owner, log(PLACES.pair, 'swap', [PLACES.router, PLACES.owner], [1n, 0n, 0n, 1n]))
    const chain = build([swap])
    const quiet = { ...chain, blocks: chain.blocks.map((block, i) => (i < 4 ? { ...block, txs: [] } : block)) }
    const { config } = await propose(nodeOf(quiet, HONEST, COINS).rpc, rangeOf(chain))
    expect(config.factories).toMatchObject([{ address: PLACES.factory, kind: 'v2' }])
  })

  test('leaves out a factory that denies the pool that it logged, and a wrapper that owes more than it holds', async () => {
    const fake = { factory: at('fa66'), pool: at('bb66'), weth: at('ee66') }
    const lies = [1n, 2n, 3n].map((n) =>
      called(
        PLACES.owner,
        log(fake.factory, 'pair', [PLACES.token, PLACES.weth], [fake.pool, n]),
        log(fake.weth, 'deposit', [PLACES.owner], [10_000_000n * E18]),
      ),
    )
    const chain = build(lies)
    chain.tokens[fake.weth] = { name: 'WETH', symbol: 'WETH', decimals: 18, supply: (10_000_000n * E18).toString() }
    const pools = {
      ...HONEST,
      [fake.pool]: { factory: fake.factory, tokens: [PLACES.token, PLACES.weth], confirmed: false },
    }
    const { config, remarks } = await propose(nodeOf(chain, pools as Pools, COINS).rpc, {
      ...rangeOf(chain),
      width: 100,
    })
    expect(remarks).toContain(`${fake.factory} confirmed no pool, so it is left out.`)
    expect(config.factories.map(({ address }) => address)).toEqual([PLACES.factory])
    expect(config.wrappedNative).toBe(PLACES.weth)
  })

  test('names a token that many pools are quoted in, whose symbol cannot move the cursor', async () => {
    const hub = at('5a01')
    const pairs = [1, 2, 3].map((n) => [at(`c${n}`), at(`d${n}`)] as const)
    const chain = build(
      pairs.map(([token, pool], n) =>
        called(PLACES.owner, log(PLACES.factory, 'pair', [token, hub], [pool, BigInt(n)])),
      ),
    )
    chain.tokens[hub] = { name: 'Share', symbol: 'AAPL\u001b[2J', decimals: 18 }
    const pools = Object.fromEntries(
      pairs.map(([token, pool]) => [pool, { factory: PLACES.factory, tokens: [token, hub], confirmed: true }]),
    ) as Pools
    const { remarks } = await propose(nodeOf(chain, { ...HONEST, ...pools }, COINS).rpc, rangeOf(chain))
    const told = remarks.find((line) => line.includes(hub))
    expect(told).toContain('stands in 3 of 5 pools')
    expect(told).not.toContain('\u001b')
  })

  test('leaves an unknown wrapped coin to the operator, within a bound of requests', async () => {
    let sent = 0
    const refusing: Endpoint = {
      name: 'refuses',
      send: async (calls) => {
        sent += calls.length
        return calls.map(({ method }) => ({
          error: new RpcError(method === 'eth_getLogs' ? 'range' : 'execution', 'refused'),
        }))
      },
    }
    const rpc = createRpc({ endpoints: [refusing], clock: systemClock })
    const { config, remarks } = await propose(rpc, { chainId: 5, head: 30_000_000, width: 2_000 })
    expect(config).toEqual({ chainId: 5, name: 'chain 5', stablecoins: [], factories: [] })
    expect(remarks.join('\n')).toMatch(
      /No wrapped coin[\s\S]*No dollar[\s\S]*No factory was found in the newest 0 blocks/,
    )
    expect(() => loadPreset(5, JSON.stringify(config))).toThrow('wrappedNative')
    expect(sent).toBeLessThan(200)
  })
})

describe('a factory that one source names', () => {
  test('is off until a CHAIN_CONFIG names it', () => {
    const [doubtful] = listDoubtful(9745)
    const { address, kind, launchpad } = doubtful!
    expect(loadPreset(9745).factories.map((factory) => factory.address)).not.toContain(address)
    const override = JSON.stringify({ factories: [{ address, kind, launchpad }] })
    expect(loadPreset(9745, override).factories).toContainEqual({ address, kind, launchpad })
    expect(listDoubtful(9745, override).map((factory) => factory.address)).not.toContain(address)
  })

  test('was seen where it has code and logged, not with one of both, and is unknown where the node does not tell', async () => {
    const chain = build()
    chain.codes = { [PLACES.factory]: '0x60', [at('c0de')]: '0x60' }
    const { rpc } = nodeOf(chain, HONEST, COINS)
    const range = { head: 3, width: 10 }
    // The small node gives the logs of all contracts, so a contract without logs is asked for at a block without any.
    expect(await wasSeen(rpc, toAddress(PLACES.factory), range)).toBe(true)
    expect(await wasSeen(rpc, toAddress(at('c0de')), { ...range, head: 0 })).toBe(false)
    expect(await wasSeen(rpc, toAddress(at('dead1')), range)).toBe(false)
    const silent: Endpoint = {
      name: 'x',
      send: async (calls) => calls.map(() => ({ error: new RpcError('rejected', 'no') })),
    }
    expect(
      await wasSeen(createRpc({ endpoints: [silent], clock: systemClock }), toAddress(at('c0de')), range),
    ).toBeNull()
  })
})
