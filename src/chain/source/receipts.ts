// Logs that are proven complete: the root of their receipts equals the one in the block's header. Input: blocks.
// Output: the logs of each proven block; the other blocks are read in another way. Proofs never delay the index: a node
// without receipts, or a chain with another root, is reported once.
import type { Clock } from '../../base/clock.ts'
import type { LogAnswer } from '../logs/answer.ts'
import { createKeyTest } from '../logs/events.ts'
import type { RawBlock, RawLog } from '../raw.ts'
import { readHash, readNumber } from '../raw.ts'
import { type Call, isAnswered, type RpcAnswer } from '../rpc/endpoint.ts'
import { RETRYABLE } from '../rpc/error.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { OnNotice } from '../rpc/trouble.ts'
import { EMPTY_ROOT, isReceipts, type RawReceipt, rootOf } from './receipts-root.ts'

export interface ReceiptReader {
  /** The logs with our keys of the proven blocks. */
  prove(blocks: readonly RawBlock[]): Promise<Map<RawBlock, LogAnswer>>
  /** Whether receipts are asked for: neither the node nor the chain has shown that they prove nothing. */
  isOn(): boolean
  /** The logs in receipts that prove the block; null if they do not. */
  readProven(block: RawBlock, answer: RpcAnswer | undefined): LogAnswer | null
}

export interface ReceiptReaderOptions {
  rpc: Rpc
  keys: readonly string[]
  read(logs: readonly RawLog[]): LogAnswer
  /** Gets one sentence about each kind of proof that fails. */
  onNotice: OnNotice
  clock: Pick<Clock, 'monotonicMs'>
}

/** Attempts at each endpoint: the receipts of a new block may come a moment later than the block. */
const ATTEMPTS = 2
/** Blocks in a row whose header proves nothing. After them no receipts are asked for together with blocks. */
const MOST_UNPROVABLE = 5
/** Blocks that fail in a row before any is proven. After them the chain or the node counts as one that proves none. */
const MOST_UNPROVEN = 5
/** Refusals in a row after which receipts are not asked for. One refusal may be a slip. */
const MOST_REFUSED = 3
/** How long they are not asked for then. */
const ASK_AGAIN_MS = 600_000

interface State extends Pick<ReceiptReaderOptions, 'onNotice' | 'clock'> {
  hasProven: boolean
  unproven: number
  unprovable: number
  refused: number
  isTold: boolean
  offUntilMs: number
}

export function createReceiptReader({ rpc, keys, read, onNotice, clock }: ReceiptReaderOptions): ReceiptReader {
  const isWanted = createKeyTest(keys)
  const counts = { hasProven: false, unproven: 0, unprovable: 0, refused: 0, isTold: false }
  const state: State = { onNotice, clock, ...counts, offUntilMs: Number.NEGATIVE_INFINITY }
  const isOff = () => clock.monotonicMs() < state.offUntilMs
  const logsOf = (receipts: readonly RawReceipt[]): LogAnswer =>
    read(receipts.flatMap(({ logs }) => logs.filter(isWanted)))
  return {
    isOn: () => !isOff() && state.unprovable < MOST_UNPROVABLE,
    readProven(block, answer) {
      if (!isProvable(block)) state.unprovable += 1
      if (!answer || !isAnswered(answer) || !isProvable(block) || !isProof(block, answer.result)) return null
      noteProof(state)
      state.unprovable = 0
      return logsOf(answer.result)
    },
    async prove(blocks) {
      const asked = isOff() ? [] : blocks.filter(isProvable)
      const answers = await rpc.batch(asked.map(getReceipts), ATTEMPTS)
      const proven = new Map<RawBlock, LogAnswer>()
      for (const [i, block] of asked.entries()) {
        const answer = answers[i]
        if (answer && isAnswered(answer)) {
          noteProof(state)
          proven.set(block, logsOf(answer.result as RawReceipt[]))
        } else doubt(state, block, answer)
      }
      return proven
    },
  }
}

function giveUp(state: State, reason: string): void {
  if (!state.isTold) state.onNotice(`blocks are not checked against their receipts: ${reason}`)
  state.isTold = true
  state.offUntilMs = state.clock.monotonicMs() + ASK_AGAIN_MS
}

function noteProof(state: State): void {
  if (state.isTold) state.onNotice('blocks are checked against their receipts again', true)
  Object.assign(state, { isTold: false, hasProven: true, unproven: 0, refused: 0 } satisfies Partial<State>)
}

/** Reports a block without proof: once until another block is proven. */
function doubt(state: State, block: RawBlock, answer: RpcAnswer | undefined): void {
  const error = answer?.error
  const isFinal = error && !RETRYABLE.has(error.kind) && error.kind !== 'size'
  if (isFinal) state.refused += 1
  if (isFinal && state.refused >= MOST_REFUSED) giveUp(state, error.message)
  if (isFinal || (error && error.kind !== 'lagging')) return
  state.unproven += 1
  if (!state.hasProven && state.unproven >= MOST_UNPROVEN)
    giveUp(state, 'they do not give the receiptsRoot of their blocks, so the chain makes it otherwise')
  if (state.hasProven && state.unproven === 1)
    state.onNotice(
      `the receipts of block ${block.number} do not give its receiptsRoot: its logs are checked against its bloom`,
    )
}

/** Some chains give every block the root of an empty one. */
const isProvable = ({ receiptsRoot, transactions }: RawBlock): boolean =>
  receiptsRoot !== null && receiptsRoot !== EMPTY_ROOT && transactions.length > 0

const getReceipts = (block: RawBlock): Call => ({
  method: 'eth_getBlockReceipts',
  params: [`0x${block.number.toString(16)}`],
  accept: (result) => isProof(block, result),
})

const isProof = (block: RawBlock, result: unknown): result is RawReceipt[] =>
  isReceipts(result) && areOf(block, result) && rootOf(result) === block.receiptsRoot

/** The root does not cover hashes and places: they are those of the block, and count from zero. */
function areOf(block: RawBlock, receipts: readonly RawReceipt[]): boolean {
  let index = 0
  return receipts.every(({ transactionHash, logs }, at) => {
    const hash = readHash(transactionHash)
    return (
      hash === readHash(block.transactions[at]?.hash) &&
      logs.every(
        (log) =>
          readNumber(log.logIndex) === index++ &&
          readHash(log.transactionHash) === hash &&
          readHash(log.blockHash) === block.hash,
      )
    )
  })
}
