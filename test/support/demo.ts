// The demo chain for tests: the known truth about it, and indexing it as the program does, completely or up to a block.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { inject } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { ChainBlock } from '../../src/chain/event.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { type Recording, readRecording } from '../../src/chain/replay/recording.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { chooseContractChecks } from '../../src/roles/contract-checks.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { type ChainParts, indexToHead } from './live.ts'
import type { Truth } from './market/truth.ts'

/** The true facts of the simulated market behind the demo chain. */
export const readDemoTruth = (): Truth =>
  JSON.parse(readFileSync(new URL('../fixtures/demo-truth.json', import.meta.url), 'utf8')) as Truth

let recorded: Recording | undefined
/** The recording, unpacked once for all test files of a process: nothing changes it, and each time takes a fifth of a second. */
export const demoRecording = (): Recording => {
  recorded ??= readRecording()
  return recorded
}

/** The parts that read the demo chain, or another recording of it, as if `head` were its newest block. */
function openDemo({ head, recording = demoRecording() }: { head?: number; recording?: Recording }): ChainParts {
  const replay = createReplay(recording, head === undefined ? {} : { head: () => head })
  const rpc = createRpc({ endpoints: [replay], clock: systemClock })
  const preset = loadPreset(DEMO_CHAIN_ID)
  return { source: createSource({ rpc, preset, clock: systemClock }), reader: createChainReader(rpc, preset), preset }
}

/** Indexes and scores the demo chain as if `head` were its newest block; continues from the database's state. */
export async function indexDemo(
  database: Database,
  head?: number,
  onAppend?: (blocks: readonly ChainBlock[]) => void,
): Promise<void> {
  await indexToHead(database, openDemo(head === undefined ? {} : { head }), 'head', onAppend)
}

/** Indexes and scores another recording of the demo chain. */
export async function indexRecording(database: Database, recording: Recording): Promise<void> {
  await indexToHead(database, openDemo({ recording }))
}

/** Checks the contracts at the newest indexed block, and scores what that changes, as the program does on arrival. */
export async function checkDemo(database: Database): Promise<void> {
  const preset = loadPreset(DEMO_CHAIN_ID)
  const { signal } = new AbortController()
  const config = { RPC_URL: undefined, CONTRACT_CHECKS: 'on', CONTRACT_CALLS_PER_MINUTE: 1 } as const
  const log = createLog({ level: 'silent', pretty: false })
  const checks = await chooseContractChecks(
    { config, clock: systemClock, log },
    { database, preset, signal, metrics: createMetrics(), demo: createReplay(demoRecording()) },
  )
  await checks?.drain(60_000, signal)
  await checks?.store()
  await createRescore({ database, preset }).run()
}

/** An arbitrary number: whoever makes a template holds this lock, and the others wait. */
const MAKING_LOCK = 7_243_977

/**
 * The demo chain, indexed and scored to its head in one go: a copy of the database that the run's first test file made.
 */
export const createDemoDatabase = (): Promise<TestDatabase> => copyOf(inject('demoTemplate'), indexDemo)

/** Where the other run of the demo chain stops and scores; the last ones lie within one hour. */
const STOPS = [850, 1_850, 3_400, 4_300, 5_200, 6_350, 6_900, 7_020, 7_085, 7_086, 7_087, 7_090, 7_095]
/** It stops here too, and another writer rolls it back before it continues. */
const ROLLED_BACK = { from: 2_800, to: 2_775 }
const DAY = 86_400

/** The head 24 h before liquidity first left each rug, by the rug's address. */
export function readDaysBefore(recording = demoRecording()): Map<string, number> {
  const rugs = readDemoTruth().tokens.filter(({ story }) => story === 'rug')
  return new Map(
    rugs.map(({ address }) => {
      const time = recording.blocks[findFirstBurn(recording, address)]?.time ?? 0
      return [address, recording.blocks.findLastIndex((block) => block.time <= time - DAY)]
    }),
  )
}

/**
 * The demo chain, indexed to its head with stops and a rollback on the way: a copy like the other one. The table `stood`
 * has the risk of each token at each stop.
 */
export const createStoppedDemo = (): Promise<TestDatabase> => copyOf(inject('stoppedTemplate'), indexWithStops)

async function indexWithStops(database: Database): Promise<void> {
  const { pool } = database
  await pool.query('CREATE TABLE stood (head int, address text, risk_score float8, risk_flags text[])')
  const stops = new Set([...STOPS, ROLLED_BACK.from, ...readDaysBefore().values()])
  for (const head of [...stops].sort((a, b) => a - b)) {
    await indexDemo(database, head)
    // The node is at the recording's end, ahead of the index.
    await checkDemo(database)
    await pool.query(`INSERT INTO stood SELECT ${head}, address, risk_score, risk_flags FROM token WHERE indexed`)
    if (head === ROLLED_BACK.from) await rollBackDemo(database, ROLLED_BACK.to)
  }
  await indexDemo(database)
  await checkDemo(database)
}

/** Rolls the demo chain back to a block that is not final. */
async function rollBackDemo(database: Database, to: number): Promise<void> {
  const { reader, preset } = openDemo({})
  const lock = await acquireWriter({ database })
  try {
    const writer = createWriter({ lock, preset, firstBuys: FIRST_BUYS, reader })
    const { window } = await writer.open()
    const block = window.find(({ number }) => number === to)
    if (!block) throw new Error(`block ${to} of the demo chain is final`)
    await writer.rollback(block)
  } finally {
    await lock.release()
  }
}

/** A copy of a template, which is made first if the run has none yet. */
async function copyOf(template: string, make: (database: Database) => Promise<void>): Promise<TestDatabase> {
  const [name = ''] = template.split(' ')
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock($1, hashtext($2))', [MAKING_LOCK, name])
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await makeTemplate(admin, name, make)
  } finally {
    await admin.end()
  }
  return createTestDatabase(template)
}

/** It gets its name when it is complete. */
async function makeTemplate(
  admin: pg.Client,
  name: string,
  make: (database: Database) => Promise<void>,
): Promise<void> {
  const unready = `${name}_unready`
  await admin.query(`DROP DATABASE IF EXISTS ${unready} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${unready} TEMPLATE ${inject('template')}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = unready
  const database = openDatabase(url.href)
  await make(database).finally(database.close)
  await admin.query(`ALTER DATABASE ${unready} RENAME TO ${name}`)
}

// keccak-256 of PairCreated(address,address,address,uint256) and of Burn(address,uint256,uint256,address); of V4's Initialize and ModifyLiquidity.
const PAIR_CREATED = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'
const BURN = '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496'
const V4_INITIALIZE = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'
const V4_MODIFY = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'

/** The block in which liquidity first left a V2 or V4 pool of the token, from the raw logs. */
function findFirstBurn({ blocks }: Recording, token: string): number {
  const pools = new Set<string>()
  return blocks.findIndex(({ logs }) =>
    logs.some(({ address, topics, data }) => {
      const isPool = topics[0] === PAIR_CREATED && topics.some((topic) => topic.endsWith(token.slice(2)))
      if (isPool) pools.add(`0x${data.slice(26, 66)}`)
      if (topics[0] === V4_INITIALIZE && topics.some((topic) => topic.endsWith(token.slice(2))))
        pools.add(topics[1] ?? '')
      // The third word is the added amount; its highest bit marks a removal.
      if (topics[0] === V4_MODIFY)
        return pools.has(topics[1] ?? '') && BigInt(`0x${data.slice(130, 194)}`) >> 255n === 1n
      return topics[0] === BURN && pools.has(address)
    }),
  )
}
