// Every operation of REST over the whole demo chain, with its contracts checked. Each answer is as /openapi.json
// describes it, and so are the examples there. `npm run -s docs` writes them anew.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import examples from '../../src/describe/examples.json' with { type: 'json' }
import { ROUTES } from '../../src/rest/contract/routes.ts'
import { createSql } from '../../src/sql/sql.ts'
import { differences } from '../docs/shape.ts'
import { checkDemo, createDemoDatabase } from '../support/demo.ts'
import { makeFolder } from '../support/folder.ts'
import { askOperations } from '../support/operations.ts'
import { createServed } from '../support/served.ts'
import { PATIENT_LIMITS } from '../support/sql.ts'

const FILE = fileURLToPath(new URL('../../src/describe/examples.json', import.meta.url))

const database = await createDemoDatabase()
await checkDemo(database)
const sql = createSql({ database, folder: makeFolder('sql'), clock: systemClock }, PATIENT_LIMITS)
afterAll(() => sql.stop())
// `ask` throws for an answer that is not as described.
const served = await createServed({ filled: database, sql })

const addressesOf = async (query: string): Promise<string[]> =>
  (await database.pool.query<{ address: string }>(query)).rows.map(({ address }) => address)
const tokens = await addressesOf('SELECT address FROM token WHERE indexed ORDER BY id')
const wallets = await addressesOf('SELECT address FROM wallet WHERE indexed ORDER BY id')
const [token = ''] = await addressesOf(`SELECT address FROM token WHERE symbol = 'EXODUS'`)
const [wallet = ''] = await addressesOf(
  'SELECT address FROM wallet JOIN wallet_score s ON s.wallet_id = wallet.id WHERE indexed ORDER BY s.reputation_score DESC, address LIMIT 1',
)

const pathsOf = (about: string) =>
  ROUTES.filter(({ method, path }) => method === 'GET' && path.includes(about)).map(({ path }) => path)
const TOKEN_PATHS = [...pathsOf('/tokens/:address'), '/scores/token/:address']
const WALLET_PATHS = [...pathsOf('/wallets/:address'), '/scores/wallet/:address']

test('every answer about every token of the demo is as described', async () => {
  expect(tokens.length).toBeGreaterThan(50)
  for (const address of tokens)
    for (const path of TOKEN_PATHS) expect((await served.ask(path.replace(':address', address))).status).toBe(200)
})

test('every answer about each fourth wallet of the demo is as described', async () => {
  expect(wallets.length).toBeGreaterThan(500)
  for (const address of wallets.filter((_, at) => at % 4 === 0))
    for (const path of WALLET_PATHS) expect((await served.ask(path.replace(':address', address))).status).toBe(200)
})

test('every page of every list is as described', async () => {
  for (let path = '/tokens?limit=7'; path !== ''; ) {
    const { status, headers } = await served.ask(path)
    expect(status).toBe(200)
    path = /<\/v1([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
  }
  for (const symbol of ['a', 'OTTER', '0x', token, wallet])
    expect((await served.ask(`/search?query=${symbol}`)).status).toBe(200)
})

test('the example of every operation has the shape of its answer', async () => {
  const answers = await askOperations(served, { token, wallet })
  if (process.env.UPDATE_DOCS === '1') return writeFileSync(FILE, JSON.stringify(answers))
  expect(differences(examples, answers)).toEqual([])
})
