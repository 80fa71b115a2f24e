// Kills the indexer at random moments, again and again, while the chain goes on: at the start, in the backfill, at the head.
// Comes in: where it indexes to and how often it is killed; goes out: what the storm hit. The database is then complete.
import { createRandom } from '../support/market/random.ts'
import { indexTo, startProgram } from './program.ts'
import type { StormSource } from './source.ts'

export interface KillStorm {
  source: StormSource
  /** DATABASE_URL, or DATA_DIR of an embedded database, and the like. */
  environment: Record<string, string>
  kills: number
  /** The chain ends at this block. */
  until: number
  seed: number
  /** The newest block; none: not asked, so that nobody else holds the embedded database. The last kill waits until it has moved. */
  readBlock?: () => Promise<number>
}

export interface KillReport {
  kills: number
  /** Kills before the program had asked the source anything. */
  early: number
  /** Where the ledger was after each kill. */
  blocks: number[]
}

/** Of the blocks that a round adds, so many are there at once: a backfill; the others come one by one. */
const AT_ONCE = 0.7
/** Every so many rounds the program is killed while it starts. */
const EARLY_EVERY = 5
const EARLY_MS = 1_500
/** After its first request the program may work at most so long. */
const WORK_MS = 1_500

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** On a busy machine every kill may come before the first block is written: one at least shall not. */
async function moved(readBlock: () => Promise<number>, from: number): Promise<void> {
  while ((await readBlock()) <= from) await pause(20)
}

/** Throws when the program ends by itself, or fails to end when it is left alone. */
export async function runKillStorm({
  source,
  environment,
  kills,
  until,
  seed,
  readBlock,
}: KillStorm): Promise<KillReport> {
  const random = createRandom(seed)
  const report: KillReport = { kills: 0, early: 0, blocks: [] }
  const step = until / (kills + 1)
  for (let round = 0; round < kills; round++) {
    const from = Math.floor(step * round)
    source.release(from + Math.floor(step * AT_ONCE), Math.floor(from + step))
    const isEarly = round % EARLY_EVERY === EARLY_EVERY - 1
    const asked = source.asked()
    const program = startProgram(['index', '--until', String(until)], environment)
    const left = program.ended.then((code) => {
      if (code !== null) throw new Error(`the program ended with ${code}: ${program.complaints()}`)
    })
    if (!isEarly) await Promise.race([asked, left])
    if (readBlock && round === kills - 1) await Promise.race([moved(readBlock, report.blocks.at(-1) ?? -1), left])
    await Promise.race([pause(random.next() * (isEarly ? EARLY_MS : WORK_MS)), left])
    program.child.kill('SIGKILL')
    await left
    report.kills += 1
    if (isEarly) report.early += 1
    if (readBlock) report.blocks.push(await readBlock())
  }
  source.release(until, until)
  await indexTo(until, environment)
  return report
}
