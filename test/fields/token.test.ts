// Each place that follows from a row of a token's fields has it. A failure names the place and what makes it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { TABLES } from '../../src/export/tables.ts'
import { type FieldRow, toSnake } from '../../src/fields/field.ts'
import {
  ALERT_NUMBERS,
  CONDITION_ROWS,
  isBound,
  isNullable,
  PAGE_FIELDS,
  REST_NUMBERS,
  SCORED_NUMBERS,
  SHOWN_NUMBERS,
  STORED_NUMBERS,
  TOKEN_FIELDS,
  TOKEN_MEASURES,
  unitOfField,
} from '../../src/fields/token.ts'
import { BASELINE_FACTS } from '../../src/ledger/alerts/sweep.ts'
import { TOOLS } from '../../src/mcp/tools.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { readPrismaSchema } from '../support/prisma-schema.ts'

const ROWS = Object.entries(TOKEN_FIELDS) as [string, FieldRow][]
const PRISMA = readFileSync('prisma/schema.prisma', 'utf8')
const MODELS = readPrismaSchema(PRISMA)
const TYPES = { integer: 'integer', double: 'double precision' } as const
const type = buildSchema(readFileSync('schema.graphql', 'utf8')).getType('Token')
const GRAPH = isObjectType(type) ? type.getFields() : {}
const commentOf = (name: string): string | undefined =>
  new RegExp(`^ +/// (.*)\\n +${name} `, 'm').exec(/^model Token \{.*?^\}/ms.exec(PRISMA)?.[0] ?? '')?.[1]

const readCode = (...folders: string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !path.endsWith('rows.ts'))
        .map((path) => readFileSync(join(folder, path), 'utf8')),
    )
    .join('\n')
const BOOK = readCode('src/book')
const TESTS = readCode('test/book', 'test/ledger', 'test/story')

describe.each(STORED_NUMBERS)('the column of %s', (name, of, nullable) => {
  test('is in prisma/schema.prisma: `npm run -s regenerate` adds it, with its migration', () => {
    expect(MODELS.token?.columns[toSnake(name)]).toMatchObject({ type: TYPES[of], nullable })
  })

  test('is computed in src/book', () => {
    expect(BOOK).toMatch(new RegExp(`\\.${name}\\b`))
  })

  test('has a test of its computation in test/book, test/ledger or test/story', () => {
    expect(TESTS).toMatch(new RegExp(`\\b(${name}|${toSnake(name)})\\b`))
  })
})

test.each(SCORED_NUMBERS)('the column of %s is in prisma/schema.prisma, and may be null', (name) => {
  expect(MODELS.token?.columns[toSnake(name)]).toMatchObject({ type: TYPES.double, nullable: true })
})

describe.each(SHOWN_NUMBERS)('%s', (name, { text, example, type: graphType }) => {
  test('is in schema.graphql as its row says: `npm run -s regenerate` writes it', () => {
    expect(GRAPH[name]?.description).toBe(`${text} Example: ${JSON.stringify(example)}.`)
    expect(String(GRAPH[name]?.type)).toBe(isNullable(name) ? graphType : `${graphType}!`)
  })

  test('has the same sentence in prisma/schema.prisma', () => {
    expect(commentOf(name)).toBe(text)
  })
})

test('tokens of REST and of agents have each number that is theirs', () => {
  const lists = ROUTES.filter(({ id }) => id === 'listTokens' || id === 'getToken')
  expect(lists).toHaveLength(2)
  for (const name of REST_NUMBERS) {
    for (const { document } of lists) expect(document).toContain(`${toSnake(name)}: ${name}`)
    for (const tool of ['token', 'screen']) expect(TOOLS.find((one) => one.name === tool)?.document).toContain(name)
  }
})

test('exports have a column for each row with a meaning in them', () => {
  const columns = new Map(TABLES.tokens.columns.map(({ name, meaning }) => [name, meaning]))
  for (const [name, { exported }] of ROWS)
    if (exported) expect([name, columns.get(toSnake(name))]).toEqual([name, exported])
})

test('each number of the page is shown, and can order the list', () => {
  for (const { name } of PAGE_FIELDS) expect(TOKEN_MEASURES).toContain(name)
})

test('each number that a condition bounds has a unit, in which the page and messages say it', () => {
  const bounded = CONDITION_ROWS.filter(([, { is }]) => is === 'least' || is === 'most').map(([, { field }]) => field)
  expect(bounded.filter((field) => unitOfField(field) === 'none')).toEqual([])
})

test('each number that alerts bound has a place among the facts that they store', () => {
  const computed = ['marketCapUsd', 'ageHours', 'sellTaxPct']
  const known: readonly string[] = [...BASELINE_FACTS, ...computed, ...ALERT_NUMBERS]
  for (const [name, row] of CONDITION_ROWS)
    if (row.for !== 'lists' && isBound(row))
      expect(known, `${name}: give the row of ${row.field} the next \`alertFact\``).toContain(row.field)
  const places = ALERT_NUMBERS.map((name) => (TOKEN_FIELDS[name] as FieldRow).alertFact)
  expect(places, 'places among stored facts only ever grow').toEqual(
    places.map((_, at) => BASELINE_FACTS.length + 1 + at),
  )
  for (const name of ALERT_NUMBERS) expect(MODELS.alert_baseline?.columns[toSnake(name)]?.type).toBe(TYPES.double)
})
