// The reason of a refusal from the data of its revert, as clients of different words send it.
import { encodeAbiParameters, encodeErrorResult, keccak256, parseAbi, toBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createAsker } from '../../src/safety/node/asker.ts'
import { readRefusal, readRevertData } from '../../src/safety/node/refusal.ts'
import { createFakeChain, type FakeFault } from '../support/fake-chain.ts'
import { startRpcServer } from '../support/rpc-server.ts'

const ABI = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address, uint256, uint256)',
  'error EnforcedPause()',
  'error WrappedError(address, bytes4, bytes, bytes)',
  'error NobodyKnows(uint256)',
])
const WHO = '0x00000000000000000000000000000000000000aa'
const dataOf = (errorName: string, args: unknown[] = []) =>
  encodeErrorResult({ abi: ABI, errorName, args } as never) as `0x${string}`
const CLOSED = dataOf('Error', ['trading is closed'])

// What each client answered for the same revert: anvil 1.7.1, Hardhat 3.18.0 and 2.28.0, ganache 7.9.2, all run; and
// Parity's descendants by their source.
const FAULTS: [string, FakeFault][] = [
  ['anvil', { code: 3, message: 'execution reverted: trading is closed', data: CLOSED }],
  [
    'Hardhat 3',
    { code: 3, message: "VM Exception while processing transaction: reverted with reason string 'x'", data: CLOSED },
  ],
  [
    'Hardhat 2',
    { code: -32603, message: 'Error: VM Exception while processing transaction', data: { message: 'x', data: CLOSED } },
  ],
  ['ganache', { code: -32000, message: 'VM Exception while processing transaction: revert x', data: CLOSED }],
  ['Parity', { code: -32015, message: 'VM execution error.', data: `Reverted ${CLOSED}` }],
  ['a node of unknown words', { code: -32000, message: 'no way', data: CLOSED }],
]

describe('the reason of a refusal', () => {
  test.each(FAULTS)('comes from the data of the revert, not from the prose of the client: %s', async (_, error) => {
    const server = await startRpcServer(createFakeChain())
    try {
      server.replace(({ method }) => (method === 'eth_call' ? { error } : undefined))
      const rpc = createRpc({ urls: [server.url], clock: systemClock })
      const [newest] = await rpc.batch([{ method: 'eth_getBlockByNumber', params: ['latest', false] }], 1)
      const { result } = newest as { result: { number: string; hash: `0x${string}` } }
      const { number, hash } = result
      const target = {
        token: toAddress(WHO),
        block: { number: Number(number), hash, finalized: Number(number) },
        seed: 'seed',
      }
      const asker = await createAsker({ rpc, signal: new AbortController().signal, maxCalls: 9, target })
      const [reply] = await asker.ask([{ method: 'eth_call', params: [{}, asker.block.tag] }])
      expect(reply).toMatchObject({ kind: 'refused', text: 'trading is closed' })
    } finally {
      await server.close()
    }
  })

  test.each([
    ['a panic', dataOf('Panic', [17n]), 'panic: a number was too large or below zero'],
    ['an unknown panic', dataOf('Panic', [99n]), 'panic: code 99'],
    ['a known error', dataOf('EnforcedPause'), 'EnforcedPause()'],
    [
      'a known error with arguments',
      dataOf('ERC20InsufficientBalance', [WHO, 1n, 2n]),
      `ERC20InsufficientBalance(${WHO}, 1, 2)`,
    ],
    [
      'an unknown error',
      dataOf('NobodyKnows', [1n]),
      `custom error ${keccak256(toBytes('NobodyKnows(uint256)')).slice(0, 10)}`,
    ],
    ['the error of a hook', dataOf('WrappedError', [WHO, '0x12345678', CLOSED, '0x']), 'trading is closed'],
    ['a known selector with other data', `${dataOf('EnforcedPause')}00`, `custom error ${dataOf('EnforcedPause')}`],
    ['a text with an impossible length', `0x08c379a0${'f'.repeat(128)}`, ''],
    ['a hook that claims an impossible offset', `0x90bfb865${'f'.repeat(320)}`, 'custom error 0x90bfb865'],
    [
      'a hook within a hook',
      dataOf('WrappedError', [WHO, '0x12345678', dataOf('WrappedError', [WHO, '0x12345678', CLOSED, '0x']), '0x']),
      'custom error 0x90bfb865',
    ],
    ['too little data', '0x0102', ''],
  ])('is decoded where it is known: %s', (_, data, said) => {
    expect(readRevertData(data)).toBe(said)
  })

  test.each([
    ['node.example: EVM error OutOfGas', 'out of gas'],
    ['node.example: Error: Transaction ran out of gas (HTTP 400)', 'out of gas'],
    ['node.example: VM Exception while processing transaction: invalid opcode', 'an invalid instruction'],
    ['node.example: EVM error InvalidFEOpcode', 'an invalid instruction'],
    ['node.example: execution reverted', ''],
    ['node.example: execution reverted: closed (HTTP 400)', 'closed'],
    ['node.example: VM execution error.', ''],
  ])('never names the node: %s', (message, said) => {
    expect(readRefusal(message, null)).toBe(said)
    expect(readRefusal(message, '0x')).toBe(said)
  })

  test('an argument of a hostile contract cannot make the text long', () => {
    const data = encodeAbiParameters([{ type: 'uint256' }], [2n ** 256n - 1n])
    expect(readRevertData(`0x08c379a0${'0'.repeat(62)}20${data.slice(2)}${'61'.repeat(900)}`).length).toBe(120)
  })
})
