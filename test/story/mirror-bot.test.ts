// The bot of examples/bot that mirrors a wallet: signed messages in, orders out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { untilThere } from '../support/patience.ts'

const FILE = new URL('../../examples/bot/mirror.mjs', import.meta.url)
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const STRANGER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const [SAFE, RISKY, SOLD] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`]

const token = (address: string, risk: number) => ({
  ...{ address, risk_score: risk, sellable: true },
  trades: [{ wallet_address: SAFE, direction: 'buy', amount_usd: 5 }],
})
const exit = (kind: string, share: number | null) => ({
  ...{ token_address: SOLD, kind, share_pct: share, tx_hash: `0x${kind}` },
})
const MESSAGE = {
  type: 'alert.matched',
  data: {
    tokens: [token(SAFE, 20), token(RISKY, 90)],
    exits: [exit('sale', 25), exit('transfer', 100), exit('sale', null)],
  },
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

test('the bot that mirrors a wallet has few lines', () => {
  expect(readFileSync(FILE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(50)
})

test('the bot buys a token within its risk, sells the share that was sold, and heeds neither transfers nor strangers', async () => {
  const orders: Record<string, unknown>[] = []
  const trader = createServer(async (request, response) => {
    orders.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(trader, 'listening')
  const port = await freePort()
  const env = {
    ...process.env,
    ...{ SECRET, PORT: String(port), TRADER_URL: `http://127.0.0.1:${(trader.address() as AddressInfo).port}` },
  }
  const bot = spawn(process.execPath, [FILE.pathname], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  bot.stderr.on('data', (chunk) => (complaints += String(chunk)))
  const send = async (secret: string) => {
    const body = JSON.stringify(MESSAGE)
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('m1', new Date(), body)}`,
    }
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body }).catch(() => null)
    return answer?.status ?? 0
  }
  try {
    let status = 0
    await untilThere(
      async () => {
        status = await send(STRANGER)
        return status !== 0 || complaints !== ''
      },
      () => complaints,
    )
    expect([complaints, status, orders]).toEqual(['', 401, []])
    expect(await send(SECRET)).toBe(204)
  } finally {
    bot.kill()
    trader.close()
  }
  expect(orders).toEqual([
    { id: `m1 ${SAFE}`, buy: SAFE, amount_usd: 100 },
    { id: `0xsale ${SOLD}`, sell: SOLD, share_pct: 25 },
  ])
})
