// The recording of the demo with packed blocks, which take a tenth of the memory. Input: its file. Output: the
// recording, whose blocks unpack their line of the file when somebody reads them.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { itemAt } from '../../base/item-at.ts'
import { LogKeys } from './log-keys.ts'
import { type RecordedBlock, type Recording, readRecordedLines } from './recording.ts'

/** The fastest level: the lines are packed at every start. */
const LEVEL = 1
/** Lines that stay unpacked: the blocks that an indexer reads at once lie in about as many. */
const UNPACKED = 16
/** A line is packed again after this time: a follower at the head reads none. */
const UNPACKED_MS = 10_000

type Body = Pick<RecordedBlock, 'bloom' | 'transactions' | 'logs'>
type Unpack = (line: number) => readonly Body[]

/** A block's place in the file; `keys` are those of its line. */
interface Place {
  line: number
  at: number
  keys: LogKeys
}

class KeptBlock implements RecordedBlock {
  readonly hash: string
  readonly time: number
  readonly keys: LogKeys
  readonly #unpack: Unpack
  readonly #line: number
  readonly #at: number

  constructor({ hash, time }: RecordedBlock, unpack: Unpack, { line, at, keys }: Place) {
    this.hash = hash
    this.time = time
    this.keys = keys
    this.#unpack = unpack
    this.#line = line
    this.#at = at
  }

  get bloom() {
    return this.#body().bloom
  }

  get transactions() {
    return this.#body().transactions
  }

  get logs() {
    return this.#body().logs
  }

  #body(): Body {
    return itemAt(this.#unpack(this.#line), this.#at)
  }
}

/** The recording; throws a `StartupError` when the file is missing. */
export function openRecording(): Recording {
  const { lines, ...rest } = readRecordedLines()
  return { ...rest, blocks: keepBlocks(lines) }
}

/** What a block has is the same object only while nobody reads blocks of other lines. */
function keepBlocks(lines: Iterable<Buffer>): RecordedBlock[] {
  const packed: Buffer[] = []
  const unpack = createUnpack(packed)
  const kept: RecordedBlock[] = []
  for (const text of lines) {
    const blocks: RecordedBlock[] = JSON.parse(text.toString())
    // A search by address would unpack every line otherwise.
    const keys = new LogKeys()
    for (const { logs } of blocks) for (const log of logs) keys.add(log)
    blocks.forEach((block, at) => {
      kept.push(new KeptBlock(block, unpack, { line: packed.length, at, keys }))
    })
    packed.push(deflateRawSync(text, { level: LEVEL }))
  }
  return kept
}

function createUnpack(packed: readonly Buffer[]): Unpack {
  const unpacked = new LRUCache<number, readonly Body[]>({ max: UNPACKED, ttl: UNPACKED_MS, ttlAutopurge: true })
  return (line) => {
    const known = unpacked.get(line)
    if (known) return known
    const blocks: readonly Body[] = JSON.parse(inflateRawSync(itemAt(packed, line)).toString())
    unpacked.set(line, blocks)
    return blocks
  }
}
