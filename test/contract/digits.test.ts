// Numbers of answers: no more digits than mean something, and each is accepted back as the bound of a filter.
import fc from 'fast-check'
import { type GraphQLObjectType, getNamedType, isInterfaceType, isLeafType, isNonNullType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { toPrintedUsd, toUsd } from '../../src/base/amount.ts'
import { ageHours, holderGrowthPct } from '../../src/fields/formulas.ts'
import { schema } from '../../src/graph/run/schema.ts'
import { readNote } from '../../src/graph/schema/field-notes.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
let authorization: string
beforeAll(async () => {
  served = await createServed({ filled: await createDemoDatabase() })
  authorization = (await served.knock({ plan: 'api' })).authorization
})

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server sent
async function ask(query: string): Promise<any> {
  const response = await fetch(`${served.url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { data, errors } = await response.json()
  expect(errors).toBeUndefined()
  return data
}

/** How many digits a number has from its first one that is not 0, and how many decimals. */
function countDigits(value: number): { significant: number; decimals: number } {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  const significant = digits.replace('.', '').length
  return { significant, decimals: value === 0 ? 0 : Math.max(0, significant - 1 - Number(exponent)) }
}

/** The fault of a number of this unit. */
function judge(value: number, unit: string): string | null {
  const { significant, decimals } = countDigits(value)
  if (Number.isInteger(value)) return null
  if (unit === 'USD') return decimals <= 6 ? null : 'more than six decimals'
  if (unit === 'hours') return decimals <= 4 ? null : 'more than four decimals'
  if (unit === 'whole tokens') return significant <= 15 ? null : 'more than fifteen digits'
  if (unit.startsWith('points')) return decimals <= 12 ? null : 'more than twelve decimals'
  return significant <= 9 ? null : 'more than nine digits'
}

const MANY = ['first', 'limit', 'points']
const argumentsOf = (field: { args: readonly { name: string }[] }, limit: number) => {
  const name = field.args.find((argument) => MANY.includes(argument.name))?.name
  return name ? `(${name}: ${limit})` : ''
}

/** All fields of a type below a list, without the nouns that have lists of their own. */
function writeAll(type: GraphQLObjectType, depth: number): string {
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type)
    if (field.args.some((argument) => isNonNullType(argument.type)) || field.deprecationReason) return []
    if (isLeafType(inner)) return [`${field.name}${argumentsOf(field, 5)}`]
    if (!isObjectType(inner) || depth === 0 || NOUNS.has(inner.name)) return []
    return [`${field.name}${argumentsOf(field, 5)} ${writeAll(inner, depth - 1)}`]
  })
  return `{ __typename ${parts.join(' ')} }`
}
const NOUNS = new Set([
  'Token',
  'Wallet',
  'Event',
  'EventConnection',
  'HolderConnection',
  'PositionConnection',
  'PageInfo',
])

/** One document for each part of the items of these lists, so that none is too large. */
const documents = (['tokens', 'wallets', 'events'] as const).flatMap((list) => {
  const page = schema.getQueryType()?.getFields()[list]?.type
  const pageType = page && getNamedType(page)
  const itemType = isObjectType(pageType) ? pageType.getFields().nodes?.type : undefined
  const items = itemType && getNamedType(itemType)
  if (!isObjectType(items)) throw new Error(`${list} has no nodes`)
  const fields = Object.values(items.getFields()).filter(({ args }) => !args.some(({ type }) => isNonNullType(type)))
  const plain = fields
    .filter(({ type }) => isLeafType(getNamedType(type)))
    .map((field) => `${field.name}${argumentsOf(field, 50)}`)
  const deep = fields.flatMap((field) => {
    const inner = getNamedType(field.type)
    if (!isObjectType(inner) || NOUNS.has(inner.name) || field.deprecationReason) return []
    return [`${field.name}${argumentsOf(field, 20)} ${writeAll(inner, 3)}`]
  })
  const write = (limit: number) => (text: string) => `{ ${list}(first: ${limit}) { nodes { __typename ${text} } } }`
  return [write(50)(plain.join(' ')), ...deep.map(write(12))]
})

const seen = new Set<string>()

function* numbersOf(node: unknown): Generator<[field: string, value: number, unit: string]> {
  if (Array.isArray(node)) for (const item of node) yield* numbersOf(item)
  if (typeof node !== 'object' || node === null || !('__typename' in node)) {
    if (typeof node === 'object' && node !== null && !Array.isArray(node))
      for (const value of Object.values(node)) yield* numbersOf(value)
    return
  }
  const type = schema.getType(String(node.__typename))
  if (!isObjectType(type) && !isInterfaceType(type)) return
  for (const [name, value] of Object.entries(node)) {
    const field = type.getFields()[name]
    const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'number')
    if (field) for (const one of values) yield [`${type.name}.${name}`, one, readNote(field).unit ?? '']
    yield* numbersOf(value)
  }
}

describe('numbers of GraphQL', () => {
  it.each(documents.map((document) => [document.slice(0, 70), document]))('%s', async (_, document) => {
    const wrong: string[] = []
    for (const [field, value, unit] of numbersOf(await ask(document))) {
      seen.add(field)
      const fault = judge(value, unit)
      if (fault) wrong.push(`${field} ${value}: ${fault}`)
    }
    expect(wrong.slice(0, 10)).toEqual([])
  })

  it('every number of tokens, wallets, events and what hangs on them was among these', () => {
    const types = new Set([...seen].map((field) => field.split('.')[0]))
    const missed = [...types].flatMap((name) => {
      const type = schema.getType(name ?? '') as GraphQLObjectType
      return Object.values(type.getFields())
        .filter(({ type: of, deprecationReason }) => getNamedType(of).name === 'Float' && !deprecationReason)
        .map((field) => `${name}.${field.name}`)
        .filter((field) => !seen.has(field))
    })
    // A launch curve is not among the pools of the first tokens, and no contract of a recording is checked.
    const unchecked = missed.filter((field) => field.startsWith('SellCheck.'))
    expect(missed.filter((field) => !unchecked.includes(field))).toEqual(['Pool.curveProgressPct'])
    expect(seen.size).toBeGreaterThan(100)
  })
})

/** A number of REST by the end of its name. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^price_usd$/, 'other'],
  [/_usd$/, 'USD'],
  [/_hours$/, 'hours'],
  [/^quantity$/, 'whole tokens'],
  [/^(value|contribution)$/, 'points'],
]
const unitOf = (name: string): string => UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other'

function* restNumbersOf(node: unknown): Generator<[field: string, value: number]> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'number') yield [name, value]
    else yield* restNumbersOf(value)
  }
}

describe('numbers of REST', () => {
  it('have these digits in every route', async () => {
    const { tokens, wallets } = await ask(
      '{ tokens(first: 50) { nodes { address } } wallets(first: 30) { nodes { address } } }',
    )
    const of = (page: { nodes: { address: string }[] }) => page.nodes.map(({ address }) => address)
    const paths = [
      '/tokens?limit=200',
      '/events?limit=200',
      ...of(tokens).flatMap((address) => [
        `/tokens/${address}`,
        `/tokens/${address}/holders`,
        `/tokens/${address}/traders`,
        `/scores/token/${address}`,
      ]),
      ...of(wallets).flatMap((address) => [`/wallets/${address}`, `/scores/wallet/${address}`]),
    ]
    const wrong: string[] = []
    const names = new Set<string>()
    for (const path of paths) {
      const { status, json } = await served.ask(path)
      expect(status).toBe(200)
      for (const [name, value] of restNumbersOf(json)) {
        names.add(name)
        const fault = judge(value, unitOf(name))
        if (fault) wrong.push(`${path} ${name} ${value}: ${fault}`)
      }
    }
    expect(wrong.slice(0, 10)).toEqual([])
    expect([...names]).toEqual(
      expect.arrayContaining(['age_hours', 'quantity', 'value_usd', 'pnl_estimate_usd', 'win_rate']),
    )
  })
})

/** What both bounds of a filter can be, by the field that is printed. */
const BOUNDS = {
  liquidityUsd: ['minLiquidityUsd', 'maxLiquidityUsd'],
  marketCapUsd: ['minMarketCapUsd', 'maxMarketCapUsd'],
  riskScore: ['minRiskScore', 'maxRiskScore'],
  ageHours: ['minAgeHours', 'maxAgeHours'],
  volume24hUsd: ['minVolume24hUsd'],
  holderGrowth1hPct: ['minHolderGrowth1hPct'],
  holderCount: ['minHolders', 'maxHolders'],
} as const

describe('a printed number as the bound of a filter', () => {
  it('keeps its token, in the list of GraphQL and of REST', async () => {
    const { tokens } = await ask(`{ tokens(first: 50) { nodes { address ${Object.keys(BOUNDS).join(' ')} } } }`)
    expect(tokens.nodes.length).toBeGreaterThan(40)
    for (const token of tokens.nodes) {
      const given = Object.entries(BOUNDS).flatMap(([name, bounds]) =>
        token[name] === null ? [] : bounds.map((bound) => [bound, JSON.stringify(token[name])] as const),
      )
      const filter = given.map(([bound, text]) => `${bound}: ${text}`).join(', ')
      const found = await ask(`{ tokens(filter: { ${filter} }, first: 200) { nodes { address } } }`)
      expect(found.tokens.nodes, filter).toContainEqual({ address: token.address })
      const search = given
        .filter(([bound]) => /^(minLiquidity|m..MarketCap|maxRisk|maxAge|minHolderGrowth)/.test(bound))
        .map(
          ([bound, text]) =>
            `${bound.replace(/[A-Z]|1h/g, (letter) => `_${letter.toLowerCase()}`)}=${encodeURIComponent(text)}`,
        )
      const { status, json } = await served.ask(`/tokens?limit=200&${search.join('&')}`)
      expect([status, search.length >= 3], search.join('&')).toEqual([200, true])
      expect(json.data.map(({ address }: { address: string }) => address)).toContain(token.address)
    }
  })

  it('tells every second of an age apart, and says so in four decimals', () => {
    const hour = fc.integer({ min: 0, max: 20 * 365 * 86_400 })
    fc.assert(
      fc.property(hour, (seconds) => {
        const age = ageHours(0, seconds * 1_000)
        expect(countDigits(age).decimals).toBeLessThanOrEqual(4)
        expect(Math.round(age * 3_600)).toBe(seconds)
        expect(ageHours(0, (seconds + 1) * 1_000)).toBeGreaterThan(age)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is dollars and growth that rounding again leaves as they are', () => {
    const usd = fc.double({ min: -1e15, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(usd, fc.nat(1e6), fc.nat(1e6), (value, now, ago) => {
        const printed = toPrintedUsd(value)
        expect(countDigits(printed).decimals).toBeLessThanOrEqual(6)
        expect(toPrintedUsd(printed)).toBe(printed)
        if (value >= 0) expect(toPrintedUsd(toUsd(value))).toBe(toUsd(value))
        expect(countDigits(holderGrowthPct(now, ago)).decimals).toBeLessThanOrEqual(4)
      }),
      { numRuns: 5_000 },
    )
  })
})
