import fc from 'fast-check'
import {
  type DocumentNode,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isEnumType,
  isIntrospectionType,
  isListType,
  isObjectType,
  parse,
  visit,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { createAssess, MAX_DEPTH, MAX_FIELDS, MAX_SELECTIONS } from '../../../src/graph/cost/budget.ts'
import { readListSize } from '../../../src/graph/cost/list-size.ts'
import { EXAMPLES } from '../../../src/graph/http/examples.ts'
import { schema } from '../../../src/graph/run/schema.ts'

const assess = createAssess(schema)
const assessText = (query: string, variables = {}) => assess(parse(query), variables, null)
const repeat = (times: number, write: (n: number) => string) =>
  Array.from({ length: times }, (_, n) => write(n)).join(' ')

describe('the schema', () => {
  const fields = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !isIntrospectionType(type))
    .flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ type, field })) : []))

  it('every list of the schema declares how long it can be', () => {
    const lists = fields.filter(({ field }) => isListType(getNullableType(field.type)))
    expect(lists.length).toBeGreaterThan(15)
    expect(lists.filter(({ field }) => !readListSize(field)).map(({ type, field }) => `${type}.${field.name}`)).toEqual(
      [],
    )
  })

  it('every word of the schema is written in one style', () => {
    const words = Object.values(schema.getTypeMap()).flatMap((type) =>
      isEnumType(type) && !isIntrospectionType(type) ? type.getValues().map(({ name }) => `${type.name}.${name}`) : [],
    )
    expect(words.length).toBeGreaterThan(100)
    expect(words.filter((word) => !/^\w+\.[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(word))).toEqual([])
  })

  it('every connection of the schema declares how long it can be, and pages in one way', () => {
    const connections = fields.filter(({ field }) => /Connection$/.test(getNamedType(field.type).name))
    expect(connections.length).toBeGreaterThan(10)
    for (const { type, field } of connections) {
      expect(readListSize(field)?.items, field.name).toBe('first')
      const names = field.args.map(({ name }) => name)
      expect(names, `${type}.${field.name}`).toEqual(
        expect.arrayContaining(['first', 'after', 'last', 'before', 'offset']),
      )
    }
    const others = fields.filter(({ field }) => field.args.some(({ name }) => ['page', 'sort'].includes(name)))
    expect(others.map(({ type, field }) => `${type}.${field.name}`)).toEqual([])
    const asked = fields.filter(({ field }) => readListSize(field)?.items === 'limit')
    for (const { field } of asked)
      expect(field.args.find(({ name }) => name === 'limit')?.defaultValue).toBeGreaterThan(0)
  })
})

describe('the budget', () => {
  it.each<[string, number, number, number]>([
    ['{ __typename }', 1, 1, 0],
    ['{ chain { name block { number } } }', 4, 4, 0],
    ['{ tokens(first: 3) { total nodes { name score { riskScore } } } }', 6, 1 + 2 + 3 * 3, 3],
    ['{ tokens(first: 3) { nodes { riskFlags } } }', 3, 2 + 3 * (1 + 5), 3],
    [
      '{ a: tokens(first: 2) { ...p } b: tokens(first: 3) { ...p } } fragment p on TokenConnection { total nodes { name } }',
      8,
      6 + 5,
      5,
    ],
    ['{ token(address: "0x") { nothing { more } } }', 3, 3, 0],
    ['{ ...nowhere chain { ...nowhere } }', 1, 1, 0],
  ])('the budget of %s is %i selections, %i fields, %i items', (query, selections, answer, items) => {
    expect(assessText(query)).toMatchObject({ refusal: null, budget: { selections, fields: answer, items } })
  })

  it('the budget reads page sizes and conditions from variables and their defaults', () => {
    const query = `query ($n: Int = 7, $x: Boolean = false) { tokens(first: $n) { nodes { name symbol @include(if: $x) } } }`
    const fieldsOf = (variables: object) => assessText(query, variables).budget?.fields
    expect([fieldsOf({}), fieldsOf({ n: 3 }), fieldsOf({ n: 3, x: true })]).toEqual([9, 5, 8])
    // Null means the argument's default. Anything that is no number counts as the longest list possible.
    expect([fieldsOf({ n: null }), fieldsOf({ n: 1e9 }), fieldsOf({ n: 'many' })]).toEqual([52, 202, 202])
  })

  it("GraphiQL's introspection and all its examples cost one request each", () => {
    expect(assessText(getIntrospectionQuery())).toMatchObject({ refusal: null, budget: { requests: 1 } })
    for (const { query } of EXAMPLES) expect(assessText(query).refusal).toBeNull()
  })

  it('the budget also grows with the fields of the answer', () => {
    const wide = repeat(29, (n) => `a${n}: name`)
    expect(assessText(`{ tokens(first: 200) { nodes { ${wide} } } }`).budget?.requests).toBe(1)
    const lists = 'score { explanation { dimensions { inputs { name value points } } } }'
    expect(assessText(`{ tokens(first: 100) { nodes { ${lists} } } }`).budget?.requests).toBe(3)
  })

  it.each<[name: string, query: string, requests: number]>([
    [
      'fifty tokens with a week of prices and all windows',
      `{ tokens { total nodes { address symbol priceUsd riskScore sparkline priceChange { m5 h1 h6 h24 d7 }
        windows { h1 { buyCount sellCount volumeUsd } h24 { buyCount sellCount volumeUsd traderCount } } } } }`,
      1,
    ],
    ['fifty tokens with a price for each hour of a week', '{ tokens { nodes { symbol sparkline(points: 168) } } }', 3],
    ['fifty tokens with the hours of a week', '{ tokens { nodes { symbol hours(limit: 168) { closeUsd } } } }', 3],
    [
      'a thousand candles',
      '{ token(address: "0x") { candles(limit: 1000) { start openUsd highUsd lowUsd closeUsd volumeUsd } } }',
      1,
    ],
    ['a thousand items', '{ tokens(first: 100) { nodes { holders(first: 9) { nodes { address } } } } }', 5],
    ['the service and the caller as one', '{ chain { name } me { plan } status { tokensDue } }', 1],
    ['them as nothing beside a list', '{ chain { name } me { plan } tokens { total } }', 1],
    ['one of each only', '{ me { plan } b: me { plan } c: me { plan } tokens { total } }', 3],
  ])('prices %s', (_, query, requests) => {
    expect(assessText(query)).toMatchObject({ refusal: null, budget: { requests } })
  })

  const doubling = (levels: number, inner: string) =>
    `${repeat(levels, (n) => `fragment f${n} on __Type { ...f${n + 1} ...f${n + 1} }`)} fragment f${levels} on __Type { ${inner} }`
  it.each<[name: string, query: string, words: RegExp]>([
    [
      'fragments that double',
      `{ __schema { types { ...f0 } } } ${doubling(60, 'name')}`,
      /with its fragments expanded/,
    ],
    ['fragments that double and are spread nowhere', `{ __typename } ${doubling(60, 'name')}`, /fragments expanded/],
    ['a fragment that spreads itself', '{ ...a } fragment a on Query { chain { name } ...a }', /spreads itself/],
    [
      'fragments in a circle',
      '{ __typename } fragment a on Query { ...b } fragment b on Query { ...a }',
      /spreads itself/,
    ],
    [
      'aliases in lists of lists',
      `{ events(first: 200) { nodes { wallet { score { explanation { dimensions { inputs { ${repeat(30, (n) => `a${n}: __typename`)} } } } } } } } }`,
      new RegExp(`and ${MAX_FIELDS} are the most`),
    ],
    [
      'levels under __schema',
      `{ __schema { types { ${'ofType { '.repeat(20)} name ${'}'.repeat(20)} } } }`,
      /levels of fields, and 15/,
    ],
    ['one name too often', `{ ${repeat(200, () => 'chain { name }')} }`, /name each field once/],
    ['too many fields', `{ ${repeat(MAX_SELECTIONS + 1, () => '__typename')} }`, /and 2000 are the most/],
    ['an offset below 0', '{ tokens(offset: -50) { total } }', /offset must be an integer >= 0/],
  ])('the budget refuses %s', (_, query, words) => {
    expect(assessText(query).refusal?.message).toMatch(words)
  })

  it(`a query of ${MAX_DEPTH} levels is allowed`, () => {
    const nest = (levels: number) =>
      `{ wallet(address: "0x") { ${'firstFunder { '.repeat(levels - 2)} kind ${'}'.repeat(levels - 2)} } }`
    expect(assessText(nest(MAX_DEPTH)).refusal).toBeNull()
    expect(assessText(nest(MAX_DEPTH + 1)).refusal).not.toBeNull()
  })
})

/** A copy of the document that counts how often its selections are read. */
function countReads(document: DocumentNode) {
  let reads = 0
  let length = 0
  visit(document, {
    SelectionSet: (node) => {
      const { selections } = node
      length += selections.length
      const counted = new Proxy(selections, {
        get: (target, name) => {
          if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1
          return Reflect.get(target, name)
        },
      })
      Object.defineProperty(node, 'selections', { value: counted })
    },
  })
  return { length, reads: () => reads }
}

it('computing the budget takes time linear in the length of the document, however fragments are nested', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 2, max: 6 }),
      fc.boolean(),
      (levels, spreads, types) => {
        const on = types ? '__Type' : 'Wallet'
        const inner = types ? 'ofType { name }' : 'firstFunder { address }'
        const text = `{ __typename } ${repeat(levels, (n) => `fragment f${n} on ${on} { ${repeat(spreads, () => `...f${n + 1}`)} ${inner} }`)}
        fragment f${levels} on ${on} { ${inner} }`
        const document = parse(text)
        const { length, reads } = countReads(document)
        assess(document, {}, null)
        // Once plainly, and once for each reach of introspection. Within the first bound pairs are counted, too.
        expect(reads()).toBeLessThanOrEqual(6 * length + 2 * MAX_SELECTIONS)
      },
    ),
    { numRuns: 60 },
  )
})
