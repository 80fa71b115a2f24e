// Kills the indexer at random moments while the chain advances: at startup, in the backfill, at the head. Afterwards it
// lets the index complete, and returns the moments of the kills.
import { createRandom } from '../support/market/random.ts'
import { indexTo, startProgram } from './program.ts'
import type { StormSource } from './source.ts'

export interface KillStorm {
  source: StormSource
  /** DATABASE_URL, or DATA_DIR of an embedded database, and so on. */
  environment: Record<string, string>
  kills: number
  /** The chain ends at this block. */
  until: number
  seed: number
  /**
   * Reads the newest block. Leave it out for an embedded database, which nobody else should hold open. With it, the
   * last kill waits until the block has advanced.
   */
  readBlock?: () => Promise<number>
}

export interface KillReport {
  kills: number
  /** Kills before the program had sent a request to the source. */
  early: number
  /** The newest block after each kill. */
  blocks: number[]
}

/** The fraction of a round's blocks that is there at once, for a backfill; the others come one by one. */
const AT_ONCE = 0.7
/** In every fifth round the program is killed while it starts. */
const EARLY_EVERY = 5
const EARLY_MS = 1_500
/** The program works at most this long after its first request. */
const WORK_MS = 1_500

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * On a busy machine every kill might come before the first block is written; this makes sure that at least one does
 * not.
 */
async function moved(readBlock: () => Promise<number>, from: number): Promise<void> {
  while ((await readBlock()) <= from) await pause(20)
}

/** Throws if the program exits by itself, or if it cannot finish undisturbed. */
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
