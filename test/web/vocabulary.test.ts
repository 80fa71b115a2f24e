import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType } from 'graphql'
import { expect, test } from 'vitest'
import { FLAGS, POWERS } from '../../web/src/words.ts'

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'))
const valuesOf = (name: string): string[] => {
  const type = schema.getType(name)
  return isEnumType(type) ? type.getValues().map((value) => value.name) : []
}

test('the page has words of its own for each flag and power of the API', () => {
  expect(Object.keys(FLAGS).sort()).toEqual(valuesOf('RiskFlag').sort())
  expect(Object.keys(POWERS).sort()).toEqual(valuesOf('PowerKind').sort())
})
