// The demo chain as a file: blocks, logs, and what contracts say of themselves, recorded from a real EVM. Comes in: a path
// (none: the one that ships beside package.json); goes out: the recording. `npm run demo:record` writes it anew.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { StartupError } from '../../base/errors.ts'

export interface RecordedLog {
  address: string
  topics: string[]
  data: string
  /** Position of its transaction in the block. */
  at: number
}

interface RecordedTransaction {
  hash: string
  from: string
  to: string | null
  /** Wei, in hex. */
  value: string
  input: string
}

/** A block; its number is its place in the list, its parent the one before. */
export interface RecordedBlock {
  hash: string
  /** Seconds since 1970. */
  time: number
  bloom: string
  transactions: RecordedTransaction[]
  logs: RecordedLog[]
}

/** What a contract answers since the block that it was born in. */
export interface RecordedContract {
  born: number
  /** The same answer at any block, by call data; null: it reverts. */
  answers: Record<string, string | null>
  /** Selectors whose answer is read from the chain's logs. */
  moving: string[]
}

export interface Recording {
  chainId: number
  /** How far `finalized` stands behind the head. */
  finalityDepth: number
  blocks: RecordedBlock[]
  contracts: Record<string, RecordedContract>
}

const FILE = join('demo', 'chain.json.br')

/** The recording; throws a `StartupError` when the file is missing. */
export function readRecording(path = findRecording()): Recording {
  return JSON.parse(brotliDecompressSync(readFileSync(path)).toString()) as Recording
}

/** `demo/chain.json.br` beside the nearest package.json above this file: the same from the sources and from the build. */
function findRecording(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, FILE))) {
    const parent = dirname(folder)
    if (parent === folder) throw new StartupError(`The file ${FILE} is missing: install the program anew.`)
    folder = parent
  }
  return join(folder, FILE)
}
