// Random queries over the real schema: compares the budget, computed beforehand, with what execution really resolves, and plans with graphql-js.
import fc from 'fast-check'
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  validate,
} from 'graphql'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createBoardFeed } from '../../src/board/feed.ts'
import { createAssess } from '../../src/graph/cost/budget.ts'
import { readListSize } from '../../src/graph/cost/list-size.ts'
import { MOST_PLANNED, planOf } from '../../src/graph/run/compiled.ts'
import { schema } from '../../src/graph/run/schema.ts'
import { createHead } from '../../src/ledger/head.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { type DocumentOptions, makeQuery } from '../support/graph-documents.ts'
import { seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const head = await createHead(database, systemClock)
const board = createBoardFeed({ database, head, clock: systemClock, log: { debug: () => {}, warn: () => {} } })
await board.settle()
// The gate tells ages: two runs of one query are compared at one time.
const started = systemClock.now()
const graph = await openGraph(database, head, undefined, board, { ...systemClock, now: () => started })
afterAll(async () => {
  await board.stop()
  await head.stop()
})
const assess = createAssess(schema)

/** Counts since the last reset: every resolved field, and every element of a list of scalars. */
const resolved = { fields: 0, items: 0 }
for (const type of Object.values(schema.getTypeMap())) {
  if (isObjectType(type)) for (const field of Object.values(type.getFields())) watch(field, type)
}
for (const field of [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef]) watch(field)

/** Counts what a field resolves to, until the file's tests are over: other files share the schema. */
function watch(field: GraphQLField<unknown, unknown>, parent?: GraphQLObjectType): void {
  const original = field.resolve
  const resolve = original ?? defaultFieldResolver
  afterAll(() => {
    if (original) field.resolve = original
    else delete field.resolve
  })
  const named = getNamedType(field.type)
  const isItem = isObjectType(named) && !isIntrospectionType(named) && named.extensions.part !== true
  const weight = readListSize(field)?.weight ?? 1
  const count = (value: unknown) => {
    if (value === null || value === undefined || value instanceof Error) return value
    const length = isListType(getNullableType(field.type)) ? [...(value as Iterable<unknown>)].length : 1
    if (isItem && (length !== 1 || parent?.name !== 'Query')) resolved.items += weight * length
    if (isLeafType(named) && isListType(getNullableType(field.type))) {
      resolved.fields += length
      if (weight !== 1) resolved.items += weight * length
    }
    return value
  }
  // A loader may return a promise that is no native one, such as Prisma's.
  const isPromise = (value: unknown): value is PromiseLike<unknown> =>
    typeof (value as { then?: unknown } | null)?.then === 'function'
  field.resolve = (...given) => {
    resolved.fields += 1
    const value = resolve(...given)
    return isPromise(value) ? value.then(count) : count(value)
  }
}

/** What graphql-js answers to introspection that goes round in circles. */
const TOO_DEEP = 'Maximum introspection depth exceeded'

/** The budget of a query, and what its execution resolved; null if it was refused. */
async function compare(query: string, variables: Record<string, unknown>) {
  const document = parse(query)
  const mistakes = validate(schema, document).map(({ message }) => message)
  expect(
    mistakes.filter((message) => message !== TOO_DEEP),
    query,
  ).toEqual([])
  if (mistakes.length > 0) return null
  const { budget, refusal } = assess(document, variables, null)
  if (refusal || !budget) return null
  Object.assign(resolved, { fields: 0, items: 0 })
  await graph.execute(query, variables, SOMEBODY)
  return { budget, resolved: { ...resolved } }
}

/** SQL is off here, and its field would fail every query that asks it. */
const isAnswered = ({ name }: GraphQLObjectType, field: { name: string }) => name !== 'Query' || field.name !== 'sql'

it('the budget is never smaller than the resolved fields of a query, for any query without SQL', async () => {
  const options: DocumentOptions = {
    allows: isAnswered,
    limits: [1, 2, 2, 3, 3, 20, 500, null],
    introspects: true,
    isLoose: true,
  }
  let ran = 0
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const { query, variables } = makeQuery(schema, g, options)
      const compared = await compare(query, variables)
      if (!compared) return
      ran += 1
      expect(compared.budget.fields, query).toBeGreaterThanOrEqual(compared.resolved.fields)
      // Twentieths add up to a little more or less than they are.
      expect(compared.budget.items, query).toBeGreaterThanOrEqual(compared.resolved.items - 1e-6)
    }),
    { numRuns: 100, seed: 18, endOnFailure: true },
  )
  expect(ran).toBeGreaterThan(50)
})

/** By which factor a budget may exceed what a query resolves if its pages are full. */
const FACTOR = 2

it(`the budget is at most ${FACTOR} times what a query resolves if its pages are full and no field is null`, async () => {
  const full = ['Query.tokens', 'Query.events', 'Token.holders', 'Token.topHolders']
  const isFull = (type: GraphQLObjectType, field: GraphQLField<unknown, unknown>) => {
    if (!isAnswered(type, field)) return false
    const nullable = getNullableType(field.type)
    if (isListType(nullable)) return /Connection$/.test(type.name) || full.includes(`${type.name}.${field.name}`)
    const lists = /Connection$/.test(getNamedType(field.type).name)
    return lists ? full.includes(`${type.name}.${field.name}`) : nullable !== field.type || isLeafType(nullable)
  }
  const options = { allows: isFull, limits: [1, 2, 4], introspects: false, isLoose: false }
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const { query, variables } = makeQuery(schema, g, options)
      const compared = await compare(query, variables)
      if (!compared) return
      expect(compared.budget.fields, query).toBeLessThanOrEqual(FACTOR * compared.resolved.fields + 20)
    }),
    { numRuns: 40, seed: 18, endOnFailure: true },
  )
})

it('a plan gives the same answer as graphql-js, to the byte, and fails if that does', async () => {
  const options: DocumentOptions = {
    allows: ({ name }, field) => name !== 'Query' || !['node', 'nodes'].includes(field.name),
    limits: [1, 2, 3, 20, null],
    introspects: false,
    isLoose: true,
  }
  let planned = 0
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (g) => {
      const made = makeQuery(schema, g, options)
      const query = made.query.replace(
        /me \{.*\.\.\.root/,
        'few: tokens(first: $few) { total } tokens(first: $some) { total } ...root',
      )
      const document = parse(query)
      if (validate(schema, document).length > 0 || assess(document, made.variables, null).refusal) return
      if (planOf(document, null)) planned += 1
      // A directive is what no plan knows.
      const slow = query.replace('...root }', '...root @include(if: true) }')
      expect(planOf(parse(slow), null)).toBeNull()
      const [one, other] = [await outcomeOf(query, made.variables), await outcomeOf(slow, made.variables)]
      expect(one, query).toBe(other)
    }),
    { numRuns: 100, seed: 18, endOnFailure: true },
  )
  expect(planned).toBeGreaterThan(50)
})

it('a query of more fields than a plan may have, with its fragments expanded, has none', () => {
  const names = (count: number) => Array.from({ length: count }, (_, at) => `a${at}: __typename`).join(' ')
  const half = (count: number) => `fragment f on Chain { ${names(count)} }`
  const plan = (count: number) => planOf(parse(`{ a: chain { ...f } b: chain { ...f } } ${half(count)}`), null)
  expect(plan(MOST_PLANNED / 2 - 1)).not.toBeNull()
  expect(plan(MOST_PLANNED / 2)).toBeNull()
  expect(planOf(parse('{ __proto__: __typename }'), null)).toBeNull()
})

const outcomeOf = (query: string, variables: Record<string, unknown>): Promise<string> =>
  graph.execute(query, variables, SOMEBODY).then(
    ({ data }) => JSON.stringify(data),
    () => 'failed',
  )
