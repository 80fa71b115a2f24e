// Pools of coins and launch curves that no log announced: what registries, vaults, factories and helpers answer about them.
import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Address, toAddress } from '../../../src/base/address.ts'
import { createChainReader } from '../../../src/chain/contracts/contracts.ts'
import { curveKey } from '../../../src/chain/exchanges/venues.ts'
import type { Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createTestClock } from '../../support/clock.ts'
import { word } from '../../support/fake-chain.ts'

const address = (n: number) => toAddress(`0x${n.toString(16).padStart(40, '0')}`)
const [PROVIDER, REGISTRY, VAULT, VAULT_3, FLUID, MAVERICK, LFJ] = [1, 2, 3, 4, 5, 6, 7].map(address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const [WRAPPED, A, B, POOL] = [9, 10, 11, 12].map(address) as [Address, Address, Address, Address]
const [VENUE, HELPER, PORTAL] = [toAddress(`0x5c${'9'.repeat(38)}`), address(21), toAddress(`0xe2${'c'.repeat(38)}`)]
const NATIVE = toAddress(`0x${'ee'.repeat(20)}`)
const ID = `${POOL}${'0'.repeat(23)}1` as Address
const UNTOLD = 1 << 14
const MANY = 1 << 15
const preset = {
  wrappedNative: WRAPPED,
  factories: [
    { address: PROVIDER, kind: 'curve' as const, launchpad: 'curve' },
    { address: VAULT, kind: 'balancer_v2' as const, launchpad: 'balancer_v2' },
    { address: VAULT_3, kind: 'balancer_v3' as const, launchpad: 'balancer_v3' },
    { address: FLUID, kind: 'fluid' as const, launchpad: 'fluid' },
    { address: MAVERICK, kind: 'maverick' as const, launchpad: 'maverick' },
    { address: LFJ, kind: 'lfj' as const, launchpad: 'lfj' },
    { address: VENUE, kind: 'four_meme' as const, launchpad: 'four_meme', helper: HELPER },
    { address: PORTAL, kind: 'flap' as const, launchpad: 'flap' },
  ],
}
const row = (...values: (number | bigint | string)[]) => `0x${values.map(word).join('')}`
const list = (...addresses: Address[]) => encodeAbiParameters(parseAbiParameters('address[]'), [addresses])

/** Answers by contract and selector; others revert. `older`: the block before a contract exists. */
function reader(
  contracts: Record<string, Record<string, string>>,
  older: string[] = [],
  asked: Parameters<typeof createChainReader>[1] = preset,
  numbered: Record<string, Address[]> = {},
) {
  const node: Endpoint = {
    name: 'node',
    send: async (calls) =>
      calls.map(({ params }): RpcAnswer => {
        const [{ to, data }, block] = params as [{ to: string; data: string }, string]
        const selector = data.slice(0, 10)
        const coin = numbered[selector]?.[Number(`0x${data.slice(10) || 0}`)]
        const result =
          block !== 'latest' && older.includes(to) ? undefined : coin ? row(coin) : contracts[to]?.[selector]
        return result === undefined ? { error: new RpcError('execution', 'execution reverted') } : { result }
      }),
  }
  return createChainReader(createRpc({ endpoints: [node], clock: createTestClock() }), asked)
}
const GET_ADDRESS = { [PROVIDER]: { '0x493f4f74': row(REGISTRY) } }

describe('a pool of coins that no log announced', () => {
  it.each([
    ['eight places of which two are filled', row(A, B, 0, 0, 0, 0, 0, 0)],
    ['a list', list(A, B)],
  ])('of Curve is confirmed by the registry that its provider names, which answers with %s', async (_, coins) => {
    const contracts = { ...GET_ADDRESS, [REGISTRY]: { '0x9ac90d3d': coins } }
    const found = await reader(contracts).readPools([POOL], 9)
    expect(found.get(POOL)).toMatchObject({ kind: 'coins', factory: PROVIDER, token0: A, token1: B, hookRights: 0 })
  })

  it('of Curve may be younger than the block that is asked for', async () => {
    const contracts = { ...GET_ADDRESS, [REGISTRY]: { '0x9ac90d3d': list(A, B) } }
    const found = await reader(contracts, [REGISTRY]).readPools([POOL], 9)
    expect(found.get(POOL)?.kind).toBe('coins')
  })

  it('with the native coin does not tell its reserves', async () => {
    const contracts = { ...GET_ADDRESS, [REGISTRY]: { '0x9ac90d3d': list(NATIVE, B) } }
    const found = await reader(contracts).readPools([POOL], 9)
    expect(found.get(POOL)).toMatchObject({ token0: WRAPPED, token1: B, hookRights: UNTOLD })
  })

  it('with three coins has a row for each two of them, which hold nothing that could be counted twice', async () => {
    const contracts = { ...GET_ADDRESS, [REGISTRY]: { '0x9ac90d3d': list(A, NATIVE, B) } }
    const pool = (await reader(contracts).readPools([POOL], 9)).get(POOL)
    expect(pool).toMatchObject({ token0: A, token1: WRAPPED, hookRights: UNTOLD | MANY })
    expect(pool?.pairsOfMany).toMatchObject([
      { address: `${POOL}-0-2`, token0: A, token1: B, hookRights: UNTOLD | MANY },
      { address: `${POOL}-1-2`, token0: WRAPPED, token1: B, hookRights: UNTOLD | MANY },
    ])
    const amounts = [[B, A, WRAPPED], [500n, 700n, 900n], 9n] as const
    const tokens = encodeAbiParameters(parseAbiParameters('address[], uint256[], uint256'), amounts)
    const ofVault = (await reader({ [VAULT]: { '0xf94d4668': tokens } }).readPools([ID], 9)).get(ID)
    expect(ofVault).toMatchObject({ token0: B, token1: A, reserve0: 0n, reserve1: 0n })
    const names = [
      [B, WRAPPED],
      [A, WRAPPED],
    ].map((coins) => `${ID}-${coins.sort().join('-')}`)
    expect(ofVault?.pairsOfMany?.map((pair) => pair.address)).toEqual(names)
  })

  it('with more than eight coins, with one, or that nobody knows, is none', async () => {
    const many = Array.from({ length: 9 }, (_, at) => address(30 + at))
    for (const coins of [list(...many), list(A), row(0, 0, 0, 0, 0, 0, 0, 0), '0x']) {
      const contracts = { ...GET_ADDRESS, [REGISTRY]: { '0x9ac90d3d': coins } }
      expect((await reader(contracts).readPools([POOL], 9)).get(POOL)).toBeNull()
    }
  })

  const [V1, BALANCER, DODO, STABLE, EULER, MOON] = [41, 42, 43, 44, 45, 46].map(address) as [
    Address,
    Address,
    Address,
    Address,
    Address,
    Address,
  ]
  const NO = row(0)
  it.each([
    ['Uniswap V1', 'uniswap_v1', V1, { [V1]: { '0x59770438': row(A) } }, { [V1]: { '0x59770438': NO } }],
    [
      'Balancer V1',
      'balancer_v1',
      BALANCER,
      { [BALANCER]: { '0xc2bb6dc2': row(1) }, [POOL]: { '0xbe3bbd2e': list(A, B) } },
      { [BALANCER]: { '0xc2bb6dc2': NO }, [POOL]: { '0xbe3bbd2e': list(A, B) } },
    ],
    [
      'DODO',
      'dodo',
      DODO,
      { [POOL]: { '0x4a248d2a': row(A), '0xd4b97046': row(B) }, [DODO]: { '0x57a281dc': list(VAULT, POOL) } },
      { [POOL]: { '0x4a248d2a': row(A), '0xd4b97046': row(B) }, [DODO]: { '0x57a281dc': list(VAULT) } },
    ],
    [
      'PancakeSwap StableSwap',
      'pancake_stable',
      STABLE,
      { [POOL]: { '0xc6610657': row(A) }, [STABLE]: { '0x400f7a1e': row(POOL, A, B, POOL) } },
      { [POOL]: { '0xc6610657': row(A) }, [STABLE]: { '0x400f7a1e': row(VAULT, A, B, POOL) } },
    ],
    [
      'EulerSwap',
      'euler_swap',
      EULER,
      { [EULER]: { '0x186d0601': row(1) }, [POOL]: { '0x67e4ac2c': row(A, B) } },
      { [EULER]: { '0x186d0601': NO }, [POOL]: { '0x67e4ac2c': row(A, B) } },
    ],
    [
      'Mooniswap',
      'mooniswap',
      MOON,
      { [MOON]: { '0x5b16ebb7': row(1) }, [POOL]: { '0xaa6ca808': list(A, B) } },
      { [MOON]: { '0x5b16ebb7': NO }, [POOL]: { '0xaa6ca808': list(A, B) } },
    ],
  ] as const)('of %s is confirmed by its factory, and by nothing else', async (_, kind, factory, yes, no) => {
    const asked = { ...preset, factories: [{ address: factory, kind, launchpad: kind }] }
    const second = kind === 'uniswap_v1' ? WRAPPED : B
    // Both coins have one selector, so that this pool names its second coin by the number in the call.
    const told = await reader(yes as never, [], asked, { '0xc6610657': [A, B] }).readPools([POOL], 9)
    expect(told.get(POOL)).toMatchObject({ kind: 'coins', factory, token0: A, token1: second })
    const refused = await reader(no as never, [], asked, { '0xc6610657': [A, B] }).readPools([POOL], 9)
    expect(refused.get(POOL)).toBeNull()
  })

  it('of Balancer V2 has the reserves that the vault keeps', async () => {
    const tokens = encodeAbiParameters(parseAbiParameters('address[], uint256[], uint256'), [[A, B], [500n, 700n], 9n])
    const found = await reader({ [VAULT]: { '0xf94d4668': tokens } }).readPools([ID], 9)
    expect(found.get(ID)).toMatchObject({ kind: 'coins', factory: VAULT, reserve0: 500n, reserve1: 700n })
  })

  it('of Balancer V2 that lists its own share among its coins has the others alone', async () => {
    const share = ID.slice(0, 42) as Address
    const amounts = [[A, share, B], [500n, 2n ** 111n, 700n], 9n] as const
    const tokens = encodeAbiParameters(parseAbiParameters('address[], uint256[], uint256'), amounts)
    const found = (await reader({ [VAULT]: { '0xf94d4668': tokens } }).readPools([ID], 9)).get(ID)
    expect(found).toMatchObject({ token0: A, token1: B, reserve0: 500n, reserve1: 700n, hookRights: 0 })
  })

  it('of Balancer V3, Fluid or Maverick is confirmed by its vault or factory', async () => {
    const ofVault = await reader({ [VAULT_3]: { '0xca4f2803': list(A, B) } }).readPools([POOL], 9)
    expect(ofVault.get(POOL)).toMatchObject({ factory: VAULT_3, token0: A })
    const constants = row(1, 2, 3, 4, 5, 6, 7, 8, 9, A, B, 0)
    const fluid = { [FLUID]: { '0x3c11e12a': row(1) }, [POOL]: { '0xb7791bf2': constants } }
    const ofFluid = await reader(fluid).readPools([POOL], 9)
    expect(ofFluid.get(POOL)).toMatchObject({ factory: FLUID, token0: A, token1: B, hookRights: UNTOLD })
    const sides = { '0x0fc63d10': row(A), '0x5f64b55b': row(B) }
    const maverick = { [MAVERICK]: { '0x578eaca4': row(1) }, [POOL]: sides }
    expect((await reader(maverick).readPools([POOL], 9)).get(POOL)).toMatchObject({ factory: MAVERICK })
    const denied = { [MAVERICK]: { '0x578eaca4': row(0) }, [POOL]: sides }
    expect((await reader(denied).readPools([POOL], 9)).get(POOL)).toBeNull()
  })
})

describe('a pair of LFJ that no log announced', () => {
  const ofPair = (pair: Address) => ({ '0x704037bd': row(25, pair, 1, 0) })
  const said = { '0x05e8746d': row(A), '0xda10610c': row(B), '0x17f11ecc': row(25) }

  it.each([
    ['2.1 and later', said],
    ['2.0', { '0x16dc165b': row(A), '0xb7d19fc4': row(B), '0x98c7adf3': row(25, 10, 30, 600) }],
  ])('of version %s is confirmed by the factory that has it under its tokens and its bin step', async (_, getters) => {
    const found = await reader({ [POOL]: getters, [LFJ]: ofPair(POOL) }).readPools([POOL], 9)
    expect(found.get(POOL)).toMatchObject({ kind: 'coins', factory: LFJ, token0: A, token1: B, hookRights: 0 })
  })

  it('is none where the factory has another there, or knows none', async () => {
    expect((await reader({ [POOL]: said, [LFJ]: ofPair(A) }).readPools([POOL], 9)).get(POOL)).toBeNull()
    expect((await reader({ [POOL]: said }).readPools([POOL], 9)).get(POOL)).toBeNull()
  })
})

describe('a launch curve', () => {
  const fourMeme = curveKey(A, VENUE)

  it('has the quote and the amount for sale from its venue', async () => {
    const info = row(2, VENUE, B, 1, 2, 3, 4, 700n, 800n, 5, 6, 0)
    const found = await reader({ [HELPER]: { '0x1f69565f': info } }).readPools([fourMeme], 9)
    expect(found.get(fourMeme)).toMatchObject({ kind: 'curve', factory: VENUE, token0: A, token1: B, offered: 800n })
    const flap = curveKey(A, PORTAL)
    const state = row(1, 2, 3, 4, 5, 6, 900n, 0, 0)
    const ofFlap = await reader({ [PORTAL]: { '0x0a7bb193': state } }).readPools([flap], 9)
    expect(ofFlap.get(flap)).toMatchObject({ factory: PORTAL, token1: WRAPPED, offered: 900n, reserve0: 900n })
  })

  it('that its venue does not describe is sold for the native coin, and how much is not known', async () => {
    const found = await reader({}).readPools([fourMeme], 9)
    expect(found.get(fourMeme)).toMatchObject({ token0: A, token1: WRAPPED, offered: null, reserve0: 0n })
  })
})
