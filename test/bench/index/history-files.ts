// A generated chain as Parquet files beside its JSON-RPC, and how fast the indexer's reading thread reads either. Input: the folder
// of a generated chain. Output: files as cryo writes them, and logs a second.
import { mkdirSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { connectInThread } from '../../../src/chain/connect/in-thread.ts'
import type { RecordedBlock, Recording } from '../../../src/chain/replay/recording.ts'
import { writeHistoryFiles } from '../../support/history-files.ts'
import type { Chain } from './chain.ts'

/** As cryo does with `--chunk-size 500 --row-group-size 8000 --compression snappy`. */
const CHUNK_BLOCKS = 500
const ROW_GROUP = 8_000

interface Sent {
  hash: string
  timestamp: string
  logsBloom: string
  transactions: { hash: string; from: string; to: string; value: string; input: string }[]
}

interface SentLog {
  address: string
  topics: string[]
  data: string
  transactionIndex: string
}

/** Writes the files into a folder of their own and returns it. */
export function writeChainFiles(folder: string, { blocks: count, chainId }: Chain): string {
  const target = join(folder, 'history')
  mkdirSync(target)
  const [readBlocks, readLogs] = [openSlices(folder, 'blocks'), openSlices(folder, 'logs')]
  for (let from = 0; from < count; from += CHUNK_BLOCKS) {
    const to = Math.min(count, from + CHUNK_BLOCKS) - 1
    const blocks: RecordedBlock[] = []
    for (let number = Math.max(0, from - 1); number <= to; number++) {
      const { hash, timestamp, logsBloom, transactions } = JSON.parse(readBlocks(number)) as Sent
      const logs = JSON.parse(`[${readLogs(number).slice(0, -1)}]`) as SentLog[]
      blocks[number] = {
        ...{ hash, time: Number(timestamp), bloom: logsBloom, transactions },
        logs: logs.map(({ address, topics, data, transactionIndex }) => ({
          address,
          topics,
          data,
          at: Number(transactionIndex),
        })),
      }
    }
    const recording: Recording = { chainId, finalityDepth: 64, blocks, contracts: {}, codes: [] }
    writeHistoryFiles(recording, { folder: target, from, to, chunkSize: CHUNK_BLOCKS, rowGroupSize: ROW_GROUP })
  }
  return target
}

function openSlices(folder: string, name: string) {
  const file = openSync(join(folder, `${name}.bin`), 'r')
  const bytes = readFileSync(join(folder, `${name}.offsets`))
  const offsets = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
  return (block: number): string => {
    const start = offsets[block] ?? 0
    const slice = Buffer.allocUnsafe((offsets[block + 1] ?? 0) - start)
    readSync(file, slice, 0, slice.length, start)
    return slice.toString('latin1')
  }
}

/** Ranges under way at once, as when the indexer reads. */
const AHEAD = 3

/** Seconds in which the reading thread reads the whole chain, checked and decoded, and nothing is done with it. */
export async function readThrough(chain: Chain, historyFiles?: string): Promise<number> {
  const stopping = new AbortController()
  const { source } = await connectInThread({
    urls: [chain.url],
    override: JSON.stringify(chain.preset),
    historyFiles,
    onTrouble: () => {},
    signal: stopping.signal,
  })
  const started = performance.now()
  const queue: Promise<unknown>[] = []
  for (let at = 0; at < chain.blocks; ) {
    const end = Math.min(chain.blocks, at + source.rangeSize()) - 1
    queue.push(source.readRange(at, end))
    if (at === 0 || queue.length >= AHEAD) await queue.shift()
    at = end + 1
  }
  await Promise.all(queue)
  const seconds = (performance.now() - started) / 1000
  stopping.abort()
  return seconds
}
