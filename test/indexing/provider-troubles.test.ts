// Each row of the table of a provider's troubles in docs/operations.md, with a provider over HTTP that behaves so.
import { expect, test } from 'vitest'
import { WAIT_SENTENCES } from '../../src/base/wait.ts'
import { connectChain } from '../../src/chain/connect/connect.ts'
import { logNotice, logSpell } from '../../src/chain/rpc/trouble.ts'
import { createIndexer } from '../../src/indexing/indexer.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { readPage, sectionOf } from '../docs/pages.ts'
import { silentLog } from '../support/access.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createFakeChain, type FakeChain, type FakeFault, transferLog, word } from '../support/fake-chain.ts'
import { dumpLedger } from '../support/live.ts'
import { type Misbehaviour, type RpcServer, startRpcServer } from '../support/rpc-server.ts'

const BLOCK_MS = 12_000
/** Each request takes so long, and moves the clock and the chain. */
const REQUEST_MS = 250
/** Blocks at the start, and the last one to index. */
const [FIRST, UNTIL] = [200, 270]
const FINALITY_DEPTH = 20
/** During a backfill, and at the head. */
const [EARLY_MS, LATE_MS] = [2_000, 120_000]
const TROUBLE_MS = 120_000

interface Stage {
  chain: FakeChain
  server: RpcServer
  /** The chain of the second provider, which has the same blocks. */
  other: FakeChain
  /** Milliseconds since the start. */
  time(): number
  isOn(): boolean
}

interface Row {
  symptom: string
  begin: string | RegExp
  /** Undefined: the trouble lasts until the next start. */
  end?: string
  /** The trouble lasts: the index waits for it until the program ends. */
  isStop?: boolean
  /** Rows differ from those beside a provider without trouble. */
  isInexact?: boolean
  urls?: number
  receiptsShare?: number
  fromMs?: number
  disturb(stage: Stage): void
}

const FAILS = 'an endpoint of RPC_URL fails: its calls are sent again, elsewhere if possible'
const WORKS_AGAIN = 'an endpoint of RPC_URL works again'
const CONTRADICTION = WAIT_SENTENCES.contradiction
const GOES_ON = 'the index goes on'

const answer =
  (misbehaviour: Misbehaviour) =>
  ({ server, isOn }: Stage): void =>
    server.intervene(() => (isOn() ? misbehaviour : undefined))

/** Refuses every block. */
const refuseBlocks =
  (error: FakeFault) =>
  ({ server, isOn }: Stage): void =>
    server.replace(({ method }) => (method === 'eth_getBlockByNumber' && isOn() ? { error } : undefined))

/** Fails once, so that its chain is asked for again, and serves another one then. */
function serveOther({ server, isOn }: Stage): void {
  let isDown = true
  server.intervene(() => {
    if (!isOn() || !isDown) return undefined
    isDown = false
    return { status: 503, body: '' }
  })
  server.replace(({ method }) => (method === 'eth_chainId' && isOn() ? { result: '0x1' } : undefined))
}

/** The blocks above a number are not there. */
function goBack({ chain, server, isOn }: Stage, blocks: number): void {
  let height: number | undefined
  server.replace(({ method, params }) => {
    if (!isOn() || method !== 'eth_getBlockByNumber') return undefined
    height ??= chain.blocks.length - 1 - blocks
    const tag = params[0] === 'latest' ? height : Number(params[0])
    return tag > height ? { result: null } : chain.answer(method, [`0x${tag.toString(16)}`, params[1]])
  })
}

const ROWS: readonly Row[] = [
  {
    symptom: '429, also with `Retry-After`',
    begin: 'an endpoint of RPC_URL limits requests: it gets fewer, after the pause that it asks for',
    end: WORKS_AGAIN,
    disturb: answer({ status: 429, headers: { 'retry-after': '7' }, body: '' }),
  },
  { symptom: '5xx', begin: FAILS, end: WORKS_AGAIN, disturb: answer({ status: 502, body: '<h1>Bad gateway</h1>' }) },
  {
    symptom: '404, 405, or the page of a proxy',
    begin: FAILS,
    end: WORKS_AGAIN,
    disturb: answer({ status: 404, body: '<h1>Not Found</h1>' }),
  },
  {
    symptom: 'JSON that is cut off',
    begin: FAILS,
    end: WORKS_AGAIN,
    disturb: answer({ body: '{"jsonrpc":"2.0","res' }),
  },
  { symptom: 'no connection', begin: FAILS, end: WORKS_AGAIN, fromMs: LATE_MS, disturb: answer({ reset: true }) },
  {
    symptom: '401, 402 or 403',
    begin: 'an endpoint of RPC_URL refuses its key: it is asked again from time to time, and others meanwhile',
    end: WORKS_AGAIN,
    disturb: answer({ status: 401, body: '' }),
  },
  {
    symptom: 'an endpoint serves another chain',
    begin: 'an endpoint of RPC_URL does not serve the indexed chain: it is not used, and asked again each minute',
    end: WORKS_AGAIN,
    urls: 2,
    disturb: serveOther,
  },
  {
    symptom: 'every endpoint serves another chain',
    begin: 'an endpoint of RPC_URL does not serve the indexed chain: it is not used, and asked again each minute',
    end: WORKS_AGAIN,
    disturb: serveOther,
  },
  {
    symptom: 'the head goes back 100 blocks',
    begin: 'the head of RPC_URL went back: the index waits for it, and follows it if it grows another branch',
    end: GOES_ON,
    fromMs: LATE_MS,
    disturb: (stage) => goBack(stage, 100),
  },
  {
    symptom: 'the state of older blocks is gone',
    isInexact: true,
    begin: /^RPC_URL no longer has the state of block \d+: balances that are older/,
    end: 'RPC_URL has the state of old blocks again',
    disturb: ({ server, isOn }) =>
      server.replace(({ method, params }) =>
        method === 'eth_call' && params[1] !== 'latest' && isOn()
          ? { error: { code: -32000, message: 'missing trie node' } }
          : undefined,
      ),
  },
  {
    symptom: 'ranges of blocks are refused',
    begin:
      'RPC_URL refuses wide ranges of blocks: logs are asked for in narrower ones, and wider ones are tried rarely',
    disturb: ({ server }) =>
      server.intervene((requests) => {
        const { fromBlock, toBlock } = (requests[0]?.params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
        const isWide = requests[0]?.method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) > 4
        return isWide ? { error: { code: -32000, message: 'block range is too wide' } } : undefined
      }),
  },
  {
    symptom: 'a method is refused after it worked',
    begin: WAIT_SENTENCES.block_refused,
    end: GOES_ON,
    fromMs: LATE_MS,
    disturb: refuseBlocks({ code: -32601, message: 'the method eth_getBlockByNumber does not exist/is not available' }),
  },
  {
    symptom: 'the history of a block is pruned, or needs a personal token',
    begin: WAIT_SENTENCES.block_refused,
    end: GOES_ON,
    fromMs: LATE_MS,
    disturb: refuseBlocks({ code: 4444, message: 'pruned history unavailable' }),
  },
  {
    symptom: 'two providers disagree',
    begin: CONTRADICTION,
    end: GOES_ON,
    urls: 2,
    fromMs: LATE_MS,
    disturb({ server, other, isOn }) {
      // The first one has the blocks without their logs, and the second one the logs of another branch.
      server.replace(({ method }) => {
        if (!isOn() || method !== 'eth_getLogs') return undefined
        if (other.blocks.length > FIRST) other.drop(10)
        return { error: { code: -32000, message: 'unknown block' } }
      })
    },
  },
  {
    symptom: 'a log is left out',
    begin: CONTRADICTION,
    end: GOES_ON,
    fromMs: LATE_MS,
    disturb: ({ server, isOn }) =>
      server.replace(({ method }) => (method === 'eth_getLogs' && isOn() ? { result: [] } : undefined)),
  },
  {
    symptom: 'a log is left out, and a receipt has it',
    begin: /^the provider returned 0 of the 1 logs of block \d+; the index has those of its receipts\. Every block is/,
    end: 'the provider returns all logs again: it did for 100 blocks in a row',
    receiptsShare: 0.1,
    disturb({ chain, server }) {
      chain.hasReceipts = true
      server.replace(({ method, params }) => {
        const [filter] = params as { fromBlock?: string; toBlock?: string }[]
        const isLie = method === 'eth_getLogs' && Number(filter?.fromBlock) <= 40 && Number(filter?.toBlock) >= 20
        return isLie ? { result: [] } : undefined
      })
    },
  },
  {
    symptom: 'a reorganisation deeper than finality',
    begin: WAIT_SENTENCES.below_finality,
    isStop: true,
    fromMs: LATE_MS,
    disturb({ chain, server, isOn }) {
      let isDone = false
      server.replace(() => {
        if (!isOn() || isDone) return undefined
        isDone = true
        const { length } = chain.blocks
        chain.drop(60)
        while (chain.blocks.length <= length) grow(chain)
        return undefined
      })
    },
  },
]

/** A block with a transfer of a token that was not seen before, whose contract is thus asked. */
function grow(chain: FakeChain): void {
  const address = word(0xc0de0000 + chain.blocks.length)
  const log = transferLog(1, `0x${address.slice(24)}`)
  const sender = `0x${address}`
  chain.mineBlock({ logs: [{ ...log, topics: [log.topics[0] ?? '', sender, log.topics[2] ?? ''] }] })
}

/** Indexes beside the trouble. Returns the sentences of the log. */
async function index(database: TestDatabase, { urls = 1, receiptsShare, fromMs = EARLY_MS, isStop, disturb }: Row) {
  const clock = createTestClock()
  const [chain, other] = [createFakeChain(), createFakeChain()]
  const servers = [await startRpcServer(chain), await startRpcServer(other)]
  const startedMs = clock.monotonicMs()
  const time = () => clock.monotonicMs() - startedMs
  for (const server of servers) {
    server.intervene(() => {
      clock.advance(REQUEST_MS)
      for (const each of [chain, other]) while (each.blocks.length < FIRST + time() / BLOCK_MS) grow(each)
      return undefined
    })
  }
  const isOn = () => time() >= fromMs && time() < fromMs + TROUBLE_MS
  const [server] = servers as [RpcServer]
  disturb({ chain, server, other, time, isOn })
  const stopping = new AbortController()
  server.intervene(() => {
    if (isStop && time() > fromMs + 2 * TROUBLE_MS) stopping.abort()
    return undefined
  })
  for (const each of servers)
    each.replace(({ method }) => (method === 'eth_call' ? { result: `0x${word(10 ** 6)}` } : undefined))

  const said: string[] = []
  const say = (...parts: unknown[]) => void said.push(String(parts.find((part) => typeof part === 'string')))
  const log = { ...silentLog, info: say, warn: say, error: say }
  try {
    const { source, reader, preset } = await connectChain({
      urls: servers.slice(0, urls).map(({ url }) => url),
      override: JSON.stringify({
        wrappedNative: `0x${'e'.repeat(40)}`,
        factories: [],
        stablecoins: [],
        finalityDepth: FINALITY_DEPTH,
      }),
      clock,
      receiptsShare,
      onTrouble: () => {},
      onSpell: logSpell(log),
      onNotice: logNotice(log),
      signal: stopping.signal,
    })
    await createIndexer({
      ...{ database, source, clock, log, metrics: createMetrics(), signal: stopping.signal, until: UNTIL },
      createWriter: (lock) => createWriter({ lock, reader, preset, firstBuys: FIRST_BUYS }),
      rescore: { run: async () => ({ tokens: 0, wallets: 0, isLeft: false }), forget: () => {} },
      startBlock: undefined,
      reindexFrom: undefined,
      onProgress: () => {},
    }).run()
  } catch (error) {
    say((error as Error).message)
  } finally {
    stopping.abort()
    await Promise.all(servers.map((each) => each.close()))
  }
  return said
}

const straight = await createTestDatabase()
await index(straight, { symptom: 'none', begin: '', disturb: () => {} })
const undisturbed = await dumpLedger(straight.pool)

const TABLE = sectionOf(readPage('docs/operations.md').text, '### Troubles of a provider')
const cellsOf = (line: string) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))

test('the page has a row for each trouble, and no other', () => {
  const rows = TABLE.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Symptom'))
  expect(rows.map((row) => cellsOf(row)[0])).toEqual(ROWS.map(({ symptom }) => symptom))
})

test.each(ROWS.map((row) => [row.symptom, row] as const))(
  'a provider in this trouble is one sentence in the log when it begins, and one when it ends: %s',
  async (symptom, row) => {
    const database = await createTestDatabase()
    const said = await index(database, row)
    const ends = row.end === undefined ? [] : [expect.stringContaining(row.end)]
    expect(said).toEqual([expect.stringMatching(row.begin), ...ends])

    const sentences = TABLE.split('\n').find((line) => cellsOf(line)[0] === symptom) ?? ''
    const written = sentences.split('`').filter((text, at) => at % 2 === 1 && text.length > 15)
    expect(written).toEqual([expect.stringMatching(row.begin), ...ends])

    const { rows } = await database.pool.query('SELECT max(number) AS newest FROM block')
    if (row.isStop) expect(rows[0].newest ?? -1).toBeLessThan(UNTIL)
    else expect(rows[0].newest).toBe(UNTIL)
    if (!row.isStop && !row.isInexact) expect(await dumpLedger(database.pool)).toEqual(undisturbed)
  },
)
