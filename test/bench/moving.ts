// A chain that moves every second: each block changes some tokens, as undo images tell, and answers about the others are asked for.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type Comparison, fire, median, type Server, tokenAddress, walletAddress } from './compare.ts'
import type { Sizes } from './load.ts'

/** Tokens that are asked for; a block changes others. */
const ASKED = 1_000
const CHANGED = 100
const BLOCK_MS = 1_000

/** A block that changes the last tokens. */
const BLOCK = `WITH newest AS (SELECT max(number) AS number FROM block),
  changed AS (SELECT id FROM token ORDER BY id DESC LIMIT ${CHANGED}),
  kept AS (INSERT INTO undo SELECT n.number + 1, 'token', c.id, 0, 0, '{}' FROM newest n, changed c),
  moved AS (UPDATE token t SET updated_block = n.number + 1, liquidity_usd = liquidity_usd + 1
    FROM newest n, changed c WHERE t.id = c.id),
  added AS (INSERT INTO block SELECT (jsonb_populate_record(NULL::block, to_jsonb(b) || jsonb_build_object('number', b.number + 1,
    'hash', '0x' || lpad(to_hex(b.number + 1), 64, '0'), 'time', b.time + interval '1 second'))).*
    FROM block b JOIN newest n USING (number))
  SELECT pg_notify('assay_head', 'x') FROM newest`

/** Lets blocks come until it is told to stop. */
async function move(url: string, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    while (!signal.aborted) {
      await client.query(BLOCK)
      await setTimeout(BLOCK_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    await client.end()
  }
}

/** What is asked for: of many tokens, none of which moves. */
const kindsOf = ({ tokens, wallets }: Sizes): Record<string, (at: number) => string> => ({
  'GET /tokens/{address}': (at) => `/v1/tokens/${tokenAddress(1 + (at % (tokens - CHANGED)))}`,
  'GET /scores/token/{address}': (at) => `/v1/scores/token/${tokenAddress(1 + (at % (tokens - CHANGED)))}`,
  'GET /events?token_address=': (at) => `/v1/events?token_address=${tokenAddress(1 + (at % (tokens - CHANGED)))}`,
  'GET /scores/wallet/{address}': (at) => `/v1/scores/wallet/${walletAddress(tokens, 1 + (at % wallets))}`,
  'GET /wallets/{address}/events': (at) => `/v1/wallets/${walletAddress(tokens, 1 + (at % wallets))}/events`,
})

/** Answers that are kept, while blocks come, beside the same while none come. */
export async function raceMoving(
  ours: Server,
  url: string,
  sizes: Sizes,
  { rounds, seconds }: { rounds: number; seconds: number },
  isWanted: (name: string) => boolean,
  report: (comparison: Comparison) => void,
): Promise<void> {
  for (const [name, pathOf] of Object.entries(kindsOf(sizes))) {
    if (!isWanted(name)) continue
    const paths = Array.from({ length: ASKED }, (_, at) => pathOf(at))
    await fire(ours, paths, seconds)
    const results = []
    for (let round = 0; round < rounds; round += 1) {
      const still = await fire(ours, paths, seconds)
      const stopping = new AbortController()
      const moving = move(url, stopping.signal)
      const moved = await fire(ours, paths, seconds)
      stopping.abort()
      await moving
      results.push({ still: still.requests.average, moved: moved.requests.average, latency: moved.latency })
    }
    report({
      route: name,
      ours: median(results.map(({ moved }) => moved)),
      yardstick: median(results.map(({ still }) => still)),
      ratio: median(results.map(({ moved, still }) => moved / still)),
      p50Ms: median(results.map(({ latency }) => latency.p50)),
      p99Ms: median(results.map(({ latency }) => latency.p99)),
    })
  }
}
