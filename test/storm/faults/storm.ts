// Indexes and serves a chain whose node gives one faulty answer after another: each in a backfill, then at the head.
// Meanwhile somebody asks the API. Output: what the log said of each fault, and every answer that was not 200.
import type pg from 'pg'
import { createKeyring } from '../../../src/access/keyring.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { type Running, readBlock, startProgram } from '../program.ts'
import type { StormSource } from '../source.ts'
import type { Fault } from './fault.ts'
import { afterFailure } from './list.ts'
import type { FaultProxy } from './proxy.ts'

export interface FaultStorm {
  source: StormSource
  proxy: FaultProxy
  environment: Record<string, string>
  pool: pg.Pool
  faults: readonly Fault[]
  /** The chain ends at this block. */
  until: number
  /** Gets each fault once its blocks are indexed, with the time that they took. */
  onFault?: (fault: Fault, seconds: number, sentences: readonly string[]) => void
  /** Whether to begin no further fault. */
  isOver?: () => boolean
}

export interface FaultReport {
  /** The faults that were met, in a backfill or at the head. */
  met: string[]
  unmet: string[]
  /** The sentences of the log for each fault that caused any. */
  said: { fault: string; sentences: string[] }[]
  /** Answers of the API that were not 200, each by its path, status and body, or by the error of the connection. */
  refused: Record<string, number>
  asked: number
}

/** The blocks of one fault: more than finality, so that a part of them is a backfill. */
const BACKFILL_BLOCKS = 50
const HEAD_BLOCKS = 3
/** The longest time for the blocks of one fault. */
const PATIENCE_MS = 300_000
const LOOK_MS = 20
const ASK_MS = 100

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** How many blocks the faults take. */
export const blocksFor = (faults: readonly Fault[]): number => (faults.length + 1) * (BACKFILL_BLOCKS + HEAD_BLOCKS)

/** Throws if the program ends, or does not reach a block. */
export async function runFaultStorm(storm: FaultStorm): Promise<FaultReport> {
  const { source, proxy, environment, pool, faults, until } = storm
  const report: FaultReport = { met: [], unmet: [], said: [], refused: {}, asked: 0 }
  proxy.disarm()
  let head = BACKFILL_BLOCKS
  source.release(head, head)
  const program = startProgram(['serve'], { ...environment, PORT: '0', ACCESS_LOG: 'none' })
  const goTo = (block: number) => reach(program, pool, block)
  try {
    await goTo(head)
    const asking = await askOn(program, pool, report)
    for (const fault of faults) {
      if (storm.isOver?.() || head + BACKFILL_BLOCKS + HEAD_BLOCKS > until) break
      const before = sentencesOf(program).length
      const startedMs = performance.now()
      let isMet = false
      for (const steps of [[BACKFILL_BLOCKS], Array.from({ length: HEAD_BLOCKS }, () => 1)]) {
        proxy.arm(fault, afterFailure(fault))
        for (const blocks of steps) {
          head += blocks
          source.release(head, head)
          await goTo(head)
        }
        isMet ||= proxy.left() < (fault.times ?? 1)
      }
      proxy.disarm()
      ;(isMet ? report.met : report.unmet).push(fault.name)
      const sentences = sentencesOf(program).slice(before)
      if (sentences.length > 0) report.said.push({ fault: fault.name, sentences })
      storm.onFault?.(fault, (performance.now() - startedMs) / 1_000, sentences)
    }
    source.release(until, until)
    await goTo(until)
    await untilScored(pool)
    await asking.end()
  } finally {
    program.child.kill('SIGTERM')
  }
  const code = await program.ended
  if (code !== 0) throw new Error(`the program ended with ${code}: ${program.complaints().slice(-2_000)}`)
  return report
}

async function reach({ ended, complaints }: Running, pool: pg.Pool, block: number): Promise<void> {
  const startedMs = performance.now()
  let code: number | null | undefined
  void ended.then((left) => {
    code = left
  })
  while ((await readBlock(pool)) !== block) {
    if (code !== undefined) throw new Error(`the program ended with ${code}: ${complaints().slice(-2_000)}`)
    if (performance.now() - startedMs > PATIENCE_MS)
      throw new Error(`block ${block} was not reached: ${complaints().slice(-2_000)}`)
    await pause(LOOK_MS)
  }
}

async function untilScored(pool: pg.Pool): Promise<void> {
  const due = 'SELECT FROM score_due WHERE due_at <= (SELECT max(time) FROM block) LIMIT 1'
  while ((await pool.query(due)).rowCount) await pause(LOOK_MS)
}

/** Warnings and errors of the log, in order. */
function sentencesOf({ complaints }: Running): string[] {
  return complaints()
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string }
      return level === 'warn' || level === 'error' ? [msg] : []
    })
}

/** Asks the API over and over, and counts answers that are not 200. */
async function askOn({ answers }: Running, pool: pg.Pool, report: FaultReport) {
  const { key } = await createKeyring(pool, systemClock).create({ email: 'storm@assay.example', plan: 'api' })
  while (!/REST +http/.test(answers())) await pause(LOOK_MS)
  const base = /REST +(http:\S+)\/v1/.exec(answers())?.[1]
  const headers = { authorization: `Bearer ${key}` }
  let isOver = false
  const ask = async (path: string) => {
    report.asked += 1
    const refusal = await fetch(`${base}${path}`, { headers }).then(
      async (response) => {
        const body = await response.text()
        return response.status === 200 ? undefined : `${path} ${response.status} ${body}`
      },
      (error: unknown) => `${path} ${String(error)}`,
    )
    if (refusal !== undefined) report.refused[refusal] = (report.refused[refusal] ?? 0) + 1
  }
  const work = (async () => {
    while (!isOver) {
      for (const path of ['/healthz', '/v1/events?limit=1', '/v1/tokens?limit=1']) await ask(path)
      await pause(ASK_MS)
    }
  })()
  return {
    end: async () => {
      isOver = true
      await work
    },
  }
}
