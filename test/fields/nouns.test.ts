// Each place that follows from a row of a noun's fields has it. A failure names the place and what makes it.
import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { TABLES } from '../../src/export/tables.ts'
import { EVENT_ROWS, SHOWN_EVENT } from '../../src/fields/event.ts'
import { toSnake } from '../../src/fields/field.ts'
import type { NounField } from '../../src/fields/noun.ts'
import { SHOWN_HOLDER, SHOWN_POOL } from '../../src/fields/pool.ts'
import {
  DIMENSION_ROWS,
  REST_WALLET,
  SHOWN_WALLET,
  WALLET_CONDITION_ROWS,
  WALLET_MEASURES,
  WALLET_ROWS,
} from '../../src/fields/wallet.ts'
import { QUERIES } from '../../src/rest/contract/param.ts'
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { readPrismaSchema } from '../support/prisma-schema.ts'

const PRISMA = readFileSync('prisma/schema.prisma', 'utf8')
const MODELS = readPrismaSchema(PRISMA)
const SCHEMA = buildSchema(readFileSync('schema.graphql', 'utf8'))
const fieldsOf = (name: string) => {
  const type = SCHEMA.getType(name)
  return isObjectType(type) || isInputObjectType(type) ? type.getFields() : {}
}

type Rows = readonly (readonly [string, NounField])[]
const NOUNS: readonly (readonly ['wallets' | 'events', Rows])[] = [
  ['wallets', WALLET_ROWS],
  ['events', EVENT_ROWS],
]
const SHOWN: readonly (readonly [type: string, Rows])[] = [
  ['Wallet', SHOWN_WALLET],
  ['WalletScoreDimensions', DIMENSION_ROWS],
  ['Event', SHOWN_EVENT],
  ['Pool', SHOWN_POOL],
  ['Holder', SHOWN_HOLDER],
]
const TABLE_OF: Readonly<Record<string, string>> = { w: 'wallet', s: 'wallet_score', e: 'event', t: 'token' }

const each = <Head extends string>(groups: readonly (readonly [Head, Rows])[]) =>
  groups.flatMap(([head, rows]) => rows.map(([name, row]) => [head, name, row] as const))

describe.each(each(NOUNS))('%s.%s', (table, name, { sql = '', exported, wire = toSnake(name) }) => {
  test('names columns that prisma/schema.prisma has', () => {
    for (const [, alias = '', column = ''] of sql.matchAll(/\b([wset])\.(\w+)/g))
      expect(MODELS[TABLE_OF[alias] ?? '']?.columns).toHaveProperty(column)
  })

  test('is a column of exports and SQL if its row has a meaning in them', () => {
    expect(TABLES[table].columns.find((column) => column.name === wire)?.meaning).toBe(exported)
  })
})

test.each(each(SHOWN))(
  '%s.%s is in schema.graphql as its row says: `npm run -s regenerate` writes it',
  (type, name, { text = '', nullable = false }) => {
    const field = fieldsOf(type)[name]
    expect(field?.description?.startsWith(text)).toBe(true)
    expect(!String(field?.type).endsWith('!')).toBe(nullable)
  },
)

test.each(WALLET_CONDITION_ROWS)(
  '%s is a field of WalletFilter, and a parameter of REST if lists of REST take it',
  (name, row) => {
    expect(fieldsOf('WalletFilter')[name]?.description?.startsWith(row.text)).toBe(true)
    expect(Object.values(QUERIES.wallets).some((param) => param.name === name)).toBe(row.for === 'all')
  },
)

test('each order is a word of WalletOrderField', () => {
  const type = SCHEMA.getType('WalletOrderField')
  const words = isEnumType(type) ? type.getValues().map(({ name }) => name) : []
  expect(words.sort()).toEqual(WALLET_MEASURES.map(toSnake).sort())
})

test('the list of wallets in REST has each field that is its own', () => {
  const document = ROUTES.find(({ id }) => id === 'listWallets')?.document ?? ''
  for (const name of REST_WALLET) expect(document).toContain(`${toSnake(name)}: ${name}`)
})
