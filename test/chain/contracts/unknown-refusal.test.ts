import { expect, test } from 'vitest'
import { toAddress } from '../../../src/base/address.ts'
import { SELECTORS } from '../../../src/chain/contracts/abi.ts'
import { createEthCall } from '../../../src/chain/contracts/call.ts'
import { callData } from '../../../src/chain/contracts/words.ts'
import type { Call, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../../src/chain/rpc/error.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createTestClock } from '../../support/clock.ts'
import { word } from '../../support/fake-chain.ts'

const TOKEN = toAddress(`0x${'1001'.padStart(40, '0')}`)
const OTHER = toAddress(`0x${'1002'.padStart(40, '0')}`)
const data = callData(SELECTORS.totalSupply)
const SEVEN: RpcAnswer = { result: `0x${word(7)}` }
const refuse = (words: string): RpcAnswer => ({ error: new RpcError('rejected', words) })
const targetOf = ({ params }: Call): string => (params[0] as { to: string }).to

/** A node without Multicall3 that answers by the target and the number of the request. */
function openNode(answer: (to: string, request: number) => RpcAnswer) {
  const asked: string[][] = []
  const node = {
    name: 'test',
    send: async (calls: readonly Call[]) => {
      asked.push(calls.map(targetOf))
      return calls.map((call) => answer(targetOf(call), asked.length))
    },
  }
  const ethCall = createEthCall(createRpc({ endpoints: [node], clock: createTestClock(), attempts: 1 }))
  return { asked, read: async (to = TOKEN) => (await ethCall([{ to, data }], 5))[0] }
}

test('a call that a node refuses in unknown words is null where the node runs other calls', async () => {
  const { read } = openNode((to) => (to === TOKEN ? refuse('the cat sat on it') : SEVEN))
  expect(await read()).toBeNull()
})

test('a call that a node refuses in unknown words, as it does any other, is a fault of the node that passes', async () => {
  const { read } = openNode(() => refuse('the cat sat on it'))
  await expect(read()).rejects.toMatchObject({ kind: 'transient', message: 'the cat sat on it' })
})

test('an answer that comes when the refused call is made again counts', async () => {
  const { read } = openNode((_, request) => (request === 1 ? refuse('the cat sat on it') : SEVEN))
  expect(await read()).toBe(SEVEN.result)
})

test('a node that refuses a call a few times in a row, and no other one, is asked until it answers', async () => {
  const { read } = openNode((to, request) => (to === TOKEN && request < 4 ? refuse('the cat sat on it') : SEVEN))
  expect(await read()).toBe(SEVEN.result)
})

test('the same words for another contract are not confirmed again', async () => {
  const { asked, read } = openNode((to) => ([TOKEN, OTHER].includes(toAddress(to)) ? refuse('no') : SEVEN))
  await read()
  expect(await read(OTHER)).toBeNull()
  expect(asked.map((calls) => calls.length)).toEqual([1, 2, 2, 2, 1])
})

test('null for a call is a fault of the node that passes, unless the node answers null to this call alone', async () => {
  const once = openNode((_, request) => (request === 1 ? { result: null } : SEVEN))
  expect(await once.read()).toBe(SEVEN.result)
  const always = openNode(() => ({ result: null }))
  await expect(always.read()).rejects.toMatchObject({ kind: 'transient' })
  const alone = openNode((to) => (to === TOKEN ? { result: null } : SEVEN))
  expect(await alone.read()).toBeNull()
})
