import { readFileSync } from 'node:fs'
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  parse,
  specifiedScalarTypes,
  validate,
} from 'graphql'
import { expect, it } from 'vitest'
import { EXAMPLES } from '../../src/graph/examples.ts'
import { printSchema, schema } from '../../src/graph/schema.ts'

it('is what schema.graphql says', () => {
  expect(printSchema()).toBe(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'))
})

/** Everything that can carry a description, by its path. */
function* described(type: GraphQLNamedType): Generator<[path: string, description: string | null | undefined]> {
  yield [type.name, type.description]
  if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value.description]
  if (!isObjectType(type) && !isInputObjectType(type)) return
  for (const field of Object.values(type.getFields())) {
    yield [`${type.name}.${field.name}`, field.description]
    for (const argument of 'args' in field ? field.args : []) {
      yield [`${type.name}.${field.name}(${argument.name})`, argument.description]
    }
  }
}

it('describes every type, field, argument and word in a sentence', () => {
  const own = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !specifiedScalarTypes.some((scalar) => scalar.name === type.name),
  )
  const bare = own.flatMap((type) => [...described(type)]).filter(([, text]) => !/^[A-Z].*\.$/s.test(text ?? ''))
  expect(bare).toEqual([])
})

it('takes every example of GraphiQL', () => {
  for (const { query } of EXAMPLES) expect(validate(schema, parse(query))).toEqual([])
})
