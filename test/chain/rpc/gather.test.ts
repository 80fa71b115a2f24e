// Batches of one turn of the event loop share requests.
import { expect, test } from 'vitest'
import type { Call, RpcAnswer } from '../../../src/chain/rpc/endpoint.ts'
import { gatherCalls } from '../../../src/chain/rpc/gather.ts'
import type { Rpc } from '../../../src/chain/rpc/rpc.ts'
import { createRpc } from '../../../src/chain/rpc/rpc.ts'
import { createTestClock } from '../../support/clock.ts'

const call = (method: string, at: number): Call => ({ method, params: [at] })
const echo = ({ method, params }: Call): RpcAnswer => ({ result: `${method} ${String(params[0])}` })
const results = (answers: RpcAnswer[]) => answers.map((answer) => answer.error ?? answer.result)

function open(behind?: Partial<Rpc>) {
  const requests: number[] = []
  const endpoint = {
    name: 'node',
    send: async (calls: readonly Call[]) => {
      requests.push(calls.length)
      return calls.map(echo)
    },
  }
  const rpc = { ...createRpc({ endpoints: [endpoint], clock: createTestClock() }), ...behind }
  return { rpc: gatherCalls(rpc), requests }
}

test('batches of one turn are one request for each method, and each gets its own answers in order', async () => {
  const { rpc, requests } = open()
  const came = await Promise.all([
    rpc.batch([call('b', 1), call('a', 2)]),
    rpc.batch([call('a', 3)]),
    rpc.batch([]),
    Promise.resolve().then(() => rpc.batch([call('b', 4), call('a', 5), call('b', 6)])),
  ])
  expect(came.map(results)).toEqual([['b 1', 'a 2'], ['a 3'], [], ['b 4', 'a 5', 'b 6']])
  expect(requests).toEqual([3, 3])
})

test('a later turn sends a request of its own, and so does a batch with its own number of attempts', async () => {
  const { rpc, requests } = open()
  await rpc.batch([call('a', 1)])
  await Promise.all([rpc.batch([call('a', 2)]), rpc.batch([call('a', 3)], 1)])
  expect(requests).toEqual([1, 1, 1])
})

test('a request that fails as a whole fails for each batch in it', async () => {
  const { rpc } = open({ batch: () => Promise.reject(new Error('the program is stopping')) })
  const came = await Promise.allSettled([rpc.batch([call('a', 1)]), rpc.batch([call('b', 2)])])
  expect(came.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
