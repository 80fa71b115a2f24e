// The bot of examples/bot against the demo chain and a chat that keeps the posted messages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'
import { createServed } from '../support/served.ts'

const FILE = new URL('../../examples/bot/launches.mjs', import.meta.url)

test('the bot has 40 lines at most', () => {
  expect(readFileSync(FILE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('the bot posts each launch of the demo once, with its risk and whether it sells', async () => {
  const served = await createServed({ filled: await createDemoDatabase() })
  const { key } = await served.knock({ plan: 'api' })
  const { json } = await served.ask('/tokens?sort=newest&max_age_hours=240&min_liquidity_usd=1000&limit=20')
  const launches: { address: string }[] = json.data.toReversed()
  expect(launches.length).toBeGreaterThan(0)
  const posted: string[] = []
  const chat = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    posted.push(JSON.parse(Buffer.concat(chunks).toString()).content)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(chat, 'listening')
  const CHAT_URL = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`
  const env = {
    ...process.env,
    ASSAY_URL: served.url,
    ASSAY_KEY: key,
    CHAT_URL,
    EVERY_SECONDS: '0.2',
    MAX_AGE_HOURS: '240',
  }
  const bot = spawn(process.execPath, [FILE.pathname], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const complaints: string[] = []
  bot.stderr.on('data', (chunk) => complaints.push(String(chunk)))
  try {
    await expect.poll(() => posted.length + complaints.length).toBe(launches.length)
    // It asks again, and finds nothing new.
    const asked = served.lines.length
    await expect.poll(() => served.lines.length - asked).toBeGreaterThan(2)
  } finally {
    bot.kill()
    chat.close()
  }
  expect(complaints).toEqual([])
  expect(posted.map((text) => /0x[0-9a-f]{40}/.exec(text)?.[0])).toEqual(launches.map(({ address }) => address))
  for (const text of posted)
    expect(text).toMatch(/: risk [\d.]+ \((low|medium|high) confidence\), not known whether it sells\n/)
})
