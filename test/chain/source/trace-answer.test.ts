// Payments out of the two forms of traces, and answers that are wrong, partial or hostile.
import { describe, expect, test } from 'vitest'
import { readBlock } from '../../../src/chain/raw.ts'
import { TRACE_METHODS } from '../../../src/chain/source/trace-answer.ts'
import { toFlatTraces, toNestedTraces, type ViewedBlock } from '../../support/traces.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as const
const hash = (digit: string) => `0x${digit.repeat(64)}` as const
const [signer, disperser, wallet, other] = [at('1'), at('2'), at('3'), at('4')]
const call = { from: signer, to: disperser, value: '0x7', input: '0xabcdef01' }
const viewed: ViewedBlock & object = {
  number: '0x9',
  hash: hash('b'),
  ...{ parentHash: hash('a'), timestamp: '0x1' },
  transactions: [
    { ...call, hash: hash('1') },
    { hash: hash('2'), from: signer, to: wallet, value: '0x5', input: '0x' },
  ],
}
const block = readBlock(viewed)!
const [flat, byHash] = TRACE_METHODS as [(typeof TRACE_METHODS)[0], (typeof TRACE_METHODS)[0]]
const paid = { from: disperser, to: wallet, amount: 3n }
const own = { from: signer, to: disperser, amount: 7n }
const innerOf = ({ hash: of }: { hash: string }) => (of === hash('1') ? [paid] : [])

type Trace = ReturnType<typeof toFlatTraces>[number] & { error?: string }
const traced = (): Trace[] => toFlatTraces(viewed, innerOf)
const action = (from: string, to: string, value: string, callType = 'call') => ({ callType, from, to, value })
/** The traces with one more behind the first transaction's. */
const withCall = (traceAddress: number[], change: object): object[] => {
  const traces = traced()
  return traces.toSpliced(2, 0, { ...traces[1]!, traceAddress, ...change })
}
const paymentsOf = (answer: unknown) => flat.read(answer, block)?.get(hash('1'))

test('a transaction that only pays its own value has no payments beside it', () => {
  expect([...(flat.read(traced(), block) ?? [])]).toEqual([[hash('1'), [own, paid]]])
  expect([...(byHash.read(toNestedTraces(viewed, innerOf), block) ?? [])]).toEqual([[hash('1'), [own, paid]]])
})

describe('trace_block', () => {
  test.each([
    ['runs in the place of its caller', { action: action(disperser, other, '0x9', 'delegatecall') }],
    ['runs the code of another contract', { action: action(disperser, other, '0x9', 'callcode') }],
    ['may change nothing', { action: action(disperser, other, '0x9', 'staticcall') }],
    ['pays itself', { action: action(disperser, disperser, '0x9') }],
    ['pays nothing', { action: action(disperser, other, '0x0') }],
    ['failed', { action: action(disperser, other, '0x9'), error: 'Reverted' }],
    ['rewards a miner', { action: { author: other, value: '0x9' }, type: 'reward', transactionHash: null }],
  ])('a call that %s is no payment', (_, change) => {
    expect(paymentsOf(withCall([1], change))).toEqual([own, paid])
  })

  test('what a failed call did counts for nothing, and what follows it does', () => {
    const [first, second, third] = traced() as [Trace, Trace, Trace]
    const inner = { ...second, action: action(disperser, other, '0x9'), traceAddress: [0, 0] }
    const later = { ...second, action: action(disperser, other, '0x2'), traceAddress: [1] }
    const answer = [first, { ...second, error: 'out of gas' }, inner, later, third]
    expect(paymentsOf(answer)).toEqual([own, { from: disperser, to: other, amount: 2n }])
    expect(flat.read([{ ...first, error: 'Reverted' }, second, third], block)?.size).toBe(0)
  })

  test('a made contract and the heir of a destroyed one are paid', () => {
    const made = { type: 'create', action: { from: disperser, value: '0x2', init: '0x' }, result: { address: other } }
    expect(paymentsOf(withCall([1], made))?.at(-1)).toEqual({ from: disperser, to: other, amount: 2n })
    const gone = { type: 'suicide', action: { address: other, refundAddress: wallet, balance: '0x4' }, result: null }
    expect(paymentsOf(withCall([1], gone))?.at(-1)).toEqual({ from: other, to: wallet, amount: 4n })
  })

  test.each([
    ['no list', () => ({ traces: [] })],
    ['of another fork', () => traced().map((trace) => ({ ...trace, blockHash: hash('c') }))],
    ['of no block', () => traced().map(({ blockHash: _, ...trace }) => trace)],
    ['without the call of a contract', () => traced().slice(2)],
    ['empty', () => []],
    ['with a transaction of another block', () => [...traced(), { ...traced()[0], transactionHash: hash('9') }]],
    ['with a transaction twice', () => [...traced(), ...traced()]],
    ['with a call before its transaction', () => traced().slice(1)],
    ['with an amount of 257 bits', () => withCall([1], { action: action(disperser, other, `0x1${'0'.repeat(64)}`) })],
    ['with an amount below zero', () => withCall([1], { action: action(disperser, other, '-0x1') })],
    ['with a payment to nobody', () => withCall([1], { action: { callType: 'call', from: disperser, value: '0x1' } })],
    ['with a path that is none', () => withCall([], { traceAddress: '0' })],
    ['of nothing at all', () => [null]],
  ])('that is %s is not of this block', (_, answer) => {
    expect(flat.read(answer(), block)).toBeNull()
  })
})

describe('callTracer', () => {
  const pay = (value: string, change: object = {}) => ({ type: 'CALL', from: disperser, to: other, value, ...change })
  const nest = (...calls: object[]) => [
    { txHash: hash('1'), result: { ...call, type: 'CALL', calls } },
    { txHash: hash('2'), result: { type: 'CALL', from: signer, to: wallet, value: '0x5' } },
  ]
  const read = (answer: unknown) => byHash.read(answer, block)?.get(hash('1'))

  test('payments keep the order of the calls, without failed ones and those in the place of a caller', () => {
    const answer = nest(
      pay('0x1', { calls: [pay('0x2'), pay('0x9', { type: 'DELEGATECALL', calls: [pay('0x3')] })] }),
      pay('0x9', { error: 'execution reverted', calls: [pay('0x9')] }),
      pay('0x9', { type: 'STATICCALL' }),
      pay('0x4', { type: 'CREATE2' }),
      pay('0x5', { type: 'SELFDESTRUCT' }),
    )
    expect(read(answer)?.map(({ amount }) => amount)).toEqual([7n, 1n, 2n, 3n, 4n, 5n])
  })

  test('a thousand nested calls are read', () => {
    let deep: object = pay('0x1')
    for (let left = 1_023; left > 0; left--) deep = pay('0x1', { calls: [deep] })
    expect(read(nest(deep))).toHaveLength(1_025)
  })

  test('a node that names no transactions is read by their places', () => {
    const unnamed = nest(pay('0x1')).map(({ result }) => ({ result }))
    expect(read(unnamed)).toHaveLength(2)
    expect(byHash.read(unnamed.slice(1), block)).toBeNull()
  })

  test.each([
    ['no list', {}],
    ['with a transaction that could not be traced', [{ txHash: hash('1'), error: 'timeout' }]],
    ['without the call of a contract', nest(pay('0x1')).slice(1)],
    ['with an amount that is none', nest(pay('much'))],
    ['with a transaction of another block', [...nest(), { txHash: hash('9'), result: { ...call, type: 'CALL' } }]],
  ])('that is %s is not of this block', (_, answer) => {
    expect(byHash.read(answer, block)).toBeNull()
  })
})

test('system transactions of a chain need no traces', () => {
  const deposit = { ...call, hash: hash('3'), type: '0x7e' }
  const system = readBlock({ ...viewed, transactions: [deposit, ...viewed.transactions] })!
  expect(flat.read(traced(), system)?.size).toBe(1)
})
