// A parameter that passes its schema in the OpenAPI description is taken by the server: the description is not wider.
import { expect, test } from 'vitest'
import { createOpenApi } from '../../src/describe/openapi.ts'
import { type Param, QUERIES } from '../../src/rest/contract/param.ts'
import { readQuery } from '../../src/rest/contract/params.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { faultsOfSchema } from '../support/conforms.ts'

interface Schema {
  $ref?: string
  type?: string
}
interface Described {
  parameters?: { name: string; in: string; schema: Schema }[]
}

const api = createOpenApi()
const ADDRESS = `0x${'aB'.repeat(20)}`
/** Texts at and beyond every kind of bound. */
const TEXTS = [
  ...[
    'x',
    ' ',
    '%',
    'a,b',
    ',',
    'é',
    '\u202e',
    'true',
    'True',
    '1',
    '0',
    '-0',
    'null',
    'NaN',
    'swap',
    'asc',
    'low',
    'h1',
  ],
  ...[
    '-1',
    '007',
    '1e2',
    '1E400',
    '0.5',
    '100',
    '100.1',
    '101',
    '200',
    '201',
    '2147483647',
    '2147483648',
    '9007199254740993',
  ],
  ...['9999999999', '10000000000', '1e308', ADDRESS, `${ADDRESS}0`, ADDRESS.slice(0, 41), ADDRESS.replace('0x', '0X')],
  ...['2025-11-08', '2025-13-01', '2025-11-32', '2025-11-08T08:53:20Z', '2025-11-08T24:00:00Z', '2025-11-08T08:61Z'],
  ...['2025-11-08T08:53:60Z', '2025-11-08 08:53+02:00', '2025-11-08T08:53+24:00', '2025-11', '20251108', '5661-12-0'],
  ...[
    '5661-12',
    '5661-12-0.3',
    '5661-12-0.3r',
    '05661-12-0',
    '4294967296-0-0',
    'wash_trading',
    'wash_trading,sybil_cluster',
  ],
  ...['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(100), 'x'.repeat(101), `${'x'.repeat(30)} `, '\n', '1 '],
]
const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

/** The text as the value that its schema is about; undefined: it is none. */
function toValue({ type }: Schema, text: string): unknown {
  if (type === 'array') return text.split(',')
  if (type === 'integer' || type === 'number') return NUMBER.test(text) ? Number(text) : undefined
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined
  return text
}

/** What a pattern cannot tell: places beyond the integers of the database, and control characters. */
const isBeyondPatterns = (name: string, text: string): boolean =>
  (['after', 'before'].includes(name) && text.startsWith('4294967296')) || (name === 'query' && text === '\n')

const queries = [...ROUTES.map(({ id, query }) => ({ id, query })), { id: 'streamEvents', query: QUERIES.eventStream }]
const operations = Object.values(api.paths).flatMap((item) => Object.values(item)) as (Described & {
  operationId: string
})[]

test.each(queries.filter(({ query }) => Object.keys(query).length > 0).map((each) => [each.id, each] as const))(
  'the description of the parameters of %s is not wider than the server',
  (id, { query }) => {
    const described = operations.find(({ operationId }) => operationId === id)?.parameters ?? []
    let taken = 0
    for (const { name, schema } of described.filter(
      (parameter) => parameter.in === 'query' && parameter.name !== 'ticket',
    )) {
      for (const text of TEXTS) {
        const value = toValue(schema, text)
        const passes = value !== undefined && Number.isFinite(typeof value === 'number' ? value : 0)
        if (!passes || isBeyondPatterns(name, text) || faultsOfSchema(schema, value).length > 0) continue
        taken += 1
        // A client writes a number as JavaScript does.
        const sent = typeof value === 'number' ? String(value) : text
        const known = (query as Record<string, Param>)[name] as Param
        const { faults } = readQuery(`${name}=${encodeURIComponent(sent)}`, { [name]: known })
        expect([name, text, faults]).toEqual([name, text, []])
      }
    }
    expect(taken).toBeGreaterThan(0)
  },
)
