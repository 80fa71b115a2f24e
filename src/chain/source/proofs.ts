// Selects the blocks to check against their receipts: all unfinalised ones, and a share of the final ones. Input:
// blocks, with or without logs. Output: the proven blocks, with their own logs in place of the provider's.
import { allOf, type LogsByBlock } from '../logs/assemble.ts'
import type { RawBlock } from '../raw.ts'
import type { RpcAnswer } from '../rpc/endpoint.ts'
import { createLack, type OnNotice } from '../rpc/trouble.ts'
import type { ReceiptReader } from './receipts.ts'

export interface Proofs {
  /** Whether blocks of the window are proven, as far as is known. */
  isOn(): boolean
  /** The logs of blocks of the window, from receipts that came with them; null unless they prove every block. */
  ofAnswers(blocks: readonly RawBlock[], answers: readonly RpcAnswer[]): LogsByBlock | null
  /** The logs of the provable blocks of the window, including blocks without any log. */
  ofWindow(blocks: readonly RawBlock[]): Promise<LogsByBlock>
  /**
   * Checks a share of the range's blocks against their receipts, and replaces logs that differ. Returns the blocks'
   * numbers.
   */
  ofRange(blocks: readonly RawBlock[], logs: LogsByBlock): Promise<ReadonlySet<number>>
}

export interface ProofsOptions {
  receipts: ReceiptReader
  /** The share of final blocks, from 0 to 1. 0: no block is checked against its receipts, not even unfinalised ones. */
  share: number
  onNotice: OnNotice
}

/** Proven blocks in a row whose logs were all returned. After them the provider counts as one that leaves none out. */
const WHOLE_AGAIN = 100

export function createProofs({ receipts, share, onNotice }: ProofsOptions): Proofs {
  /** The interval of chosen blocks. It falls to 1 after the provider's first false answer. */
  let every = share > 0 ? Math.round(1 / share) : 0
  const lack = createLack(WHOLE_AGAIN)

  function noteCounts(number: number, said: number, there: number): void {
    if (said === there) {
      if (lack.isWhole())
        onNotice(`the provider returns all logs again: it did for ${WHOLE_AGAIN} blocks in a row`, true)
      return
    }
    if (lack.lacks()) {
      const text = `the provider returned ${said} of the ${there} logs of block ${number}; the index has those of its receipts`
      onNotice(
        every === 1
          ? text
          : `${text}. Every block is checked against its receipts from now on. Blocks before this one may lack logs`,
      )
    }
    every = 1
  }

  const prove = async (blocks: readonly RawBlock[]): Promise<LogsByBlock> =>
    new Map([...(await receipts.prove(blocks))].map(([{ number }, answer]) => [number, allOf([answer])]))

  return {
    isOn: () => every > 0 && receipts.isOn(),
    ofAnswers(blocks, answers) {
      const logs: LogsByBlock = new Map()
      for (const [at, block] of blocks.entries()) {
        const answer = receipts.readProven(block, answers[at])
        if (!answer) return null
        logs.set(block.number, allOf([answer]))
      }
      return logs
    },
    ofWindow: async (blocks) => (every === 0 ? new Map() : prove(blocks)),
    async ofRange(blocks, logs) {
      const proven = every === 0 ? new Map() : await prove(blocks.filter(({ number }) => number % every === 0))
      for (const [number, runs] of proven) {
        const [said, there] = [countOf(logs.get(number)), countOf(runs)]
        logs.set(number, runs)
        noteCounts(number, said, there)
      }
      return new Set(proven.keys())
    },
  }
}

/** Each log once, because a provider may send one twice. */
const countOf = (runs: ReturnType<LogsByBlock['get']>): number =>
  new Set((runs ?? []).flatMap(({ answer, from, to }) => answer.logIndexes.slice(from, to))).size
