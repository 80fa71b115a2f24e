// `npm run storm -- page --minutes 60`: keeps a token's page and the table of tokens open on the moving demo. It
// measures them after every minute, and compares the page's events with those of the API. Exits with 1 when an event
// was missed or a heap grew. A heap grew when the median of its last tenth is more than a fifth above the end of the
// first tenth. With `--page http://...` it watches a running demo.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { programEntry } from '../support/build.ts'
import { watchPage } from '../support/page-watch.ts'

const MOST_GROWTH = 1.2
const MINUTE_MS = 60_000
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, page: { type: 'string' } } })
const minutes = Number(values.minutes)
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const print = (line: string) => process.stdout.write(`${line}\n`)

/** Starts the moving demo in a folder of its own. */
async function startDemo(): Promise<{ address: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-soak-'))
  const child = spawn(process.execPath, [...programEntry(), 'serve'], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: join(folder, '.assay'), PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      const found = /^ {2}Page +(http\S+)\/$/m.exec(said)?.[1]
      if (found && said.includes('Another key')) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the program ended: ${said}`)))
  })
  return {
    address,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const demo = values.page ? { address: values.page.replace(/\/$/, ''), stop: async () => {} } : await startDemo()
const { CHROMIUM = '/usr/bin/chromium' } = process.env
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})

const key = await fetch(`${demo.address}/demo-key`, {
  headers: { 'sec-fetch-site': 'same-origin', referer: demo.address },
})
  .then((response) => response.json())
  .then((answer) => answer.key as string)

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at by path
const ask = async (path: string): Promise<any> => {
  const response = await fetch(`${demo.address}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}

/** The events of the token that came after one, the oldest first. */
async function eventsAfter(token: string, after: string): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const { data } = await ask(`/events?token_address=${token}&after=${after}&limit=200&page=${page}`)
    ids.push(...data.map(({ id }: { id: string }) => id))
    if (data.length < 200) return ids
  }
}

/** About the last tenth of the recording, which the moving demo plays again and again. */
const PAGES_PLAYED_AGAIN = 6

/** The token that most of these events are of: with another one, there would be little to miss. */
async function findBusiest(): Promise<{ address: string; symbol: string }> {
  const counts = new Map<string, number>()
  let busiest = { address: '', symbol: '' }
  for (let page = 1; page <= PAGES_PLAYED_AGAIN; page += 1) {
    for (const { token_address: address, token_symbol: symbol } of (await ask(`/events?limit=200&page=${page}`)).data) {
      counts.set(address, (counts.get(address) ?? 0) + 1)
      if ((counts.get(address) ?? 0) > (counts.get(busiest.address) ?? 0)) busiest = { address, symbol }
    }
  }
  return busiest
}

const token = await findBusiest()
print(`watching ${token.symbol} ${token.address} and the table of tokens at ${demo.address} for ${minutes} minutes`)
const tabs = await Promise.all(
  [`/token/${token.address}`, '/'].map(async (path) => {
    const page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    const watch = await watchPage(page)
    await page.goto(demo.address + path)
    await page.getByRole('row').nth(5).waitFor()
    return { path, watch, weights: [] as number[] }
  }),
)
const [first] = (await ask(`/events?token_address=${token.address}&limit=1`)).data
const settledAfter = Math.max(1, Math.round(minutes / 10))
for (let minute = 1; minute <= minutes; minute += 1) {
  await new Promise((resolve) => setTimeout(resolve, MINUTE_MS))
  const said: string[] = []
  for (const tab of tabs) {
    const { bytes, nodes } = await tab.watch.weigh()
    tab.weights.push(bytes)
    said.push(`${tab.path.slice(0, 10)} ${(bytes / 1e6).toFixed(2)} MB, ${nodes} nodes`)
  }
  print(`${minute} min: ${said.join('; ')}; ${tabs[0]?.watch.seen.size} events seen`)
}
const came = await eventsAfter(token.address, first.id)
// Events of this last moment get the time to reach the page.
await new Promise((resolve) => setTimeout(resolve, 10_000))
const missed = came.filter((id) => !tabs[0]?.watch.seen.has(id))
print(
  `${came.length} events came, ${missed.length} were missed${missed.length > 0 ? `: ${missed.slice(0, 20).join(', ')}` : ''}`,
)
let isFine = missed.length === 0
for (const { path, weights } of tabs) {
  const before = weights[settledAfter - 1] ?? 0
  // What leaked stays; an answer that was on its way in the moment of a weighing goes.
  const last = median(weights.slice(-settledAfter))
  print(
    `${path.slice(0, 10)}: the heap of the last ${settledAfter} minutes is ${(last / before).toFixed(3)} times that of minute ${settledAfter}`,
  )
  if (last > before * MOST_GROWTH) isFine = false
}
await browser.close()
await demo.stop()
process.exitCode = isFine ? 0 : 1
