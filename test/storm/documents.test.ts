// The documents of the hostile storm that claim to be valid are valid: an invalid one would cost nothing to refuse.
import { readFileSync } from 'node:fs'
import { buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import * as documents from './hostile/documents.ts'

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'))
const faultsOf = ({ query }: documents.Document) => validate(schema, parse(query)).map(({ message }) => message)

test.each([
  ['explanations', documents.wideExplanation],
  ['contributions', documents.wideScalars],
  ['inline fragments', documents.deepInline(10)],
  ['introspection', documents.wideIntrospection(1)],
  ['overlapping fields', documents.overlapping(20)],
  ['deep overlapping fields', documents.overlappingDeep(5)],
  ['overlapping fragments', documents.overlappingFragments(20)],
  ['doubled fragments', documents.doubling(3, '{ tokens(first: 200) { nodes { ...F0 } } }', 'Token', 'symbol')],
  ['nested data', documents.walk(3, 5)],
  ['page sizes', documents.pagesByVariable(200)],
  ['fruitless lists', documents.fruitless(4)],
  ['kept documents', documents.kept(1)],
  ['subscriptions', documents.subscription],
])('the schema accepts the document of %s', (_, document) => {
  expect(faultsOf(document)).toEqual([])
})

test('the schema accepts every random document', () => {
  for (let seed = 0; seed < 100; seed++) expect([seed, faultsOf(documents.randomDocument(seed))]).toEqual([seed, []])
})
