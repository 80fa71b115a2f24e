// Which blocks are held against their receipts: all that are not final, and a share of those that are. Input: blocks, with or
// without logs. Output: the blocks whose logs are proven, with their logs in place of what the provider said.
import { allOf, type LogsByBlock } from '../logs/assemble.ts'
import type { RawBlock } from '../raw.ts'
import type { ReceiptReader } from './receipts.ts'

export interface Proofs {
  /** The logs of those blocks of the window that can be proven, also of blocks without any. */
  ofWindow(blocks: readonly RawBlock[]): Promise<LogsByBlock>
  /** Holds a share of the range's blocks against their receipts, and replaces logs that differ. Returns the blocks' numbers. */
  ofRange(blocks: readonly RawBlock[], logs: LogsByBlock): Promise<ReadonlySet<number>>
}

export interface ProofsOptions {
  receipts: ReceiptReader
  /** Of final blocks, from 0 to 1. 0: no block is held against its receipts, whether final or not. */
  share: number
  onNotice(text: string): void
}

export function createProofs({ receipts, share, onNotice }: ProofsOptions): Proofs {
  /** Every so many blocks one is chosen. It falls to 1 once the provider was caught. */
  let every = share > 0 ? Math.round(1 / share) : 0

  const prove = async (blocks: readonly RawBlock[]): Promise<LogsByBlock> =>
    new Map([...(await receipts.prove(blocks))].map(([{ number }, answer]) => [number, allOf([answer])]))

  return {
    ofWindow: async (blocks) => (every === 0 ? new Map() : prove(blocks)),
    async ofRange(blocks, logs) {
      const proven = every === 0 ? new Map() : await prove(blocks.filter(({ number }) => number % every === 0))
      for (const [number, runs] of proven) {
        const [said, there] = [countOf(logs.get(number)), countOf(runs)]
        logs.set(number, runs)
        if (said === there) continue
        const text = `the provider told ${said} of the ${there} logs of block ${number}, which were taken from its receipts`
        onNotice(
          every === 1 ? text : `${text}: from now on every block is held against them. Blocks before it may lack logs`,
        )
        every = 1
      }
      return new Set(proven.keys())
    },
  }
}

/** Each log once: a provider may send one twice. */
const countOf = (runs: ReturnType<LogsByBlock['get']>): number =>
  new Set((runs ?? []).flatMap(({ answer, from, to }) => answer.logIndexes.slice(from, to))).size
