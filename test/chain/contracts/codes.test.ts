// Which addresses have code, read by one call for many.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Address, toAddress } from '../../../src/base/address.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { createReadCodes, MOST_ADDRESSES } from '../../../src/chain/contracts/codes.ts'
import { createHttpEndpoint, type Endpoint, type RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { ANVIL_MISSING, type Anvil, anvilBinary, startAnvil } from '../../support/anvil.ts'
import { createTestClock } from '../../support/clock.ts'
import { answerCodes } from '../../support/codes.ts'
import { countCalls } from '../../support/multicall.ts'

const address = (number: number) => toAddress(`0x${number.toString(16).padStart(40, '0')}`)
const [BARE, SHORT, LONG, DELEGATOR] = [0x4001, 0x4002, 0x4003, 0x4004].map(address) as [
  Address,
  Address,
  Address,
  Address,
]
const DELEGATION = `0xef0100${'12'.repeat(20)}`

/** A node with two codes. `together` answers the call that asks for many; undefined: as an EVM does. */
function nodeOf(together?: () => RpcAnswer) {
  const codeOf = (of: string) => (of === SHORT ? '0x6001' : of === LONG ? `0x${'5b'.repeat(40)}` : '0x')
  const node: Endpoint = {
    name: 'node',
    send: async (calls) =>
      calls.map(({ method, params: [asked, tag] }): RpcAnswer => {
        if (tag === '0x1') return { error: new RpcError('pruned', 'missing trie node') }
        if (method === 'eth_getCode') return { result: codeOf(String(asked)) }
        return together?.() ?? { result: answerCodes((asked as { data: string }).data, codeOf) }
      }),
  }
  const counted = countCalls(node)
  const readCodes = createReadCodes(createRpc({ endpoints: [counted], clock: createTestClock(), attempts: 1 }))
  return { readCodes, calls: counted.calls }
}

const EXPECTED = new Map([
  [SHORT, '0x6001'],
  [LONG, `0x${'5b'.repeat(24)}`],
])

describe.skipIf(!anvilBinary)(`codes on a real EVM${anvilBinary ? '' : ` (${ANVIL_MISSING})`}`, () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil()
    await anvil.rpc('anvil_setCode', [SHORT, '0x6001'])
    await anvil.rpc('anvil_setCode', [LONG, `0x${'5b'.repeat(20_000)}`])
    await anvil.rpc('anvil_setCode', [DELEGATOR, DELEGATION])
    await anvil.rpc('anvil_mine', ['0x1'])
  })
  afterAll(() => anvil?.stop())

  it('one call tells each of 501 codes, and the code of an account that delegates is its own', async () => {
    const counted = countCalls(createHttpEndpoint(anvil.url))
    const readCodes = createReadCodes(createRpc({ endpoints: [counted], clock: systemClock }))
    const bare = Array.from({ length: MOST_ADDRESSES - 3 }, (_, at) => address(0x9000 + at))
    const codes = await readCodes([...bare, SHORT, LONG, DELEGATOR, BARE], 1)
    expect(codes).toEqual(new Map([...EXPECTED, [DELEGATOR, DELEGATION]]))
    expect(counted.calls).toEqual(new Map([['eth_call', 2]]))
  })
})

describe('codes', () => {
  it.each<[string, (() => RpcAnswer) | undefined, number]>([
    ['answers', undefined, 0],
    ['says that the recipient is missing', () => ({ error: new RpcError('rejected', 'missing "to"') }), 3],
    ['does not execute init code', () => ({ error: new RpcError('execution', 'execution reverted') }), 3],
    ['returns nothing', () => ({ result: '0x' }), 3],
    ['returns a word too few', () => ({ result: `0x${'0'.repeat(128)}` }), 3],
    ['returns words that are no codes', () => ({ result: `0x${'f'.repeat(192)}` }), 3],
    ['returns no hex digits', () => ({ result: null }), 3],
  ])('are the same from a node that %s', async (_, together, singles) => {
    const { readCodes, calls } = nodeOf(together)
    expect(await readCodes([SHORT, BARE, LONG], 7)).toEqual(EXPECTED)
    expect(calls.get('eth_getCode') ?? 0).toBe(singles)
  })

  it('are asked one by one for a thousand blocks after a refusal', async () => {
    const { readCodes, calls } = nodeOf(() => ({ error: new RpcError('rejected', 'missing "to"') }))
    for (const block of [7, 8, 1_006, 1_007]) await readCodes([SHORT], block)
    expect(calls).toEqual(
      new Map([
        ['eth_call', 2],
        ['eth_getCode', 4],
      ]),
    )
  })

  it('of a block without state are the newest ones', async () => {
    const { readCodes, calls } = nodeOf()
    expect(await readCodes([SHORT, BARE, LONG], 1)).toEqual(EXPECTED)
    expect(calls).toEqual(new Map([['eth_call', 2]]))
  })

  const refused = (): RpcAnswer => ({ error: new RpcError('rejected', 'the cat sat on it') })

  /** A node that executes no init code. `single` answers `eth_getCode`; undefined: as a node does. */
  function singlesOf(single: (asked: string, tag: string) => RpcAnswer | undefined) {
    const node: Endpoint = {
      name: 'node',
      send: async (calls) =>
        calls.map(({ method, params: [asked, tag] }): RpcAnswer => {
          if (method === 'eth_call') return refused()
          return single(String(asked), String(tag)) ?? { result: asked === SHORT ? '0x6001' : '0x' }
        }),
    }
    return createReadCodes(createRpc({ endpoints: [node], clock: createTestClock(), attempts: 1 }))
  }

  it('refused at a block in words that nobody knows are the newest ones', async () => {
    const readCodes = singlesOf((_, tag) => (tag === 'latest' ? undefined : refused()))
    expect(await readCodes([SHORT, BARE], 7)).toEqual(new Map([[SHORT, '0x6001']]))
  })

  it('refused once in words that nobody knows are asked again', async () => {
    let left = 2
    const readCodes = singlesOf((asked) => (asked === SHORT && left-- > 0 ? refused() : undefined))
    expect(await readCodes([SHORT], 7)).toEqual(new Map([[SHORT, '0x6001']]))
  })

  it('are no answer of a node that refuses each in words that nobody knows', async () => {
    const readCodes = singlesOf(refused)
    await expect(readCodes([SHORT], 7)).rejects.toMatchObject({ kind: 'transient', message: 'the cat sat on it' })
  })

  it('are none of an address that the node refuses alone, or where it lacks the method', async () => {
    expect(await singlesOf((asked) => (asked === SHORT ? refused() : undefined))([SHORT], 7)).toEqual(new Map())
    const unsupported = (): RpcAnswer => ({ error: new RpcError('unsupported', 'no such method') })
    expect(await singlesOf(unsupported)([SHORT], 7)).toEqual(new Map())
  })

  it('of a node that fails are no answer', async () => {
    const { readCodes } = nodeOf(() => ({ error: new RpcError('transient', 'overloaded') }))
    await expect(readCodes([SHORT], 7)).rejects.toThrow('overloaded')
  })
})
