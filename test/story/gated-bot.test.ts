// The bot of examples/bot that buys through the gate, against the demo chain and a trader that keeps the orders.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'
import { untilThere } from '../support/patience.ts'
import { createServed } from '../support/served.ts'
import { checkWhole } from '../support/whole-checks.ts'

const FILE = new URL('../../examples/bot/gated.mjs', import.meta.url)
/** Tokens of the demo that take what their buyers paid, or forbid them to sell. */
const TRAPS = ['LURE', 'MAW', 'GHOST', 'GRASP']

test('the bot that buys through the gate has 40 lines at most', () => {
  expect(readFileSync(FILE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('the bot orders what the gate allows and nothing else: no trap, and nothing about which a fact is missing', async () => {
  const database = await createDemoDatabase()
  await checkWhole(database)
  const served = await createServed({ filled: database })
  const { key } = await served.knock({ plan: 'api' })
  const { rows } = await database.pool.query<{ address: string; symbol: string }>('SELECT address, symbol FROM token')
  const symbolOf = new Map(rows.map(({ address, symbol }) => [address, symbol]))
  const orders: string[] = []
  const trader = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    orders.push(JSON.parse(Buffer.concat(chunks).toString()).buy)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(trader, 'listening')
  const env = {
    ...process.env,
    ...{ ASSAY_URL: served.url, ASSAY_KEY: key, EVERY_SECONDS: '0.2', MAX_AGE_HOURS: '10000', AMOUNT_USD: '50' },
    TRADER_URL: `http://127.0.0.1:${(trader.address() as AddressInfo).port}`,
  }
  const bot = spawn(process.execPath, [FILE.pathname], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let complaints = ''
  bot.stdout.on('data', (chunk) => (said += String(chunk)))
  bot.stderr.on('data', (chunk) => (complaints += String(chunk)))
  const lines = () => said.trimEnd().split('\n').filter(Boolean)
  try {
    await untilThere(
      () => lines().length >= 20 || complaints !== '',
      () => `it said ${said} ${complaints}`,
    )
  } finally {
    bot.kill()
    trader.close()
  }
  expect(complaints).toBe('')
  const allowed = lines().flatMap((line) => (line.startsWith('allow ') ? [line.split(' ')[1]] : []))
  expect(orders).toEqual(allowed)
  expect(allowed.length).toBeGreaterThan(0)
  for (const token of orders) expect(TRAPS).not.toContain(symbolOf.get(token))
})
