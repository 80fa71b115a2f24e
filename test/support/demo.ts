// The demo chain for tests: the known truth about it, and indexing it as the program does, completely or up to a block.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { inject } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import { type Recording, readRecording } from '../../src/chain/replay/recording.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { indexToHead } from './live.ts'
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

/** Indexes and scores the demo chain as if `head` were its newest block; continues from the database's state. */
export async function indexDemo(database: Database, head?: number, recording = demoRecording()): Promise<void> {
  const replay = createReplay(recording, head === undefined ? {} : { head: () => head })
  const rpc = createRpc({ endpoints: [replay], clock: systemClock })
  const preset = loadPreset(DEMO_CHAIN_ID)
  const source = createSource({ rpc, preset, clock: systemClock })
  await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })
}

/** An arbitrary number: whoever makes the indexed demo chain holds this lock, and the others wait. */
const MAKING_LOCK = 7_243_977

/**
 * The demo chain, indexed and scored to its head in one go: a copy of the database that the run's first test file made.
 */
export async function createDemoDatabase(): Promise<TestDatabase> {
  const template = inject('demoTemplate')
  const [name = ''] = template.split(' ')
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock($1)', [MAKING_LOCK])
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await makeDemo(admin, name)
  } finally {
    await admin.end()
  }
  return createTestDatabase(template)
}

/** It gets its name when it is complete. */
async function makeDemo(admin: pg.Client, name: string): Promise<void> {
  const unready = `${name}_unready`
  await admin.query(`DROP DATABASE IF EXISTS ${unready} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${unready} TEMPLATE ${inject('template')}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = unready
  const database = openDatabase(url.href)
  await indexDemo(database).finally(database.close)
  await admin.query(`ALTER DATABASE ${unready} RENAME TO ${name}`)
}

// keccak-256 of PairCreated(address,address,address,uint256) and of Burn(address,uint256,uint256,address); of V4's Initialize and ModifyLiquidity.
const PAIR_CREATED = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'
const BURN = '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496'
const V4_INITIALIZE = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'
const V4_MODIFY = '0xf208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'

/** The block in which liquidity first left a V2 or V4 pool of the token, from the raw logs. */
export function findFirstBurn({ blocks }: Recording, token: string): number {
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
