// Splits blocks into batches of bounded size, and applies a batch without blocking the event loop for long.
import { setImmediate } from 'node:timers/promises'
import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { applyBlock } from '../../book/apply.ts'
import { learnTold } from '../../book/balances/told.ts'
import type { TokenRecord } from '../../book/rows/rows.ts'
import type { Work } from '../../book/rows/working-set.ts'
import type { ChainReader } from '../../chain/contracts/reader.ts'
import type { ChainBlock } from '../../chain/event.ts'
import type { Batch } from './prefetch/grouped.ts'

/** How many logs a batch of final blocks has at most, which bounds its memory. */
const MAX_LOGS = 20_000

/** After so many logs, which take about 5 ms, the event loop gets a turn. */
const BREATH_LOGS = 500

/** The number of logs in the blocks. */
export const countLogs = (blocks: readonly ChainBlock[]): number =>
  blocks.reduce((sum, { logs }) => sum + logs.length, 0)

/** Applies the blocks to the working set. */
export async function applyBlocks(
  work: Work,
  { blocks, transactions }: Pick<Batch, 'blocks' | 'transactions'>,
  reader: TokenReader,
): Promise<void> {
  let logs = 0
  for (const [index, block] of blocks.entries()) {
    applyBlock(work, block, transactions[index] ?? [])
    if (work.again.size > 0) await readAgain(work, reader)
    logs += block.logs.length
    if (logs < BREATH_LOGS) continue
    await setImmediate()
    logs = 0
  }
}

/** Reads the contracts that may tell something else since the block. A prefetch has asked about most of them. */
async function readAgain(work: Work, reader: TokenReader): Promise<void> {
  const tokens = [...work.again]
  work.again.clear()
  const { number } = work.block
  const told = await reader.readTokens(tokens.map(addressOf), number)
  // Tokens that went to the zero address have left the supply. Some contracts still count them.
  const grown = tokens.filter((token) => (told.get(addressOf(token))?.totalSupply ?? 0n) > token.supply)
  const questions = grown.map((token) => ({ token: addressOf(token), holder: ZERO_ADDRESS }))
  const gone = questions.length === 0 ? [] : await reader.readBalances(questions, number)
  for (const token of tokens) learnTold(work, token, told.get(addressOf(token)), gone[grown.indexOf(token)] ?? 0n)
}

type TokenReader = Pick<ChainReader, 'readTokens' | 'readBalances'>

const addressOf = ({ address }: TokenRecord): Address => address

/** Splits blocks: final ones into batches of bounded size, then the others one by one, since each may be rolled back. */
export function split(blocks: readonly ChainBlock[], finalized: number): ChainBlock[][] {
  const batches: ChainBlock[][] = []
  let logs = Number.POSITIVE_INFINITY
  for (const block of blocks) {
    const current = batches.at(-1)
    if (current && block.number <= finalized && logs + block.logs.length <= MAX_LOGS) {
      current.push(block)
      logs += block.logs.length
    } else {
      batches.push([block])
      logs = block.number <= finalized ? block.logs.length : Number.POSITIVE_INFINITY
    }
  }
  return batches
}
