// The content of a replay: blocks by number and hash, the newest one, and the answers of contracts. A recording is a
// tape that ends; a moving demo is one that goes on.
import { itemAt } from '../../base/item-at.ts'
import { answerCall, type CallObject } from './call.ts'
import { bornBy, type RecordedBlock, type RecordedContract, type Recording } from './recording.ts'
import { createState } from './state.ts'

export interface Tape {
  chainId: number
  finalityDepth: number
  /** The number of the newest block. */
  head(): number
  /** A block up to the newest. */
  block(number: number): RecordedBlock | undefined
  /** Whether a block may have a log with one of these keys. */
  mayHave(number: number, keys: readonly number[]): boolean
  /** The number of a block by its hash; null if no such block exists now. */
  find(hash: string): number | null
  /** The data that a call returned at the end of a block. */
  call(call: CallObject, block: number): string
  /** The contract of an address in lower case, once it exists; undefined for an account. */
  contract(address: string, block: number): RecordedContract | undefined
  /** The runtime code of a contract. */
  code(contract: RecordedContract): string
}

/** The recording up to its last block, or up to the block `shown`. */
export function createTape(recording: Recording, shown?: () => number): Tape {
  const { blocks, chainId, finalityDepth, contracts, codes } = recording
  const last = blocks.length - 1
  const numbers = new Map(blocks.map(({ hash }, number) => [hash, number]))
  const state = createState(recording)
  return {
    chainId,
    finalityDepth,
    head: () => Math.min(shown?.() ?? last, last),
    block: (number) => blocks[number],
    mayHave: (number, keys) => blocks[number]?.keys?.hasAny(keys) ?? true,
    find: (hash) => numbers.get(hash) ?? null,
    call: (call, block) => answerCall((address) => contracts[address], state, call, block),
    contract: (address, block) => bornBy(contracts[address], block),
    code: ({ code }) => itemAt(codes, code),
  }
}
