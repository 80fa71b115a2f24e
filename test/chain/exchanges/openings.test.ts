// The log of a factory that opens a pool, of each exchange whose pools have an address.
import { expect, test } from 'vitest'
import type { Venue } from '../../../src/chain/exchanges/venues.ts'
import { TOPICS } from '../../../src/chain/logs/events.ts'
import { loadPreset } from '../../../src/chain/presets/presets.ts'
import { createLogDecode } from '../../support/decode.ts'
import { RECEIVER, SENDER, TOKEN } from '../../support/fake-chain.ts'
import { rawLog, topicOf } from '../../support/raw-log.ts'

const FACTORY = `0x${'f0'.repeat(20)}`
const POOL = `0x${'b0'.repeat(20)}`

const decodeOf = (kind: Venue) =>
  createLogDecode(
    loadPreset(777, JSON.stringify({ wrappedNative: TOKEN, factories: [{ address: FACTORY, kind, launchpad: kind }] })),
  )

const PAIR = [topicOf(SENDER), topicOf(RECEIVER)]

const CASES: [Venue, keyof typeof TOPICS, string[], (number | string)[], object][] = [
  ['solidly', 'solidly_pool_created', [...PAIR, topicOf(1)], [POOL, 7], { stable: true, fee: null }],
  ['solidly_v1', 'solidly_pair_created', PAIR, [1, POOL, 7], { stable: true, fee: null }],
  ['slipstream', 'slipstream_pool_created', [...PAIR, topicOf(200)], [POOL], { stable: false, fee: null }],
  ['algebra', 'algebra_pool', PAIR, [POOL], { stable: false, fee: null }],
  ['algebra', 'algebra_custom_pool', [topicOf(TOKEN), ...PAIR], [POOL], { stable: false, fee: null }],
]

test.each(CASES)('a pool of %s has its tokens from %s, which only a factory of the preset may log', (...given) => {
  const [kind, name, topics, words, more] = given
  const opened = { kind: 'pool_opened', token0: SENDER, token1: RECEIVER, pool: POOL, ...more }
  const decode = decodeOf(kind)
  expect(decode(rawLog([TOPICS[name], ...topics], words, FACTORY))).toMatchObject(opened)
  expect(decode(rawLog([TOPICS[name], ...topics], words, POOL))).toBeNull()
})

test.each([
  ['solidly', true],
  ['solidly_v1', true],
  ['slipstream', false],
] as const)('on a chain with %s alone, the reserves that a pair of Solidly logs are read: %s', (kind, isRead) => {
  const read = decodeOf(kind)(rawLog([TOPICS.solidly_sync], [5, 6], POOL))
  if (isRead) expect(read).toMatchObject({ kind: 'v2_sync', reserve0: 5n, reserve1: 6n })
  else expect(read).toBeNull()
})
