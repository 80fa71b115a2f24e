// `tokens vouch | unvouch | vouched`: what the operator says of a token stands beside what its check found.
import { afterAll, expect, test } from 'vitest'

import { runCommand } from '../support/context.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { seedLedger, tokenAddress } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const TOKEN = tokenAddress(2)

const run = (...args: string[]) => runCommand(args, { DATABASE_URL: database.url })
const shown = async () => {
  const { data } = await graph.execute(
    `{ token(address: "${TOKEN}") { riskScore sellCheck { status vouch { reason source } } } }`,
    {},
    SOMEBODY,
  )
  return data?.token as {
    riskScore: number
    sellCheck: { status: string; vouch: { reason: string; source: string | null } | null }
  }
}

test('an operator vouches for a token, which is shown beside its check, changes no score, and can be taken back', async () => {
  const before = await shown()
  expect(before.sellCheck).toEqual({ status: 'not_checked', vouch: null })
  const mixed = `0x${TOKEN.slice(2).toUpperCase()}`
  expect(
    await run('tokens', 'vouch', mixed, '--reason', ' known team ', '--source', 'https://audit.example'),
  ).toMatchObject({ code: 0, complaints: [] })
  await graph.head.refresh()
  expect(await shown()).toEqual({
    ...before,
    sellCheck: { status: 'not_checked', vouch: { reason: 'known team', source: 'https://audit.example' } },
  })
  expect((await run('tokens', 'vouched')).printed.join('\n')).toMatch(new RegExp(`${TOKEN}.*known team`))
  expect((await run('tokens', 'unvouch', TOKEN)).code).toBe(0)
  await graph.head.refresh()
  expect(await shown()).toEqual(before)
  expect((await run('tokens', 'vouched')).printed).toEqual(['You vouch for no token.'])
  expect(await run('tokens', 'unvouch', TOKEN)).toMatchObject({ code: 1 })
})

test.each([
  ['an address that is none', '0x12', 'known team'],
  ['no reason', TOKEN, ' '],
  ['a reason beyond 200 characters', TOKEN, 'x'.repeat(201)],
  ['a control character', TOKEN, 'a\u0007b'],
  ['a line break', TOKEN, 'a\nb'],
  ['a turn of the direction', TOKEN, 'a\u202eb'],
])('vouching is refused for %s', async (_, address, reason) => {
  expect((await run('tokens', 'vouch', address, '--reason', reason)).code).toBe(2)
  expect((await database.pool.query('SELECT FROM token_vouch')).rowCount).toBe(0)
})
