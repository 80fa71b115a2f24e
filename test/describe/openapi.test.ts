// The committed OpenAPI description: every part has a meaning, a unit and an example. `test/support/rest.ts` checks its
// truth against every answer of the contract's tests.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readVersion } from '../../src/base/version.ts'
import { POWER_KINDS, RISK_FLAGS } from '../../src/base/vocabulary.ts'
import { createOpenApi, printOpenApi } from '../../src/describe/openapi.ts'
import { readAlert } from '../../src/rest/contract/alert-body.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { faultsOf, faultsOfComponent, faultsOfSchema } from '../support/conforms.ts'

const api = createOpenApi()

test('the description of REST equals docs/openapi.json', () => {
  expect(printOpenApi()).toBe(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
})

test('the description of REST has an operation for every route, the streams and their tickets, signing up, and no other', () => {
  const described = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const routes = ROUTES.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/, '{$1}')}`)
  const others = [
    'GET /stream/events',
    'GET /stream/tokens',
    'POST /stream/ticket',
    'POST /signup',
    'POST /signup/confirm',
  ]
  expect(described).toEqual([...routes, ...others])
})

interface Operation {
  operationId: string
  requestBody?: Body
  responses: Record<number, Body | undefined>
}

interface Body {
  content?: Record<string, { schema?: Node; example?: unknown }>
}

interface Node {
  $ref?: string
  type?: unknown
  format?: string
  pattern?: string
  maximum?: number
  enum?: unknown[]
  description?: string
  examples?: unknown[]
  properties?: Record<string, Node>
  items?: Node
  oneOf?: Node[]
  anyOf?: Node[]
  schema?: Node
  parameters?: (Node & { name: string })[]
  'x-unit'?: string
}

/** Every object of the description; schemas are among them. */
function* schemasOf(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return
  yield node
  for (const inner of Object.values(node)) yield* schemasOf(inner)
}

/** Every field, parameter and header, by its place. */
function* fieldsOf(node: unknown, place = ''): Generator<[place: string, field: Node]> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, field] of Object.entries((node as Node).properties ?? {})) yield [`${place}.${name}`, field]
  for (const { name, description, schema } of (node as Node).parameters ?? []) {
    yield [`${place}?${name}`, { ...schema, description: description ?? '' }]
  }
  // A condition names fields that are described beside it.
  for (const [name, inner] of Object.entries(node)) if (name !== 'if') yield* fieldsOf(inner, `${place}/${name}`)
}

describe('every field, parameter and header', () => {
  const fields = [
    ...fieldsOf(api.paths),
    ...fieldsOf(api.components.schemas),
    ...Object.entries(api.components.headers).map(
      ([name, { description, schema }]) => [name, { ...schema, description }] as [string, Node],
    ),
  ].filter(([, field]) => !('$ref' in field))

  test('has a meaning in a sentence', () => {
    expect(fields.length).toBeGreaterThan(150)
    expect(fields.filter(([, { description = '' }]) => !/^\S.*\.$/s.test(description)).map(([place]) => place)).toEqual(
      [],
    )
  })

  const values = fields.filter(
    ([, { type, items, oneOf }]) => type !== 'object' && !(items && '$ref' in items) && !oneOf,
  )

  test('that is a value has an example', () => {
    expect(values.filter(([, { examples = [] }]) => examples.length === 0).map(([place]) => place)).toEqual([])
  })

  test('has examples that its own schema takes', () => {
    const faults = fields.flatMap(([place, { description: _, ...schema }]) =>
      (schema.examples ?? []).flatMap((example) => faultsOfSchema(schema, example).map((fault) => `${place}${fault}`)),
    )
    expect(faults).toEqual([])
  })

  test('that is a number has a unit', () => {
    const numbers = values.filter(([, { type }]) => type === 'number' || type === 'integer')
    expect(numbers.length).toBeGreaterThan(60)
    expect(numbers.filter(([, field]) => !field['x-unit']).map(([place]) => place)).toEqual([])
  })
})

test('every operation has an example of its answer and of its body, as it is described', () => {
  const { schemas } = api.components
  let count = 0
  for (const operations of Object.values(api.paths))
    for (const { operationId, requestBody, responses } of Object.values(operations) as Operation[])
      for (const { content } of [requestBody, responses[200], responses[201], responses[202]].filter(
        (body) => !!body,
      )) {
        const { schema, example } = content?.['application/json'] ?? {}
        const name = schema?.$ref?.split('/').at(-1) ?? ''
        if (!schema) continue
        expect(schemas).toHaveProperty(name)
        expect([operationId, faultsOfComponent(name, example)]).toEqual([operationId, []])
        count += 1
      }
  expect(count).toBeGreaterThan(35)
})

test('no integer has the format int64, because none passes 2^53, and no pattern has a sign that only some languages know', () => {
  const all = [...schemasOf(api)]
  expect(all.filter(({ format }) => format === 'int64')).toEqual([])
  const integers = all.filter(({ type }) => [type].flat().includes('integer'))
  expect(integers.filter(({ maximum = Infinity }) => maximum > Number.MAX_SAFE_INTEGER)).toEqual([])
  expect(integers.filter(({ maximum = 0, format }) => maximum < 2 ** 31 !== (format === 'int32'))).toEqual([])
  const patterns = all.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))
  expect(patterns.filter((pattern) => /\\[ux]|\\[pP]|\(\?/.test(pattern))).toEqual([])
})

test('words of an answer are open, those of a request are known, and each set of words is one component', () => {
  const { RiskFlag, PowerKind } = api.components.schemas
  expect(RiskFlag).toMatchObject({ type: 'string', enum: [...RISK_FLAGS] })
  expect(PowerKind).toMatchObject({ type: 'string', enum: [...POWER_KINDS] })
  const words = new Map<string, number>()
  for (const { enum: known } of schemasOf(api))
    if (known && known.length > 1) words.set(known.join(), (words.get(known.join()) ?? 0) + 1)
  expect([...words].filter(([, times]) => times > 1)).toEqual([])
  const isSent = (name: string) => /Input$|^TokenFilter$/.test(name)
  const closed = Object.entries(api.components.schemas as Record<string, Node>).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([field, schema]) => {
      const { $ref = '', enum: known = [] } = schema.items ?? schema
      const isClosed =
        known.length > 1 || (api.components.schemas as Record<string, Node>)[$ref.split('/').at(-1) ?? '']?.enum
      return isClosed && !isSent(name) ? [`${name}.${field}`] : []
    }),
  )
  expect(closed).toEqual([])
  const open = [...schemasOf(api)].filter(({ anyOf }) => anyOf)
  expect(open.length).toBeGreaterThan(40)
  expect(open.filter(({ anyOf = [] }) => !anyOf.some(({ $ref }) => $ref?.endsWith('/LaterWord')))).toEqual([])
})

test('no description names a field of GraphQL, which REST writes in snake_case', () => {
  const texts = [...JSON.stringify(api).matchAll(/"(?:description|summary)":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, text]) => text,
  )
  expect(texts.length).toBeGreaterThan(150)
  expect(texts.filter((text = '') => /\b[a-z][a-z0-9]*[A-Z]\w*/.test(text.replaceAll('\\n', ' ')))).toEqual([])
})

test('a new alert has a URL for every channel but email, as the server wants it', () => {
  const alert = { name: 'x', conditions: {} }
  const url = 'https://example.com/hook'
  const isRight = (body: object) => faultsOfComponent('CreateAlertInput', body).length === 0
  expect([alert, { ...alert, notification_channel: 'email' }].map(isRight)).toEqual([true, true])
  expect(isRight({ ...alert, notification_channel: 'webhook', url })).toBe(true)
  expect(isRight({ ...alert, notification_channel: 'slack', url })).toBe(true)
  const wrong = [
    { ...alert, notification_channel: 'webhook' },
    { ...alert, notification_channel: 'telegram' },
    { ...alert, notification_channel: 'email', url },
    { ...alert, url },
  ]
  for (const body of wrong) {
    expect([isRight(body), readAlert(body, 'create').faults.length > 0]).toEqual([false, true])
  }
})

test('a 404 about an address names its block', () => {
  const { headers } = api.components.responses.NOT_FOUND ?? { headers: {} }
  expect(Object.keys(headers)).toEqual(expect.arrayContaining(['Assay-Block', 'Assay-Block-Time']))
})

test('every place with a version has the same one', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  const lock = JSON.parse(read('package-lock.json'))
  const told = [
    JSON.parse(read('package.json')).version,
    lock.version,
    lock.packages[''].version,
    JSON.parse(read('clients/typescript/package.json')).version,
    /^version = "(.*)"$/m.exec(read('clients/python/pyproject.toml'))?.[1],
    api.info.version,
    readVersion(),
  ]
  expect(new Set(told)).toEqual(new Set(['1.0.0']))
})

test('the check of answers names one that is not as described: a field too many, one too few, a wrong type, an unknown status', () => {
  const headers = new Headers({
    'content-type': 'application/json',
    'x-request-id': 'e5ea556b-a18e-4ffe-b389-f0bac3b94d22',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  })
  const path = '/v1/tokens'
  const judge = (json: unknown, status = 200) => faultsOf({ method: 'GET', path }, { status, headers, json })
  const page = { data: [], total: 0, page: 1, limit: 50 }
  expect(judge(page)).toEqual([])
  expect(judge({ ...page, more: 1 }).join()).toMatch(/additional properties.*more/)
  expect(judge({ ...page, total: undefined }).join()).toMatch(/total/)
  expect(judge({ ...page, total: '0' }).join()).toMatch(/must be integer/)
  expect(judge(page, 418).join()).toMatch(/418, which is not described/)
  headers.delete('x-request-id')
  expect(judge(page)).toEqual(['X-Request-Id is missing'])
})
