import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toAddress } from '../../../src/base/address.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { SELECTORS } from '../../../src/chain/contracts/abi.ts'
import { createEthCall } from '../../../src/chain/contracts/call.ts'
import { callData } from '../../../src/chain/contracts/words.ts'
import type { Call, Endpoint, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { createHttpEndpoint } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import multicall3 from '../../fixtures/multicall3.json' with { type: 'json' }
import { ANVIL_MISSING, type Anvil, anvilBinary, startAnvil } from '../../support/anvil.ts'
import { createTestClock } from '../../support/clock.ts'
import { word } from '../../support/fake-chain.ts'
import { withMulticall } from '../../support/multicall.ts'

const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'
const address = (number: number) => toAddress(`0x${number.toString(16).padStart(40, '0')}`)
const TOKEN = address(0x1001)
const [BURNER, SPEAKER, REVERTER, CALLER] = [0x2001, 0x2002, 0x2003, 0x2004].map(address) as [
  ReturnType<typeof address>,
  ReturnType<typeof address>,
  ReturnType<typeof address>,
  ReturnType<typeof address>,
]
const data = callData(SELECTORS.totalSupply)
const honest = Array.from({ length: 120 }, () => ({ to: TOKEN, data }))
const SEVEN = `0x${word(7)}`

const targetOf = ({ params }: Call): string => (params[0] as { to: string }).to

/** A node that remembers what it was asked. */
function listenTo(node: Endpoint): { node: Endpoint; asked: string[] } {
  const asked: string[] = []
  const send: Endpoint['send'] = (calls, signal) => {
    asked.push(...calls.map(targetOf))
    return node.send(calls, signal)
  }
  return { node: { ...node, send }, asked }
}

const askerOf = (node: Endpoint, onPruned?: (block: number) => void) =>
  createEthCall(createRpc({ endpoints: [node], clock: createTestClock(), attempts: 1 }), onPruned)

describe.skipIf(!anvilBinary)(`Multicall3 on a real EVM${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`, () => {
  let anvil: Anvil
  const open = () => {
    const { node, asked } = listenTo(createHttpEndpoint(anvil.url))
    return { ethCall: createEthCall(createRpc({ endpoints: [node], clock: systemClock })), asked }
  }

  beforeAll(async () => {
    anvil = await startAnvil()
    await anvil.rpc('anvil_mine', ['0x1'])
    const codes: [string, string][] = [
      [MULTICALL, multicall3.code],
      // Returns 7.
      [TOKEN, '0x600760005260206000f3'],
      // Jumps to itself until its gas is gone.
      [BURNER, '0x5b600056'],
      // Returns one megabyte.
      [SPEAKER, '0x62100000 6000f3'.replace(' ', '')],
      // Reverts.
      [REVERTER, '0x60006000fd'],
      // Returns its caller.
      [CALLER, '0x3360005260206000f3'],
    ]
    for (const [to, code] of codes) await anvil.rpc('anvil_setCode', [to, code])
    await anvil.rpc('anvil_mine', ['0x1'])
  })
  afterAll(() => anvil?.stop())

  it('calls of one block take one request, after one that finds the contract', async () => {
    const { ethCall, asked } = open()
    const calls = [...honest, { to: REVERTER, data }, { to: address(0x3001), data }]
    expect(await ethCall(calls, 2)).toEqual([...honest.map(() => SEVEN), null, null])
    expect(asked).toEqual([MULTICALL, MULTICALL])
  })

  it('the contract is the caller, and a call alone has none', async () => {
    const { ethCall } = open()
    const call = { to: CALLER, data }
    expect(await ethCall([call, call], 2)).toEqual([`0x${word(MULTICALL)}`, `0x${word(MULTICALL)}`])
    expect(await ethCall([call], 2)).toEqual([`0x${word(0)}`])
  })

  it.each([
    ['burns all gas', BURNER, null],
    ['returns a megabyte', SPEAKER, expect.stringMatching(/^0x0{2097152}$/)],
  ])('a contract that %s takes nobody else’s answer, and is asked alone from then on', async (_, hostile, own) => {
    const { ethCall, asked } = open()
    const calls = [...honest.slice(0, 50), { to: hostile, data }, ...honest.slice(50)]
    const answers = [...honest.slice(0, 50).map(() => SEVEN), own, ...honest.slice(50).map(() => SEVEN)]
    expect(await ethCall(calls, 2)).toEqual(answers)
    expect(asked.length).toBeLessThanOrEqual(18)
    asked.length = 0
    expect(await ethCall(calls, 2)).toEqual(answers)
    expect(asked.toSorted()).toEqual([hostile, MULTICALL].toSorted())
  })

  it('a batch of nothing but hostile contracts is answered call by call', async () => {
    const { ethCall, asked } = open()
    const calls = Array.from({ length: 16 }, () => ({ to: BURNER, data }))
    expect(await ethCall(calls, 2)).toEqual(calls.map(() => null))
    expect(asked.length).toBeLessThanOrEqual(1 + 2 * calls.length + calls.length)
  })

  it('a block before the contract is asked call by call', async () => {
    const { ethCall, asked } = open()
    expect(await ethCall([...honest.slice(0, 3), { to: REVERTER, data }], 0)).toEqual([null, null, null, null])
    expect(asked).toEqual([MULTICALL, TOKEN, TOKEN, TOKEN, REVERTER])
  })
})

/** A node whose contracts return 7. */
const seven: Endpoint = { name: 'node', send: async (calls) => calls.map((): RpcAnswer => ({ result: SEVEN })) }

describe('calls of contracts in batches', () => {
  it('a chain without the contract is asked for it once in a thousand blocks', async () => {
    const node: Endpoint = {
      ...seven,
      send: async (calls) =>
        calls.map(
          ({ params: [asked] }): RpcAnswer => ({
            result: (asked as { to: string }).to === MULTICALL ? '0x' : SEVEN,
          }),
        ),
    }
    const { node: listening, asked } = listenTo(node)
    const ethCall = askerOf(listening)
    for (const block of [5_000, 5_001, 4_000, 5_999, 6_000])
      expect(await ethCall(honest.slice(0, 2), block)).toEqual([SEVEN, SEVEN])
    expect(asked.filter((to) => to === MULTICALL)).toHaveLength(2)
  })

  it('a node without the state of a block is asked once, and lasting answers come from the newest block', async () => {
    const pruned: Endpoint = {
      ...seven,
      send: async (calls) =>
        calls.map(
          ({ params: [, tag] }): RpcAnswer =>
            tag === 'latest' ? { result: SEVEN } : { error: new RpcError('pruned', 'missing trie node') },
        ),
    }
    const node = withMulticall(pruned)
    const { node: listening, asked } = listenTo(node)
    const blocks: number[] = []
    const ethCall = askerOf(listening, (block) => blocks.push(block))
    const calls = [...honest.slice(0, 3).map((call) => ({ ...call, constant: true })), ...honest.slice(0, 3)]
    expect(await ethCall(calls, 9)).toEqual([SEVEN, SEVEN, SEVEN, null, null, null])
    expect(blocks).toEqual([9])
    expect(asked).toHaveLength(3)
  })

  it('a fault of the provider is thrown, not split', async () => {
    const node: Endpoint = {
      ...seven,
      send: async (calls) => calls.map((): RpcAnswer => ({ error: new RpcError('transient', 'down') })),
    }
    const { node: listening, asked } = listenTo(node)
    await expect(askerOf(listening)(honest, 9)).rejects.toThrow('down')
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['no hex', 'nonsense'],
    ['too short', `0x${word(32)}${word(121)}`],
    ['an offset out of the answer', `0x${word(32)}${word(121)}${word(2n ** 255n).repeat(121)}`],
    ['answers without the last one', `0x${word(32)}${word(120)}${word(0).repeat(500)}`],
  ])('a batch answered with %s is not believed', async (_, nonsense) => {
    const honestNode = withMulticall(seven)
    let isProbed = false
    const node: Endpoint = {
      ...seven,
      send: async (calls, signal) => {
        const answers = await honestNode.send(calls, signal)
        const isBatch = calls.some((call) => targetOf(call) === MULTICALL)
        if (isBatch && isProbed) return calls.map(() => ({ result: nonsense }))
        isProbed = true
        return answers
      },
    }
    expect(await askerOf(node)(honest.slice(0, 8), 9)).toEqual(honest.slice(0, 8).map(() => SEVEN))
  })

  it('six thousand balances take some forty calls', async () => {
    const node = withMulticall(seven)
    const calls = Array.from({ length: 6_389 }, (_, i) => ({
      to: address(0x4001),
      data: callData(SELECTORS.balanceOf, address(i)),
    }))
    expect(await askerOf(node)(calls, 9)).toEqual(calls.map(() => SEVEN))
    expect(node.calls.get('eth_call')).toBe(44)
  })
})
