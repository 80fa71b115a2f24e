// The schema against the one of the last release: what callers use stays, unless the release had marked it @deprecated.
import { readFileSync } from 'node:fs'
import {
  BreakingChangeType,
  buildSchema,
  findBreakingChanges,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { expect, it } from 'vitest'
import { printSchema } from '../../src/graph/schema.ts'

const released = buildSchema(readFileSync(new URL('../fixtures/release/schema.graphql', import.meta.url), 'utf8'))

/** What the release had deprecated, as a change names it: `Type.field`, or a value of an enum at the start. */
function deprecatedIn(schema: GraphQLSchema): Set<string> {
  const names = new Set<string>()
  for (const type of Object.values(schema.getTypeMap())) {
    const parts =
      isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
        ? Object.values(type.getFields())
        : isEnumType(type)
          ? type.getValues()
          : []
    for (const { name, deprecationReason } of parts) if (deprecationReason) names.add(`${type.name}.${name}`)
  }
  return names
}

const REMOVALS: readonly string[] = [BreakingChangeType.FIELD_REMOVED, BreakingChangeType.VALUE_REMOVED_FROM_ENUM]

/** The changes that break a caller of the release. */
function breaksOf(before: GraphQLSchema, after: GraphQLSchema): string[] {
  const deprecated = deprecatedIn(before)
  const isAnnounced = (description: string) => {
    // "Token.name was removed." and "old was removed from enum type Kind."
    const [, name = '', type] = /^(\S+) was removed(?: from enum type (\w+))?/.exec(description) ?? []
    return deprecated.has(type === undefined ? name : `${type}.${name}`)
  }
  return findBreakingChanges(before, after)
    .filter(({ type, description }) => !(REMOVALS.includes(type) && isAnnounced(description)))
    .map(({ description }) => description)
}

it('the schema takes every query that the last release took, and answers no less', () => {
  expect(breaksOf(released, buildSchema(printSchema()))).toEqual([])
})

it('a removed field breaks a caller unless the release had deprecated it', () => {
  const before = buildSchema(
    'enum Kind { a old @deprecated } type Query { kind: Kind name: Int gone: Int @deprecated }',
  )
  const after = buildSchema('enum Kind { a } type Query { kind: Kind more: Int }')
  expect(breaksOf(before, after)).toEqual(['Query.name was removed.'])
})
