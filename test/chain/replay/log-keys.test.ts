import { expect, test } from 'vitest'
import { openRecording } from '../../../src/chain/replay/kept-blocks.ts'
import { keysOfFilter, LogKeys } from '../../../src/chain/replay/log-keys.ts'
import { createReplay } from '../../../src/chain/replay/replay.ts'
import { demoRecording } from '../../support/demo.ts'

const recording = openRecording()
const [packed, searched] = [createReplay(recording), createReplay(demoRecording())]
const [TRANSFER, NOBODY] = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', `0x${'0'.repeat(64)}`]
const addresses = [...new Set(recording.blocks.slice(0, 2_000).flatMap(({ logs }) => logs.map((log) => log.address)))]
const [first = '', second = ''] = addresses

test.each([
  ['one address', { address: first }],
  ['an address in upper case', { address: first.toUpperCase().replace('0X', '0x') }],
  ['two addresses', { address: [first, second] }],
  ['an address and a topic', { address: second, topics: [TRANSFER] }],
  ['two topics', { address: second, topics: [TRANSFER, NOBODY] }],
  ['any first topic', { address: second, topics: [null, NOBODY] }],
  ['one of two topics', { address: [first, second], topics: [[TRANSFER, NOBODY], [NOBODY]] }],
  ['a topic that no log has', { address: second, topics: [NOBODY] }],
  ['far too many topics', { address: second, topics: [[TRANSFER, ...addresses]] }],
])('a search by %s finds in a packed recording what it finds in every block', async (_, filter) => {
  const asked = { method: 'eth_getLogs', params: [{ ...filter, fromBlock: '0x0', toBlock: '0x7d0' }] }
  const [found, expected] = await Promise.all([packed, searched].map((each) => each.send([asked])))
  expect(expected?.[0]).toHaveProperty('result')
  expect(found).toEqual(expected)
})

test('blocks without such logs are skipped', () => {
  const keys = new LogKeys()
  keys.add({ address: first, topics: [TRANSFER] })
  const has = (filter: Parameters<typeof keysOfFilter>[0]) => keys.hasAny(keysOfFilter(filter) ?? [])
  expect([has({ address: first }), has({ address: first, topics: [TRANSFER] })]).toEqual([true, true])
  expect([has({ address: second }), has({ address: first, topics: [NOBODY] })]).toEqual([false, false])
  expect(keysOfFilter({ topics: [TRANSFER] })).toBeNull()
})
