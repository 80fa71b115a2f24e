// The demo chain as a file: blocks, logs and contract answers, recorded from a real EVM. Input: the file that
// ships beside package.json. Output: the recording. `npm run demo:record` records it again.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { StartupError } from '../../base/errors.ts'
import type { LogKeys } from './log-keys.ts'

export interface RecordedLog {
  address: string
  topics: string[]
  data: string
  /** Index of its transaction in the block. */
  at: number
}

export interface RecordedTransaction {
  hash: string
  from: string
  to: string | null
  /** Wei, in hex. */
  value: string
  input: string
}

/** A block. Its number is its index in the list, and its parent is the block before it. */
export interface RecordedBlock {
  hash: string
  /** Seconds since 1970. */
  time: number
  bloom: string
  transactions: RecordedTransaction[]
  logs: RecordedLog[]
  /** The logs of this block and its neighbours in the file; undefined: not known. */
  keys?: LogKeys
}

/** The answers of a contract from the block of its creation on. */
export interface RecordedContract {
  born: number
  /** Answers that are the same at any block, by call data; null: the call reverts. */
  answers: Record<string, string | null>
  /** Selectors whose answer is computed from the chain's logs. */
  moving: string[]
  /** The place of its runtime code in the recording's `codes`. */
  code: number
  /** Words of a token's storage by slot, at the end of the recording. */
  slots?: Record<string, string>
  /** What it does to holders that its logs do not tell. */
  rule?: RecordedRule
}

/**
 * The effect of an owner's act. `closed`: accounts cannot send to contracts. `emptied`: accounts have nothing.
 * `grasping`: the free ones spend what others have.
 */
export interface RecordedRule {
  kind: 'closed' | 'emptied' | 'grasping'
  /** The first block at whose end it holds. */
  from: number
  /** The accounts that it spares. */
  free: string[]
}

export interface Recording {
  chainId: number
  /** How many blocks `finalized` is behind the head. */
  finalityDepth: number
  blocks: RecordedBlock[]
  contracts: Record<string, RecordedContract>
  /** Runtime codes, each once. */
  codes: string[]
}

/** The contract, if it exists at the end of the block. */
export const bornBy = (contract: RecordedContract | undefined, block: number): RecordedContract | undefined =>
  contract && contract.born <= block ? contract : undefined

const FILE = join('demo', 'chain.jsonl.br')
const NEWLINE = 0x0a
/** Room for the whole text in one piece, which goes back to the system; many small pieces stay with the process. */
const CHUNK = 64 * 2 ** 20
/** Blocks of one line of the file. */
const BLOCKS_A_LINE = 64

/** The text of the file: a line with everything but the blocks, then lines with some blocks each. */
export function formatRecording({ blocks, ...rest }: Recording): string {
  const lines = [JSON.stringify(rest)]
  for (let at = 0; at < blocks.length; at += BLOCKS_A_LINE)
    lines.push(JSON.stringify(blocks.slice(at, at + BLOCKS_A_LINE)))
  return lines.join('\n')
}

/** The recording, whole; throws a `StartupError` when the file is missing. */
export function readRecording(): Recording {
  const { lines, ...rest } = readRecordedLines()
  return { ...rest, blocks: [...lines].flatMap((line): RecordedBlock[] => JSON.parse(line.toString())) }
}

/** The recording without its blocks, and the lines of its blocks. Throws a `StartupError` if the file is missing. */
export function readRecordedLines(): Omit<Recording, 'blocks'> & { lines: Iterable<Buffer> } {
  const [first, ...lines] = splitLines(brotliDecompressSync(readFileSync(findRecording()), { chunkSize: CHUNK }))
  return { ...(JSON.parse(String(first)) as Omit<Recording, 'blocks'>), lines }
}

function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from <= bytes.length; ) {
    const at = bytes.indexOf(NEWLINE, from)
    const end = at === -1 ? bytes.length : at
    yield bytes.subarray(from, end)
    from = end + 1
  }
}

/**
 * `demo/chain.jsonl.br` beside the nearest package.json above this file, whether this runs from sources or from a build.
 */
function findRecording(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, FILE))) {
    const parent = dirname(folder)
    if (parent === folder) throw new StartupError(`The file ${FILE} is missing: reinstall the program.`)
    folder = parent
  }
  return join(folder, FILE)
}
