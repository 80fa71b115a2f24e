// Checks while the index is behind its node: they ask at the index's own block, where holders have what logs say.
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSafety } from '../../src/safety/check/safety.ts'
import type { SafetyTarget } from '../../src/safety/target.ts'
import { createTestDatabase } from '../support/database.ts'
import { demoRecording, indexDemo, readDemoTruth } from '../support/demo.ts'
import { createDemoChecks } from '../support/demo-checks.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

/** Two days before the end: many holders of then have sold since. */
const STOPPED = 5_332
const TRAPS = ['honeypot', 'tax_trap', 'emptied']
const HOLDER = '0x00000000000000000000000000000000000000a1'
const TOKEN = Object.keys(demoRecording().contracts)[0] as SafetyTarget['token']

test('an index that is behind its node accuses nobody, and no check is of a later block than the answer', async () => {
  const database = await createTestDatabase()
  await indexDemo(database, STOPPED)
  await createDemoChecks(database).run()
  const graph = await openGraph(database)
  afterAll(() => graph.head.stop())
  const { data } = await graph.execute(
    '{ tokens(filter: { contractChecked: true }, first: 100) { nodes { address symbol sellCheck { sellable checkedBlock } } } }',
    {},
    SOMEBODY,
  )
  const { nodes } = (data as { tokens: { nodes: { address: string; symbol: string; sellCheck: object }[] } }).tokens
  expect(nodes.length).toBeGreaterThan(20)
  expect(nodes.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(['CLAN', 'HIVE']))
  const traps = new Set(
    readDemoTruth()
      .tokens.filter(({ story }) => TRAPS.includes(story))
      .map(({ address }) => address),
  )
  for (const { address, symbol, sellCheck } of nodes)
    if (!traps.has(address)) expect([symbol, sellCheck]).toEqual([symbol, { sellable: true, checkedBlock: STOPPED }])
})

const targetAt = (number: number, hash: `0x${string}`) =>
  ({ token: TOKEN, block: { number, hash }, holders: [{ address: HOLDER }] }) as unknown as SafetyTarget
const checkOn = (bend: (call: Call, answer: RpcAnswer) => RpcAnswer, target: SafetyTarget) => {
  const node = createReplay(demoRecording())
  const endpoint: Endpoint = {
    name: 'bent',
    send: async (calls, signal) =>
      (await node.send(calls, signal)).map((answer, at) => bend(calls[at] as Call, answer)),
  }
  const safety = createSafety({ rpc: createRpc({ endpoints: [endpoint], clock: systemClock }) })
  return safety.check(target, new AbortController().signal)
}
const hashOf = (number: number) => demoRecording().blocks[number]?.hash as `0x${string}`

test('a node that has another block at the height of the index is not asked about contracts', async () => {
  await expect(checkOn((_, answer) => answer, targetAt(STOPPED, hashOf(STOPPED - 1)))).rejects.toMatchObject({
    kind: 'lagging',
    message: `the node has another block ${STOPPED}`,
  })
})

test('a node that lost the state of the index’s block is not asked about contracts', async () => {
  const forget = (call: Call, answer: RpcAnswer): RpcAnswer =>
    call.method === 'eth_getCode' ? { error: new RpcError('pruned', 'missing trie node') } : answer
  await expect(checkOn(forget, targetAt(STOPPED, hashOf(STOPPED)))).rejects.toMatchObject({ kind: 'pruned' })
})
