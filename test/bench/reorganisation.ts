// `npm run bench -- reorganisation [--unfinal N] [--undone N] [--final N] [--logs N]`: measures blocks that are not final
// yet: the time of each, the size of the undo images, and a reorganisation. Then a jump of finality forgets the images.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { ChainBlock } from '../../src/chain/event.ts'
import { unpackBlocks } from '../../src/chain/logs/unpack.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createWriter } from '../../src/ledger/write/writer.ts'
import { FIRST_BUYS } from '../../src/scoring/weights.ts'
import { findDatabase } from './database.ts'
import { CHAIN_ID, generateChain } from './index/generate.ts'

const { values } = parseArgs({
  options: {
    unfinal: { type: 'string', default: '6000' },
    undone: { type: 'string', default: '3000' },
    final: { type: 'string', default: '1900' },
    logs: { type: 'string', default: '45' },
  },
})
const [unfinal, undone, final, logs] = [values.unfinal, values.undone, values.final, values.logs].map(Number) as [
  number,
  number,
  number,
  number,
]
const WARM = 500
const BLOCK_SECONDS = 0.2
const AT_ONCE = 100
const say = (line: string) => process.stdout.write(`${line}\n`)
const ends: (() => unknown)[] = []
/** Seconds that the work takes. */
const time = async (work: () => Promise<void>): Promise<string> => {
  const from = performance.now()
  await work()
  return `${((performance.now() - from) / 1_000).toFixed(2)} s`
}

/** Serves the chain of the folder from another process. */
async function serve(folder: string): Promise<string> {
  const script = new URL('./index/server.ts', import.meta.url).pathname
  const server = spawn(process.execPath, ['--import', 'tsx', script, folder, 'slices'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  ends.unshift(() => server.kill())
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return line.toString().trim()
}

try {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reorganisation-'))
  ends.unshift(() => rmSync(folder, { recursive: true, force: true }))
  const chain = generateChain(folder, (WARM + unfinal + 10) * (logs + 5), 3, BLOCK_SECONDS, false, logs)
  const url = await serve(folder)
  const preset = loadPreset(CHAIN_ID, JSON.stringify(chain.preset))
  const rpc = createRpc({ urls: [url], clock: systemClock })
  const source = createSource({ rpc, preset, clock: systemClock })
  const read = async (from: number, to: number): Promise<ChainBlock[]> => {
    const blocks: ChainBlock[] = []
    for (let at = from; at <= to; at += AT_ONCE)
      blocks.push(...unpackBlocks(await source.readRange(at, Math.min(to, at + AT_ONCE - 1))))
    return blocks
  }
  const database = openDatabase(await findDatabase(undefined, ends))
  ends.unshift(() => database.close())
  await migrate(database.pool)
  const lock = await acquireWriter({ database })
  ends.unshift(() => lock.release())
  const writer = createWriter({ lock, preset, firstBuys: FIRST_BUYS, reader: createChainReader(rpc, preset) })
  await writer.open({ startBlock: 0 })
  const head = WARM + unfinal
  await writer.append({ blocks: await read(0, WARM), head: WARM, finalized: WARM })
  await writer.settle()
  const blocks = await read(WARM + 1, head)
  const perBlock = blocks.reduce((sum, block) => sum + block.logs.length, 0) / blocks.length
  const append = async (part: readonly ChainBlock[]): Promise<number[]> => {
    const times: number[] = []
    for (const block of part) {
      const from = performance.now()
      await writer.append({ blocks: [block], head: block.number, finalized: WARM })
      times.push(performance.now() - from)
    }
    return times.sort((a, b) => a - b)
  }
  const tell = (times: readonly number[]) =>
    [0.5, 0.99, 1]
      .map((part) => `${times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(0)} ms`)
      .join(', ')
  say(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, ${perBlock.toFixed(0)} logs a block`)
  const times = await append(blocks)
  say(`each of ${unfinal} blocks that are not final (median, 99 %, most): ${tell(times)}`)
  const { rows } = await database.pool.query<{ count: number; bytes: number }>(
    `SELECT count(*)::int AS count, pg_total_relation_size('undo')::float8 AS bytes FROM undo`,
  )
  const size = rows[0]
  if (size)
    say(`undo images: ${size.count}, ${(size.bytes / 1e6).toFixed(0)} MB, ${(size.count / unfinal).toFixed(0)} a block`)
  const target = blocks[unfinal - undone - 1]
  if (!target) throw new Error('--undone must be less than --unfinal')
  say(
    `a reorganisation of ${undone} blocks: ${await time(() => writer.rollback({ number: target.number, hash: target.hash }))}`,
  )
  say(`the same blocks again (median, 99 %, most): ${tell(await append(blocks.slice(unfinal - undone)))}`)
  say(`finality jumps by ${final} blocks: ${await time(() => writer.finalise(WARM + final, head))}`)
  say(`load ${loadavg()[0]?.toFixed(1)}`)
} finally {
  for (const end of ends) await end()
}
