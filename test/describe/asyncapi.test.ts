// The committed AsyncAPI description. `test/alerts` holds real calls of webhooks against its messages.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createAsyncApi, printAsyncApi } from '../../src/describe/asyncapi.ts'
import { createOpenApi } from '../../src/describe/openapi.ts'

test('the description of streams and webhooks equals docs/asyncapi.json', () => {
  expect(printAsyncApi()).toBe(readFileSync(new URL('../../docs/asyncapi.json', import.meta.url), 'utf8'))
})

test('every reference in the description of streams and webhooks leads to a part of it', () => {
  const description = JSON.parse(printAsyncApi())
  const references = [...printAsyncApi().matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(references.length).toBeGreaterThan(15)
  const find = (path: string) => path.split('/').reduce((part, name) => part?.[name], description)
  expect(references.filter((path) => find(path) === undefined)).toEqual([])
})

test('the messages of streams and webhooks have the schemas of the description of REST', () => {
  const { schemas } = createAsyncApi().components
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining(['StreamedEvent', 'StreamEnd', 'MatchedMessage', 'EventsMessage']),
  )
  const all: Record<string, unknown> = createOpenApi().components.schemas
  for (const [name, schema] of Object.entries(schemas)) expect(schema).toEqual(all[name])
})
