// Queries made by chance over the real schema: what the budget says beforehand, against what the execution really resolves.
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
import { createAssess } from '../../src/graph/budget.ts'
import { readListSize } from '../../src/graph/list-size.ts'
import { schema } from '../../src/graph/schema.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { type DocumentOptions, makeQuery } from '../support/graph-documents.ts'
import { seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const assess = createAssess(schema)

/** What was resolved since it was last cleared: every field, and every element of a list of leaves. */
const resolved = { fields: 0, items: 0 }
for (const type of Object.values(schema.getTypeMap())) {
  if (isObjectType(type)) for (const field of Object.values(type.getFields())) watch(field, type)
}
for (const field of [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef]) watch(field)

/** Counts what a field resolves to. This file has a schema of its own. */
function watch(field: GraphQLField<unknown, unknown>, parent?: GraphQLObjectType): void {
  const resolve = field.resolve ?? defaultFieldResolver
  const named = getNamedType(field.type)
  const isItem = isObjectType(named) && !isIntrospectionType(named) && named.extensions.part !== true
  const isPage = /Page$/.test(named.name)
  const weight = readListSize(field)?.weight ?? 1
  const count = (value: unknown) => {
    if (value === null || value === undefined || value instanceof Error) return value
    const length = isListType(getNullableType(field.type)) ? [...(value as Iterable<unknown>)].length : 1
    if (isItem && !isPage && (length !== 1 || parent?.name !== 'Query')) resolved.items += weight * length
    if (isLeafType(named) && isListType(getNullableType(field.type))) {
      resolved.fields += length
      if (weight !== 1) resolved.items += weight * length
    }
    return value
  }
  // A loader may give a promise that is not the platform's own, such as Prisma's.
  const isPromise = (value: unknown): value is PromiseLike<unknown> =>
    typeof (value as { then?: unknown } | null)?.then === 'function'
  field.resolve = (...given) => {
    resolved.fields += 1
    const value = resolve(...given)
    return isPromise(value) ? value.then(count) : count(value)
  }
}

/** What graphql-js says of introspection that goes round in circles. */
const TOO_DEEP = 'Maximum introspection depth exceeded'

/** The budget of a query and what it came to; null: it was refused. */
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

it('never says less of a query than it comes to, whatever is asked for in whatever way', async () => {
  const options: DocumentOptions = {
    allows: () => true,
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

/** By how much a budget may be above what comes of a query whose pages are full. */
const FACTOR = 2

it(`says at most ${FACTOR} times what a query comes to whose pages are full and whose fields are all there`, async () => {
  const full = ['Query.tokens', 'Query.events', 'Token.holders', 'Token.topHolders']
  const isFull = (type: GraphQLObjectType, field: GraphQLField<unknown, unknown>) => {
    const nullable = getNullableType(field.type)
    if (isListType(nullable)) return /Page$/.test(type.name) || full.includes(`${type.name}.${field.name}`)
    const lists = /Page$/.test(getNamedType(field.type).name)
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
