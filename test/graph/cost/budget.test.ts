import fc from 'fast-check'
import {
  type DocumentNode,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
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

  it('every page of the schema declares how long it can be, and has the argument that sets its length', () => {
    const pages = fields.filter(({ field }) => /Page$/.test(getNamedType(field.type).name))
    expect(pages.length).toBeGreaterThan(5)
    for (const { field } of pages) expect(readListSize(field)?.items, field.name).toBe('limit')
    const asked = fields.filter(({ field }) => readListSize(field)?.items === 'limit')
    for (const { field } of asked)
      expect(field.args.find(({ name }) => name === 'limit')?.defaultValue).toBeGreaterThan(0)
  })
})

describe('the budget', () => {
  it.each<[string, number, number, number]>([
    ['{ __typename }', 1, 1, 0],
    ['{ chain { name block { number } } }', 4, 4, 0],
    ['{ tokens(limit: 3) { total items { name score { riskScore } } } }', 6, 1 + 2 + 3 * 3, 3],
    ['{ tokens(limit: 3) { items { riskFlags } } }', 3, 2 + 3 * (1 + 5), 3],
    [
      '{ a: tokens(limit: 2) { ...p } b: tokens(limit: 3) { ...p } } fragment p on TokenPage { total items { name } }',
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
    const query = `query ($n: Int = 7, $x: Boolean = false) { tokens(limit: $n) { items { name symbol @include(if: $x) } } }`
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
    expect(assessText(`{ tokens(limit: 200) { items { ${wide} } } }`).budget?.requests).toBe(1)
    const lists = 'score { explanation { dimensions { inputs { name value points } } } }'
    expect(assessText(`{ tokens(limit: 100) { items { ${lists} } } }`).budget?.requests).toBe(3)
  })

  it.each<[name: string, query: string, requests: number]>([
    [
      'fifty tokens with a week of prices and all windows',
      `{ tokens { total items { address symbol priceUsd riskScore sparkline priceChange { m5 h1 h6 h24 d7 }
        windows { h1 { buyCount sellCount volumeUsd } h24 { buyCount sellCount volumeUsd traderCount } } } } }`,
      1,
    ],
    ['fifty tokens with a price for each hour of a week', '{ tokens { items { symbol sparkline(points: 168) } } }', 3],
    ['fifty tokens with the hours of a week', '{ tokens { items { symbol hours(limit: 168) { closeUsd } } } }', 3],
    [
      'a thousand candles',
      '{ token(address: "0x") { candles(limit: 1000) { start openUsd highUsd lowUsd closeUsd volumeUsd } } }',
      1,
    ],
    ['a thousand items', '{ tokens(limit: 100) { items { holders(limit: 9) { items { address } } } } }', 5],
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
      `{ events(limit: 200) { items { wallet { score { explanation { dimensions { inputs { ${repeat(30, (n) => `a${n}: __typename`)} } } } } } } } }`,
      new RegExp(`and ${MAX_FIELDS} are the most`),
    ],
    [
      'levels under __schema',
      `{ __schema { types { ${'ofType { '.repeat(20)} name ${'}'.repeat(20)} } } }`,
      /levels of fields, and 15/,
    ],
    ['one name too often', `{ ${repeat(200, () => 'chain { name }')} }`, /name each field once/],
    ['too many fields', `{ ${repeat(MAX_SELECTIONS + 1, () => '__typename')} }`, /and 2000 are the most/],
    ['a page below 1', '{ tokens(page: 0) { total } }', /page must be an integer >= 1/],
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
