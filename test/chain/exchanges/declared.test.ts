// An exchange is added in its own file and a line of venues.ts. What else it needs is named here when it lacks.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAddress } from '../../../src/base/address.ts'
import type { Exchange } from '../../../src/chain/exchanges/exchange.ts'
import { EXCHANGES, VENUES } from '../../../src/chain/exchanges/venues.ts'
import { keccakOfText } from '../../../src/chain/keccak.ts'
import { EVENT_LIST } from '../../../src/chain/logs/events.ts'
import { isSwapKind, UNREAD_SWAPS } from '../../../src/chain/logs/swap-topics.ts'
import { PRESET_CHAIN_IDS } from '../../../src/chain/presets/presets.ts'
import { RECORDED } from './signatures.ts'

const SRC = new URL('../../../src/chain/', import.meta.url)
const TESTS = new URL('../../', import.meta.url)
const declared = VENUES.map((name): [string, Exchange] => [name, EXCHANGES[name]])
const filesOf = (folder: URL, end: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(end))

test('every declaration of src/chain/exchanges is listed in venues.ts', async () => {
  const events = new Set(declared.flatMap(([, exchange]) => Object.values(exchange.events)))
  const files = filesOf(new URL('exchanges/', SRC), '.ts')
  const missing = await Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(new URL(`exchanges/${file}`, SRC).href)
      const own = Object.values(exported).filter(isDeclaration)
      return own.some((exchange) => Object.values(exchange.events).some((event) => !events.has(event))) ? [file] : []
    }),
  )
  expect(missing.flat()).toEqual([])
  expect(declared.length).toBeGreaterThan(25)
})

function isDeclaration(value: unknown): value is Exchange {
  return typeof value === 'object' && value !== null && 'events' in value
}

/** The test files, without those that name all events. */
const readTests = (): string =>
  filesOf(TESTS, '.test.ts')
    .filter((path) => !['hostile-logs.test.ts', 'declared.test.ts'].some((list) => path.endsWith(list)))
    .map((path) => readFileSync(new URL(path, TESTS), 'utf8'))
    .join('\n')

test('every exchange has a test that names its kind, or one of its events', () => {
  const text = readTests()
  const isNamed = (kind: string, { events }: Exchange) =>
    text.includes(`'${kind}'`) || Object.keys(events).some((event) => text.includes(`TOPICS.${event}`))
  expect(declared.flatMap(([kind, exchange]) => (isNamed(kind, exchange) ? [] : [kind]))).toEqual([])
})

/** Swaps that no test names and no recording has. The list only gets shorter. */
const UNTRIED = ['flap_sold', 'virtuals_swap', 'uniswap_v1_buy', 'fluid_lite_swap']

test('every swap of an exchange is recorded, or a test names it: a wrong shape reads wrong amounts in silence', () => {
  const text = readTests()
  const swaps = EVENT_LIST.filter(({ shapes }) => shapes.some(({ kind }) => isSwapKind(kind)))
  const isTried = (name: string) => RECORDED.includes(name) || new RegExp(`\\b${name}\\b`).test(text)
  const untried = swaps.map(({ name }): string => name).filter((name) => !isTried(name))
  expect(untried).toEqual(UNTRIED)
})

test('no swap that is read is in UNREAD_SWAPS, nor its exchange among those of docs/exchanges.md that are not read yet', () => {
  const read = new Set(EVENT_LIST.map(({ topic0 }) => topic0))
  expect(UNREAD_SWAPS.filter(([signature]) => read.has(keccakOfText(signature)))).toEqual([])
})

test('an event has one name in all exchanges', () => {
  const names = declared.flatMap(([, { events }]) => Object.keys(events))
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
})

test('an exchange that logs as another names one that is read', () => {
  expect(declared.filter(([, { logsAs }]) => logsAs !== undefined && !(logsAs in EXCHANGES))).toEqual([])
})

test('a deployment has checked addresses, and stands on chains with a preset', () => {
  const wrong = declared.flatMap(([kind, { deployed = [] }]) =>
    deployed
      .filter(
        ({ address, positions, chains, fromBlock = {} }) =>
          [address, positions ?? address].some((text) => parseAddress(text) !== text) ||
          Object.keys(chains).some((id) => !PRESET_CHAIN_IDS.includes(Number(id))) ||
          Object.keys(fromBlock).some((id) => !(id in chains)),
      )
      .map(({ launchpad }) => `${kind}: ${launchpad}`),
  )
  expect(wrong).toEqual([])
})

test('a factory with one address on several chains stands in its exchange, and presets name those of one chain', () => {
  const folder = new URL('presets/', SRC)
  const named = filesOf(folder, '.json').flatMap((file) => {
    const { factories } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as {
      factories: { kind: string; launchpad: string; address: string; positions?: string }[]
    }
    return factories.map(
      ({ kind, launchpad, address, positions = '' }) => `${kind} ${launchpad} ${address} ${positions}`,
    )
  })
  const once = declared.flatMap(([kind, { deployed = [] }]) =>
    deployed.map(({ launchpad, address, positions = '' }) => `${kind} ${launchpad} ${address} ${positions}`),
  )
  const all = [...named, ...once]
  expect(all.filter((entry, at) => all.indexOf(entry) < at)).toEqual([])
})
