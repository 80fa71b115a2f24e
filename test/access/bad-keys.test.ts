// The cost of a flood of invalid keys in memory and look-ups, and the senders that have to wait.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createAuthenticate } from '../../src/access/authenticate.ts'
import { BAD_KEYS_PER_MINUTE, BAD_KEYS_PER_PROXY, createBadKeys } from '../../src/access/bad-keys.ts'
import { createHolders } from '../../src/access/holders.ts'
import { generateKey, hashKey } from '../../src/access/key.ts'
import { networksOf } from '../../src/access/network.ts'
import type { KeyHolder } from '../../src/ledger/account/key.ts'
import { createTestClock } from '../support/clock.ts'

const PROXY = '192.0.2.1'
const HOLDER: KeyHolder = {
  keyId: 1,
  accountId: 1,
  email: 'a@b.example',
  plan: 'api',
  requestsPerMinute: null,
  requestsPerDay: null,
  streams: null,
  expiresAt: null,
}

/** Authenticates against keys in memory and counts the look-ups; `clock.sleep` ends when the test calls `wake`. */
function open(keys: readonly string[] = []) {
  const held = new Set(keys.map((key) => hashKey(key).toString('hex')))
  const find = (hash: Buffer) => (held.has(hash.toString('hex')) ? HOLDER : null)
  const seen = { alone: 0, together: [] as number[] }
  const steady = createTestClock()
  let wake = () => {}
  const clock = { ...steady, sleep: () => new Promise<void>((resolve) => (wake = resolve)) }
  const holders = createHolders({
    findKeyHolder: async (hash) => {
      seen.alone += 1
      return find(hash)
    },
    findKeyHolders: async (hashes) => {
      seen.together.push(hashes.length)
      return hashes.map(find)
    },
    clock,
  })
  const badKeys = createBadKeys(clock)
  const { authenticate } = createAuthenticate({ holders, badKeys, clock, takeTicket: async () => null })
  const ask = (key: string, address: string, peer?: string): Promise<string> =>
    authenticate(`Bearer ${key}`, address, peer).then(
      () => 'served',
      ({ code }) => code,
    )
  return { ask, seen, clock, wake: () => wake() }
}

const tally = (answers: readonly string[]) =>
  Object.fromEntries(
    [...new Set(answers)].sort().map((answer) => [answer, answers.filter((one) => one === answer).length]),
  )

test('a client address that is not an IP address counts as the socket peer, and never becomes a map key', () => {
  const long = 'a'.repeat(60_000)
  for (const address of [
    long,
    '',
    'unknown',
    '1.2.3.4, 5.6.7.8',
    '1.2.3.4:80',
    '[::1]',
    '999.1.1.1',
    '1.2.3',
    '\u0000',
  ])
    expect(networksOf({ address, peer: PROXY })).toEqual({ client: PROXY, peer: PROXY })
  expect(networksOf({ address: long, peer: '' })).toEqual({ client: 'unknown', peer: 'unknown' })
  expect(networksOf({ address: '::ffff:c000:207', peer: '::1' })).toEqual({ client: '192.0.2.7', peer: '0:0:0:0::/64' })
})

test('a new claimed address per bad key does not evade the limit per proxy, and valid keys are still served', async () => {
  const key = generateKey()
  const { ask } = open([key])
  const answers: string[] = []
  for (let n = 0; n < 10_000; n++)
    answers.push(await ask('nonsense', `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, PROXY))
  expect(tally(answers)).toEqual({ RATE_LIMITED: 10_000 - BAD_KEYS_PER_PROXY, UNAUTHORIZED: BAD_KEYS_PER_PROXY })
  expect(await ask(key, '203.0.113.1', PROXY)).toBe('served')
  expect(await ask('nonsense', '203.0.113.1', '192.0.2.2')).toBe('UNAUTHORIZED')
})

test("one sender of invalid keys uses up only a tenth of its proxy's allowance", async () => {
  const { ask } = open()
  for (let n = 0; n < 5_000; n++) await ask('nonsense', '10.0.0.1', PROXY)
  expect(await ask('nonsense', '10.0.0.1', PROXY)).toBe('RATE_LIMITED')
  expect(await ask('nonsense', '10.0.0.2', PROXY)).toBe('UNAUTHORIZED')
  expect(BAD_KEYS_PER_MINUTE).toBe(BAD_KEYS_PER_PROXY / 10)
})

test('10,000 invalid keys with claimed addresses of 60 KB each (600 MB) leave less than 20 MB in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { ask } = open()
  const held = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  for (let n = 0; n < 10_000; n++) await ask('nonsense', Buffer.alloc(60_000, `${n} `).toString('latin1'), PROXY)
  expect(held() - before).toBeLessThan(20_000_000)
  expect(await ask('nonsense', '', PROXY)).toBe('RATE_LIMITED')
})

test('the unknown keys of a throttled address share one statement, four times a second', async () => {
  const { ask, seen, wake } = open()
  const address = '198.51.100.9'
  for (let n = 0; n < BAD_KEYS_PER_MINUTE; n++) expect(await ask(generateKey(), address)).toBe('UNAUTHORIZED')
  expect(seen).toEqual({ alone: BAD_KEYS_PER_MINUTE, together: [] })
  const flood = Array.from({ length: 1_000 }, () => ask(generateKey(), address))
  expect(await flood[0]).toBe('RATE_LIMITED')
  expect(seen.together).toEqual([1])
  wake()
  expect(tally(await Promise.all(flood))).toEqual({ RATE_LIMITED: 1_000 })
  expect(seen).toEqual({ alone: BAD_KEYS_PER_MINUTE, together: [1, 999] })
})

test('a valid key that is not cached is served from a throttled address, slightly later', async () => {
  const key = generateKey()
  const { ask, seen, wake, clock } = open([key])
  const address = '198.51.100.9'
  for (let n = 0; n < BAD_KEYS_PER_MINUTE; n++) await ask('nonsense', address)
  expect(await ask(generateKey(), address)).toBe('RATE_LIMITED')
  const [good, again, bad] = [ask(key, address), ask(key, address), ask(generateKey(), address)]
  await new Promise((resolve) => setImmediate(resolve))
  wake()
  expect(await Promise.all([good, again, bad])).toEqual(['served', 'served', 'RATE_LIMITED'])
  expect(seen).toEqual({ alone: 0, together: [1, 2] })
  // The key is cached now, so when the cache expires it is looked up alone, without waiting.
  clock.advance(3_000)
  expect(await ask(key, address)).toBe('served')
  expect(seen.alone).toBe(1)
})

test('an unknown key is looked up once in three seconds, however many clients send it', async () => {
  const { ask, seen, clock } = open()
  const key = generateKey()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(key, `10.1.1.${n}`)))
  expect(tally([...answers, await ask(key, '10.1.1.99')])).toEqual({ UNAUTHORIZED: 51 })
  expect(seen.alone).toBe(1)
  clock.advance(3_000)
  await ask(key, '10.1.1.99')
  expect(seen.alone).toBe(2)
})

test('a flood of made-up keys evicts no valid key from the cache', async () => {
  const key = generateKey()
  const { ask, seen } = open([key])
  expect(await ask(key, '203.0.113.1')).toBe('served')
  for (let n = 0; n < 10_001; n++) await ask(generateKey(), `10.${n >> 8}.${n & 255}.1`)
  const { alone } = seen
  expect(await ask(key, '203.0.113.1')).toBe('served')
  expect(seen.alone).toBe(alone)
})

test('beyond 2,000 waiting keys of throttled addresses the answer is 503, not "invalid key"', async () => {
  const { ask } = open()
  const address = '198.51.100.9'
  for (let n = 0; n < BAD_KEYS_PER_MINUTE; n++) await ask('nonsense', address)
  expect(await ask(generateKey(), address)).toBe('RATE_LIMITED')
  const crowd = Array.from({ length: 2_100 }, () => ask(generateKey(), address))
  const refused = await Promise.all(crowd.slice(2_000))
  expect(tally(refused)).toEqual({ SERVICE_UNAVAILABLE: 100 })
})
